"""Turns a phase's orders into its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.board_json import OutcomeJson, ResultJson, StateJson
from games.queries.board.duties import position_of
from games.queries.board.names import rulebook_of
from judge import ENGINE_VERSION, OrderResult, adjudicate


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The outcome of a phase, ready to be stored: the judge's results in its JSON Lines words."""

    results: list[ResultJson]
    next: StateJson
    winner: str
    engine: str

    @property
    def stored(self) -> OutcomeJson:
        """The outcome as a phase keeps it, and as the log's digest is taken of it."""
        return {"results": self.results, "next": self.next, "winner": self.winner or None}


def adjudicate_orders(
    *, variant: str, rules: object, state: StateJson, orders: Mapping[str, Sequence[str]]
) -> Adjudication:
    """Adjudicate the orders as written, per power (alphabetically), from top to bottom."""
    in_turn = {power: orders[power] for power in sorted(orders)}
    outcome = adjudicate(position_of(variant, state), in_turn, rulebook_of(rules))
    return Adjudication(
        results=[_as_json(one) for one in outcome.results],
        next=outcome.next.to_state(),
        winner=outcome.winner or "",
        engine=ENGINE_VERSION,
    )


def _as_json(one: OrderResult) -> ResultJson:
    result: ResultJson = {
        "power": one.power,
        "text": one.text,
        "order": one.order,
        "result": list(one.result),
        "reason": one.reason,
        "automatic": one.automatic,
    }
    if one.ends:
        result["ends"] = one.ends
    return result
