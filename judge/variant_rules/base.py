"""What a rule of a variant may change: the questions that the standard code asks it.

A `VariantRule` belongs to a map and lasts; what it has to say to one movement phase, if anything,
is a `RuleInPhase` (`judge.movement`). Every method here gives the answer of the standard rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from judge.board import Board
from judge.orders import MovementOrder, Order, Permit, Ride
from judge.places import Location, Province
from judge.units import Unit

if TYPE_CHECKING:
    from judge.legality.refusal import Illegal
    from judge.movement.state import MovementState
    from judge.position import Position


class Passage(NamedTuple):
    """A way that players name in their orders: a railway or a canal."""

    id: str
    """Its name in orders: "TSR"."""
    title: str
    """Its name in sentences: "Trans-Siberian Railroad"."""
    spellings: tuple[str, ...]
    """What else players may write for it."""
    way: tuple[Province, ...] = ()
    """The provinces on the way, from one end to the other."""


class VariantRule:
    """A rule of a variant. Each hook gives the standard answer unless a rule overrides it."""

    @property
    def railway(self) -> Passage | None:
        """The railway that orders may ask for."""
        return None

    @property
    def canal(self) -> Passage | None:
        """The canal through which orders may let a fleet pass."""
        return None

    def stand_in(self, power: str) -> Unit | None:
        """Return the unit that represents the canal in a permission of the power."""
        return None

    def board_in(self, season: str, board: Board) -> Board:
        """Return what the board is like in that season ("S", "F" or "W")."""
        return board

    def counts(self, center: Province, power: str) -> bool:
        """Tell whether the centre, which the power owns, counts for its builds and for victory."""
        return True

    def further_units(self, position: Position, power: str) -> int:
        """Return how many units the power may have beyond the centres that count for it."""
        return 0

    def further_sites(self, position: Position, power: str) -> tuple[Province, ...]:
        """Return where the power may build besides the centres that its variant allows."""
        return ()

    def adjustment_note(self, position: Position, power: str) -> str:
        """Return why the power may have more or fewer units than centres, "" if it may not."""
        return ""

    def objection(self, order: Order, position: Position) -> Illegal | None:
        """Return why this rule makes an order illegal, if it does."""
        return None

    def illegality(self, order: Ride | Permit, position: Position, power: str) -> Illegal | None:
        """Return why the power may not give an order that only this rule knows."""
        raise NotImplementedError

    def carries(self, unit: Unit, to: Location, position: Position) -> bool:
        """Tell whether the unit's plain move to `to` is legal by this rule alone."""
        return False

    def rides(self, unit: Unit, to: Province, position: Position) -> bool:
        """Tell whether the unit could get there by an order of this rule, which others support."""
        return False

    def orders_of(self, unit: Unit, position: Position) -> Iterator[MovementOrder]:
        """Yield the further legal orders of the unit that this rule brings."""
        yield from ()

    def permissions_of(self, power: str, position: Position) -> Iterator[Permit]:
        """Yield the legal orders of the power that no unit of its own carries out."""
        yield from ()

    def loses_retreat(self, board: Board, unit: Unit, to: Location) -> bool:
        """Tell whether the retreat gives way to every other retreat to the same province."""
        return False

    def announce(self, orders: Iterable[Ride | Permit], dest: list[int]) -> None:
        """Enter in `dest` where the orders go that only this rule knows, so that they can be
        supported."""

    def enter(
        self, s: MovementState, orders: Mapping[int, MovementOrder], position: Position
    ) -> None:
        """Enter in the state, once orders are matched, what this rule makes of them."""
