"""Everybody hears of a rollback, with an address that is good for the phase played again."""

from __future__ import annotations

import pytest

from games.services.phases import phase_process
from games.services.rollback import game_rollback
from mailer.models import OutboundMail
from mailer.notices import tell_event
from mailer.outbound import addresses
from mailer.outbound.tokens import ForSeat
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import flat

pytestmark = pytest.mark.django_db


def test_all_players_and_the_gm_are_told_what_is_played_again(marne: Cast) -> None:
    assert phase_process(game_id=marne.game.pk, now=NOW, force=True)
    event = game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    tell_event(event, now=NOW)
    mails = list(OutboundMail.objects.filter(event=event))
    assert len({mail.recipient for mail in mails}) == 8
    for mail in mails:
        body = flat(mail.body)
        assert mail.subject == "[marne] Spring 1901 movement: played again from here"
        assert "Undone: Spring 1901 movement and Fall 1901 movement." in body
        assert "Why: A slip." in body
        assert "Who: gm" in body
    plays = [flat(mail.body).count("You play ") for mail in mails]
    assert sorted(plays) == [0, *[1] * 7]
    [gm] = [mail for mail in mails if "You get this as the game master" in mail.body]
    assert "have to be sent again. Deadline: Thu 5 Mar 2026, 12:00 UTC, in 3 days." in flat(gm.body)
    [france] = [mail for mail in mails if mail.recipient == address_of("Carla")]
    assert "have to be sent again. You play France." in flat(france.body)
    tokens = [addresses.find((mail.reply_to,)) for mail in mails]
    assert sum(isinstance(one, ForSeat) and one.phase == marne.phase for one in tokens) == 7
