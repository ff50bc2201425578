"""A game's settings of time in sentences, for start mails, LIST and the admin."""

from __future__ import annotations

import datetime as dt

from games.models import Game
from games.queries.reports.wording import clock_text, days_off_text, how_often, listed
from games.timing.clock import read_clock
from games.timing.durations import duration_text


def timetable(game: Game) -> tuple[str, ...]:
    """Say when phases are due and what may change that; the first sentence has the lengths."""
    times = how_often(game.player_extensions)
    said = {
        f"The first phase lasts {duration_text(game.first_extra)} longer.": game.first_extra,
        f"Nothing is due {days_off_text(game.days_off)}.": game.days_off,
        f"A mail that comes {duration_text(game.transit_grace)} after the deadline at the latest "
        "is in time.": game.transit_grace,
        f"Each player may put off a deadline {times}: write HELP EXTEND.": game.player_extensions,
    }
    missing = Game.WhenMissing(game.when_missing).label
    return (
        _lengths(game),
        *(sentence for sentence, setting in said.items() if setting),
        f"If nothing has come from a power by the deadline, {missing}.",
        *_disorder(game),
    )


def pace(game: Game) -> str:
    """Say in one sentence how much time there is: "Movement is due after 3 days, retreats and
    builds after 1 day."."""
    alike: dict[str, list[str]] = {}
    kinds = zip(("movement", "retreats", "builds"), _kinds(game), strict=True)
    for orders, (_, length, text) in kinds:
        clock = read_clock(text)
        when = clock_text(clock) if clock else f"after {duration_text(length)}"
        alike.setdefault(when, []).append(orders)
    (first, whose), *others = ((when, listed(orders)) for when, orders in alike.items())
    said = "".join(f", {orders} {when}" for when, orders in others)
    zone = f" (times in {game.timezone})" if _has_clock(game) else ""
    verb = "is" if whose == "movement" else "are"
    return f"{whose.capitalize()} {verb} due {first}{said}{zone}."


def _disorder(game: Game) -> tuple[str, ...]:
    """Say what becomes of a power whose player has gone; nothing if only the GM decides that."""
    if game.when_missing == Game.WhenMissing.WAIT:
        return ("Then the seat is open to others.",)
    if not game.disorder_after:
        return ()
    after = game.disorder_after
    missed = "a phase" if after == 1 else f"{after} phases in a row"
    return (
        f"After {missed} without orders a power is in civil disorder, and its seat is "
        "open to others.",
    )


def _kinds(game: Game) -> tuple[tuple[str, dt.timedelta, str], ...]:
    """The kinds of phases, each with its length and its clock."""
    return (
        ("movement", game.movement_length, game.movement_clock),
        ("retreat", game.retreat_length, game.retreat_clock),
        ("adjustment", game.adjustment_length, game.adjustment_clock),
    )


def _has_clock(game: Game) -> bool:
    return any(clock for *_, clock in _kinds(game))


def _lengths(game: Game) -> str:
    kinds = _kinds(game)
    if _has_clock(game):
        alike: dict[str, list[str]] = {}
        for kind, length, clock in kinds:
            alike.setdefault(_due(length, clock), []).append(kind)
        said = "; ".join(f"{listed(names)} phases {due}" for due, names in alike.items())
        return f"{said[0].upper()}{said[1:]} (times in {game.timezone})."
    movement, retreat, adjustment = (duration_text(length) for _, length, _ in kinds)
    return (
        f"A movement phase lasts {movement}, a retreat phase {retreat}, "
        f"an adjustment phase {adjustment}."
    )


def _due(length: dt.timedelta, text: str) -> str:
    clock = read_clock(text)
    if clock is None:
        return f"last {duration_text(length)}"
    return f"are due {clock_text(clock)} and last at least {duration_text(length)}"
