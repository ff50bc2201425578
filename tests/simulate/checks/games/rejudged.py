"""Each result is what the judge says of the orders that were adjudicated, asked past the server's
own code; and in the standard game it obeys the equations of DATC 5.B, which know no judge."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from benchmarks.equations import claim, moved_by_us
from judge import Outcome, Position, Rulebook, adjudicate, load_variant, read_orders
from judge.orders import Convoy, Move, Support
from tests.simulate.checks.evidence import Broken, Evidence

PARADOX = "paradox"


def processed(seen: Evidence, phase: sqlite3.Row) -> None:
    """Check a phase that was just adjudicated. Raises Broken."""
    query = "select variant, rules, fog from games_game where id = ?"
    [game] = seen.rows(query, phase["game_id"])
    kept, what = json.loads(phase["outcome"]), f"{phase['game']} {phase['name']}"
    rules = Rulebook.from_json(json.loads(game["rules"]))
    position = Position.from_state(load_variant(game["variant"]), json.loads(phase["position"]))
    outcome = adjudicate(position, json.loads(phase["orders"]), rules)
    ours = {(one.power, str(one.order), *one.result) for one in outcome.results}
    told = {(one["power"], str(one["order"]), *one["result"]) for one in kept["results"]}
    if game["fog"]:  # there the judge gets only what is followed of that which was written
        ours, told = ({one for one in some if "illegal" not in one} for some in (ours, told))
    if wrong := ours ^ told:
        raise Broken(f"{what}: the judge comes to another result, {sorted(wrong)}")
    if outcome.next.to_state() != kept["next"]:
        raise Broken(f"{what}: the judge comes to another board")
    if game["variant"] == "standard" and phase["name"].endswith("M"):
        _obeys(position, outcome, rules, what)


def _obeys(position: Position, outcome: Outcome, rules: Rulebook, what: str) -> None:
    """Check a movement phase against the equations, which leave open what a paradox comes to."""
    if any(PARADOX in (one.reason or "") for one in outcome.results):
        return
    orders = list(_orders(position, outcome, rules))
    claimed = claim(position, outcome, orders, moved_by_us(outcome, orders), rules)
    for wrong in claimed.violations():
        raise Broken(f"{what}: {wrong}")


def _orders(
    position: Position, outcome: Outcome, rules: Rulebook
) -> Iterator[Move | Support | Convoy]:
    """The orders as the judge has written them, with the units that they are for; without illegal
    ones, whose units may be another's, or nobody's."""
    for one in outcome.results:
        if "illegal" in one.result:
            continue
        for reading in read_orders(position, one.power, [one.order or ""], rules):
            order = reading.order
            if isinstance(order, Move | Support | Convoy) and str(order) == one.order:
                yield order
