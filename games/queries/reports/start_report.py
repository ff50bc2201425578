"""What a player has to know when their game starts, or when they take over a power."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from games.models import UNFINISHED, Application, Phase, Seat
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.access.audience import state_shown
from games.queries.endings.ending import rules_of_end
from games.queries.orders.example_orders import Example, example_orders
from games.queries.parsing.preferences import read_preferences
from games.queries.phases.centers import Possessions, possessions_in
from games.queries.phases.next_phase import NextPhase, next_phase
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import other_rules, preset_of
from games.settings import what_differs


@dataclass(frozen=True, slots=True)
class StartReport:
    """What a player has to know when their game starts, or when they take over a power."""

    game: str
    power: str
    player: str
    variant: str
    rules: str
    victory_centers: int
    possessions: tuple[Possessions, ...]
    process_early: bool
    timetable: tuple[str, ...]
    differs: tuple[str, ...]
    """How the game differs from most."""
    ends: tuple[str, ...]
    next: NextPhase
    examples: tuple[Example, ...]
    """Legal orders of the player's."""
    missed: tuple[str, ...] = ()
    """The powers on the player's list that they would rather have had."""


_PASSED = ("entry",)
"""The settings that matter to nobody who has a seat."""


def start_report(
    seat: Seat, *, phase: Phase | None = None, seats: Iterable[Seat] | None = None
) -> StartReport:
    """Report the game's open phase to somebody who takes their seat in it; `seats` are all running
    tenures. Both are read unless the caller has read them for everybody."""
    power, game = seat.power, seat.power.game
    phase = phase or game.phases.get(status__in=UNFINISHED)
    state = state_shown(game, phase.position, power.name)
    position = board.position_of(game.variant, state)
    return StartReport(
        game=game.name,
        power=power.name,
        player=seat.player.name,
        variant=position.variant.title,
        rules=preset_of(game),
        victory_centers=position.variant.victory_centers,
        possessions=possessions_in(game, position, power.name, seats),
        process_early=game.process_early,
        timetable=timetable(game),
        differs=(*position.variant.differs, *what_differs(game, but=_PASSED), *other_rules(game)),
        ends=rules_of_end(game),
        next=next_phase(phase, power),
        examples=example_orders(game.variant, position, power.name),
        missed=_preferred_powers(seat, position.variant.powers),
    )


_WISH = Query(
    lambda: Application.objects.filter(
        game=Given("game"), player=Given("player"), withdrawn_at=None
    ).order_by("pk")
)


def _preferred_powers(seat: Seat, powers: Sequence[str]) -> tuple[str, ...]:
    """Return the powers that a player preferred to the one that the lists gave them."""
    game = seat.power.game
    if seat.since != game.started_at:
        return ()
    wish = _WISH.first(game=game.pk, player=seat.player_id)
    if wish is None:
        return ()
    ranks = read_preferences(wish.preferences, powers).ranks
    above = takewhile(lambda rank: seat.power.name not in rank, ranks)
    return tuple(power for rank in above for power in rank)
