"""Who plays what in a round: the pure function, for whatever was played before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.queries.tournaments.seating import Past, PastSeat, Seats, seating
from tests.cast import POWERS

SEVEN = tuple(POWERS.values())
THREE = ("Austria", "England", "France")
PLAYED = st.builds(
    PastSeat, player=st.integers(1, 9), game=st.integers(1, 4), power=st.sampled_from(THREE)
)
HISTORIES = st.lists(PLAYED, max_size=30)
GAMES = st.integers(1, 3)
NAMES = st.text(max_size=5)


def again(games: Sequence[Seats], past: Past) -> int:
    """How often somebody plays a power that they have played."""
    return sum(past.times(one, power) for game in games for power, one in game.items())


def meetings(games: Sequence[Seats], past: Past) -> int:
    return sum(past.met_within(game) for game in games)


def fewest_again(players: Sequence[int], powers: Sequence[str], past: Past) -> int:
    """The least that giving each power to as many can come to, found by trying all of it."""
    if not powers:
        return 0
    power, *others = powers
    return min(
        sum(past.times(one, power) for one in holders)
        + fewest_again([one for one in players if one not in holders], others, past)
        for holders in combinations(players, len(players) // len(powers))
    )


def exchanged(games: Sequence[Seats]) -> Iterator[list[Seats]]:
    """Yield what two games can become by one exchange of a player of each."""
    for (here, one), (there, other) in combinations(enumerate(games), 2):
        for mine, theirs in product(one, other):
            changed = [dict(game) for game in games]
            changed[here][mine], changed[there][theirs] = other[theirs], one[mine]
            yield changed


@given(HISTORIES, GAMES, NAMES)
def test_everybody_plays_once_and_every_power_is_played(
    played: list[PastSeat], number: int, name: str
) -> None:
    players = range(1, 3 * number + 1)
    games = seating(players, THREE, Past(played), name)
    assert [set(game) for game in games] == [set(THREE)] * number
    assert sorted(one for game in games for one in game.values()) == list(players)


@given(HISTORIES, GAMES, NAMES)
def test_nobody_plays_a_power_again_while_that_can_be_avoided(
    played: list[PastSeat], number: int, name: str
) -> None:
    players, past = range(1, 3 * number + 1), Past(played)
    games = seating(players, THREE, past, name)
    assert again(games, past) == fewest_again(players, THREE, past)


@given(HISTORIES, GAMES, NAMES)
def test_no_exchange_of_two_players_lets_fewer_meet_again(
    played: list[PastSeat], number: int, name: str
) -> None:
    past = Past(played)
    games = seating(range(1, 3 * number + 1), THREE, past, name)
    fair = [other for other in exchanged(games) if again(other, past) <= again(games, past)]
    assert all(meetings(other, past) >= meetings(games, past) for other in fair)


@given(HISTORIES, GAMES, NAMES, st.randoms(use_true_random=False))
def test_the_same_name_gives_the_same_seats_in_whatever_order_all_is_told(
    played: list[PastSeat], number: int, name: str, chance: object
) -> None:
    players = list(range(1, 3 * number + 1))
    games = seating(players, THREE, Past(played), name)
    chance.shuffle(players)  # type: ignore[attr-defined]
    chance.shuffle(played)  # type: ignore[attr-defined]
    assert seating(players, THREE, Past(played), name) == games


def test_the_seats_of_a_name_are_these_on_every_machine() -> None:
    [game] = seating(range(1, 8), SEVEN, Past([]), "cup-r1")
    assert list(game.values()) == [4, 1, 5, 2, 6, 7, 3]


def test_another_name_gives_other_seats() -> None:
    found = {str(seating(range(1, 8), SEVEN, Past([]), f"cup-{name}")) for name in range(10)}
    assert len(found) == 10


@pytest.mark.parametrize(("players", "fewest"), [(21, 15), (28, 12), (35, 10), (42, 6)])
def test_in_a_tournament_of_three_rounds_no_fewer_could_meet_again(players: int, fewest: int):
    """A game of seven takes its players from as many games of a round as there are: so many pairs,
    at least, come from the same one, in each game and for each round before."""
    played: list[PastSeat] = []
    for number in range(3):
        past = Past(played)
        games = seating(range(players), SEVEN, past, f"cup-r{number}")
        assert again(games, past) == 0
        assert meetings(games, past) == fewest * number
        played += [
            PastSeat(one, 100 * number + index, power)
            for index, game in enumerate(games)
            for power, one in game.items()
        ]


def test_who_took_a_power_over_has_met_all_who_sat_there() -> None:
    past = Past([PastSeat(1, 1, "France"), PastSeat(2, 1, "France"), PastSeat(3, 1, "Italy")])
    assert [past.met(*pair) for pair in permutations((1, 2, 3), 2)] == [1] * 6


def test_a_second_tenure_of_the_same_power_in_a_game_counts_once() -> None:
    assert Past([PastSeat(1, 1, "France"), PastSeat(1, 1, "France")]).times(1, "France") == 1


class Asked(Past):
    """A past that counts how often it is asked whether two have met."""

    asked = 0

    def met(self, one: int, other: int) -> int:
        self.asked += 1
        return super().met(one, other)


def test_large_games_are_seated_without_asking_again_about_everybody_for_each_exchange() -> None:
    powers, players = [f"P{number}" for number in range(34)], range(34 * 4)
    first = seating(players, powers, Past([]), "r1")
    played = [
        PastSeat(player, number, power)
        for number, game in enumerate(first)
        for power, player in game.items()
    ]
    past = Asked(played)
    seating(players, powers, past, "r2")
    pairs = len(players) ** 2 / 2
    assert past.asked < 100 * pairs
