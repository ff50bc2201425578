"""A game from its first phase on: its orders and outcomes. It can go back, branch, and be saved.

game = Game()
game.order("France", "A Par - Bur", "F Bre - Mao")
outcome = game.process()
outcome["A Paris"].result        # ("succeeds",)
game.undo()
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from judge.adjudicate import adjudicate
from judge.errors import JudgeError
from judge.lookup import power_named
from judge.orders import Order
from judge.outcome import Outcome
from judge.position import Position, refuse_no_position
from judge.rulebook import DATC, Rulebook, refuse_no_rulebook
from judge.variants import VariantLike, load_variant

Part = TypeVar("Part")
Lines = dict[str, tuple[str, ...]]
"""What each power wrote, in the order of the lines."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A phase that was adjudicated."""

    position: Position
    """The position at its start."""
    orders: Mapping[str, tuple[str, ...]]
    """The lines of each power, as text."""
    outcome: Outcome


class Game:
    """A game: its history, and the phase that awaits orders."""

    def __init__(
        self,
        variant: VariantLike = "standard",
        rules: Rulebook | str = DATC,
        position: Position | None = None,
    ) -> None:
        """Begin a game, at the variant's start or in a position of your own.

        Variant and rules may be named; a variant of your own is a `Path`, its folder. Raises
        JudgeError for a position of another variant, for a name that does not exist, and for any
        other kind of value.
        """
        self.variant = load_variant(variant)
        self.rules = Rulebook.named(rules) if isinstance(rules, str) else rules
        refuse_no_rulebook(self.rules)
        self.history: list[Turn] = []
        """The phases so far, the oldest first."""
        self.orders: Lines = {}
        """The orders for the current phase."""
        self._start = Position.start(self.variant) if position is None else position
        refuse_no_position(self._start)
        self._refuse_another_variant()

    def _refuse_another_variant(self) -> None:
        played, given = self.variant.at(self._start.phase), self._start.variant
        if given != played:
            names = f"is one of “{given.name}”, and “{played.name}” is played"
            raise JudgeError(f"The position {names}.")
        if not given.has_map_of(played):
            raise JudgeError(f"The position is on another map than that of “{played.name}”.")

    def __repr__(self) -> str:
        return f"<Game of {self.variant.title} in {self.position.phase}>"

    @property
    def position(self) -> Position:
        """The position that awaits orders, or the last one of a game that is over."""
        return self.history[-1].outcome.next if self.history else self._start

    @property
    def winner(self) -> str | None:
        """The power that has won, or None."""
        return self.history[-1].outcome.winner if self.history else None

    def copy(self) -> Game:
        """Return a branch: a game with the same history and orders that goes on by itself."""
        branch = Game(self.variant, self.rules, self._start)
        branch.history, branch.orders = list(self.history), dict(self.orders)
        return branch

    __copy__ = copy

    def order(self, power: str, *orders: str | Order) -> None:
        """Set a power's orders for this phase, in place of its earlier ones.

        The orders are text or values. Raises UnknownName for an unknown power, JudgeError for
        anything but text and values, such as a list of orders.
        """
        for order in orders:
            if not isinstance(order, str | Order):
                raise JudgeError(f"{order!r} is not an order; hand each of them in by itself.")
        self.orders[power_named(self.variant, power)] = tuple(map(str, orders))

    def process(self) -> Outcome:
        """Adjudicate the phase and go on to the next. Raises JudgeError once the game is won."""
        if self.winner:
            raise JudgeError(f"{self.winner} has won the game.")
        outcome = adjudicate(self.position, self.orders, self.rules)
        self.history.append(Turn(self.position, self.orders, outcome))
        self.orders = {}
        return outcome

    def undo(self) -> Turn:
        """Take the last phase back; its orders are in force again. Raises JudgeError before the
        first."""
        if not self.history:
            raise JudgeError("There is no phase to take back.")
        turn = self.history.pop()
        self.orders = dict(turn.orders)
        return turn

    def to_json(self) -> dict[str, Any]:
        """Return the game as JSON: the first state, and each phase's orders with what followed.

        Raises JudgeError on a map that was edited: a variant is saved by its name.
        """
        if not self.variant.has_map_of(load_variant(self.variant.folder or self.variant.name)):
            raise JudgeError("A game on an edited map cannot be saved.")
        return {
            "variant": self.variant.name,
            "rules": self.rules.to_json(),
            "start": self._start.to_state(),
            "turns": [
                {"orders": _as_lists(turn.orders), "next": turn.outcome.next.to_state()}
                for turn in self.history
            ],
            "orders": _as_lists(self.orders),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any], variant: VariantLike | None = None) -> Game:
        """Return a game from what `to_json` made, adjudicating its phases again.

        `variant` is the one that was played, if it is one of your own. Raises JudgeError if the
        orders do not lead where the game went, or if parts are missing.
        """
        name = _part(saved, "variant", str)
        variant = load_variant(name if variant is None else variant)
        if variant.name != name:
            raise JudgeError(f"This game is one of “{name}”, not of “{variant.name}”.")
        start = Position.from_state(variant, _part(saved, "start", dict))
        game = cls(variant, Rulebook.from_json(saved.get("rules")), start)
        for turn in _part(saved, "turns", list):
            game._order_all(_part(turn, "orders", dict))
            phase = game.position.phase
            if game.process().next != Position.from_state(variant, _part(turn, "next", dict)):
                raise JudgeError(f"These orders of {phase} lead to another position here.")
        game._order_all(_part(saved, "orders", dict))
        return game

    def _order_all(self, orders: Mapping[str, Sequence[str]]) -> None:
        for power, lines in orders.items():
            if not isinstance(lines, list):
                raise JudgeError(f"The orders of {power} must be a list of lines.")
            self.order(power, *lines)

    def save(self, path: str | Path) -> None:
        """Write the game to a file."""
        text = json.dumps(self.to_json(), ensure_ascii=False, indent=1)
        Path(path).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, variant: VariantLike | None = None) -> Game:
        """Read a game from a file that `save` wrote, with its variant if that is one of your own.

        Raises JudgeError for any other file, OSError if the file cannot be read at all.
        """
        try:
            saved = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as fault:
            raise JudgeError(f"{path} is not a saved game: {fault}.") from fault
        return cls.from_json(saved, variant)


def _part(saved: object, name: str, kind: type[Part]) -> Part:
    """Return a part of a saved game. Raises JudgeError if it is missing or of another kind."""
    part = saved.get(name) if isinstance(saved, Mapping) else None
    if not isinstance(part, kind):
        what = f"has no “{name}”" if part is None else f"has “{name}” of the wrong kind"
        raise JudgeError(f"This is not a saved game: it {what}.")
    return part


def _as_lists(orders: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {power: list(lines) for power, lines in orders.items()}
