"""How reliable a player is: the formula."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Attendance
from games.queries.players.reliability import Mark, Reliability, reliability_of, reliability_text

Came = Attendance.Came

MARKS = st.builds(
    Mark,
    seat=st.integers(1, 4),
    came=st.sampled_from([came.value for came in Came]),
    excused=st.booleans(),
    disorder=st.booleans(),
)


@pytest.mark.parametrize(
    ("found", "percent"),
    [
        (Reliability(), 100),
        (Reliability(in_time=1), 100),
        (Reliability(in_time=500), 100),
        (Reliability(missed=1), 90),
        (Reliability(missed=3), 76),
        (Reliability(late=2), 91),
        (Reliability(in_time=30, missed=10), 80),
        (Reliability(in_time=10, late=10, missed=10), 62),
        (Reliability(excused=9), 100),
        (Reliability(missed=2, abandoned=1), 58),
        (Reliability(in_time=83, missed=2, abandoned=1), 93),
        (Reliability(missed=990), 1),
    ],
)
def test_the_share_is_as_the_formula_says(found: Reliability, percent: int) -> None:
    assert found.percent == percent


def test_what_came_is_counted_by_kind() -> None:
    marks = [Mark(1, "in_time"), Mark(1, "late"), Mark(2, "missed"), Mark(2, "missed", True)]
    assert reliability_of(marks) == Reliability(in_time=1, late=1, missed=1, excused=1)


def test_a_power_left_in_disorder_counts_once_however_long_it_lasts() -> None:
    marks = [Mark(1, "missed", disorder=True) for _ in range(20)]
    assert reliability_of(marks) == Reliability(abandoned=1)


def test_each_tenure_left_in_disorder_counts() -> None:
    marks = [Mark(seat, "missed", disorder=True) for seat in (1, 1, 2)]
    assert reliability_of(marks).abandoned == 2


def test_a_disorder_that_is_excused_throughout_does_not_count() -> None:
    marks = [Mark(1, "missed", excused=True, disorder=True)] * 3
    assert reliability_of(marks).abandoned == 0


@given(st.lists(MARKS, max_size=40), st.randoms())
def test_the_order_of_the_phases_does_not_matter(marks: list[Mark], chance: random.Random) -> None:
    mixed = list(marks)
    chance.shuffle(mixed)
    assert reliability_of(mixed) == reliability_of(marks)


@given(st.lists(MARKS, min_size=1, max_size=40), st.data())
def test_an_excused_miss_never_lowers_the_share(marks: list[Mark], data: st.DataObject) -> None:
    missed = [index for index, mark in enumerate(marks) if mark.came == Came.MISSED]
    if not missed:
        return
    index = data.draw(st.sampled_from(missed))
    before = marks[index]
    excused = [*marks]
    excused[index] = Mark(before.seat, before.came, True, before.disorder)
    assert reliability_of(excused).percent >= reliability_of(marks).percent


@given(st.lists(MARKS, max_size=40))
def test_orders_in_time_never_lower_the_share_and_a_miss_never_raises_it(
    marks: list[Mark],
) -> None:
    now = reliability_of(marks).percent
    assert reliability_of([*marks, Mark(9, "in_time")]).percent >= now
    assert reliability_of([*marks, Mark(9, "missed")]).percent <= now


@given(st.lists(MARKS, max_size=40))
def test_the_share_lies_between_nothing_and_everything(marks: list[Mark]) -> None:
    assert 0 <= reliability_of(marks).percent <= 100


@given(st.lists(MARKS, max_size=20))
def test_who_never_missed_anything_has_the_whole_share(marks: list[Mark]) -> None:
    kept = [Mark(mark.seat, "in_time", mark.excused) for mark in marks]
    assert reliability_of(kept).percent == 100


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Reliability(), "nothing is known yet"),
        (Reliability(in_time=1), "100%, with orders in time in 1 of 1 phase"),
        (
            Reliability(in_time=22, late=1, missed=1),
            "95%, with orders in time in 22 of 24 phases, late in 1",
        ),
        (
            Reliability(in_time=5, missed=2, excused=3, abandoned=1),
            "68%, with orders in time in 5 of 7 phases, 3 more excused, "
            "1 power left in civil disorder (everybody begins with ten phases in time)",
        ),
    ],
)
def test_it_is_said_in_plain_words(found: Reliability, text: str) -> None:
    assert reliability_text(found) == text
