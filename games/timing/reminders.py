"""When those who still owe orders are reminded: a ladder of times before the deadline."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput
from games.timing.durations import duration_text, read_duration, short_text

Ladder = tuple[dt.timedelta, ...]
"""Times before the deadline, the longest first: (24 h, 4 h)."""

MOST_RUNGS = 5
OFF = "off"
_OFF = {OFF, "none", "no", "never"}
_BETWEEN = {"and", "then", "before"}
_BLANK_IN_LENGTH = re.compile(r"(?<=\d)\s+(?=[wdhms])")


def read_ladder(text: str) -> Ladder:
    """Read "24h 4h" or "2 days and 4 hours"; "off" or an empty text is a ladder without rungs.

    Raises BadInput.
    """
    whole = _BLANK_IN_LENGTH.sub("", text.lower().strip(" .!"))
    words = [word for word in whole.replace(",", " ").split() if word not in _BETWEEN]
    if not words or (len(words) == 1 and words[0] in _OFF):
        return ()
    rungs = {_whole_seconds(read_duration(word)) for word in words}
    if len(rungs) > MOST_RUNGS:
        raise BadInput(f"At most {MOST_RUNGS} reminders for a deadline, please.")
    if dt.timedelta(0) in rungs:
        raise BadInput("A reminder at the deadline itself comes too late.")
    return tuple(sorted(rungs, reverse=True))


def _whole_seconds(length: dt.timedelta) -> dt.timedelta:
    return dt.timedelta(seconds=length // dt.timedelta(seconds=1))


def ladder_kept(text: str) -> str:
    """Return how a ladder is kept: "24h 4h" for "1 day and 4 hours", "off" for "never", empty for
    an empty text. It fits into a player's row. Raises BadInput."""
    rungs = " ".join(map(short_text, read_ladder(text)))
    return rungs or (OFF if text.strip() else "")


def ladder_text(text: str) -> str:
    """Say for "24h 4h": "1 day, then 4 hours, or halfway through a phase too short for these";
    "off" stays. Raises BadInput."""
    rungs = read_ladder(text)
    those = "these" if len(rungs) > 1 else "that"
    short = f", or halfway through a phase too short for {those}"  # see `within`
    return f"{', then '.join(map(duration_text, rungs))}{short}" if rungs else text


def within(ladder: Ladder, begun_at: dt.datetime, due_at: dt.datetime) -> Ladder:
    """Return the ladder for a phase that began then, without the rungs in its first tenth or before
    it, when its players have just been told of it. Where none is left there is one at half time, so
    that somebody who wants reminders is reminded of short phases, too."""
    length = due_at - begun_at
    fitting = tuple(rung for rung in ladder if rung < length * 9 / 10)
    return fitting or ((length / 2,) if ladder else ())


def rung_reached(
    ladder: Ladder, due_at: dt.datetime, checked_at: dt.datetime, now: dt.datetime
) -> dt.timedelta | None:
    """Return the rung for which a reminder is to go out now, or None.

    `checked_at` is when this was last asked for the phase, or when the phase was opened. Rungs that
    lie before it had their turn, or never had one because the phase is shorter. When several were
    passed since then (the server was down), one reminder is enough: that of the last.
    """
    if now >= due_at:
        return None
    passed = [rung for rung in ladder if checked_at < due_at - rung <= now]
    return min(passed, default=None)


def next_rung(ladder: Ladder, due_at: dt.datetime, after: dt.datetime) -> dt.datetime | None:
    """Return when the next rung after `after` is reached, or None after the last."""
    moments = (due_at - rung for rung in ladder)
    return min((moment for moment in moments if moment > after), default=None)
