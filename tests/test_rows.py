"""Tests of many rows: each runs in the same world, and each that fails is named."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from games.models import Game, Phase
from tests.cast import NOWHERE, Cast
from tests.rows import Rows, each_row

ALL: list[str] = []


@pytest.fixture
def largest() -> int:
    return 2


@each_row(("number", "word"), [(1, "one"), pytest.param(2, "two", id="second"), (2, "zwei")])
def test_each_row_is_gone_through_with_the_fixtures_of_the_test(number, word, largest):
    assert number <= largest
    ALL.append(word)
    assert ["one", "two", "zwei"][: len(ALL)] == ALL


def test_every_row_that_fails_is_named_and_all_others_run() -> None:
    ran: list[int] = []

    @each_row(("number", "word"), [(1, "one"), pytest.param(2, "II", id="a pair"), (3, "III")])
    def is_in_english(number: int, word: str) -> None:
        ran.append(number)
        assert word == {1: "one", 2: "two", 3: "three"}[number]

    with pytest.raises(BaseExceptionGroup, match="2 of 3 rows fail: a pair; 3-III") as failed:
        is_in_english()
    assert ran == [1, 2, 3]
    assert [one.__notes__ for one in failed.value.exceptions] == [
        ["This is the row a pair"],
        ["This is the row 3-III"],
    ]


def test_one_row_that_fails_is_told_as_it_is() -> None:
    @each_row("number", [1, 2], ids=["the first", "the second"])
    def is_odd(number: int) -> None:
        if number % 2 == 0:
            pytest.fail("even")

    with pytest.raises(pytest.fail.Exception, match="even") as failed:
        is_odd()
    assert failed.value.__notes__ == ["This is the row the second"]


def test_rows_in_rows_are_all_gone_through() -> None:
    seen = []
    each_row("one", "ab")(each_row("other", [1, 2])(lambda one, other: seen.append((one, other))))()
    assert seen == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_a_table_without_rows_is_refused_and_a_test_that_is_skipped_is_skipped() -> None:
    with pytest.raises(AssertionError, match="proves nothing"):
        each_row("one", [])
    with pytest.raises(pytest.skip.Exception):
        each_row("one", [1])(lambda one: pytest.skip("not here"))()


@pytest.mark.on_both
def test_no_row_finds_what_another_did_neither_stored_nor_in_hand(marne: Cast) -> None:
    @each_row("name", ["ypres", "yser"])
    def is_renamed(marne: Cast, name: str) -> None:
        assert marne.game.name == Game.objects.get().name == "marne"
        marne.game.name = name
        marne.game.save()

    is_renamed(marne=marne)
    assert marne.game.name == Game.objects.get().name == "marne"


@pytest.mark.on_both
def test_a_row_fails_that_refers_to_what_is_not_there(db: None) -> None:
    with pytest.raises(IntegrityError), Rows() as rows:
        rows.run("lost", lambda: Phase.objects.create(game_id=99, name="x", position=NOWHERE))
