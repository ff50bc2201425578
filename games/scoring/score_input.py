"""How a game ended, as far as a score depends on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

Scores = dict[str, Fraction]
Rank = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """How a game ended. A power without a centre is eliminated."""

    centers: Mapping[str, int]
    """How many each power of the game owns."""
    winners: tuple[str, ...]
    """One that has won alone, or those that share a draw."""
    out: Mapping[str, int]
    """The year of the game (1, 2, 3 …) in which each eliminated power lost its last centre."""
    years: int
    """How many years the game lasted."""

    @property
    def solo(self) -> str | None:
        """The power that has won alone, or None."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def alive(self) -> tuple[str, ...]:
        """The powers that own a centre."""
        return tuple(power for power, number in self.centers.items() if number)

    @property
    def top(self) -> int:
        """How many centres the largest power owns."""
        return max(self.centers.values())

    @property
    def leaders(self) -> tuple[str, ...]:
        """The powers with the most centres."""
        return tuple(power for power, number in self.centers.items() if number == self.top)

    def behind(self, power: str) -> int:
        """How many centres the power is behind the largest."""
        return self.top - self.centers[power]

    def survived(self, power: str) -> int:
        """How many years of the game were over before the one in which the power, or the game,
        ended."""
        return self.out.get(power, self.years) - 1

    def rank(self, power: str) -> Rank:
        """What ranks the powers: their centres; the eliminated ones by how long they lasted."""
        return (self.centers[power], self.out.get(power, self.years + 1))


def for_each_power(final: Final, worth: Callable[[str], Fraction | int]) -> Scores:
    """Give every power what it is worth."""
    return {power: Fraction(worth(power)) for power in final.centers}


def share_places(ranks: Mapping[str, Rank], places: Sequence[int | Fraction]) -> Scores:
    """Give out what the places are worth by rank, the highest first; powers that tie share
    equally."""
    scores: Scores = {}
    left = [*places, *(0 for _ in ranks)]
    in_turn = sorted(ranks, key=lambda power: ranks[power], reverse=True)
    for _, group in groupby(in_turn, key=lambda power: ranks[power]):
        tied = list(group)
        scores |= dict.fromkeys(tied, Fraction(sum(left[: len(tied)])) / len(tied))
        left = left[len(tied) :]
    return scores
