"""Deadlines on a game's own clock, “Tue Fri 20:00” in Berlin, also over a change of summer time.

When a phase is due is worked out here from the rules by which clocks change, without a table of
time zones: at the first time of the clock, on no day off, that leaves the phase its length.
"""

from __future__ import annotations

import datetime as dt
import random
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.simulate.checks.evidence import UTC, Broken, Evidence, time_of

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
OFTEN = 0.25
"""How often the games of a seed have a clock."""
CLOCKS: Mapping[str, tuple[frozenset[int], dt.time]] = {
    "20:00": (frozenset(range(7)), dt.time(20)),
    "02:30": (frozenset(range(7)), dt.time(2, 30)),
    "Mon-Fri 12:00": (frozenset(range(5)), dt.time(12)),
    "Tue Fri 20:00": (frozenset({1, 4}), dt.time(20)),
    "Tue 20:00": (frozenset({1}), dt.time(20)),
}
"""On which days of the week something is due, Monday is 0, and when; half past two is skipped on
one night of the year, and comes twice on another."""
WEEKEND = "Sat Sun"
LONG = 40
"""Days within which each of these clocks has a time."""
OF_STEP = {"M": "movement", "R": "retreat", "A": "adjustment"}


@dataclass(frozen=True)
class Zone:
    """Clocks are `ahead` of UTC, and one hour more from the `nth` Sunday of a month, -1 for its
    last, to another, each at an hour of UTC."""

    ahead: dt.timedelta
    begins: tuple[int, int, int]
    ends: tuple[int, int, int]

    def is_summer(self, at: dt.datetime) -> bool:
        """Whether clocks are one hour further then."""
        return _sunday(at.year, *self.begins) <= at < _sunday(at.year, *self.ends)

    def shown(self, at: dt.datetime) -> dt.datetime:
        """Return what clocks show then."""
        return (at + self.ahead + HOUR * self.is_summer(at)).replace(tzinfo=None)

    def moment(self, day: dt.date, time: dt.time) -> dt.datetime:
        """Return when clocks show this; a time that is skipped is as much later, and of one that
        comes twice the second counts."""
        in_winter = dt.datetime.combine(day, time, UTC) - self.ahead
        before = in_winter - HOUR
        return before if self.is_summer(before) and self.is_summer(in_winter) else in_winter


ZONES: Mapping[str, Zone] = {
    "Europe/Berlin": Zone(HOUR, (3, -1, 1), (10, -1, 1)),
    "America/New_York": Zone(-5 * HOUR, (3, 2, 7), (11, 1, 6)),
}


def clock_of(chance: random.Random) -> dict[str, Any]:
    """Return the clock of a seed's games, if they have one."""
    if chance.random() >= OFTEN:
        return {}
    movement = chance.choice(list(CLOCKS))
    others = chance.choice(["", "", movement, "20:00"])
    return {
        "timezone": chance.choice(list(ZONES)),
        "movement_clock": movement,
        "retreat_clock": others,
        "adjustment_clock": others,
        "days_off": chance.choice(["", "", WEEKEND]),
    }


def written(at: dt.datetime, timezone: str) -> str:
    """Return a moment as a GM writes it who looks at the clocks of their game."""
    zone = ZONES.get(timezone)
    return f"{zone.shown(at) if zone else at:%Y-%m-%d %H:%M}"


def opened(seen: Evidence, phase_id: int) -> None:
    """Check the deadline of a phase that has just begun. Raises Broken."""
    query = """select phase.*, game.name as game, game.* from games_phase phase
                 join games_game game on game.id = game_id where phase.id = ?"""
    moved = "select 1 from games_event where phase_id = ? and json_extract(payload, '$.from')"
    [row] = seen.rows(query, phase_id)
    due, zone = time_of(row["due_at"]), ZONES.get(row["timezone"])
    if due is None or zone is None or seen.rows(moved, phase_id):
        return
    if row["days_off"] == WEEKEND and zone.shown(due).weekday() > 4:
        raise Broken(f"{row['game']} {row['name']} is due {due}, on a day off")
    clock = row[f"{OF_STEP[row['name'][-1]]}_clock"]
    if clock in CLOCKS:
        _on_the_clock(seen, row, due, clock)


def _on_the_clock(seen: Evidence, row: sqlite3.Row, due: dt.datetime, clock: str) -> None:
    extra = first_extra(seen, row)
    firsts = [_first(row, clock, begun + extra) for begun in beginnings(seen, row)]
    if due in firsts:
        return
    away = row["waits_for_absent"] and seen.rows(
        "select 1 from games_absence where withdrawn_at is null"
    )
    if not away or due < min(firsts) or _next(row, clock, due) != due:
        raise Broken(
            f"{row['game']} {row['name']} is due {due}, and its clock, {clock} in"
            f" {row['timezone']}, says {firsts[0]}"
        )


def beginnings(seen: Evidence, row: sqlite3.Row) -> list[dt.datetime]:
    """From when the time of a phase may count: when it was opened, or the deadline before it."""
    query = """select due_at from games_phase where game_id = ? and number < ?
                order by number desc limit 1"""
    before = seen.rows(query, row["game_id"], row["number"])
    times = [row["opened_at"], *(one["due_at"] for one in before)]
    return [at for at in map(time_of, times) if at]


def first_extra(seen: Evidence, row: sqlite3.Row) -> dt.timedelta:
    """How much longer a phase lasts because the game began with it; played again, it does, too."""
    query = "select name from games_phase where game_id = ? order by number limit 1"
    [first] = seen.rows(query, row["game_id"])
    return dt.timedelta(microseconds=row["first_extra"] * (row["name"] == first["name"]))


def _first(row: sqlite3.Row, clock: str, begun: dt.datetime) -> dt.datetime:
    """Return when a phase is due whose time counts from then."""
    length = row[f"{OF_STEP[row['name'][-1]]}_length"]
    return _next(row, clock, begun + dt.timedelta(microseconds=length))


def _next(row: sqlite3.Row, clock: str, earliest: dt.datetime) -> dt.datetime:
    """Return the first time of a clock at which something may be due."""
    zone, (days, time) = ZONES[row["timezone"]], CLOCKS[clock]
    today = zone.shown(earliest).date() - DAY
    free = [day for day in range(7) if day in days and not (row["days_off"] and day > 4)]
    there = [today + number * DAY for number in range(LONG)]
    moments = (zone.moment(day, time) for day in there if day.weekday() in free)
    return next(at for at in moments if at >= earliest)


def _sunday(year: int, month: int, nth: int, hour: int) -> dt.datetime:
    first = dt.datetime(year, month, 1, hour, tzinfo=UTC)
    sundays = [
        first + number * DAY for number in range(31) if (first + number * DAY).weekday() == 6
    ]
    return [one for one in sundays if one.month == month][nth - (nth > 0)]
