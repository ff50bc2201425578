"""How the two engines of `benchmarks.judge` measure their times: in stretches of many turns.

What else runs on the machine slows a program for a while and then lets it go. So each engine works
through the same turns several times, and we keep the shortest time of each stretch. Stretches of
both take about equally long: shorter ones would find the machine at rest more often.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from time import process_time

WARM_UP = 100
"""How many turns at the beginning are not measured."""
STRETCH = 100
"""How many of our turns make a stretch: they take a hundredth of a second."""
RIVAL_STRETCH = 10
"""How many turns of the other engine make a stretch: they take as long."""
MEMORY = "peak memory, MB"

Seconds = list[float]


def stretches(seconds: Iterable[float], length: int) -> Seconds:
    """Return the seconds of each stretch of that many turns, given those of each turn."""
    turns = iter(seconds)
    return [sum(stretch) for stretch in iter(lambda: list(islice(turns, length)), [])]


def shortest(tries: Iterable[Seconds]) -> Seconds:
    """Return for each stretch the shortest time in which it was ever done."""
    return [min(stretch) for stretch in zip(*tries, strict=True)]


def calibration() -> float:
    """Return the milliseconds of a fixed loop, the least of five: how fast the machine is now."""
    times = []
    for _ in range(5):
        begun = process_time()
        sum(number * number % 7 for number in range(400_000))
        times.append(process_time() - begun)
    return 1000 * min(times)
