"""What happens at a deadline at which orders are missing, by the game's setting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import pytest

from games.errors import BadInput
from games.models import Event
from games.queries.orders.waiting import powers_waited_for
from games.queries.reports.wording import listed
from games.services.adjudication.due_games import closing_time, phases_due
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.deadlines import Mover, deadline_move
from games.services.ordering.readiness import readiness_set
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, submit

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR
LATER = DUE + DAY


def submit_openings(cast: Cast, powers: Iterable[str], at: dt.datetime) -> None:
    for power in powers:
        submit(cast, power, OPENINGS[power], at)


def cast_without(*missing: str, **settings: object) -> Cast:
    """The cast, with the orders of everybody else in."""
    cast = make_cast(**settings)
    submit_openings(cast, [power for power in POWERS.values() if power not in missing], NOW + HOUR)
    return cast


def process(cast: Cast, at: dt.datetime) -> Event | None:
    """Do what the server does every few seconds."""
    if cast.game.pk not in phases_due(now=at):
        return None
    return phase_process(game_id=cast.game.pk, now=at)


def kind(event: Event | None) -> str | None:
    return event.kind if event else None


def test_by_default_units_hold_and_the_game_goes_on(db: None) -> None:
    cast = cast_without("Italy")
    event = process(cast, DUE)
    assert event is not None
    assert (event.kind, event.payload["missing"]) == ("phase_processed", ["Italy"])


def test_a_deadline_is_extended_once_and_then_units_hold(db: None) -> None:
    cast = cast_without("Italy", "Turkey", when_missing="extend", extension_length=DAY)
    event = process(cast, DUE)
    assert event is not None
    assert event.kind == "deadline_moved"
    assert event.payload["why"] == "Nothing has come from Italy and Turkey."
    assert cast.phase.due_at == LATER
    assert process(cast, DUE + HOUR) is None
    assert kind(process(cast, LATER)) == "phase_processed"
    assert cast.phase.name == "F1901M"


def test_orders_that_came_too_late_count_when_the_deadline_is_extended(db: None) -> None:
    """They would, too, had they been read a minute later."""
    cast = cast_without("Italy", when_missing="extend")
    better = ["A Paris - Picardy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"]
    submit(cast, "France", better, DUE + dt.timedelta(seconds=44))
    assert cast.phase.order_sets.get(late=True).counts is False
    assert kind(process(cast, DUE + HOUR)) == "deadline_moved"
    phase = cast.phase
    assert kind(process(cast, DUE + HOUR + DAY)) == "phase_processed"
    phase.refresh_from_db()
    assert phase.orders
    assert phase.orders["France"] == better


@pytest.mark.parametrize("policy", ["wait", "gm"])
def test_a_game_does_not_wait_for_orders_that_came_a_little_late(db: None, policy: str) -> None:
    cast = cast_without("Italy", when_missing=policy)
    submit_openings(cast, ["Italy"], DUE + dt.timedelta(seconds=44))
    phase = cast.phase
    assert kind(process(cast, DUE + HOUR)) == "phase_processed"
    phase.refresh_from_db()
    assert phase.orders
    assert phase.orders["Italy"] == OPENINGS["Italy"]


def test_after_the_extension_everybody_has_to_speak_again_before_early_processing(
    db: None,
) -> None:
    cast = cast_without("Italy", when_missing="extend")
    process(cast, DUE)
    submit_openings(cast, ["Italy"], DUE + HOUR)
    assert process(cast, DUE + 2 * HOUR) is None
    submit_openings(cast, [power for power in POWERS.values() if power != "Italy"], DUE + 3 * HOUR)
    assert kind(process(cast, DUE + 3 * HOUR)) == "phase_processed"


def test_the_next_phase_may_be_extended_again(db: None) -> None:
    cast = cast_without("Italy", when_missing="extend")
    process(cast, DUE)
    process(cast, LATER)
    assert kind(process(cast, LATER + 3 * DAY)) == "deadline_moved"


def test_nothing_is_extended_when_nobody_is_missing(db: None) -> None:
    cast = cast_without(when_missing="extend", process_early=False)
    assert kind(process(cast, DUE)) == "phase_processed"


def test_who_is_ready_without_orders_is_not_missing(db: None) -> None:
    cast = cast_without("Italy", when_missing="wait", process_early=False)
    readiness_set(seat=cast.seat("Italy"), phase=cast.phase, word="READY", now=NOW)
    assert kind(process(cast, DUE)) == "phase_processed"


@pytest.mark.parametrize("policy", ["wait", "gm"])
def test_a_game_waits_for_the_missing_orders_and_says_so_once(db: None, policy: str) -> None:
    cast = cast_without("Italy", when_missing=policy)
    event = process(cast, DUE)
    assert event is not None
    assert event.kind == "orders_overdue"
    assert event.payload == {"phase": "S1901M", "powers": ["Italy"], "waits_for": policy}
    assert process(cast, DUE + 30 * DAY) is None
    assert len(cast.events("orders_overdue")) == 1


@pytest.mark.parametrize("policy", ["wait", "gm"])
def test_orders_for_which_the_game_waits_are_in_time_and_let_it_go_on(
    db: None, policy: str
) -> None:
    cast = cast_without("Italy", "Turkey", when_missing=policy)
    process(cast, DUE)
    submit_openings(cast, ["Italy"], DUE + HOUR)
    assert process(cast, DUE + HOUR) is None
    submit_openings(cast, ["Turkey"], DUE + 2 * HOUR)
    assert closing_time(cast.phase, DUE + 9 * HOUR) == DUE + 2 * HOUR
    event = process(cast, DUE + 2 * HOUR)
    assert event is not None
    assert (event.kind, event.payload["missing"]) == ("phase_processed", [])


def test_the_others_may_improve_their_orders_while_the_game_waits(db: None) -> None:
    cast = cast_without("Italy", when_missing="wait")
    process(cast, DUE)
    submit_openings(cast, ["France"], DUE + HOUR)
    latest = cast.phase.order_sets.filter(power__name="France").latest("received_at")
    assert latest.counts


def test_a_game_that_waits_goes_on_even_when_it_never_processes_early(db: None) -> None:
    cast = cast_without("Italy", when_missing="wait", process_early=False)
    process(cast, DUE)
    submit_openings(cast, ["Italy"], DUE + HOUR)
    assert kind(process(cast, DUE + HOUR)) == "phase_processed"


def test_a_game_that_waits_takes_no_time_for_second_thoughts(db: None) -> None:
    cast = cast_without("Italy", when_missing="wait", early_delay=2 * HOUR)
    process(cast, DUE)
    submit_openings(cast, ["Italy"], DUE + HOUR)
    assert kind(process(cast, DUE + HOUR)) == "phase_processed"


def test_a_gm_may_process_whatever_is_missing(db: None) -> None:
    cast = cast_without("Italy", when_missing="gm")
    process(cast, DUE)
    event = phase_process_now(game_id=cast.game.pk, now=DUE + HOUR)
    assert kind(event) == "phase_processed"


def test_a_gm_may_give_a_new_deadline_to_a_game_that_waits(db: None) -> None:
    cast = cast_without("Italy", when_missing="gm")
    process(cast, DUE)
    deadline_move(game=cast.game, to=LATER, why="One more day.", by=Mover("gm"), now=DUE + HOUR)
    assert process(cast, DUE + 2 * HOUR) is None
    assert kind(process(cast, LATER)) == "orders_overdue"


@pytest.mark.parametrize(
    ("policy", "waits"), [("hold", ()), ("extend", ()), ("gm", ()), ("wait", ("Italy",))]
)
def test_only_a_game_that_waits_for_replacements_waits_for_a_power_that_nobody_plays(
    db: None, policy: str, waits: tuple[str, ...]
) -> None:
    cast = cast_without("Italy", when_missing=policy)
    cast.seat("Italy").power.seats.update(until=NOW)
    assert powers_waited_for(cast.phase) == waits


@pytest.mark.parametrize("policy", ["hold", "extend", "gm", "wait"])
def test_nobody_waits_for_a_power_in_civil_disorder(db: None, policy: str) -> None:
    cast = cast_without("Italy", when_missing=policy)
    cast.game.powers.filter(name="Italy").update(disorder_since=NOW)
    assert powers_waited_for(cast.phase) == ()


def test_an_unknown_setting_is_refused(db: None) -> None:
    with pytest.raises(BadInput, match="'sulk'"):
        game_create(name="verdun", now=NOW, when_missing="sulk")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Italy"], "Italy"),
        (["Italy", "Turkey"], "Italy and Turkey"),
        (["France", "Italy", "Turkey"], "France, Italy and Turkey"),
    ],
)
def test_powers_are_listed_as_people_list_them(names: list[str], text: str) -> None:
    assert listed(names) == text
