"""The centres and units of every power: in the phase that is open, and as each year ended."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.models import UNFINISHED, Game, Phase, Seat
from games.models.phase import BOARDS
from games.queries import board
from games.queries.access.anonymity import name_for_players
from games.queries.access.audience import is_foggy
from games.queries.endings.ending import counts_centers
from games.queries.reports.wording import counted

WIDTH = 72
NO_BREAK = "\ue000"  # a private character that no name has: textwrap does not break there


@dataclass(frozen=True, slots=True)
class Possessions:
    """What a power has after the phase, and who plays it as players may know it."""

    power: str
    player: str
    """Empty if nobody plays it, and in an anonymous game until the end."""
    centers: tuple[str, ...]
    units: tuple[str, ...]
    in_part: bool = False
    """Whether, in fog of war, this is only what the reader sees of it."""


@dataclass(frozen=True, slots=True)
class YearEnd:
    """How many centres each power owned when the year ended (or before the game's first year)."""

    year: int
    """Counted like `board.year_of`."""
    centers: Mapping[str, int]

    @property
    def title(self) -> str:
        """The year as people say it: "1901", "1 BC"."""
        return board.year_title(self.year)


def possessions(game: Game) -> tuple[Possessions, ...]:
    """Return what every power has as the open phase begins, all of it: not for players in fog."""
    phase = game.phases.get(status__in=UNFINISHED)
    return possessions_in(game, board.position_of(game.variant, phase.position), None)


def board_text(position: board.Position) -> str:
    """Write the board as text: for each power a line with its centres and one with its units, 72
    columns wide.

    Each line begins with its power, so that nobody can mistake a quoted line for an order.
    """
    return "\n".join(
        line
        for power in position.variant.powers
        for line in _power_lines(power, position.centers_of(power), _unit_names(position, power))
    )


def center_history(game: Game) -> tuple[YearEnd, ...]:
    """Return the centre counts at the start and at each year's end so far, oldest first."""
    played = game.phases.exclude(status=Phase.Status.UNDONE).defer(*BOARDS)
    phases = list(played.order_by("number"))
    firsts = Phase.objects.filter(pk__in=_year_ends(phases).values()).order_by()
    return years_of(phases, dict(firsts.values_list("pk", "position__centers")))


def years_of(
    phases: Sequence[Phase], owners: Mapping[int, Mapping[str, Sequence[str]]]
) -> tuple[YearEnd, ...]:
    """Return the centre counts of these phases' years. The phases come in order.

    Their boards need not be read: `owners` has, by the keys of phases that begin a year, who owns
    what.
    """
    counts = {year: _counts(owners[pk]) for year, pk in _year_ends(phases).items()}
    if phases and phases[-1].status == Phase.Status.PROCESSED:  # a game that is over
        counts |= _last_count(phases[-1])
    return tuple(YearEnd(year, counts[year]) for year in sorted(counts))


def _year_ends(phases: Iterable[Phase]) -> dict[int, int]:
    """Return, by key, the phases that began when years had just ended, each with its year.

    The game's first phase counts for the year before or, if it is a winter, for its own.
    """
    ends: dict[int, int] = {}
    before = ""
    for phase in phases:
        if not before:
            ends[board.year_of(phase.name) - (not phase.name.startswith("W"))] = phase.pk
        elif counts_centers(before, phase.name):
            ends[board.year_of(before)] = phase.pk
        before = phase.name
    return ends


def _last_count(phase: Phase) -> dict[int, Mapping[str, int]]:
    """Return the count of the year in which a game ended, if its centres were counted."""
    if not phase.outcome:
        return {}
    after = phase.outcome["next"]
    if not phase.outcome["winner"] and not counts_centers(phase.name, after["phase"]):
        return {}
    return {board.year_of(phase.name): _counts(after["centers"])}


def _counts(centers: Mapping[str, Sequence[str]]) -> Mapping[str, int]:
    return {power: len(owned) for power, owned in centers.items()}


def possessions_in(
    game: Game,
    position: board.Position,
    viewer: str | None,
    seats: Iterable[Seat] | None = None,
) -> tuple[Possessions, ...]:
    """Return what every power has in a position of the game, which the viewer may see; `seats` are
    the running tenures, if the caller has read them."""
    in_part = viewer is not None and is_foggy(game)
    if seats is None:
        running = Seat.objects.filter(power__game=game, until=None)
        seats = running.select_related("power", "player")
    players = {seat.power.name: name_for_players(seat.player, game) for seat in seats}
    return tuple(
        Possessions(
            power=power,
            player=players.get(power, ""),
            centers=position.centers_of(power),
            units=_unit_names(position, power),
            in_part=in_part and power != viewer,
        )
        for power in position.variant.powers
    )


def _unit_names(position: board.Position, power: str) -> tuple[str, ...]:
    return tuple(sorted(str(unit) for unit in position.units_of(power)))


def _power_lines(power: str, centers: Sequence[str], units: Sequence[str]) -> list[str]:
    if not centers and not units:
        return [f"{power}: nothing left"]
    number = counted(len(centers), "centre")
    return [
        *_wrapped_list(f"{power}, {number}: ", centers),
        *_wrapped_list(f"{power}, units: ", units),
    ]


def _wrapped_list(heading: str, names: Sequence[str]) -> list[str]:
    whole = (name.replace(" ", NO_BREAK) for name in names)
    lines = textwrap.wrap(
        ", ".join(whole) or "none",
        WIDTH,
        initial_indent=heading,
        subsequent_indent=heading,
        break_on_hyphens=False,
    )
    return [line.replace(NO_BREAK, " ") for line in lines]
