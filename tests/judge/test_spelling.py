from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge.text.reader_cache import line_reader_of
from judge.text.spelling import near_names, slips_between
from judge.variants import load_variant
from tests.rows import each_row

GAZETTEER = line_reader_of(load_variant("standard")).gazetteer
WORDS = st.text("abcd", max_size=9)


def near(word: str) -> tuple[str, ...]:
    return tuple(GAZETTEER.provinces[index].name for index in near_names(GAZETTEER, word))


@each_row(
    ("word", "name"),
    [
        ("pariz", "Paris"),
        ("rhur", "Ruhr"),
        ("gasgony", "Gascony"),
        ("skagerak", "Skagerrak"),
        ("northsee", "North Sea"),
        ("constantinopel", "Constantinople"),
        ("edinburg", "Edinburgh"),
        ("burgandee", "Burgundy"),
        ("budapset", "Budapest"),
    ],
)
def test_a_slip_of_the_pen_is_nearest_to_what_was_meant(word, name):
    assert near(word)[0] == name


def test_pir_may_be_paris_or_picardy():
    assert {"Paris", "Picardy"} <= set(near("pir"))


def test_two_letters_are_the_beginning_of_a_name():
    assert near("bu") == ("Budapest", "Bulgaria", "Burgundy")


@each_row("word", ["", "p", "oz", "dixie", "x" * 31, "parisparisparisparisparisparisp"])
def test_what_is_like_no_name_is_near_to_none(word):
    assert near(word) == ()


@each_row(
    ("one", "other", "slips"),
    [("paris", "paris", 0), ("paris", "pars", 1), ("rhur", "ruhr", 1), ("wien", "vienna", 3)],
)
def test_slips_are_letters_added_lost_wrong_or_swapped(one, other, slips):
    assert slips_between(one, other, 3) == slips


@given(WORDS, WORDS)
def test_slips_count_the_same_both_ways_and_are_none_for_equal_words_only(one, other):
    slips = slips_between(one, other, 20)
    assert slips == slips_between(other, one, 20)
    assert (slips == 0) == (one == other)


@given(WORDS, WORDS, st.integers(0, 8))
def test_giving_up_early_never_changes_a_count_within_the_limit(one, other, most):
    assert slips_between(one, other, most) == min(slips_between(one, other, 20), most + 1)
