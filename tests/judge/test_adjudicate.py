"""The front door of the library: what may be handed in, and what comes back."""

from __future__ import annotations

import pytest

from judge import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Position,
    PositionError,
    Retreat,
    Support,
    Unit,
    Waive,
    adjudicate,
    adjudicate_sheets,
    checked_sheets,
    load_variant,
)
from tests.judge.table import stand
from tests.rows import each_row

STANDARD = load_variant("standard")
BOARD = STANDARD.board


def unit(text: str, power: str) -> Unit:
    return Unit("A" if text[0] == "A" else "F", BOARD.place(text[2:]), power)


def test_text_and_values_may_be_mixed():
    position = Position.start(STANDARD)
    paris = unit("A Paris", "France")
    outcome = adjudicate(
        position, {"France": ["F Bre - Mao", Move(paris, BOARD.place("Burgundy"))]}
    )
    assert [(one.text, one.order) for one in outcome.results[:2]] == [
        ("F Bre - Mao", "F Brest - Mid-Atlantic Ocean"),
        ("A Paris - Burgundy", "A Paris - Burgundy"),
    ]


def test_who_writes_nothing_holds():
    outcome = adjudicate(Position.start(STANDARD), {})
    assert len(outcome.results) == 22
    assert {(one.text, one.result) for one in outcome.results} == {(None, ("stands",))}


def test_an_order_of_an_unknown_power_is_refused():
    with pytest.raises(PositionError, match="no power “Sweden”"):
        adjudicate(Position.start(STANDARD), {"Sweden": []})


def test_the_two_halves_make_the_whole():
    position = Position.start(STANDARD)
    orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur", "A Paris whistles"]}
    whole = adjudicate(position, orders)
    halves = adjudicate_sheets(position, checked_sheets(position, orders))
    assert halves.results == whole.results
    assert halves.next.to_state() == whole.next.to_state()


def test_an_unreadable_line_is_reported_and_costs_no_other():
    position = Position.start(STANDARD)
    outcome = adjudicate(position, {"France": ["A Paris whistles", "A Paris - Burgundy"]})
    assert outcome.results[0].order is None
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].reason
    assert outcome.results[1].result == ("succeeds",)


def test_results_are_the_same_however_often_they_are_asked_for():
    outcome = adjudicate(Position.start(STANDARD), {})
    assert outcome.results is outcome.results


def test_nothing_of_the_position_is_changed():
    position = Position.start(STANDARD)
    before = position.to_state()
    assert adjudicate(position, {"France": ["A Paris - Burgundy"]}).results
    assert position.to_state() == before


def test_a_second_unit_may_follow_into_the_province_that_is_left():
    position = stand({"France": ["A Paris", "A Brest"]})
    outcome = adjudicate(position, {"France": ["A Brest - Paris", "A Paris - Burgundy"]})
    assert [str(one) for one in outcome.next.units] == ["A Burgundy", "A Paris"]


PARIS, NORTH_SEA = unit("A Paris", "France"), unit("F North Sea", "England")
LONDON = unit("A London", "England")
SPAIN = unit("F Spain(nc)", "France")


@each_row(
    ("order", "text"),
    [
        (Hold(SPAIN), "F Spain(nc) Holds"),
        (Move(PARIS, BOARD.place("Burgundy")), "A Paris - Burgundy"),
        (
            Move(LONDON, BOARD.place("Belgium"), via_convoy=True),
            "A London - Belgium via Convoy",
        ),
        (
            Move(LONDON, BOARD.place("Belgium"), path=(BOARD.place("North Sea"),)),
            "A London - North Sea - Belgium",
        ),
        (Support(PARIS, SPAIN), "A Paris Supports F Spain(nc)"),
        (
            Support(PARIS, LONDON, BOARD.place("Brest")),
            "A Paris Supports A London - Brest",
        ),
        (
            Convoy(NORTH_SEA, LONDON, BOARD.place("Belgium")),
            "F North Sea Convoys A London - Belgium",
        ),
        (Retreat(SPAIN, BOARD.place("Gascony")), "F Spain(nc) - Gascony"),
        (Disband(PARIS), "Disband A Paris"),
        (Build("Russia", "F", BOARD.place("stp/nc")), "Build F St Petersburg(nc)"),
        (Build("Russia", "", BOARD.place("Moscow")), "Build Moscow"),
        (Waive("Russia"), "Waive"),
        (Hold(Unit("", BOARD.place("Paris"))), "Paris Holds"),
    ],
)
def test_an_order_prints_in_the_canonical_notation(order: object, text: str):
    assert str(order) == text


def test_a_winter_is_known_to_need_somebody_without_asking_everybody():
    needed = stand({"France": ["A Paris"]}, phase="W1901A", centers={"Italy": ["Rome"]})
    assert needed.has_decisions()
    idle = stand({"France": ["A Paris"]}, phase="W1901A", centers={"France": ["Paris"]})
    assert not idle.has_decisions()
    assert idle.powers_to_order() == ()


@each_row("units", [[], ["A Paris"], ["A Paris", "A Rome"]])
def test_each_order_has_its_words_however_few_there_are(units: list[str]):
    position = stand({"France": units})
    outcome = adjudicate(position, {"France": [f"{unit} Holds" for unit in units]})
    assert outcome.words == (("stands",),) * len(units)
