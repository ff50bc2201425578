"""Implicit orders (DATC 4.E.3): a support or convoy of the same set may stand for the move."""

from __future__ import annotations

from judge import Rulebook
from tests.judge.table import play, stand
from tests.rows import each_row

IMPLICIT = Rulebook.from_json({"preset": "DATC", "4.E.3": "a"})
UNITS = {
    "Germany": ["F Kiel", "A Ruhr", "A Munich"],
    "England": ["F North Sea", "A London"],
}


def after(orders: dict[str, list[str]], rules: Rulebook = IMPLICIT) -> set[str]:
    return {str(unit) for unit in play(stand(UNITS), orders, rules).next.units}


def test_the_move_is_deduced_from_the_support_of_it():
    orders = {"Germany": ["A Ruhr Supports F Kiel - Holland"]}
    outcome = play(stand(UNITS), orders, IMPLICIT)
    assert "F Holland" in {str(unit) for unit in outcome.next.units}
    assert [(one.order, one.result) for one in outcome.results[:2]] == [
        ("A Ruhr Supports F Kiel - Holland", ("given",)),
        ("F Kiel - Holland", ("succeeds",)),
    ]


def test_the_move_is_deduced_from_the_convoy_of_it():
    assert "A Holland" in after({"England": ["F Nth C A Lon - Hol"]})


def test_the_preference_of_the_datc_is_that_it_is_not():
    assert "F Kiel" in after({"Germany": ["A Ruhr Supports F Kiel - Holland"]}, Rulebook())


@each_row(
    "orders",
    [
        {"Germany": ["A Ruhr Supports F Kiel - Holland", "F Kiel Holds"]},
        {"Germany": ["A Ruhr Supports F Kiel - Holland", "A Munich Supports F Kiel - Berlin"]},
        {"England": ["F Nth S F Kiel - Holland"]},
        {"Germany": ["A Ruhr Supports F Kiel"]},
    ],
    ids=["an own order goes first", "two moves are implied", "of a foreign set", "of a hold"],
)
def test_no_move_is_deduced(orders):
    assert "F Kiel" in after(orders)


def test_an_illegal_order_does_not_stand_in_the_way():
    orders = {"Germany": ["F Kiel - Paris", "A Ruhr Supports F Kiel - Holland"]}
    assert "F Holland" in after(orders)


def test_a_line_that_does_not_count_implies_nothing():
    orders = {"Germany": ["A Ruhr Holds", "A Ruhr Supports F Kiel - Holland"]}
    assert "F Kiel" in after(orders)
