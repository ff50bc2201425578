"""Move the deadline of the open phase to a later time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    Reason,
    Status,
    from_now,
    phase_of,
    title_of,
    told,
)
from games.admin.base import moment
from games.admin.forms import LengthField
from games.errors import WrongState
from games.models import Game, Phase, Readiness
from games.services.deadlines import deadline_move
from games.wording import listed


class Extension(Reason):
    field_order = ["later", "why"]
    later = LengthField(label="How much later", initial="24h", help_text="Like 24h, 3d, 1d12h.")


class Extend(Action):
    name = "extend"
    label = "Extend the deadline"
    what = "Move the deadline of the open phase to a later time."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    questions = Extension

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(game)
        due_at, to = _deadlines(phase, typed)
        said = [
            f"The deadline of {title_of(phase)} moves from {moment(due_at)} UTC "
            f"to {from_now(to, now)}.",
            "Orders that were sent stay as they are.",
        ]
        words = phase.readiness.filter(word=Readiness.Word.READY).order_by("power__name")
        if ready := list(words.values_list("power__name", flat=True)):
            said += [f"The READY of {listed(ready)} holds no longer."]
        if game.process_early:
            said += ["Before the phase is processed early, every power has to speak again."]
        return [*said, told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        phase = phase_of(game)
        _, to = _deadlines(phase, typed)
        deadline_move(game=game, to=to, why=typed["why"], by=by, now=now)
        return Done(f"{title_of(phase)} of {game.name} is due at {moment(to)} UTC now.")


def _deadlines(phase: Phase, typed: Typed) -> tuple[dt.datetime, dt.datetime]:
    if phase.due_at is None:
        raise WrongState(f"{title_of(phase)} has no deadline.")
    return phase.due_at, phase.due_at + typed["later"]
