"""Random games of every variant under every preset, for the checks that the judge makes itself.

    python -m benchmarks.variant_games --games 100            (every night: some hours)
    python -m benchmarks.variant_games colonial --games 5     (a look)

Each phase goes through `judge.soundness`: an order decided both ways, two units in one province or
a unit too many ends the run with the position and the orders that brought it about. We put every
phase's reasons into words, and read the next state back.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from random import Random

from judge import (
    DATC,
    Order,
    Outcome,
    Permit,
    Position,
    Ride,
    Rulebook,
    Unit,
    Variant,
    adjudicate,
    legal_orders,
    load_variant,
    preset_names,
    variant_names,
)

Orders = dict[str, list[Order]]
OFTEN = 0.6  # the share of units that can go by rail, and of powers that can let a fleet through


def play_on(
    variant: Variant, rng: Random, *, phases: int, rules: Rulebook = DATC
) -> Iterator[tuple[Position, Orders, Outcome]]:
    """Yield the phases of a random game; one that is won begins again."""
    position = Position.start(variant)
    for _ in range(phases):
        orders = random_orders(position, rng, rules)
        outcome = adjudicate(position, orders, rules)
        yield position, orders, outcome
        position = Position.start(variant) if outcome.winner else outcome.next


def random_orders(position: Position, rng: Random, rules: Rulebook) -> Orders:
    """Return an order for each unit that may have one, preferably one that only this variant
    knows."""
    orders: Orders = {}
    for power, by_unit in legal_orders(position, rules).items():
        orders[power] = list(_of_power(position, power, by_unit, rng))
    return orders


def _of_power(
    position: Position, power: str, by_unit: Mapping[Unit | None, tuple[Order, ...]], rng: Random
) -> Iterator[Order]:
    if position.phase.step == "A":
        number = position.adjustment(power)
        choices = [order for options in by_unit.values() for order in options]
        yield from rng.sample(choices, min(abs(number), len(choices)))
        return
    for options in by_unit.values():
        special = [order for order in options if isinstance(order, Ride | Permit)]
        if special and rng.random() < OFTEN:
            yield rng.choice(special)
        elif any(not isinstance(order, Permit) for order in options):
            yield rng.choice(options)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("variants", nargs="*", default=variant_names())
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--phases", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    for name in chosen.variants:
        for preset in preset_names():
            phases = sum(
                run(name, preset, chosen.seed + number, chosen.phases)
                for number in range(chosen.games)
            )
            print(f"{name}, {preset}: {phases} phases without an impossible state", flush=True)


def run(name: str, preset: str, seed: int, phases: int) -> int:
    """Play a game; print what broke the judge and raise it."""
    rules, count = Rulebook.named(preset), 0
    last: tuple[Position, Orders] | None = None
    rng, position = Random(seed), Position.start(load_variant(name))
    try:
        for _ in range(phases):
            orders = random_orders(position, rng, rules)
            last = position, orders
            outcome = adjudicate(position, orders, rules)
            assert all(one.order for one in outcome.results)
            assert Position.from_state(position.variant, outcome.next.to_state()) == outcome.next
            position = Position.start(load_variant(name)) if outcome.winner else outcome.next
            count += 1
    except Exception:
        if last:
            lines = {power: [str(one) for one in given] for power, given in last[1].items()}
            state = {"variant": name, "rules": preset, **last[0].to_state(), "orders": lines}
            print(json.dumps(state))
        raise
    return count


if __name__ == "__main__":
    main()
