"""Warnings about orders that are legal and do nothing."""

from __future__ import annotations

from mailer.commands.texts.order_warnings import lost_leave, warnings
from tests.rows import each_row

Orders = dict[str, str | None]


def said(orders: Orders) -> str:
    return " ".join(warnings(list(orders.items())))


@each_row(
    "orders",
    [
        {
            "A Paris": "A Paris - Burgundy",
            "A Marseilles": "A Marseilles Supports A Paris - Burgundy",
            "F Brest": "F Brest - Mid-Atlantic Ocean",
        },
        {"A Paris": "A Paris Holds", "A Marseilles": "A Marseilles Supports A Paris"},
        {"A Paris": None, "A Marseilles": "A Marseilles Supports A Paris"},
        {
            "A Moscow": "A Moscow - TSR - Vladivostok",
            "A Irkutsk": "A Irkutsk Supports A Moscow - Vladivostok",
        },
        {"A Paris": "A Paris Supports F Brest", "F Brest": "F Brest Supports A Paris"},
        {"A Paris": "A Paris Supports A Munich - Burgundy"},
        {
            "F Mid-Atlantic Ocean": "F Mid-Atlantic Ocean - Spain(nc)",
            "A Gascony": "A Gascony Supports F Mid-Atlantic Ocean - Spain",
        },
        {
            "A London": "A London - Belgium via Convoy",
            "F North Sea": "F North Sea Convoys A London - Belgium",
        },
        {
            "A Paris": "A Paris - Burgundy",
            "A Gascony": "A Gascony - Burgundy",
            "A Marseilles": "A Marseilles Supports A Paris - Burgundy",
        },
        {"Build 1": "Build A Paris", "Build 2": None},
        {},
    ],
)
def test_orders_that_fit_together_bring_no_warning(orders: Orders) -> None:
    assert said(orders) == ""


def test_support_for_a_move_that_is_not_ordered() -> None:
    text = said(
        {
            "A Paris": "A Paris - Picardy",
            "A Marseilles": "A Marseilles Supports A Paris - Burgundy",
        }
    )
    assert "This support does nothing as long as A Paris has another order: A Marseilles" in text


def test_support_to_hold_for_a_unit_that_moves() -> None:
    text = said({"A Paris": "A Paris - Picardy", "F Brest": "F Brest Supports A Paris"})
    assert "This support does nothing as long as A Paris moves: F Brest Supports A Paris." in text


def test_support_for_a_move_of_a_unit_without_an_order() -> None:
    text = said({"A Paris": None, "F Brest": "F Brest Supports A Paris - Picardy"})
    assert "A Paris has no order" in text


def test_a_convoy_without_its_army() -> None:
    text = said(
        {"A London": "A London Holds", "F North Sea": "F North Sea Convoys A London - Belgium"}
    )
    assert "This convoy does nothing" in text


def test_an_army_without_its_convoy() -> None:
    text = said({"A London": "A London - Belgium via Convoy", "F North Sea": "F North Sea Holds"})
    assert "another power's fleet has to" in text


def test_two_trains_of_which_none_leaves() -> None:
    text = said({"A Moscow": "A Moscow - TSR - Perm", "A Omsk": "A Omsk - TSR - Irkutsk"})
    assert "A Moscow and A Omsk are both ordered to go by TSR, so none of them leaves." in text


def test_leave_of_a_unit_that_goes_away_itself() -> None:
    leave = (("SC", "SC F Mediterranean Sea - Red Sea"),)
    lost = lost_leave(leave, (("A Egypt", "A Egypt - Sudan"),), {"SC": "Egypt"})
    told = "This leave does nothing if your unit in Egypt moves away: SC F Mediterranean"
    assert told in " ".join(lost)
    assert not list(lost_leave(leave, (("A Egypt", "A Egypt Holds"),), {"SC": "Egypt"}))


def test_two_units_that_keep_each_other_out() -> None:
    text = said({"A Paris": "A Paris - Burgundy", "A Marseilles": "A Marseilles - Burgundy"})
    assert "A Paris and A Marseilles are both ordered to Burgundy" in text
