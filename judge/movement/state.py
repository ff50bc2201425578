"""One movement phase on small integers: everybody's orders, and what is decided so far.

Provinces are numbers (`Province.index`) and sets of provinces are bit masks. A unit is named by the
province it starts in, so one mask over provinces is also a set of units, of orders or of decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge.board import Board, mask_of
from judge.movement.results import FAILS, Words
from judge.orders import Convoy, Move, MovementOrder, Permit, Ride, Support

if TYPE_CHECKING:
    from judge.layout import Layout
    from judge.movement.rule_in_phase import RuleInPhase

NOWHERE = -1
Orders = dict[int, MovementOrder]
"""The order that counts for each unit, by the index of its province; a unit may have none."""


class Decisions(NamedTuple):
    """A snapshot of everything decided: six masks of units."""

    moved: int
    failed: int
    given: int
    cut: int
    available: int
    disrupted: int


class Ruling(NamedTuple):
    """A backup rule that was applied, the circle it was applied to, and the convoyed armies it
    stopped.

    `words` say what a variant's rule did.
    """

    name: str
    circle: int
    armies: int = 0
    words: str = ""


@dataclass(slots=True, init=False)
class MovementState:
    """The orders of a movement phase and the decisions about them.

    Orders never change once they are matched. The decisions (second half) only ever grow: a move is
    undecided while its unit is neither in `moved` nor in `failed`, and so on.
    """

    board: Board
    occupied: int
    """All units."""
    own: list[int]
    """Per province with a unit: all units of its power."""
    dest: list[int]
    """Per mover: where it goes; NOWHERE for other units."""
    into: list[int]
    """Per province: the units ordered to move there."""
    goals: list[int]
    """The provinces that somebody was ordered to enter, each once."""
    contested: set[int]
    """Those that more than one unit was ordered to enter."""
    movers: int
    helpers: list[int]
    """Per unit: the supporters of its move or, if it does not move, of its hold."""
    side: list[int]
    """Per supporter: the units whose attack comes from where its support goes (5.B.2, 4.A.4)."""
    usual_words: list[Words]
    """Per unit with an order: the word for it (4.E.2) unless more comes of it: a move fails, a
    support is given."""
    helped: int
    """The movers with a support that matches."""
    supporters: int
    """The units whose support matches what the supported unit does."""
    convoyers: int
    """The fleets whose convoy matches what the army does."""
    unmatched: int
    """The units whose support or convoy matches nothing that was ordered."""
    convoyed: int
    """The movers that can go by convoy only."""
    optional: int
    """The movers that go by convoy if it holds, and over land otherwise (4.A.3: 1971,
    2000fallback)."""
    routes: dict[int, int]
    """Per mover of these two kinds: the fleets ordered to convoy it."""
    last_fleet: dict[int, int]
    """Per convoyed mover: the fleet its attack comes from, where that is the rule (4.A.4)."""
    harmless: dict[int, int]
    """Per supporter: the convoyed attackers that cannot cut it, whatever happens (4.A.2)."""
    in_play: tuple[RuleInPhase, ...]
    """The variant's own rules that bear on these orders; none on the standard map."""
    unusual: int
    """The movers whose strength or success those rules decide, so a first look never settles
    them."""
    handicaps: tuple[tuple[int, float], ...]
    """Per slot: how much strength a move loses if the slot is among its `helpers`."""

    moved: int
    failed: int
    given: int
    cut: int
    available: int
    disrupted: int
    followers: int
    """The movers that succeed or fail with the unit that leaves the province they go to."""
    by_land: int
    """The movers known to go over land."""
    pathed: int
    """The movers known to have a path (5.B.4)."""
    pathless: int
    """The movers known to have none."""
    doomed: int
    """The moves that a paradox rule makes fail, whatever their path."""
    went: list[int]
    """The units that moved, once everything is decided."""
    entered: int
    """The provinces that they moved to."""
    rulings: list[Ruling]
    """The backup rules that were applied."""

    def __init__(self, board: Board, layout: Layout) -> None:
        """Begin with these units; nobody has ordered anything yet."""
        # Written out, since it is made in three quarters of the time that `dataclass` takes with
        # so many defaults (2026-11).
        size = len(board.bit)
        self.board, self.occupied, self.own = board, layout.occupied, layout.own
        self.dest, self.into = [NOWHERE] * size, [0] * size
        self.helpers, self.side, self.usual_words = [0] * size, [0] * size, [FAILS] * size
        self.goals, self.contested = [], set()
        self.movers = self.helped = self.supporters = self.convoyers = self.unmatched = 0
        self.convoyed = self.optional = self.unusual = 0
        self.routes, self.last_fleet, self.harmless = {}, {}, {}
        self.in_play, self.handicaps = (), ()
        self.moved = self.failed = self.given = self.cut = self.available = self.disrupted = 0
        self.followers = self.by_land = self.pathed = self.pathless = self.doomed = 0
        self.went, self.entered, self.rulings = [], 0, []

    def decisions(self) -> Decisions:
        """Return what is decided now."""
        return Decisions(
            self.moved, self.failed, self.given, self.cut, self.available, self.disrupted
        )

    def undecided(self) -> int:
        """Return the units whose move, support or convoy is not decided yet."""
        # All decisions are about these orders, so "^" leaves the rest, in a third of the time of "&
        # ~".
        return (
            self.movers ^ (self.moved | self.failed)
            | self.supporters ^ (self.given | self.cut)
            | self.convoyers ^ (self.available | self.disrupted)
        )

    def open_ways(self) -> int:
        """Return the movers whose path, or choice of way, is still open."""
        ways = self.movers ^ (self.pathed | self.pathless)
        if self.optional:
            # An army with a choice of ways has a path in any case: the one over land.
            ways |= self.optional & ~(self.by_land | self.convoyed)
        return ways

    def conclude(self) -> None:
        """Note, once everything is decided, who moved and where to."""
        for rule in self.in_play:
            rule.conclude(self)
        bit, dest, moved, went, entered = self.board.bit, self.dest, self.moved, self.went, 0
        while moved:
            unit = moved.bit_length() - 1
            moved ^= bit[unit]
            went.append(unit)
            entered |= bit[dest[unit]]
        if self.in_play:
            # Who goes by rail does not end where it was ordered to go first.
            entered = mask_of(goal for goal in self.goals if self.into[goal] & self.moved)
        self.entered = entered

    def beaten(self) -> int:
        """Return the units that were dislodged."""
        return self.entered & self.occupied & ~self.moved

    @property
    def ends(self) -> dict[int, int]:
        """Per unit that ended on its way instead of where it was ordered: the place where it
        ended."""
        return {unit: end for rule in self.in_play for unit, end in rule.ends.items()}

    @property
    def stand_ins(self) -> dict[int, int]:
        """Per slot that moved a unit: that unit."""
        return {slot: unit for rule in self.in_play for slot, unit in rule.stand_ins.items()}

    def facing(self, unit: int) -> int:
        """Return the unit that moves the opposite way, NOWHERE if none does."""
        other = self.dest[unit]
        return other if self.dest[other] == unit else NOWHERE


class Entered(NamedTuple):
    """The orders of a phase, entered in a state, and those of them that need more than that."""

    state: MovementState
    orders: Orders
    special: list[Move]
    """The moves that may be by convoy, or to a province with several coasts."""
    supports: list[Support]
    convoys: list[Convoy]
    others: list[Ride | Permit]
    """The orders that only the rules of a variant know."""
