"""The kills are drawn from a seed, and everything is killed."""

from __future__ import annotations

import itertools
import random
from collections import Counter

from tests.chaos.schedule import CHILD, MACHINE, WEIGHTS, blows


def drawn(seed: int, count: int) -> list[tuple[float, tuple[str, ...], float]]:
    coming = itertools.islice(blows(random.Random(seed)), count)
    return [(blow.gap, blow.victims, blow.down) for blow in coming]


def test_a_seed_gives_the_same_kills_again_and_another_seed_others() -> None:
    assert drawn(1901, 50) == drawn(1901, 50)
    assert drawn(1901, 50) != drawn(1902, 50)


def test_everything_is_killed_in_an_hour() -> None:
    victims = Counter(name for _, names, _ in drawn(1901, 300) for name in names)
    assert set(victims) == set(WEIGHTS)
    pollers = victims["poller-1"] + victims["poller-2"]
    assert pollers > victims["dovecot"] > 0, "who fetches mail is killed most"


def test_no_program_is_killed_twice_in_one_moment() -> None:
    for _, victims, _ in drawn(7, 500):
        programs = [name.removesuffix(CHILD) for name in victims]
        assert len(programs) == len(set(programs))
        machines = {name.removeprefix(MACHINE) for name in programs if name.startswith(MACHINE)}
        assert not any(name[-1] in machines for name in programs if not name.startswith(MACHINE))
        assert victims


def test_some_blows_hit_several_programs_in_one_moment() -> None:
    sizes = Counter(len(victims) for _, victims, _ in drawn(7, 500))
    assert set(sizes) == {1, 2, 3}
