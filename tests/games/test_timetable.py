"""The settings of time in sentences."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Game
from games.queries.timetable import timetable

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
        "A movement phase is due Tue Fri 20:00, 1 day after it began at the earliest; a retreat "
        "phase lasts 1 day; an adjustment phase lasts 1 day (times of Europe/Berlin)."
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"first_extra": 48 * HOUR}, "The first phase lasts 2 days longer."),
        ({"days_off": "Sat Sun"}, "Nothing is due on these days: Sat Sun."),
        (
            {"transit_grace": HOUR / 12},
            "A mail that comes 5 minutes after the deadline at the latest is in time.",
        ),
        ({"player_extensions": 1}, "Each player may put off a deadline 1 time: write HELP EXTEND."),
        (
            {"when_missing": "extend"},
            "When nothing has come from a power at the deadline: the deadline is extended once, "
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
        ({"when_missing": "wait"}, "Its seat is open then to whoever takes it over."),
        ({"disorder_after": 0}, "at the deadline: units without an order hold"),
    ],
)
def test_it_is_said_when_a_seat_is_open_to_others(
    settings: dict[str, object], sentence: str
) -> None:
    assert sentence in timetable(Game(**settings))[-1]


def test_a_plain_game_has_no_more_to_say_than_what_happens_without_orders() -> None:
    assert len(timetable(Game())) == 3
