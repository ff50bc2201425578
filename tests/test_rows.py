"""A table of rows in one test fails as loudly as a test for each row."""

from __future__ import annotations

import pytest

from tests.rows import rows

ALL: list[str] = []


@pytest.fixture
def largest() -> int:
    return 2


@rows(("number", "word"), [(1, "one"), pytest.param(2, "two", id="second"), (2, "zwei")])
def test_each_row_is_gone_through_with_the_fixtures_of_the_test(number, word, largest):
    assert number <= largest
    ALL.append(word)
    assert ["one", "two", "zwei"][: len(ALL)] == ALL


@rows("number", range(4), ids=lambda number: f"row of {number}")
def odd(number: int) -> None:
    if number == 3:
        pytest.fail("three")
    assert number % 2, f"{number} is even"


def test_whoever_breaks_a_row_sees_every_row_that_is_broken_and_why():
    with pytest.raises(BaseExceptionGroup) as caught:
        odd()
    assert "3 of 4 rows fail: 0 row of 0; 2 row of 2; 3 row of 3" in str(caught.value)
    told = [str(error).partition("\n")[0] for error in caught.value.exceptions]
    assert told == ["0 is even", "2 is even", "three"]
    assert caught.value.exceptions[1].__notes__ == ["in row 2 row of 2"]


def test_rows_in_rows_are_all_gone_through():
    seen = []
    rows("one", "ab")(rows("other", [1, 2])(lambda one, other: seen.append((one, other))))()
    assert seen == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_a_table_without_rows_is_refused_and_a_test_that_is_skipped_is_skipped():
    with pytest.raises(AssertionError, match="proves nothing"):
        rows("one", [])
    with pytest.raises(pytest.skip.Exception):
        rows("one", [1])(lambda one: pytest.skip("not here"))()
