"""Preference lists (Diplomacy Player's Technical Guide, chapter I)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.queries.parsing.preferences import Preferences, assign_powers, read_preferences

POWERS = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]


def ranks(text: str) -> list[list[str]]:
    return [[power[0] for power in rank] for rank in read_preferences(text, POWERS).ranks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("France; [Germany, Italy or Austria]; [England or Russia]; Turkey", "F GIA ER T"),
        ("France; Germany, Italy or Austria; England or Russia; Turkey", "F GIA ER T"),
        ("france, germany, turkey", "F G T"),
        ("France, Germany or Italy, Turkey", "F GI T"),
        ("fra > eng > ger", "F E G"),
        ("F; G; I", "F G I"),
        ("E[FGR][TAI]", "E FGR TAI"),
        ("[EFG]", "EFG"),
        ("FGE", "F G E"),
        ("France. Germany.", "F G"),
        ("France; Germany; France", "F G"),
        ("France; [Germany or France]", "F G"),
        ("England=France; Russia", "EF R"),
        ("France\nGermany\nItaly", "F G I"),
        ("", ""),
        ("*", ""),
        ("none", ""),
    ],
)
def test_a_list_is_read_as_it_was_meant(text: str, expected: str) -> None:
    assert ranks(text) == [list(rank) for rank in expected.split()]


CITIES = ["Moscow", "Serbia", "Sevastopol", "St Petersburg", "Warsaw"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("St Petersburg", [["St Petersburg"]]),
        ("St. Petersburg; Moscow", [["St Petersburg"], ["Moscow"]]),
        ("st pete, warsaw", [["St Petersburg"], ["Warsaw"]]),
        ("Moscow St Petersburg", [["Moscow"], ["St Petersburg"]]),
        ("[St Petersburg or Moscow]; Serbia", [["St Petersburg", "Moscow"], ["Serbia"]]),
        ("Moscow or St Petersburg", [["Moscow", "St Petersburg"]]),
        ("St; Warsaw", [["St Petersburg"], ["Warsaw"]]),
    ],
)
def test_a_name_may_have_several_words(text: str, expected: list[list[str]]) -> None:
    read = read_preferences(text, CITIES)
    assert [list(rank) for rank in read.ranks] == expected
    assert read_preferences(str(read), CITIES) == read


@pytest.mark.parametrize("text", ["random", "Random Power", " RANDOM. "])
def test_asking_for_a_random_power_is_not_an_empty_list(text: str) -> None:
    assert read_preferences(text, POWERS) == Preferences(random=True)
    assert read_preferences("", POWERS) == Preferences()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("France; Atlantis", "“Atlantis”"),
        ("France; [Germany or Italy", "bracket"),
        ("France; Germany] or Italy", "bracket"),
        ("[[France]]", "bracket"),
        ("Please give me Turkey", "“Please”"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_preferences(text, POWERS)


def test_a_beginning_that_two_powers_share_is_asked_back() -> None:
    with pytest.raises(BadInput, match="Spain or Sparta"):
        read_preferences("sp", ["Rome", "Spain", "Sparta"])


preference_lists = st.one_of(
    st.just(Preferences(random=True)),
    st.permutations(POWERS).flatmap(
        lambda powers: st.lists(st.integers(1, 3), max_size=7).map(
            lambda sizes: Preferences(tuple(_cut(powers, sizes)))
        )
    ),
)


def _cut(powers: list[str], sizes: list[int]) -> list[tuple[str, ...]]:
    cuts, at = [], 0
    for size in sizes:
        if powers[at : at + size]:
            cuts.append(tuple(powers[at : at + size]))
        at += size
    return cuts


@given(preference_lists)
def test_a_list_written_out_reads_back_as_itself(wish: Preferences) -> None:
    assert read_preferences(str(wish), POWERS) == wish


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    said = outcome_of(text)
    if isinstance(said, str):
        assert said.endswith(".")
    else:
        named = [power for rank in said.ranks for power in rank]
        assert len(named) == len(set(named))
        assert set(named) <= set(POWERS)


def outcome_of(text: str) -> Preferences | str:
    try:
        return read_preferences(text, POWERS)
    except BadInput as refusal:
        return str(refusal)


@given(st.lists(preference_lists, min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_everybody_gets_one_power_and_nobody_could_do_better_with_what_was_left(
    wishes: list[Preferences], rng: random.Random
) -> None:
    given_powers = assign_powers(dict(enumerate(wishes)), POWERS, rng)
    assert sorted(given_powers) == list(range(len(wishes)))
    assert len(set(given_powers.values())) == len(wishes)
    left = set(POWERS) - set(given_powers.values())
    for player, wish in enumerate(wishes):
        for rank in wish.ranks:
            if given_powers[player] in rank:
                break
            assert not left & set(rank)


def test_the_first_choice_is_given_when_nobody_else_wants_it() -> None:
    wishes = {1: Preferences((("Turkey",), ("France",))), 2: Preferences((("France",),))}
    assert assign_powers(wishes, POWERS, random.Random(1)) == {1: "Turkey", 2: "France"}


def test_of_two_who_want_the_same_chance_decides() -> None:
    wishes = {1: Preferences((("France",),)), 2: Preferences((("France",),))}
    winners = {
        next(
            player
            for player, power in assign_powers(wishes, POWERS, random.Random(seed)).items()
            if power == "France"
        )
        for seed in range(30)
    }
    assert winners == {1, 2}


def test_powers_grouped_as_equals_are_given_by_chance() -> None:
    wish = {1: Preferences((("Germany", "Italy", "Austria"),))}
    given_powers = {assign_powers(wish, POWERS, random.Random(seed))[1] for seed in range(40)}
    assert given_powers == {"Germany", "Italy", "Austria"}


def test_a_random_power_is_drawn_before_any_list_is_read() -> None:
    """Hence it may be the very power that somebody else put first."""
    wishes = {1: Preferences(random=True), 2: Preferences((("France",),))}
    drawn = {assign_powers(wishes, POWERS, random.Random(seed))[1] for seed in range(100)}
    assert drawn == set(POWERS)


def test_an_empty_list_gets_what_the_others_left() -> None:
    """Who lists nothing waits until every list is read; who asks for a random power does not."""
    wishes = {player: Preferences(((power,),)) for player, power in enumerate(POWERS[:6])}
    wishes[6] = Preferences()
    for seed in range(20):
        assert assign_powers(wishes, POWERS, random.Random(seed))[6] == "Turkey"


def test_a_list_whose_powers_are_all_gone_is_discarded() -> None:
    wishes = {player: Preferences((("France",),)) for player in range(7)}
    given_powers = assign_powers(wishes, POWERS, random.Random(5))
    assert sorted(given_powers.values()) == POWERS
