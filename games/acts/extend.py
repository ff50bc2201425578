"""Move the deadline of the open phase to a later time, or take back what was put off by mistake."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import Ask, Why
from games.acts.sentences import from_now, times_of, title_of, who_is_told
from games.errors import BadInput, WrongState
from games.models import Game, Phase, Readiness
from games.queries.access.roles import is_gm_of
from games.queries.access.staff_names import Actor
from games.queries.board import step_of
from games.queries.lookup import open_phase
from games.queries.parsing.moments import moment_to_come
from games.queries.phases.corrections import correctable_to, moved_lately
from games.queries.reports.wording import days_off_text, listed, local_moment
from games.services.clock.corrections import deadline_correct
from games.services.clock.deadlines import Mover, deadline_move
from games.timing.clock import whole_second
from games.timing.deadlines import DAY
from games.timing.durations import read_duration
from games.timing.pace import pace_of

MONTHS = dt.timedelta(days=60)
"""Whoever puts a deadline off by more than that may have mistyped the year."""


def _note(game: Game) -> str:
    """Say how the new deadline fits the game's clock."""
    phase = open_phase(game)
    if phase is None or phase.due_at is None:
        return ""
    empty = "Leave both empty for the next regular deadline"
    if phase.overdue_at is not None:
        return f"{times_of(game, phase)} A length counts from now. {empty}."
    to = local_moment(regular(phase, phase.due_at), game.timezone)
    return f"{times_of(game, phase)} {empty}: {to}."


@dataclass(frozen=True, kw_only=True)
class Parameters:
    later: Annotated[
        dt.timedelta | None, Ask("How much later", "Like 24h, 3d, 1d12h.", read=read_duration)
    ] = None
    to: Annotated[str, Ask("Or until", longest=40, is_moment=True, note=_note)] = ""
    """A day, or a day and a time on the game's clocks."""
    why: Why


class _Move(NamedTuple):
    """Where a deadline goes."""

    due_at: dt.datetime
    """The current deadline."""
    wished: dt.datetime
    """The one that was asked for."""
    to: dt.datetime
    """The same, or after the days off on which it falls."""

    @property
    def is_back(self) -> bool:
        """Whether the deadline comes nearer: what was put off by mistake is taken back."""
        return self.to < self.due_at


class Extend(GameAct[Parameters]):
    name = "extend"
    title = "Extend the deadline"
    help = (
        "Move the deadline of the open phase to a later time, or take it back if it was put off "
        "too far by mistake."
    )
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    undo = "If you mistype it, extend it again to the right time."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        move = _move(phase, given, now)
        zone = subject.timezone
        how = "is taken back" if move.is_back else "moves"
        said = [
            f"The deadline of {title_of(phase)} {how} from {local_moment(move.due_at, zone)} "
            f"to {from_now(move.to, subject, now)}."
        ]
        if day_off := _day_off(move, subject):
            said += [f"{day_off}, so the deadline moves to the next day that is not."]
        if phase.status == Phase.Status.STUCK:
            said += ["The phase is stuck: the server tries again at its new deadline."]
        words = _nobody_loses() if move.is_back else _to_say_again(phase)
        last = _last_word(phase, move.to, now)
        again = moved_lately(phase, now) if move.to > move.due_at else ""
        return [*said, *filter(None, [again]), *words, *last, who_is_told(subject, now)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        phase = phase_of(subject)
        move = _move(phase, given, now)
        due = local_moment(move.to, subject.timezone)
        done = f"{title_of(phase)} of {subject.name} is now due on {due}."
        day_off = _day_off(move, subject)
        outside = by.user is None or not is_gm_of(by.user, subject, now=now)
        mover = Mover(by.name, is_staff=True, is_moderator=outside)
        if move.is_back:
            deadline_correct(game=subject, to=move.wished, why=given.why, by=mover, now=now)
            return Done(done)
        again = moved_lately(phase, now)
        deadline_move(game=subject, to=move.wished, why=given.why, by=mover, now=now)
        said = [done, day_off and f"{day_off}.", again, _if_a_slip(phase_of(subject), now)]
        return Done(" ".join(filter(None, said)))

    def is_unusual(self, subject: Game, given: Parameters, now: dt.datetime) -> bool:
        """Whether somebody may have mistyped it: the deadline comes nearer, or is put off by
        months."""
        move = _move(phase_of(subject), given, now)
        return not move.due_at < move.to <= max(move.due_at, now) + MONTHS


def _day_off(move: _Move, game: Game) -> str:
    """Say that the wished deadline is on a day off, without a full stop; "" if it is not."""
    if move.to == move.wished:
        return ""
    wished = local_moment(move.wished, game.timezone)
    days = days_off_text(game.days_off)
    return f"{wished} is on one of this game's days off (nothing is due {days})"


def _to_say_again(phase: Phase) -> Iterator[str]:
    """Say what becomes of orders and READY when the deadline is put off."""
    yield "Orders that were sent stay as they are."
    words = phase.readiness.filter(word=Readiness.Word.READY).order_by("power__name")
    if ready := list(words.values_list("power__name", flat=True)):
        yield f"The READY of {listed(ready)} no longer counts."
    if phase.game.process_early:
        yield "For the phase to be processed early, every power has to order or say READY again."


def _nobody_loses() -> Iterator[str]:
    """Say that nobody loses by a deadline that is taken back."""
    yield "Orders that were sent stay as they are, and so does every READY."
    yield "Orders that do not come in time count against nobody in this phase."


def _last_word(phase: Phase, to: dt.datetime, now: dt.datetime) -> Iterator[str]:
    """Say that the last delay can no longer be taken back once another one follows it."""
    due_at, zone = phase.due_at, phase.game.timezone
    if due_at and to > due_at and correctable_to(phase, now):
        yield (
            f"Nobody can then take it back to before {local_moment(due_at, zone)}. If that time is "
            "itself a slip, extend the deadline to the right time instead."
        )


def _if_a_slip(phase: Phase, now: dt.datetime) -> str:
    """Say how to take the new deadline back."""
    earliest = correctable_to(phase, now)
    if earliest is None:
        return ""
    first = local_moment(earliest, phase.game.timezone)
    return f"If that was a slip, extend it to the right time: {first} or later."


def regular(phase: Phase, since: dt.datetime) -> dt.datetime:
    """Return the next time of the game's clock after `since` or, if the game has no clock, a day
    later."""
    pace, step = pace_of(phase.game), step_of(phase.name)
    least = dt.timedelta(minutes=1) if pace.clock(step) else DAY
    return pace.moment(step, since + least)


def _since(due_at: dt.datetime, now: dt.datetime) -> dt.datetime:
    """Return the moment from which more time counts: the deadline or, if it has passed, the next
    full minute. Otherwise a game that has waited for three days would end the moment it gets one
    more."""
    if due_at > now:
        return due_at
    return now + dt.timedelta(seconds=-now.second % 60, microseconds=-now.microsecond)


def _move(phase: Phase, given: Parameters, now: dt.datetime) -> _Move:
    """Return where the deadline of the phase goes. Raises WrongState, BadInput."""
    if phase.due_at is None:
        raise WrongState(f"{title_of(phase)} has no deadline.")
    if given.later is not None and given.to:
        raise BadInput("Please say either how much later, or until when.")
    pace = pace_of(phase.game)
    if given.to:
        clock = pace.clock(step_of(phase.name))
        wished = moment_to_come(given.to, pace.zone, clock=clock, like=phase.due_at, now=now)
    else:
        since = _since(phase.due_at, now)
        wished = since + given.later if given.later is not None else regular(phase, since)
    wished = whole_second(wished)
    return _Move(phase.due_at, wished, pace.free(wished))
