"""Which games wait for a mail that was set aside."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import OperationalError
from pytest_django import Settings

from games.models import Game, OrderSet
from games.services.adjudication.phases import phase_process_now
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.inbound import holds, one_mail, processing, setting_aside, store
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForGmHeldMail
from tests.cast import DAY, HOUR, NOW, OPENINGS, PLAIN, POWERS, Cast
from tests.mailer.correspondence import JUDGE, eml, flat, stored
from tests.mailer.inbound.attempts.attempting import (
    OPERATOR,
    SECOND,
    URL,
    State,
    break_on,
    orders,
    raiser,
    set_aside,
    state,
    told,
)

pytestmark = pytest.mark.django_db

DUE = NOW + 3 * DAY


def deadlines(now: dt.datetime = DUE + HOUR) -> int:
    """The deadlines, after all mail is read."""
    mailbox = store.mailbox_for(URL)
    store.note_poll(mailbox, now)
    mailbox.gap_from = mailbox.gap_to = None
    mailbox.save()
    return jobs.deadlines(now)


def test_the_phase_waits_for_a_mail_to_a_seat_that_was_set_aside(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert list(mail.holds.all()) == [marne.game]
    assert deadlines() == 0
    assert told() == ["gm@players.test", OPERATOR]
    assert told("set_aside") == ["carla@players.test"]


def test_what_is_told_of_it_shows_nothing_of_what_it_says(marne: Cast, france: str) -> None:
    set_aside(orders(france))
    for told_to in OutboundMail.objects.filter(kind=setting_aside.KIND):
        body = flat(told_to.body)
        assert "marne" in body
        assert not [line for line in OPENINGS["France"] if line in body]
        assert addresses.redact(france) not in body.replace("judge@", "")
    gm = OutboundMail.objects.get(recipient="gm@players.test")
    assert "PROCESS" in gm.body
    assert "carla@players.test" in gm.body


def test_when_a_phase_waits_for_hours_everybody_is_told_once_why(marne: Cast, france: str) -> None:
    set_aside(orders(france))
    deadlines(DUE + HOUR)
    assert told("phase_held") == []
    for hours in (2, 3):
        deadlines(DUE + hours * HOUR)
    assert len(told("phase_held")) == 8
    body = flat(OutboundMail.objects.filter(kind="phase_held").order_by("pk")[0].body)
    assert "could not read one of the mails" in body
    assert "mailbox" not in body
    assert "carla" not in body.lower()


def test_the_phase_goes_on_when_the_mail_is_worked_on_after_all(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert holds.run_again(mail_ids=[mail.pk], now=NOW + HOUR) == 1
    assert deadlines() == 0, "it is not worked on yet"
    processing.process_mail(mail_id=mail.pk, now=DUE + HOUR)
    assert deadlines() == 1
    assert OrderSet.objects.get().counts


def test_who_has_to_see_to_it_is_told_when_a_mail_breaks_the_program_once_more(
    marne: Cast, france: str
) -> None:
    mail = set_aside(orders(france))
    once = told()
    holds.run_again(mail_ids=[mail.pk], now=NOW + 3 * HOUR)
    break_on(mail, NOW + 3 * HOUR)
    assert once
    assert told() == sorted([*once, *once])
    assert told("set_aside") == ["carla@players.test"]


def test_the_phase_goes_on_when_an_operator_lets_the_mail_go(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert holds.let_go(mail_ids=[mail.pk], now=NOW) == 1
    assert holds.let_go(mail_ids=[mail.pk], now=NOW) == 0
    assert deadlines() == 1


def test_a_phase_that_the_gm_processed_nonetheless_leaves_the_next_one_free(
    marne: Cast, france: str
) -> None:
    set_aside(orders(france))
    assert phase_process_now(game_id=marne.game.pk, now=DUE + HOUR)
    due = marne.phase.due_at
    assert due is not None
    assert deadlines(due + HOUR) == 1


def test_a_mail_that_came_after_the_deadline_holds_up_nothing(marne: Cast, france: str) -> None:
    set_aside(orders(france), at=DUE + SECOND)
    assert deadlines() == 1


def test_a_mail_that_proved_its_sender_holds_up_all_games_it_may_mean(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    passed = "Authentication-Results: mx.game.test; dmarc=pass header.from=players.test\r\n"
    mail = set_aside(orders(JUDGE, headers=passed))
    assert (mail.player, mail.proof) == (marne.player("Carla"), "authenticated")
    assert list(mail.holds.all()) == [marne.game]
    assert deadlines() == 0


def test_each_mail_that_proves_its_sender_is_apologised_for(marne: Cast, france: str) -> None:
    for _ in range(2):
        set_aside(orders(france))
    assert told("set_aside") == ["carla@players.test"] * 2
    for _ in range(2):
        mail = stored(orders(france, sender="ben@players.test"))
        mail.proof = "none"
        mail.put_off(NOW, note="Kept for later: too many from this sender in an hour.")
        break_on(mail, NOW)
    assert told("set_aside") == ["ben@players.test", *["carla@players.test"] * 2]


def test_the_gm_s_own_mail_holds_up_their_game(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    mail = set_aside(eml("PAUSE", sender="gm@players.test", to=to))
    assert list(mail.holds.all()) == [marne.game]


def test_a_gm_s_answer_to_our_question_holds_up_the_game_that_it_is_about(marne: Cast) -> None:
    held = stored(eml("END", sender="gm@players.test"))
    question = ForGmHeldMail(marne.gm, marne.game, held, "as it stood")
    to = addresses.address_for(question, now=NOW)
    mail = set_aside(eml("CONFIRM", sender="gm@players.test", to=to))
    assert list(mail.holds.all()) == [marne.game]


def second_game(cast: Cast, name: str) -> Game:
    """A game with the same players in the same seats."""
    game = game_create(name=name, gm=cast.gm, now=NOW, **PLAIN)
    for one, wish in POWERS.items():
        game_join(game=game, player=cast.player(one), preferences=wish, now=NOW)
    return game


def test_a_proved_mail_of_somebody_with_two_seats_holds_up_both_games(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    somme = second_game(marne, "somme")
    passed = "Authentication-Results: mx.game.test; dmarc=pass header.from=players.test\r\n"
    mail = set_aside(orders(JUDGE, headers=passed))
    assert list(mail.holds.order_by("name")) == [marne.game, somme]
    assert sorted(told()) == ["gm@players.test", "gm@players.test", OPERATOR]


def test_a_mail_without_a_plain_sender_holds_up_nothing(marne: Cast) -> None:
    mail = set_aside(orders(JUDGE, sender="carla@players.test, ana@players.test"))
    assert not mail.holds.exists()


@pytest.mark.parametrize(
    "headers",
    ["", "Authentication-Results: mx.game.test; dmarc=fail header.from=players.test\r\n"],
)
def test_a_forged_mail_holds_up_nothing_and_tells_the_operators_once_a_day(
    marne: Cast, settings: Settings, headers: str
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    for _ in range(3):
        mail = set_aside(orders(JUDGE, headers=headers))
        assert not mail.holds.exists()
    assert told() == [OPERATOR]
    [to_operator] = OutboundMail.objects.filter(kind=setting_aside.KIND)
    assert "so that no game waits" not in flat(to_operator.body), "none does"
    assert told("set_aside") == ["carla@players.test"]
    assert deadlines() == 1


def test_a_mail_that_our_own_server_calls_forged_holds_up_nothing_whatever_it_is_sent_to(
    marne: Cast, settings: Settings, france: str
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    failed = "Authentication-Results: mx.game.test; dmarc=fail header.from=players.test\r\n"
    assert not set_aside(orders(france, headers=failed)).holds.exists()


def test_a_program_s_answer_to_a_reply_address_holds_up_nothing(marne: Cast, france: str) -> None:
    assert not set_aside(orders(france, headers="Auto-Submitted: auto-replied\r\n")).holds.exists()


def test_the_seat_of_somebody_who_left_holds_up_nothing(marne: Cast, france: str) -> None:
    seat = marne.seat("France")
    seat.until = NOW
    seat.save()
    assert not set_aside(orders(france)).holds.exists()


def test_a_database_that_fails_while_a_mail_is_set_aside_costs_the_game_no_hold(
    marne: Cast, france: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = stored(orders(france))
    monkeypatch.setattr(one_mail, "_work", raiser(RuntimeError("boom")))
    for hour in range(2):
        processing.process_mail(mail_id=mail.pk, now=NOW + hour * HOUR)

    def away(*_: object, **__: object) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(setting_aside, "_tell_operators", away)
        with pytest.raises(OperationalError):
            processing.process_mail(mail_id=mail.pk, now=NOW + 2 * HOUR)
    assert state(mail) == State.NEW
    assert not OutboundMail.objects.exists()
    processing.process_mail(mail_id=mail.pk, now=NOW + 3 * HOUR)
    assert state(mail) == State.QUARANTINED
    assert list(mail.holds.all()) == [marne.game]
