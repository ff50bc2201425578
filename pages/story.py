"""A game as everybody may know it: its phases in turn, who plays, when it is due."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import F
from django.http import Http404

from games.models import UNFINISHED, Game, Phase
from games.models.phase import BOARDS
from games.queries import board
from games.queries.access.audience import Audience, shows_board
from games.queries.phases.centers import YearEnd, years_of
from games.queries.reports.pictures import influence_of
from pages.web import edition

Status = Game.Status


@dataclass(frozen=True)
class Stop:
    """A phase on the slider: one that is over, the open one, or the one in which the game ended."""

    name: str
    title: str
    is_open: bool
    version: str
    """The key by which browsers keep its address for ever; "" if it was not adjudicated."""


class _Row(NamedTuple):
    """A phase without its whole board, since pages need only the units and owners of each phase."""

    phase: Phase
    units: Mapping[str, Sequence[str]]
    owners: Mapping[str, Sequence[str]]


class Story:
    """A game and its phases, read once for a page: units and owners of each, and whole boards if
    somebody asks for them.

    `phases` are those that count, the oldest first and the open one last; there are none if the
    board is not for everybody.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.open = shows_board(game, Audience.EVERYBODY)

    @cached_property
    def _rows(self) -> list[_Row]:
        rows = self.game.phases.exclude(status=Phase.Status.UNDONE).defer(*BOARDS)
        parts = rows.annotate(units=F("position__units"), owners=F("position__centers"))
        found = list(parts.order_by("number"))
        for phase in found:
            phase.game = self.game
        return [_Row(phase, phase.units, phase.owners) for phase in found]

    @property
    def phases(self) -> Sequence[Phase]:
        """The phases that everybody may see."""
        return [row.phase for row in self._rows] if self.open else []

    @property
    def now(self) -> Phase | None:
        """The open phase; its deadline is no secret."""
        phases = (row.phase for row in self._rows)
        return next((phase for phase in phases if phase.status in UNFINISHED), None)

    def read_boards(self, *phases: Phase | None) -> None:
        """Read the boards and results of these phases at once."""
        shown = {one.pk: one for one in phases if one}
        boards = Phase.objects.filter(pk__in=shown).order_by()
        for pk, position, outcome in boards.values_list("pk", "position", "outcome"):
            shown[pk].position, shown[pk].outcome = position, outcome

    @property
    def over(self) -> Sequence[Phase]:
        """The phases that are adjudicated."""
        return [one for one in self.phases if one.status == Phase.Status.PROCESSED]

    @property
    def stops(self) -> list[Stop]:
        """The phases that a reader can go to, in turn."""
        return [
            Stop(
                one.name,
                board.phase_title(one.name),
                one.status in UNFINISHED,
                version_of(one),
            )
            for one in self.phases
        ]

    @property
    def newest(self) -> Phase | None:
        """The newest phase that is over, or else the first phase of the game."""
        return next(iter([*self.over[-1:], *self.phases[-1:]]), None)

    def phase(self, name: str) -> Phase:
        """Return the phase of this name. Raises Http404 if nobody may see such a phase."""
        found = [one for one in self.phases if one.name == name]
        if not found:
            raise Http404(f"{self.game.name} has no phase {name}.")
        return found[-1]

    def took_back(self, name: str) -> bool:
        """Say whether a rollback took back the phase of this name, so that it no longer exists."""
        if not self.open or any(one.phase.name == name for one in self._rows):
            return False
        return self.game.phases.filter(name=name, status=Phase.Status.UNDONE).exists()

    def influence_before(self, phase: Phase) -> dict[str, str]:
        """Return who had really been last in each province without a centre when a phase began."""
        boards = (one.units for one in self._rows if one.phase.number <= phase.number)
        return influence_of(self.game.variant, boards)

    @cached_property
    def years(self) -> tuple[YearEnd, ...]:
        """The centres of each power at the start and at the end of each year."""
        return years_of(self.phases, {one.phase.pk: one.owners for one in self._rows})

    @property
    def state(self) -> board.StateJson | None:
        """The board now, or at the end."""
        return self.phases[-1].state_left if self.phases else None


def version_of(phase: Phase) -> str:
    """Return the key by which browsers keep a phase's picture; "" if it was not adjudicated.

    A phase played again after a rollback is another row, with another key.
    """
    if phase.processed_at is None or phase.status != Phase.Status.PROCESSED:
        return ""
    told = f"{edition()} {phase.pk} {phase.processed_at.isoformat()}"
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def story_of(name: str) -> Story:
    """Return the story of the game of this name. Raises Http404."""
    return Story(game_at(name))


def game_at(name: str) -> Game:
    """Return the game of this name, in upper or lower case. Raises Http404."""
    game = Game.objects.select_related("gm").filter(name__iexact=name).first()
    if game is None:
        raise Http404(f"There is no game {name}.")
    return game
