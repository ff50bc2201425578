"""When our relay refuses a player's mail at once, it is as if it had come back."""

from __future__ import annotations

import pytest

from games.models import Game
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import outbox
from tests.cast import DAY, HOUR, NOW, Cast
from tests.mailer.correspondence import told_cast
from tests.mailer.sink import Sink

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]


@pytest.fixture
def game(transactional_db: None) -> Cast:
    return told_cast()


def told() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="undelivered"))


def test_the_gm_is_told_who_is_out_of_reach_and_what_the_server_said(game: Cast, sink: Sink):
    sink.unknown = {"ben@players.test"}
    jobs.outbox(NOW)
    [mail] = told()
    assert mail.recipient == "gm@players.test"
    assert mail.subject == "[marne] Mail to Ben (England) is not getting through"
    assert "550 5.1.1 No such user" in mail.body
    jobs.outbox(NOW)
    assert sink.taken[-1][1]["Subject"] == mail.subject


def test_they_are_told_once_as_long_as_it_lasts(game: Cast, sink: Sink):
    sink.unknown = {"ben@players.test"}
    for hours in range(6):
        jobs.outbox(NOW + hours * HOUR)
    assert len(told()) == 1
    OutboundMail.objects.filter(recipient="ben@players.test").update(
        state="queued", not_before=NOW, bounced_at=None
    )
    jobs.outbox(NOW + DAY)
    assert OutboundMail.objects.filter(recipient="ben@players.test", state="failed").exists()
    assert len(told()) == 1


def test_a_refused_mail_goes_to_the_player_s_second_address(game: Cast, sink: Sink):
    game.player("Ben").addresses.create(email="ben@work.test", confirmed_at=NOW, created_at=NOW)
    sink.unknown = {"ben@players.test"}
    jobs.outbox(NOW)
    jobs.outbox(NOW)
    [again] = [message for to, message in sink.taken if to == "ben@work.test"]
    text = again.get_body(("plain",))
    assert text is not None
    assert "England" in text.get_content()
    assert "ben@players.test" in text.get_content()


def test_a_mail_sent_again_by_hand_starts_anew(game: Cast, sink: Sink):
    sink.unknown = {"ben@players.test"}
    jobs.outbox(NOW)
    mail = OutboundMail.objects.get(recipient="ben@players.test")
    assert mail.bounced_at == NOW
    sink.unknown = set()
    outbox.send_again(mail_ids=[mail.pk], now=NOW)
    jobs.outbox(NOW)
    sent = OutboundMail.objects.get(pk=mail.pk)
    assert (sent.state, sent.bounced_at) == ("sent", None)


def test_nobody_is_told_of_mails_that_may_still_arrive(game: Cast, settings):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    jobs.outbox(NOW)
    assert told() == []


def test_nobody_is_told_when_the_gm_too_is_out_of_reach(game: Cast, sink: Sink):
    sink.unknown = {"gm@players.test"}
    jobs.outbox(NOW)
    jobs.outbox(NOW + HOUR)
    assert told() == []


def test_a_finished_game_and_a_game_without_gm_tell_nobody(game: Cast, sink: Sink):
    sink.unknown = {"ben@players.test"}
    Game.objects.update(status=Game.Status.FINISHED)
    jobs.outbox(NOW)
    Game.objects.update(status=Game.Status.ACTIVE, gm=None)
    jobs.outbox(NOW)
    assert told() == []
