"""Who plays which power in which game of a round. Pure: the same arguments give the same seats.

The only chance in it comes from the round's name. First come the powers, and exactly: each is given
equally often, with as few as possible played again. Then the players are spread over the games, by
exchanging two at a time as long as fewer then meet again.
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
"""How many times the players are spread, each time from another beginning; the best is taken."""


class PastSeat(NamedTuple):
    """Somebody has played a power in a game."""

    player: Player
    game: int
    power: str


_NOBODY = Counter[Player]()


class Past:
    """The powers that everybody has played so far, and with whom."""

    def __init__(self, played: Collection[PastSeat]) -> None:
        self._powers = Counter((one.player, one.power) for one in set(played))
        tables: dict[int, set[Player]] = {}
        for one in played:
            tables.setdefault(one.game, set()).add(one.player)
        self._met: dict[Player, Counter[Player]] = {}
        for table in tables.values():
            for player in table:
                self._met.setdefault(player, Counter()).update(table - {player})

    def times(self, player: Player, power: str) -> int:
        """In how many games they have played this power."""
        return self._powers.get((player, power), 0)

    def met(self, one: Player, other: Player) -> int:
        """In how many games the two have met."""
        return self.others(one)[other]

    def others(self, player: Player) -> Counter[Player]:
        """How many games a player has shared with each of the others."""
        return self._met.get(player, _NOBODY)

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
    found: list[tuple[int, int, list[Seats]]] = []
    for start in range(STARTS):
        order = _shuffle(players, f"{name} {start}")
        games = _spread(_deal(order, powers, past), past)
        found.append((sum(past.met_within(game) for game in games), start, games))
        if not found[-1][0]:
            break
    return min(found)[2]


def _shuffle(players: Collection[Player], salt: str) -> list[Player]:
    """Order the players by chance, the same for the same salt on every machine."""
    return sorted(players, key=lambda one: hashlib.sha256(f"{salt} {one}".encode()).digest())


def _deal(order: Sequence[Player], powers: Sequence[str], past: Past) -> list[Seats]:
    """Give everybody a power, and put the players of each power into one game after another."""
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
    """Return new powers for players who pass theirs on in a circle so that fewer are played again,
    or nothing if no circle helps; in that case nothing else helps either.

    This is the algorithm of Bellman and Ford: a way that still gets cheaper when it is longer than
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
    spread, pairs = _Spread(games, past), list(combinations(range(len(games)), 2))
    better = True
    while better:
        better = False
        for pair in pairs:
            better = spread.improve(*pair) or better
    return games


class _Spread:
    """Games that exchange players. How often everybody has met the players of each game is kept up
    to date: counting it again for each exchange would take minutes when a game has 34 powers."""

    def __init__(self, games: list[Seats], past: Past) -> None:
        self._games, self._past = games, past
        self._met = {player: Counter[int]() for game in games for player in game.values()}
        for number, game in enumerate(games):
            for player in game.values():
                self._count(player, number, 1)

    def improve(self, here: int, there: int) -> bool:
        """Make all exchanges that help between two games; say whether there was any."""
        one, other = self._games[here], self._games[there]
        better = False
        for mine, theirs in product(one, other):
            first, second = one[mine], other[theirs]
            if not self._fewer_meet(first, here, second, there):
                continue
            if not self._more_again(first, mine, second, theirs):
                one[mine], other[theirs] = second, first
                self._move(first, here, there)
                self._move(second, there, here)
                better = True
        return better

    def _fewer_meet(self, first: Player, here: int, second: Player, there: int) -> bool:
        now = self._met[first][here] + self._met[second][there]
        if not now:
            return False
        then = self._met[first][there] + self._met[second][here]
        return then - 2 * self._past.met(first, second) < now

    def _more_again(self, first: Player, mine: str, second: Player, theirs: str) -> bool:
        times = self._past.times
        now = times(first, mine) + times(second, theirs)
        return times(first, theirs) + times(second, mine) > now

    def _move(self, player: Player, old: int, new: int) -> None:
        self._count(player, old, -1)
        self._count(player, new, 1)

    def _count(self, player: Player, game: int, sign: int) -> None:
        """Note, with everybody who has met the player, that they enter the game or leave it."""
        for other, times in self._past.others(player).items():
            if other in self._met:
                self._met[other][game] += sign * times
