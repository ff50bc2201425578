"""A game's settings of time in sentences, as start mails, LIST and the admin have them."""

from __future__ import annotations

import datetime as dt

from games.models import Game
from games.timing.clock import read_clock
from games.timing.durations import duration_text


def timetable(game: Game) -> tuple[str, ...]:
    """Say when phases are due and what may change that; the first sentence has the lengths."""
    times = f"{game.player_extensions} time{'' if game.player_extensions == 1 else 's'}"
    said = {
        f"The first phase lasts {duration_text(game.first_extra)} longer.": game.first_extra,
        f"Nothing is due on these days: {game.days_off}.": game.days_off,
        f"A mail that comes {duration_text(game.transit_grace)} after the deadline at the latest "
        "is in time.": game.transit_grace,
        f"Each player may put off a deadline {times}: write HELP EXTEND.": game.player_extensions,
    }
    missing = Game.WhenMissing(game.when_missing).label
    return (
        _lengths(game),
        *(sentence for sentence, setting in said.items() if setting),
        f"When nothing has come from a power at the deadline: {missing}.",
        *_disorder(game),
    )


def _disorder(game: Game) -> tuple[str, ...]:
    """What becomes of a power whose player is gone; nothing where the GM alone decides it."""
    if game.when_missing == Game.WhenMissing.WAIT:
        return ("Its seat is open then to whoever takes it over.",)
    if not game.disorder_after:
        return ()
    after = game.disorder_after
    missed = "a phase" if after == 1 else f"{after} phases in a row"
    return (
        f"After {missed} without orders a power is in civil disorder, and its seat is open to "
        "whoever takes it over.",
    )


def _lengths(game: Game) -> str:
    kinds = (
        ("A movement phase", game.movement_length, game.movement_clock),
        ("a retreat phase", game.retreat_length, game.retreat_clock),
        ("an adjustment phase", game.adjustment_length, game.adjustment_clock),
    )
    if any(clock for *_, clock in kinds):
        said = "; ".join(f"{kind} {_due(length, clock)}" for kind, length, clock in kinds)
        return f"{said} (times of {game.timezone})."
    (kind, length, _), *others = kinds
    rest = ", ".join(f"{kind} {duration_text(length)}" for kind, length, _ in others)
    return f"{kind} lasts {duration_text(length)}, {rest}."


def _due(length: dt.timedelta, clock: str) -> str:
    if not clock:
        return f"lasts {duration_text(length)}"
    return f"is due {read_clock(clock)}, {duration_text(length)} after it began at the earliest"
