"""Who plays which power in which game of a round. Pure: the same arguments give the same seats.

Chance comes from the round's name alone. The powers come first, and exactly: each is given equally
often, and so that as few as possible are played again. Then the players are spread over the games,
by exchanging two at a time as long as that lets fewer meet again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

Player = int
"""The key of a player."""
Given = dict[Player, str]
Seats = dict[str, Player]
"""One game of a round: who plays each power."""

STARTS = 8
"""So many times the players are spread, each time from another beginning; the best is taken."""


class Played(NamedTuple):
    """Somebody has played a power in a game."""

    player: Player
    game: int
    power: str


class Past:
    """What all have played, and with whom."""

    def __init__(self, played: Collection[Played]) -> None:
        self._powers = Counter((one.player, one.power) for one in set(played))
        tables: dict[int, set[Player]] = {}
        for one in played:
            tables.setdefault(one.game, set()).add(one.player)
        pairs = (pair for table in tables.values() for pair in combinations(table, 2))
        self._met = Counter(frozenset(pair) for pair in pairs)

    def times(self, player: Player, power: str) -> int:
        """In how many games they have played this power."""
        return self._powers.get((player, power), 0)

    def met(self, one: Player, other: Player) -> int:
        """In how many games the two have met."""
        return self._met.get(frozenset((one, other)), 0)

    def met_within(self, game: Seats) -> int:
        """How often those who are in this game have met."""
        return sum(self.met(*pair) for pair in combinations(game.values(), 2))


def seating(
    players: Collection[Player], powers: Sequence[str], past: Past, name: str
) -> list[Seats]:
    """Seat all players in games of all powers; `name` is that of the round.

    There are as many players as a game has powers, or twice as many, and so on. Nobody plays a
    power again while that can be avoided, and then as few meet again as we find.
    """
    orders = [_shuffled(players, f"{name} {start}") for start in range(STARTS)]
    rounds = [_spread(_dealt(order, powers, past), past) for order in orders]
    return min(rounds, key=lambda games: sum(past.met_within(game) for game in games))


def _shuffled(players: Collection[Player], salt: str) -> list[Player]:
    """Order the players by chance, the same for the same salt on every machine."""
    return sorted(players, key=lambda one: hashlib.sha256(f"{salt} {one}".encode()).digest())


def _dealt(order: Sequence[Player], powers: Sequence[str], past: Past) -> list[Seats]:
    """Give everybody a power, and put the players of each into one game after the other."""
    given = _powers_given(order, powers, past)
    holders = [[one for one in order if given[one] == power] for power in powers]
    return [dict(zip(powers, players, strict=True)) for players in zip(*holders, strict=True)]


def _powers_given(order: Sequence[Player], powers: Sequence[str], past: Past) -> Given:
    """Give everybody a power, each equally often, with as few played again as possible."""
    given = {player: powers[index % len(powers)] for index, player in enumerate(order)}
    while circle := _better_circle(given, powers, past):
        given |= circle
    return given


def _better_circle(given: Given, powers: Sequence[str], past: Past) -> Given:
    """Return new powers for players who pass theirs on in a circle so that fewer are played again;
    nothing when no circle helps, and then nothing else does.

    It is the algorithm of Bellman and Ford: a way that still gets cheaper when it is longer than
    there are powers runs in a circle.
    """
    steps = _cheapest_steps(given, powers, past)
    cost = dict.fromkeys(powers, 0)
    came: dict[str, tuple[str, Player]] = {}
    cheaper = ""
    for _ in powers:
        cheaper = ""
        for (old, new), (more, player) in steps.items():
            if cost[old] + more < cost[new]:
                cost[new], came[new], cheaper = cost[old] + more, (old, player), new
    if not cheaper:
        return {}
    for _ in powers:
        cheaper = came[cheaper][0]  # the way may only lead to the circle: now we are on it
    return dict(_circle(came, cheaper))


def _cheapest_steps(
    given: Given, powers: Sequence[str], past: Past
) -> dict[tuple[str, str], tuple[int, Player]]:
    """For each two powers: who of the first gets the second at the least cost, and that cost."""
    steps: dict[tuple[str, str], tuple[int, Player]] = {}
    for (player, old), new in product(given.items(), powers):
        more = past.times(player, new) - past.times(player, old)
        if new != old and ((old, new) not in steps or more < steps[old, new][0]):
            steps[old, new] = more, player
    return steps


def _circle(came: Mapping[str, tuple[str, Player]], first: str) -> Iterator[tuple[Player, str]]:
    """Yield who gets which power, once around."""
    power = first
    while True:
        old, player = came[power]
        yield player, power
        power = old
        if power == first:
            return


def _spread(games: list[Seats], past: Past) -> list[Seats]:
    """Exchange two players of two games as long as that lets fewer meet again."""
    better = True
    while better:
        better = False
        for one, other in combinations(games, 2):
            for mine, theirs in product(one, other):
                if _helps(one, mine, other, theirs, past):
                    one[mine], other[theirs] = other[theirs], one[mine]
                    better = True
    return games


def _helps(one: Seats, mine: str, other: Seats, theirs: str, past: Past) -> bool:
    """Say whether an exchange lets fewer meet again, and no more powers be played again."""
    first, second = one[mine], other[theirs]
    before = past.times(first, mine) + past.times(second, theirs)
    if past.times(first, theirs) + past.times(second, mine) > before:
        return False
    here = [player for player in one.values() if player != first]
    there = [player for player in other.values() if player != second]
    return _meet(first, there, past) + _meet(second, here, past) < (
        _meet(first, here, past) + _meet(second, there, past)
    )


def _meet(player: Player, others: Collection[Player], past: Past) -> int:
    return sum(past.met(player, other) for other in others)
