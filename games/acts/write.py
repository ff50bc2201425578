"""Write to all players or to some."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth.models import User

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.acts.sentences import FEW
from games.models import Game, Seat
from games.queries.access import roles
from games.queries.access.anonymity import names_shown
from games.queries.access.staff_names import Actor
from games.queries.lookup import seats_of
from games.queries.moderators.unreached_gms import is_failing
from games.queries.phases.musters import players_with_place
from games.queries.reports.wording import listed
from games.services.messages.announcements import gm_write


def _readers(game: Game, now: dt.datetime) -> Mapping[str, str]:
    seats = seats_of(game) if game.started_at else []
    return {seat.power.name: _reader(seat, game) for seat in seats}


def _reader(seat: Seat, game: Game) -> str:
    """Return the power with its player, as far as a GM who plays may know who it is."""
    power = seat.power.name
    return f"{power} ({seat.player.name})" if names_shown(game) else power


@dataclass(frozen=True, kw_only=True)
class Parameters:
    to: Annotated[
        tuple[str, ...],
        Ask(
            "To",
            "Leave it empty to write to everybody; before the start that is everybody who has a "
            "place.",
            choices=_readers,
        ),
    ] = ()
    """Powers; if there are none, everybody."""
    text: Annotated[
        str,
        Ask(
            "Text",
            "Plain text.",
            missing="There is no text to pass on.",
            rows=10,
        ),
    ]


class Write(GameAct[Parameters]):
    name = "write"
    title = "Write to players"
    help = (
        "Send a mail to all players, or to some. Their answers go to the GM; to the moderators if "
        "one of them writes."
    )
    group = Group.WORDS
    when = frozenset(Status)
    undo = "A mail cannot be taken back."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        names = _names(subject, given.to, now)
        answers = "An answer goes to the GM; a reply to all goes to all who got it, too."
        if len(names) == 1:
            answers = "The answer goes to the GM alone."
        if subject.status == Status.FINISHED:
            answers = "They cannot answer by mail: there is no press after the end."
        elif not subject.started_at:
            answers = "They cannot answer before the start: there is no press yet."
        return [
            f"{_readers_of(names)} this text, as a mail from the GM:\n{given.text}",
            answers,
            "The log says that you wrote, but not to whom, unless it was to everybody.",
        ]

    def foresee(
        self, subject: Game, given: Parameters, *, by: User | None, now: dt.datetime
    ) -> list[str]:
        """Show a moderator the text as a mail of their own, and say who else gets it."""
        said = super().foresee(subject, given, by=by, now=now)
        if by is None or roles.is_gm_of(by, subject, now=now):
            return said
        names = _names(subject, given.to, now)
        return [
            f"{_readers_of(names)} this text, as a mail from you:\n{given.text}",
            "An answer goes to the moderators, by mail and in the queue.",
            *([_copy(subject.gm)] if subject.gm else []),
            said[-1],
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        press = gm_write(game=subject, to=given.to, text=given.text, by=by, now=now)
        readers = listed(press.to) if subject.started_at else "all who have a place"
        return Done(f"Your text is on its way to {readers}.")


def _copy(gm: User) -> str:
    if is_failing(gm):
        return "The GM gets a copy, but mails do not reach them at present."
    return "The GM gets a copy."


def _readers_of(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} gets"
    return f"{listed(names) if len(names) <= FEW else f'all {len(names)} players'} get"


def _names(game: Game, to: Sequence[str], now: dt.datetime) -> list[str]:
    if not game.started_at:
        return [player.name for player in players_with_place(game)] or ["Nobody"]
    return [name for power, name in _readers(game, now).items() if not to or power in to]
