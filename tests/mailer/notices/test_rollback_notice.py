"""Everybody hears of a rollback, with an address that is good for the phase played again."""

from __future__ import annotations

import pytest

from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.endings.ending import game_end
from games.services.seating.observers import observe
from games.services.seating.seats import seat_resign
from mailer.models import OutboundMail
from mailer.notices import tell_event
from mailer.outbound import addresses
from mailer.outbound.tokens import ForSeat
from tests.cast import NOW, Cast, address_of, make_player
from tests.games.acts.acting import Acting
from tests.mailer.correspondence import flat, tell_all

pytestmark = pytest.mark.django_db


def test_all_players_and_the_gm_are_told_what_is_played_again(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    event = game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    tell_event(event, now=NOW)
    mails = list(OutboundMail.objects.filter(event=event))
    assert len({mail.recipient for mail in mails}) == 8
    for mail in mails:
        body = flat(mail.body)
        assert mail.subject == "[marne] Spring 1901 movement: played again from here"
        assert "Undone: Spring 1901 movement and Fall 1901 movement." in body
        assert "gm says why: A slip." in body
    plays = [flat(mail.body).count("You play ") for mail in mails]
    assert sorted(plays) == [0, *[1] * 7]
    [gm] = [mail for mail in mails if "You get this as the game master" in mail.body]
    assert (
        "has to send orders for it again. Deadline: Thu 5 Mar 2026, 12:00 UTC, in 3 days."
        in flat(gm.body)
    )
    [france] = [mail for mail in mails if mail.recipient == address_of("Carla")]
    assert "has to send orders for it again. You play France." in flat(france.body)
    tokens = [addresses.find((mail.reply_to,)) for mail in mails]
    assert sum(isinstance(one, ForSeat) and one.phase == marne.phase for one in tokens) == 7


def test_results_that_are_undone_before_they_are_told_are_not_told(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    kinds = {mail.kind for mail in tell_all()}
    assert "game_rolled_back" in kinds
    assert "phase_processed" not in kinds


def test_who_read_of_the_end_hears_that_it_counts_for_nothing(marne: Cast) -> None:
    """Observers hear of every rollback, former players of one that takes the end back."""
    ines, ana = make_player("Ines"), marne.player("Ana")
    observe(game=marne.game, player=ines, now=NOW)
    seat_resign(seat=marne.seat("Austria"), now=NOW)
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    before = game_rollback(game=marne.game, phase="S1901M", why="", by="gm", now=NOW)
    game_end(game=marne.game, winners=(), why="", by="gm", now=NOW)
    after = game_rollback(game=marne.game, phase="S1901M", why="", by="gm", now=NOW)

    told = {mail.recipient: flat(mail.body) for mail in tell_event(before, now=NOW)}
    assert address_of(ana.name) not in told
    assert "goes back to Spring 1901 movement" in told[address_of("Ines")]
    told = {mail.recipient: flat(mail.body) for mail in tell_event(after, now=NOW)}
    for name in ("Ines", "Ana"):
        assert "The game was over; now it is being played again" in told[address_of(name)]
        assert "orders" not in told[address_of(name)]
        assert "Replies to mails" not in told[address_of(name)]


def test_of_an_open_phase_that_begins_anew_nothing_is_called_undone(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    shown = Acting(marne.game, "rollback").foresee(phase="F1901M", why="A slip.")
    assert "Fall 1901 movement is open, and starts over: with the position it had" in shown
    event = game_rollback(game=marne.game, phase="F1901M", why="A slip.", by="gm", now=NOW)
    tell_event(event, now=NOW)
    for mail in OutboundMail.objects.filter(event=event):
        body = flat(mail.body)
        assert "Fall 1901 movement of the game marne starts over." in body
        assert "No phase that was decided is undone." in body
        assert "Undone:" not in shown + body
    assert sentence(event) == "gm began Fall 1901 movement again. A slip."
