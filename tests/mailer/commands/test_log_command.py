"""LOG by mail, and the witness in every result mail."""

from __future__ import annotations

import pytest

from games import log
from games.services.adjudication.phases import phase_process
from mailer.models import OutboundMail
from mailer.notices import tell_event
from tests.cast import DAY, NOW, Cast
from tests.mailer.correspondence import flat, said, to_seat, write

pytestmark = pytest.mark.django_db


def test_a_player_gets_the_log_of_their_game(marne: Cast) -> None:
    to = to_seat(marne)
    body = said(write("Carla", "LOG", to=to))
    assert "- 1. 2026-03-02 12:00 UTC: The game was created." in body
    assert f"The game started. [{log.head(marne.game)[:12]}]" in body


def test_who_does_not_play_gets_no_log(marne: Cast) -> None:
    assert "You have not played in the game marne." in said(write("Hugo", "LOG marne"))


def test_every_result_mail_bears_witness_to_the_log(marne: Cast) -> None:
    event = phase_process(game_id=marne.game.pk, now=NOW + 3 * DAY)
    assert event
    tell_event(event, now=NOW + 3 * DAY)
    mails = OutboundMail.objects.filter(event=event)
    assert mails.count() == 8
    witness = f":: log marne {event.number} :: {event.digest} :: result S1901M"
    assert all(witness in flat(mail.body) for mail in mails)
    assert log.head(marne.game) == event.digest
