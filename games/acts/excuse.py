"""Excuse orders that did not come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import ROOM_FOR_WHY, Ask
from games.acts.sentences import reason_read
from games.errors import NotFound
from games.models import Attendance, Game, Seat
from games.queries.access.staff_names import Actor
from games.queries.board import phase_title
from games.queries.players.attendance import misses
from games.queries.players.seats import PLAYED
from games.queries.reports.wording import listed
from games.services.clock.attendance import excuse


def misses_of(game: Game) -> list[Attendance]:
    """Return what can be excused in the game."""
    return misses(list(Seat.objects.filter(power__game=game)))


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {str(row.pk): _title(row) for row in misses_of(game)}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    misses: Annotated[
        tuple[str, ...],
        Ask("What to excuse", missing="Please say what to excuse.", choices=_choices),
    ]
    """The numbers of their rows."""
    why: Annotated[
        str, Ask("Why", "One sentence; it stands in the game's log.", longest=ROOM_FOR_WHY)
    ]


class Excuse(GameAct[Parameters]):
    name = "excuse"
    title = "Excuse a miss"
    help = "Do not count orders that did not come, or came late, against their players."
    group = Group.SEATS
    when = PLAYED | {Status.FINISHED}
    undo = "An excuse cannot be taken back."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if there is nothing to excuse."""
        if misses_of(subject):
            return ""
        return (
            f"There is nothing to excuse in {subject.name}. If a phase was processed early, orders "
            "that had not come by then count against nobody. What comes late, or not at all, in "
            "the open phase can be excused once the phase is over."
        )

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        rows = _rows(subject, given.misses)
        names = list(dict.fromkeys(row.seat.player.name for row in rows))
        are = "is" if len(names) == 1 else "are"
        return [
            *map(_came_of, rows),
            f"That is excused: it counts neither against the reliability of {listed(names)} nor "
            "towards civil disorder.",
            "The board does not change.",
            f"{listed(names)} {are} told by mail. Everybody can read it in the log.",
            *reason_read(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        rows = _rows(subject, given.misses)
        for row in rows:
            excuse(seat=row.seat, phase=row.phase, why=given.why, by=by.name, now=now)
        return Done(f"Excused: {'; '.join(map(_about, rows))}.")


def _rows(game: Game, keys: tuple[str, ...]) -> list[Attendance]:
    found = [row for row in misses_of(game) if str(row.pk) in keys]
    if len(found) < len(set(keys)):
        raise NotFound(f"There is nothing of the kind to excuse in {game.name}.")
    return found


def _came_of(row: Attendance) -> str:
    sent = "orders too late" if row.came == Attendance.Came.LATE else "nothing"
    who = f"{row.seat.power.name} ({row.seat.player.name})"
    return f"{who} sent {sent} for {phase_title(row.phase.name)}."


def _title(row: Attendance) -> str:
    return f"{_about(row)}: {row.get_came_display()}"


def _about(row: Attendance) -> str:
    seat = row.seat
    return f"{seat.power.name} ({seat.player.name}), {phase_title(row.phase.name)}"
