"""How the two engines of `benchmarks.judge` tell their times: in stretches of many turns.

What else runs on the machine slows a program for some seconds and then lets it go. So each engine
works through the same turns several times, and of each stretch the shortest time is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

WARM_UP = 100
"""Turns at the beginning that are not measured."""
STRETCH = 100
"""Turns that are told together."""
MEMORY = "peak memory, MB"

Seconds = list[float]


def stretches(seconds: Iterable[float]) -> Seconds:
    """Return the seconds of each stretch, given those of each turn."""
    turns = iter(seconds)
    return [sum(stretch) for stretch in iter(lambda: list(islice(turns, STRETCH)), [])]


def shortest(tries: Iterable[Seconds]) -> Seconds:
    """Return for each stretch the shortest time in which it was ever done."""
    return [min(stretch) for stretch in zip(*tries, strict=True)]
