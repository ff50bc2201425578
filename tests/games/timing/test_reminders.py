"""Reminders: to those who owe orders, when they wish, once for each rung."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.services.adjudication.phases import phase_process_now
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause
from games.services.clock.reminders import phases_to_remind, players_remind, reminders_set
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.timing.reminders import next_rung, read_ladder, rung_reached, within
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast

DUE = NOW + 72 * HOUR
LADDER = (24 * HOUR, 4 * HOUR)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("24h 4h", [24, 4]),
        ("4h, 24h", [24, 4]),
        ("1d", [24]),
        ("1 day, then 4 hours", [24, 4]),
        ("off", []),
        ("", []),
        ("4h 4h", [4]),
    ],
)
def test_a_ladder_is_read_as_it_was_meant(text: str, hours: list[int]) -> None:
    assert read_ladder(text) == tuple(hour * HOUR for hour in hours)


@pytest.mark.parametrize("text", ["often", "1h 2h 3h 4h 5h 6h", "0h", "off 4h"])
def test_what_is_no_ladder_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_ladder(text)


@pytest.mark.parametrize(
    ("checked", "now", "rung"),
    [
        (72, 48.5, None),
        (72, 24, 24),
        (24, 23, None),
        (72, 20, 24),
        (72, 4, 4),  # both were passed: one reminder is enough
        (20, 3, 4),
        (3, 1, None),
        (72, 0, None),  # too late for a reminder
    ],
)
def test_a_rung_has_its_turn_once(checked: float, now: float, rung: int | None) -> None:
    reached = rung_reached(LADDER, DUE, DUE - checked * HOUR, DUE - now * HOUR)
    assert reached == (rung * HOUR if rung else None)


def test_a_rung_from_before_the_phase_was_opened_has_no_turn() -> None:
    opened_at = DUE - 12 * HOUR
    assert rung_reached((24 * HOUR,), DUE, opened_at, DUE - HOUR) is None


@given(
    st.lists(st.integers(1, 100), max_size=5, unique=True),
    st.lists(st.integers(0, 110), min_size=1, max_size=20),
)
def test_however_often_somebody_looks_each_rung_has_at_most_one_turn(
    rungs: list[int], looks: list[int]
) -> None:
    ladder = tuple(sorted((rung * HOUR for rung in rungs), reverse=True))
    checked_at, turns = DUE - 110 * HOUR, []
    for left in sorted(looks, reverse=True):
        rung = rung_reached(ladder, DUE, checked_at, DUE - left * HOUR)
        checked_at = max(checked_at, DUE - left * HOUR)
        turns.append(rung)
    given_turns = [rung for rung in turns if rung]
    assert given_turns == sorted(set(given_turns), reverse=True)


@given(st.lists(st.integers(1, 100), max_size=5, unique=True), st.integers(0, 110))
def test_the_next_rung_is_the_moment_at_which_one_is_reached(rungs: list[int], left: int) -> None:
    ladder = tuple(rung * HOUR for rung in rungs)
    checked_at = DUE - left * HOUR
    following = next_rung(ladder, DUE, checked_at)
    if following is None:
        assert rung_reached(ladder, DUE, checked_at, DUE - dt.timedelta(seconds=1)) is None
    else:
        assert rung_reached(ladder, DUE, checked_at, following) is not None
        earlier = following - dt.timedelta(seconds=1)
        assert rung_reached(ladder, DUE, checked_at, earlier) is None


@pytest.mark.parametrize(
    ("rungs", "length", "reminded"),
    [
        ((24, 4), 72, (24, 4)),
        ((24, 4), 24, (4,)),  # the first would come with the phase itself
        ((23, 4), 24, (4,)),  # or so soon after it that nobody can have answered
        ((24,), 24, (12,)),
        ((24, 4), 2, (1,)),
        ((), 2, ()),  # who wants no reminders gets none
    ],
)
def test_a_phase_that_is_too_short_for_the_ladder_has_a_reminder_at_half_time(
    rungs: tuple[int, ...], length: int, reminded: tuple[int, ...]
) -> None:
    ladder = tuple(rung * HOUR for rung in rungs)
    assert within(ladder, DUE - length * HOUR, DUE) == tuple(rung * HOUR for rung in reminded)


def submit(cast: Cast, power: str) -> None:
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(OPENINGS[power], start=1)),
        amend=False,
        received_at=NOW + HOUR,
        source="<1@players.test>",
        now=NOW + HOUR,
    )


def remind(now: dt.datetime) -> list[list[str]]:
    """Do what the server does every few seconds; return the powers of each event."""
    events = [players_remind(phase_id=phase, now=now) for phase in phases_to_remind(now=now)]
    return [event.payload["powers"] for event in events if event]


@pytest.mark.django_db
def test_only_those_who_owe_orders_are_reminded_and_once(marne: Cast) -> None:
    for power in ("Austria", "England", "France", "Germany"):
        submit(marne, power)
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="READY", now=NOW)
    assert remind(DUE - 25 * HOUR) == []
    assert remind(DUE - 24 * HOUR) == [["Russia", "Turkey"]]
    assert phases_to_remind(now=DUE - 23 * HOUR) == []
    assert remind(DUE - 23 * HOUR) == []
    (event,) = marne.events("orders_missing")
    assert event.payload["due_at"] == DUE.isoformat()


@pytest.mark.django_db
def test_a_power_with_one_unit_forgotten_is_reminded(marne: Cast) -> None:
    for power in POWERS.values():
        submit(marne, power)
    orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=[(1, "A Par - Bur")],
        amend=False,
        received_at=NOW + 2 * HOUR,
        source="<2@players.test>",
        now=NOW + 2 * HOUR,
    )
    assert remind(DUE - 24 * HOUR) == [["France"]]


@pytest.mark.django_db
def test_each_player_is_reminded_when_they_wish(marne: Cast) -> None:
    reminders_set(player=marne.player("Ana"), text="48h 2h", now=NOW)
    reminders_set(player=marne.player("Ben"), text="OFF", now=NOW)
    assert remind(DUE - 48 * HOUR) == [["Austria"]]
    assert remind(DUE - 24 * HOUR) == [["France", "Germany", "Italy", "Russia", "Turkey"]]
    assert remind(DUE - 2 * HOUR) == [["Austria"]]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1 day and 4 hours", "24h 4h"),
        ("4h " * 30, "4h"),
        ("never", "off"),
        ("Off.", "off"),
        (" ", ""),
        ("90 s 1.5h", "90m 90s"),
        ("315359999s 315359998.5s 1s 2s 3s", "315359999s 315359998s 3s 2s 1s"),
    ],
)
def test_a_wish_is_kept_in_one_short_form(marne: Cast, text: str, kept: str) -> None:
    reminders_set(player=marne.player("Ana"), text=text, now=NOW)
    assert marne.player("Ana").reminders == kept


@pytest.mark.django_db
def test_a_wish_that_cannot_be_read_changes_nothing(marne: Cast) -> None:
    ana = marne.player("Ana")
    with pytest.raises(BadInput):
        reminders_set(player=ana, text="often", now=NOW)
    ana.refresh_from_db()
    assert ana.reminders == ""


@pytest.mark.django_db
def test_a_moved_deadline_brings_its_own_reminder(marne: Cast) -> None:
    assert len(remind(DUE - 24 * HOUR)) == 1
    deadline_move(game=marne.game, to=DUE + 3 * DAY, why="", by=Mover("gm"), now=DUE - 20 * HOUR)
    assert remind(DUE) == []
    assert len(remind(DUE + 2 * DAY)) == 1


@pytest.mark.django_db
def test_nobody_is_reminded_in_a_paused_game(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    assert remind(DUE - 24 * HOUR) == []


@pytest.mark.django_db
@pytest.mark.parametrize("meanwhile", ["paused", "decided", "reminded"])
def test_nobody_is_reminded_if_there_is_no_need_any_more_when_it_is_their_turn(
    marne: Cast, meanwhile: str
) -> None:
    at = DUE - 24 * HOUR
    [phase] = phases_to_remind(now=at)
    if meanwhile == "paused":
        game_pause(game=marne.game, until=None, why="", by="gm", now=at)
    elif meanwhile == "decided":
        phase_process_now(game_id=marne.game.pk, now=at)
    else:
        assert players_remind(phase_id=phase, now=at)
    assert players_remind(phase_id=phase, now=at) is None


@pytest.mark.django_db
def test_nobody_is_reminded_of_a_phase_that_is_over(marne: Cast) -> None:
    phase = marne.phase
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert players_remind(phase_id=phase.pk, now=DUE - 24 * HOUR) is None


@pytest.mark.django_db
def test_a_short_phase_brings_no_reminder_the_moment_it_is_opened(db: None) -> None:
    cast = make_cast(movement_length=6 * HOUR, reminders="24h 1h")
    assert remind(NOW) == []
    assert cast.phase.due_at == NOW + 6 * HOUR
    assert remind(NOW + 5 * HOUR) == [sorted(POWERS.values())]


SHORT = {"movement_length": 2 * HOUR, "early_delay": 0 * HOUR}


@pytest.mark.django_db
@pytest.mark.parametrize("ladder", ["24h", "24h 3h"])
def test_in_a_short_phase_all_who_owe_orders_are_reminded_once_at_half_time(ladder: str) -> None:
    cast = make_cast(**SHORT, reminders=ladder)
    submit(cast, "France")
    assert remind(NOW + HOUR - dt.timedelta(seconds=1)) == []
    assert remind(NOW + HOUR) == [[power for power in POWERS.values() if power != "France"]]
    assert remind(NOW + 1.5 * HOUR) == []


@pytest.mark.django_db
def test_when_a_short_phase_is_put_off_a_little_the_rest_of_it_has_a_half_time_too() -> None:
    cast = make_cast(**SHORT)
    deadline_move(game=cast.game, to=NOW + 3 * HOUR, why="", by=Mover("Gerda"), now=NOW + 1 * HOUR)
    assert remind(NOW + 1.9 * HOUR) == []
    assert len(remind(NOW + 2 * HOUR)) == 1


@pytest.mark.django_db
def test_who_switched_reminders_off_gets_none_at_half_time_either() -> None:
    cast = make_cast(**SHORT)
    reminders_set(player=cast.player("Carla"), text="off", now=NOW)
    assert remind(NOW + HOUR) == [[power for power in POWERS.values() if power != "France"]]
