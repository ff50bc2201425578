"""Play a game again from an earlier phase."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask, Why
from games.acts.sentences import from_now, who_else_is_told, who_is_told
from games.events import GameRolledBack
from games.models import UNFINISHED, Game, Phase
from games.queries.access.staff_names import Actor
from games.queries.board import phase_title
from games.queries.endings.ending import alive
from games.queries.players.seats import PLAYED
from games.queries.reports.wording import listed
from games.services.adjudication.opening import due_of
from games.services.adjudication.rollback import game_rollback
from games.services.moderation.seats_lost import seats_of_the_gone, seats_too_many


def _phases_played(game: Game) -> list[str]:
    phases = game.phases.exclude(status=Phase.Status.UNDONE).order_by("number")
    return list(phases.values_list("name", flat=True))


def _latest_first(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {name: f"{phase_title(name)} ({name})" for name in _phases_played(game)[::-1]}


def _who_plays(game: Game, again: Phase) -> str:
    """Say which seats open, because their powers come back to life and their players may not play
    on, or have another power, too."""
    living = alive(again.position)
    gone = [seat.power.name for seat in seats_of_the_gone(game) if seat.power.name in living]
    twice = [seat.power.name for seat in seats_too_many(game, living)]
    why = {"may not play on": gone, "have another power, too": twice}
    opened = [f"because their players {said}: {listed(them)}" for said, them in why.items() if them]
    if not opened:
        return "Who plays which power does not change."
    return (
        f"Opened, and offered to those who stand by, {'; and '.join(opened)}. Who plays another "
        "power does not change."
    )


@dataclass(frozen=True, kw_only=True)
class Parameters:
    phase: Annotated[
        str,
        Ask(
            "Play again from",
            "With the position it began with.",
            missing="Please say which phase to play again.",
            choices=_latest_first,
        ),
    ]
    """Like F1902M."""
    keep_orders: Annotated[
        bool,
        Ask(
            "The orders that stood count again",
            "Until their players or you replace them. If not, everybody has to send orders again.",
        ),
    ] = False
    why: Why


def _which_orders(given: Parameters) -> str:
    if not given.keep_orders:
        return "no orders. Everybody has to send new ones."
    return (
        "the orders that stood. All players are mailed their own, and may send others until the "
        "deadline."
    )


def _not_early(game: Game, given: Parameters) -> Iterator[str]:
    """Say that there is time to correct an order, if the phase might be decided early."""
    if given.keep_orders and game.process_early:
        yield (
            "Before the deadline it is decided only when you process it, or when everybody has "
            "ordered again or written READY."
        )


_NOTHING_DECIDED = "No phase that was decided is undone."


class Rollback(GameAct[Parameters]):
    name = "rollback"
    title = "Roll back"
    grave = True
    help = "Reopen an earlier phase. What is undone is kept, and stays in the log."
    group = Group.GAME
    when = PLAYED | {Status.FINISHED}
    undo = "A rollback cannot be taken back: the phases have to be played again."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        played = len(_phases_played(subject))
        if played > 1 or (played and subject.status == Status.FINISHED):
            return ""
        first = "is in its first phase" if played else "was never played"
        return f"The game {subject.name} {first}, so nothing can be undone."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        names = _phases_played(subject)
        target = subject.phases.exclude(status=Phase.Status.UNDONE).get(name=given.phase)
        due_at = due_of(game=subject, state=target.position, now=now)
        undone = names[names.index(given.phase) :]
        is_open = target.status in UNFINISHED
        again = "is open, and starts over" if is_open else "is played again"
        kept = listed([phase_title(name) for name in undone])
        return [
            f"{phase_title(given.phase)} {again}: with the position it had, a new "
            f"deadline, {from_now(due_at, subject, now)}, and {_which_orders(given)}",
            *(["The pause ends."] if subject.status == Status.PAUSED else []),
            *_not_early(subject, given),
            _NOTHING_DECIDED if is_open else f"Undone, but kept: {kept}.",
            _who_plays(subject, target),
            who_is_told(subject, now),
            *who_else_is_told(subject, earlier=subject.status == Status.FINISHED),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        event = game_rollback(
            game=subject,
            phase=given.phase,
            keep_orders=given.keep_orders,
            why=given.why,
            by=by.name,
            now=now,
        )
        said = GameRolledBack.of(event)
        title = phase_title(said.phase)
        if said.is_fresh_start:
            kept = " The orders that stood count again." if said.orders_kept else ""
            return Done(f"{title} of {subject.name} starts over.{kept}")
        back = f"The game {subject.name} is back at {title}."
        kept = " The orders that stood count again." if said.orders_kept else ""
        undone = listed(list(map(phase_title, said.undone)))
        return Done(f"{back} Undone, but kept: {undone}.{kept}")
