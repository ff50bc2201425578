"""Random crowded phases under every rulebook, each result held against the equations.

    python -m benchmarks.every_rulebook --phases 100000 --seed 1

It tries every preset, and every single choice of every issue beside the preferences of the DATC. A
phase is wrong when a unit is lost, when two stand in one province, or when an equation
(`benchmarks.equations`) contradicts a result that no paradox explains. It prints what it counted,
and each wrong phase as a line for the JSON Lines door.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from benchmarks.equations import Claim, claim, flat, moved_by_us
from benchmarks.random_games import Orders, by_power, crowd_together, random_orders
from judge import Outcome, Position, Rulebook, adjudicate, issue_choices, load_variant, preset_names
from judge.board import bits
from judge.orders import Convoy, Move, MovementOrder, Support

PARADOX = "paradox"


def rulebooks() -> dict[str, Rulebook]:
    """Every preset by its name, and every other choice of every single issue ("4.A.7 a")."""
    found = {name: Rulebook.named(name) for name in preset_names()}
    for issue, usual in Rulebook().to_json().items():
        for choice in issue_choices(issue):
            if choice != usual:
                found[f"{issue} {choice}"] = Rulebook.from_json({issue: choice})
    return found


def phase(rng: Random) -> tuple[Position, Orders]:
    """Return a crowded movement phase: most have many convoys, half have units trading places."""
    position = crowd_together(load_variant("standard"), rng.randint(4, 20), rng)
    orders = random_orders(position, rng, convoyed=rng.choice((0.3, 0.9, 0.9)))
    if rng.random() < 0.5:
        orders = trading_places(position, orders, rng)
    return position, orders


def trading_places(position: Position, orders: Orders, rng: Random) -> Orders:
    """The orders with armies sent by convoy to a unit beside them, which comes the other way."""
    changed = {order.unit: order for order in flat(orders) if isinstance(order, MovementOrder)}
    board, unit_at = position.variant.board, position.unit_at
    for army in position.units:
        shores = board.shores[army.at]
        beside = [unit_at[index] for index in bits(shores & board.convoyable)]
        fleets = [fleet for fleet in beside if fleet is not None]
        places = [
            place for place in board.steps("A", army.location) if unit_at[place.province.index]
        ]
        if army.kind != "A" or not fleets or not places or rng.random() < 0.5:
            continue
        fleet, to = rng.choice(fleets), rng.choice(places)
        other = unit_at[to.province.index]
        if other is None or not board.shores[fleet.at] >> to.province.index & 1:
            continue
        changed[army] = Move(army, to, via_convoy=rng.random() < 0.7)
        changed[fleet] = Convoy(fleet, army, to)
        back = board.arrivals(other.kind, other.location, army.location.province)
        if back:
            changed[other] = Move(other, rng.choice(back))
    owned = ((unit.power, changed[unit]) for unit in position.units)
    return by_power(position.variant, owned)


def faults(position: Position, orders: Orders, outcome: Outcome, rules: Rulebook) -> Iterator[str]:
    """Yield what is wrong with the outcome."""
    crowd = Counter(unit.location.province for unit in outcome.next.units)
    yield from (f"{many} units in {province}" for province, many in crowd.items() if many > 1)
    # A line that does not count tells the fate of its unit, too (DATC 6.A.5), so we count each fate
    # once.
    fates = (words for words in outcome.words if words[0] != "illegal")
    destroyed = sum("destroyed" in words for words in fates)
    after = len(outcome.next.units) + len(outcome.next.dislodged) + destroyed
    if after != len(position.units):
        yield f"{after} units of {len(position.units)}"
    if is_paradox(outcome):
        return
    given = list(flat(orders))
    ours = claim(position, outcome, given, moved_by_us(outcome, given), rules)
    yield from map(str, ours.violations())
    yield from wrong_supports(ours, outcome)


def is_paradox(outcome: Outcome) -> bool:
    """Say whether a backup rule decided instead of the equations."""
    return any(PARADOX in (result.reason or "") for result in outcome.results)


def wrong_supports(claimed: Claim, outcome: Outcome) -> Iterator[str]:
    """Yield the supports that are called given or cut against their equation (5.B.2)."""
    words = {result.order: result.result[0] for result in outcome.results}
    for unit, given in claimed.given.items():
        order = claimed.orders[unit]
        assert isinstance(order, Support)
        if words[str(order)] != ("given" if given else "cut"):
            yield f"{order} is {words[str(order)]}"


def line(position: Position, orders: Orders, rules: Rulebook) -> str:
    """Return the phase as a question for ``python -m judge``."""
    lists = {power: [str(order) for order in given] for power, given in orders.items()}
    return json.dumps({"rules": rules.to_json(), **position.to_state(), "orders": lists})


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--phases", type=int, default=10_000, help="how many, over all rulebooks")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    rng, books, seen = Random(given.seed), rulebooks(), Counter[str]()
    presets = preset_names()
    for number in range(given.phases):
        # Take a preset every other time: people choose those, and each combines several issues.
        name = rng.choice(presets) if number % 2 else list(books)[number // 2 % len(books)]
        rules = books[name]
        position, orders = phase(rng)
        try:
            outcome = adjudicate(position, orders, rules)
            wrong = list(faults(position, orders, outcome, rules))
            seen["paradoxes"] += is_paradox(outcome)
        except AssertionError as fault:
            wrong = [f"{type(fault).__name__}: {fault}"]
        seen["phases"] += 1
        if wrong:
            seen["wrong"] += 1
            seen[f"wrong under {name}"] += 1
            print(f"{name}: {'; '.join(wrong)}\n{line(position, orders, rules)}")
    print(f"{len(books)} rulebooks; " + ", ".join(f"{what}: {many}" for what, many in seen.items()))
    return 1 if seen["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
