"""The settings of time in sentences."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Game
from games.queries.reports.timetable import timetable

HOUR = dt.timedelta(hours=1)


def test_plain_lengths_make_one_sentence() -> None:
    assert timetable(Game(name="marne"))[0] == (
        "A movement phase lasts 3 days, a retreat phase 1 day, an adjustment phase 1 day."
    )


def test_clocks_are_told_with_their_zone() -> None:
    game = Game(
        movement_length=24 * HOUR,
        movement_clock="tue, fri 20.00",
        timezone="Europe/Berlin",
    )
    assert timetable(game)[0] == (
        "Movement phases are due on Tuesdays and Fridays at 20:00 and last at least 1 day; retreat "
        "and adjustment phases last 1 day (times in Europe/Berlin)."
    )


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("20:00", "every day at 20:00"),
        ("daily 9:00 21:00", "every day at 09:00 and every day at 21:00"),
        ("Sun 18:30", "on Sundays at 18:30"),
        ("Mon-Fri 12:00, Sun 20:00", "on Mondays to Fridays at 12:00 and on Sundays at 20:00"),
        ("Mon Wed Fri 12:00", "on Mondays, Wednesdays and Fridays at 12:00"),
    ],
)
def test_a_clock_is_said_as_people_say_it(clock: str, said: str) -> None:
    game = Game(movement_length=24 * HOUR, movement_clock=clock, retreat_clock=clock)
    assert timetable(game)[0] == (
        f"Movement and retreat phases are due {said} and last at least 1 day; adjustment phases "
        "last 1 day (times in UTC)."
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"first_extra": 48 * HOUR}, "The first phase lasts 2 days longer."),
        ({"days_off": "Sat Sun"}, "Nothing is due on Saturdays and Sundays."),
        (
            {"days_off": "2026-12-20..2027-01-06 02-28..03-01 2026-06-04"},
            "Nothing is due from 28 Feb to 1 Mar each year, from 20 Dec 2026 to 6 Jan 2027 "
            "and on 4 Jun 2026.",
        ),
        ({"days_off": "Sun, 12-25"}, "Nothing is due on Sundays and on 25 Dec each year."),
        (
            {"transit_grace": HOUR / 12},
            "A mail that comes 5 minutes after the deadline at the latest is in time.",
        ),
        ({"player_extensions": 1}, "Each player may put off a deadline once: write HELP EXTEND."),
        (
            {"when_missing": "extend"},
            "If nothing has come from a power by the deadline, the deadline is extended once, "
            "then units hold.",
        ),
    ],
)
def test_every_setting_has_a_sentence_when_it_is_set(
    settings: dict[str, object], sentence: str
) -> None:
    assert sentence in timetable(Game(**settings))
    assert sentence not in timetable(Game())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "After 2 phases in a row without orders a power is in civil disorder"),
        ({"disorder_after": 1}, "After a phase without orders a power is in civil disorder"),
        ({"when_missing": "wait"}, "Then the seat is open to others."),
        ({"disorder_after": 0}, "by the deadline, units without an order hold"),
    ],
)
def test_it_is_said_when_a_seat_is_open_to_others(
    settings: dict[str, object], sentence: str
) -> None:
    assert sentence in timetable(Game(**settings))[-1]


def test_a_plain_game_has_no_more_to_say_than_what_happens_without_orders() -> None:
    assert len(timetable(Game())) == 3
