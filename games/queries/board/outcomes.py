"""A phase's orders become its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.board_json import StateJson
from games.queries.board.duties import position_of
from games.queries.board.rules import rulebook_of
from judge import ENGINE_VERSION, adjudicate


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What came of a phase, ready to be stored: the judge's results in its JSON Lines words.

    `results` has one entry per order: power, text, order, result, reason, automatic, and `ends` for
    an army that was ordered to go by rail.
    """

    results: list[dict[str, Any]]
    next: StateJson
    winner: str
    engine: str

    @property
    def stored(self) -> dict[str, Any]:
        """The outcome as a phase keeps it, and as the log's digest is taken of it."""
        return {"results": self.results, "next": self.next, "winner": self.winner or None}


def adjudicated(
    *, variant: str, rules: object, state: StateJson, orders: Mapping[str, Sequence[str]]
) -> Adjudication:
    """Adjudicate the orders as written, per power (alphabetically) and from top to bottom."""
    in_turn = {power: orders[power] for power in sorted(orders)}
    outcome = adjudicate(position_of(variant, state), in_turn, rulebook_of(rules))
    return Adjudication(
        results=[
            {
                "power": one.power,
                "text": one.text,
                "order": one.order,
                "result": list(one.result),
                "reason": one.reason,
                "automatic": one.automatic,
                **({"ends": one.ends} if one.ends else {}),
            }
            for one in outcome.results
        ],
        next=outcome.next.to_state(),
        winner=outcome.winner or "",
        engine=ENGINE_VERSION,
    )
