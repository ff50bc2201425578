"""When a phase is due: pure arithmetic on settings, `now` and what happened. Reads no clock.

All moments are aware; results are in UTC. A deadline, once set, only ever moves later, unless
somebody corrects what they have put off (`back_at_the_earliest`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from zoneinfo import ZoneInfo

from games.errors import BadInput
from games.timing.clock import Clock, DaysOff, next_moment, wall_moment, whole_second

Step = Literal["M", "R", "A"]
Afterwards = Literal["stays", "left", "regular", "day_off", "passed"]
"""A deadline after a pause: the old one, at the time that was left, at the next time of the game's
clock, later than the time that was left because of days off, or a new one, because the old one had
passed."""
Span = tuple[dt.datetime, dt.datetime]
"""From – to; the end itself is outside."""

NOTHING = dt.timedelta(0)
PROMPT = dt.timedelta(minutes=15)
"""A phase processed within this time after its deadline counts as processed at the deadline."""

UTC = ZoneInfo("UTC")
ENOUGH = 0.9
"""If a paused game goes on with at least this share of the time that was left, the old deadline
stays."""
AT_LEAST = 0.1
"""The share of a phase's length that everybody has, to read what was said and to write again, when
a game goes on whose deadline passed before it stood still, or while nobody could reach us."""

SECOND_THOUGHTS = dt.timedelta(minutes=30)
"""How long a phase of a day or more stays open once the last order is in."""

DAY = dt.timedelta(days=1)

SOME_YEAR = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Pace:
    """The time settings of a game.

    A phase lasts `lengths[step]`, or, when `clocks` has one for its kind, at least that long and
    then until the clock's next moment. The first phase lasts `first_extra` longer.
    """

    movement: dt.timedelta
    retreat: dt.timedelta
    adjustment: dt.timedelta
    movement_clock: Clock | None = None
    retreat_clock: Clock | None = None
    adjustment_clock: Clock | None = None
    days_off: DaysOff = field(default_factory=DaysOff)
    zone: ZoneInfo = UTC
    first_extra: dt.timedelta = NOTHING

    def length(self, step: Step) -> dt.timedelta:
        """Return how long a phase of this kind lasts (at least, when it has a clock)."""
        return {"M": self.movement, "R": self.retreat, "A": self.adjustment}[step]

    def clock(self, step: Step) -> Clock | None:
        """Return the clock of this kind of phase."""
        clocks = {"M": self.movement_clock, "R": self.retreat_clock, "A": self.adjustment_clock}
        return clocks[step]

    def check(self) -> None:
        """Raise BadInput if the clocks and the days off leave no moment for some deadline."""
        steps: tuple[Step, ...] = ("M", "R", "A")
        for step in steps:
            self.moment(step, SOME_YEAR)

    def moment(self, step: Step, earliest: dt.datetime) -> dt.datetime:
        """Return the first moment at or after `earliest` at which such a phase may be due."""
        return next_moment(self.clock(step), self.days_off, self.zone, earliest)

    def free(self, earliest: dt.datetime) -> dt.datetime:
        """Return `earliest`, or the same time of day on the next day that is not off."""
        return next_moment(None, self.days_off, self.zone, earliest)

    def after_break(
        self, step: Step, earliest: dt.datetime, lost: dt.timedelta
    ) -> tuple[dt.datetime, Afterwards]:
        """Return when a phase is due, at `earliest` or later, after the game stood still so long.

        At the clock's next time, if that puts the game off by no more than it has lost already: a
        break of an hour must not cost three days. Otherwise at `earliest`, or after days off.
        """
        free = self.free(earliest)
        regular = self.moment(step, earliest)
        if self.clock(step) and regular - free <= lost:
            return regular, "regular"
        return free, "left" if free == whole_second(earliest) else "day_off"


def due_at(
    pace: Pace,
    step: Step,
    begun_at: dt.datetime,
    *,
    first: bool = False,
    absences: Sequence[Span] = (),
) -> dt.datetime:
    """Return when a phase that began to run at `begun_at` is due.

    `absences` are the times for which players with a decision in it have said they are away: a
    deadline that falls into one is put off to the first possible moment after it.
    """
    length = pace.length(step) + (pace.first_extra if first else NOTHING)
    due = pace.moment(step, begun_at + length)
    for since, until in sorted(absences):
        if since <= due < until:
            due = pace.moment(step, until)
    return due


def begun_at(
    pace: Pace, step: Step, last_due_at: dt.datetime | None, processed_at: dt.datetime
) -> dt.datetime:
    """Return the moment from which we count the time of a phase that was opened at `processed_at`.

    That is the deadline of the phase before, if that was processed promptly, so that deadlines do
    not drift by the seconds that processing takes. Otherwise it is `processed_at`: nobody loses
    time because the server was busy, and an early phase gains none.
    """
    if last_due_at is None or processed_at < last_due_at:
        return processed_at
    prompt = min(PROMPT, pace.length(step) / 10)
    return last_due_at if processed_at - last_due_at <= prompt else processed_at


def is_over(
    due: dt.datetime | None,
    all_in_at: dt.datetime | None,
    now: dt.datetime,
    *,
    grace: dt.timedelta = NOTHING,
    early_delay: dt.timedelta = NOTHING,
) -> bool:
    """Say whether a phase is to be processed: its deadline and `grace`, for which mails may be
    under way, have passed, or every order has been in for `early_delay`, for second thoughts."""
    if due is not None and due + grace <= now:
        return True
    return all_in_at is not None and all_in_at + early_delay <= now


def second_thoughts(length: dt.timedelta) -> dt.timedelta:
    """Return how long a phase that lasts so long stays open after the last order, where the game
    does not say: half an hour, and in phases shorter than a day proportionally less. Rounded to
    minutes, since a phase of a day is opened a little after the last one was due, and mails that
    spoke of seconds would only be harder to read; below a minute to seconds.
    """
    share = min(length, DAY) * (SECOND_THOUGHTS / DAY)
    unit = dt.timedelta(minutes=1) if share >= dt.timedelta(minutes=1) else dt.timedelta(seconds=1)
    return (share + unit / 2) // unit * unit


def takeover_time(length: dt.timedelta) -> dt.timedelta:
    """Return how much time a substitute has at least in a phase that lasts so long, where the game
    does not say: a day, but never more than the phase lasts."""
    return min(length, DAY)


def moved_to(due: dt.datetime | None, to: dt.datetime, now: dt.datetime) -> dt.datetime:
    """Return the new deadline `to`. Raises BadInput unless it is later than the old one and now."""
    if to <= now:
        raise BadInput("The new deadline has to lie in the future.")
    if due is not None and to == due:
        raise BadInput("That is the deadline already; it can only be moved to a later time.")
    if due is not None and to < due:
        raise BadInput("A deadline can only be moved to a later time.")
    return whole_second(to.astimezone(dt.UTC))


def back_at_the_earliest(
    pace: Pace,
    wished: dt.datetime | None,
    replaced: dt.datetime | None,
    known: dt.datetime,
    *,
    absences: Sequence[Span],
) -> dt.datetime:
    """Return the first moment, from the one `wished`, to which a deadline that was put off by
    mistake can be taken back.

    Not before the one that it `replaced`, nor before the moment at which everybody can have `known`
    of it; not onto a day off, and not into `absences` that were announced in reliance on the later
    deadline.
    """
    known += dt.timedelta(seconds=-known.second % 60, microseconds=-known.microsecond)
    free = pace.free(max(known, replaced or known, wished or known))
    for since, until in sorted(absences):
        if since <= free < until:
            free = pace.free(until)
    return free


def after_pause(
    pace: Pace, step: Step, due: dt.datetime, paused_at: dt.datetime, resumed_at: dt.datetime
) -> tuple[dt.datetime, Afterwards]:
    """Return the deadline of a phase after a pause, and which it is.

    A deadline on the game's clock stays if nearly all the time is still left that was left when the
    game was paused. Otherwise everybody has at least the time that was left. If none was left, the
    phase gets a new deadline: otherwise it would be over the moment the game goes on.
    """
    left, lost = due - paused_at, resumed_at - paused_at
    if left <= NOTHING:
        to, _ = pace.after_break(step, resumed_at + pace.length(step) * AT_LEAST, lost)
        return to, "passed"
    if pace.clock(step) and due - resumed_at >= left * ENOUGH > NOTHING:
        return due, "stays"
    return pace.after_break(step, due + lost, lost)


def after_outage(
    pace: Pace, step: Step, due: dt.datetime, down_since: dt.datetime, back_at: dt.datetime
) -> dt.datetime:
    """Return the deadline of a phase that fell due while the server could not be reached.

    Everybody has the time that was left when it went down, and at least a tenth of the phase's
    length, so that a mail that came back can be sent again.
    """
    left = max(due - down_since, pace.length(step) * AT_LEAST)
    to, _ = pace.after_break(step, max(due, back_at + left), back_at - down_since)
    return to


def absence_span(first: dt.date, last: dt.date, zone: ZoneInfo) -> Span:
    """Return the time from the beginning of the day `first` to the end of `last` in the zone."""
    midnight = dt.time(0)
    return (
        wall_moment(first, midnight, zone),
        wall_moment(last + dt.timedelta(days=1), midnight, zone),
    )


def retry_at(attempts: int, now: dt.datetime) -> dt.datetime:
    """Return when a phase whose adjudication broke `attempts` times is tried again.

    One minute after the first time, four after the second, sixteen after the third.
    """
    return now + dt.timedelta(minutes=4 ** (attempts - 1))
