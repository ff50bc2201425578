"""A game that waits for orders, or that the server stops: everybody reads why."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.models import Game
from games.services.adjudication.phases import phase_process
from games.services.clock.pauses import game_pause
from games.services.ordering.orders import orders_submit
from games.services.seating.seats import seat_take
from tests.cast import HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import flat
from tests.mailer.notices.seats_told import (
    DUE,
    EMMA,
    GM,
    HUGO,
    INES,
    MOD,
    OTHERS,
    SECRET,
    cast_with_all,
    declare,
    recipients,
    tell,
    to,
    waiting,
)

pytestmark = pytest.mark.django_db


def test_the_player_is_the_first_to_hear_that_they_are_in_disorder(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    mails = tell("disorder_declared")
    assert recipients(mails)[:3] == [EMMA, GM, MOD]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    assert len(mails) == 3 + len(OTHERS) + 1
    mine = to(mails, EMMA)
    assert "To come back, send your orders, or write RETURN on a line of its own" in mine
    assert "The GM says why: No word from him." in mine
    assert "(A Rome, A Venice, F Naples)" in mine, "what they have to order"
    assert "To end the civil disorder, reply ENDDISORDER Italy and why." in to(mails, GM)
    assert "what you can do about it: http" in to(mails, MOD)
    for mail in mails[1:]:
        assert "TAKEOVER marne Italy" in flat(mail.body)
        assert "Emma" not in mail.body
        assert SECRET not in mail.body


def test_a_game_that_waits_says_whose_seats_are_open(db: None) -> None:
    cast = waiting()
    mails = tell("orders_overdue", DUE)
    carla = address_of("Carla")
    assert "your seat is open now" in to(mails, carla)
    assert "earlier" not in to(mails, carla), "the deadline has passed"
    assert [one.buttons[0][0] for one in mails if one.recipient == carla] == ["Write my orders"]
    assert "TAKEOVER marne" in to(mails, EMMA)
    assert "TAKEOVER marne" in to(mails, GM)
    offers = tell("seat_offered", DUE)
    assert recipients(offers) == [HUGO]
    assert "The game is waiting for their orders." in flat(offers[0].body)
    assert cast.phase.overdue_at == DUE


def test_a_game_that_waits_for_one_power_speaks_of_one_seat(db: None) -> None:
    but_for_france("wait")
    told = to(tell("orders_overdue", DUE), GM)
    assert "can take over the seat of France (Carla)." in told
    assert "To take it, they write: TAKEOVER marne France" in told


def test_orders_for_which_a_game_waited_are_told_with_the_results_only(db: None) -> None:
    cast = waiting()
    submit_france(cast)
    assert len(cast.events("seat_returned")) == 1
    assert tell("seat_returned", DUE) == []
    mails = tell("orders_overdue", DUE)
    late = to(mails, address_of("Carla"))
    assert "passed without orders for France, but we have heard from you since." in late
    assert "please send them now" not in late
    for_gm = to(mails, GM)
    assert "orders from Austria (Ana), England (Ben), Germany" in for_gm
    assert "Orders from France (Carla) have come since." in for_gm
    assert "Orders from France have come since." in to(mails, EMMA)


def test_half_of_the_orders_is_enough_for_a_game_that_waits(db: None) -> None:
    cast = waiting()
    submit_france(cast, OPENINGS["France"][:1])
    late = to(tell("orders_overdue", DUE), address_of("Carla"))
    assert "without orders for France, but we have heard from you since." in late
    assert "2 of your 3 units still have no order" in late


def test_a_substitute_does_not_read_that_their_predecessor_was_late(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE + HOUR)
    assert HUGO not in recipients(tell("orders_overdue", DUE + HOUR))
    assert cast.phase.due_at == DUE
    [start] = [one for one in tell("seat_taken", DUE + HOUR) if one.recipient == HUGO]
    assert start.subject == "[marne] You play France now; order 3 units"


def test_a_gm_who_decides_reads_that_all_late_orders_have_come(db: None) -> None:
    cast = but_for_france("gm")
    submit_france(cast)
    mails = tell("orders_overdue", DUE)
    assert "passed without orders from France (Carla), but they have come since." in to(mails, GM)
    assert {one.subject for one in mails} == {
        "[marne] Spring 1901 movement: the late orders have come"
    }


def test_nobody_reads_that_a_game_waits_which_has_gone_on(db: None) -> None:
    cast = but_for_france("wait")
    submit_france(cast)
    assert phase_process(game_id=cast.game.pk, now=DUE)
    assert not tell("orders_overdue", DUE)


def but_for_france(when_missing: str) -> Cast:
    """A game whose deadline has passed with all orders but those of France."""
    cast = cast_with_all(when_missing=when_missing)
    for power, lines in OPENINGS.items():
        if power != "France":
            submit(cast, power, lines)
    phase_process(game_id=cast.game.pk, now=DUE)
    return cast


def submit_france(cast: Cast, lines: Sequence[str] = OPENINGS["France"]) -> None:
    orders_submit(
        seat=cast.seat("France"),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=DUE,
        source="<france@players.test>",
        now=DUE,
    )


def test_when_the_server_stops_a_game_of_the_silent_everybody_and_the_moderators_hear_it(
    db: None,
) -> None:
    cast = cast_with_all()
    cast.phase.order_sets.all().delete()
    for _ in range(3):
        phase_process(game_id=cast.game.pk, now=cast.phase.due_at)
    mails = tell("game_paused")
    assert set(recipients(mails)) == OTHERS | {EMMA, GM, MOD}
    for mail in mails:
        assert mail.subject == "[marne] Spring 1902 movement: the game is paused"
        said = flat(mail.body)
        assert "Nobody has been heard from for three phases in a row." in said
        assert "please write to the game master, or to the moderators:" in said
        assert "It goes on when the game master, or a moderator, says so." in said
        assert "The server says why: " in said


def test_a_silent_game_without_a_gm_names_none_when_it_stops(db: None) -> None:
    cast = cast_with_all()
    cast.phase.order_sets.all().delete()
    Game.objects.update(gm=None)
    for _ in range(3):
        phase_process(game_id=cast.game.pk, now=cast.phase.due_at)
    said = flat(to(tell("game_paused"), EMMA))
    assert "please write to the moderators:" in said
    assert "It goes on when a moderator says so." in said


def test_a_pause_that_the_gm_makes_is_between_them_and_their_players(db: None) -> None:
    cast = cast_with_all()
    game_pause(game=cast.game, until=None, why="Holidays.", by="the GM", now=NOW)
    assert set(recipients(tell("game_paused"))) == OTHERS | {EMMA, GM}
