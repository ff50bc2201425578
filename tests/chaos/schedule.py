"""Who is killed when: drawn from a seed, so that two runs can be given the same kills."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

CHILD = "/child"
"""Behind a name: one of its children is killed, and the program has to notice by itself."""

MACHINE = "machine-"

WEIGHTS = {
    "poller-1": 2.5,
    "poller-2": 2.5,
    "worker-1": 3.0,
    "worker-2": 3.0,
    f"worker-1{CHILD}": 3.0,
    f"worker-2{CHILD}": 3.0,
    "web-1": 0.5,
    "web-2": 0.5,
    f"web-1{CHILD}": 0.5,
    "machine-1": 1.0,
    "machine-2": 1.0,
    "relay": 2.0,
    "dovecot": 1.5,
    f"dovecot{CHILD}": 1.0,
    "postgres": 1.5,
    f"postgres{CHILD}": 1.0,
    "redis": 1.5,
}
"""How often each is killed, beside the others. A machine is all of ours with its number."""

GAP_SECONDS = (0.5, 5.0)
DOWN_SECONDS = (0.0, 4.0)
SEVERAL_AT_ONCE = 0.15


@dataclass(frozen=True)
class Blow:
    """Some programs are killed in one moment, `gap` seconds after the last blow was over, and
    started again after `down` seconds."""

    gap: float
    victims: tuple[str, ...]
    down: float


def blows(chance: random.Random) -> Iterator[Blow]:
    """One blow after the other, for ever."""
    names, weights = tuple(WEIGHTS), tuple(WEIGHTS.values())
    while True:
        count = chance.choice((2, 3)) if chance.random() < SEVERAL_AT_ONCE else 1
        drawn = chance.choices(names, weights, k=count)
        yield Blow(
            gap=chance.uniform(*GAP_SECONDS),
            victims=_each_program_once(drawn),
            down=chance.uniform(*DOWN_SECONDS),
        )


def _each_program_once(drawn: list[str]) -> tuple[str, ...]:
    """Without a program whose child, or which itself, is among those before it, or whose whole
    machine is among them."""
    machines = {name.removeprefix(MACHINE) for name in drawn if name.startswith(MACHINE)}
    drawn = [name for name in drawn if name.startswith(MACHINE) or _number(name) not in machines]
    first = {name.removesuffix(CHILD): name for name in reversed(drawn)}
    return tuple(dict.fromkeys(name for name in drawn if first[name.removesuffix(CHILD)] == name))


def _number(name: str) -> str:
    return name.removesuffix(CHILD).rpartition("-")[2]
