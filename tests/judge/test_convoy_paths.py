"""Paths written in a convoyed move, under the three choices of 4.A.6."""

from __future__ import annotations

import pytest

from judge import Outcome, Rulebook, read_orders
from tests.judge.table import play, reasons, stand, words
from tests.rows import each_row

UNITS = {
    "England": ["A London", "F North Sea", "F English Channel"],
    "France": ["F Brest", "F Mid-Atlantic Ocean"],
}
CONVOYS = [
    "F North Sea Convoys A London - Belgium",
    "F English Channel Convoys A London - Belgium",
]
ATTACK = [
    "F Mid-Atlantic Ocean - English Channel",
    "F Brest Supports F Mid-Atlantic Ocean - English Channel",
]


def cross(line: str, choice: str) -> Outcome:
    orders = {"England": [line, *CONVOYS], "France": ATTACK}
    return play(stand(UNITS), orders, Rulebook.from_json({"4.A.6": choice}))


@pytest.mark.parametrize("line", ["A London - English Channel - Belgium", "A London - Belgium"])
def test_a_path_is_ignored_by_all_rulebooks(line: str):
    outcome = cross(line, "a")
    assert words(outcome)["A London - Belgium"] == "succeeds"


def test_an_army_goes_by_the_path_it_names():
    outcome = cross("A London - English Channel - Belgium", "b")
    assert words(outcome)["A London - English Channel - Belgium"] == "fails"
    assert reasons(outcome)["A London - English Channel - Belgium"] == (
        "F English Channel was dislodged by F Mid-Atlantic Ocean - English Channel."
    )
    other = cross("A London - North Sea - Belgium", "b")
    assert words(other)["A London - North Sea - Belgium"] == "succeeds"


def test_a_path_need_not_be_named():
    assert words(cross("A London - Belgium", "b"))["A London - Belgium"] == "succeeds"


def test_a_path_must_be_named_where_the_rules_ask_for_it():
    outcome = cross("A London - Belgium", "c")
    assert words(outcome)["A London - Belgium"] == "invalid"
    assert reasons(outcome)["A London - Belgium"] == (
        "The order does not name the convoy's path, as these rules ask (4.A.6)."
    )
    named = cross("A London - North Sea - Belgium", "c")
    assert words(named)["A London - North Sea - Belgium"] == "succeeds"


def test_a_path_without_its_fleets_is_illegal():
    position = stand({"England": ["A London", "F North Sea"]})
    line = "A London - English Channel - Belgium"
    outcome = play(position, {"England": [line]}, Rulebook.from_json({"4.A.6": "b"}))
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].reason == (
        "There are no fleets that could convoy A London by way of English Channel."
    )


def test_a_path_shows_that_the_convoy_is_meant_to_a_neighbour():
    position = stand({"England": ["A Norway", "F Skagerrak"], "Russia": ["A Sweden"]})
    orders = {
        "England": ["A Norway - Skagerrak - Sweden"],
        "Russia": ["A Sweden - Norway"],
    }
    foreign = stand({"England": ["A Norway"], "Germany": ["F Skagerrak"], "Russia": ["A Sweden"]})
    convoy = {"Germany": ["F Skagerrak Convoys A Norway - Sweden"]}
    rules = Rulebook.from_json({"4.A.6": "b"})
    assert words(play(foreign, orders | convoy, rules))["A Sweden - Norway"] == "succeeds"
    assert words(play(position, orders, rules))["A Sweden - Norway"] == "fails"


def test_an_unclear_water_on_the_path_is_asked_back():
    outcome = cross("A London - Nort - Belgium", "b")
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].order is None


TWO_ROUTES = {"England": ["A Wales", "A Yorkshire", "F London", "F North Sea", "F English Channel"]}


@each_row(
    ("line", "orders"),
    [
        ("A Yor - Nor via NTH", ["A Yorkshire - Norway via Convoy"]),
        ("A Yor - Nor via F NTH", ["A Yorkshire - Norway via Convoy"]),
        ("A Wal - Bel via ENG and NTH", ["A Wales - Belgium via Convoy"]),
        ("A Wal - Bel via ENG and F NTH", ["A Wales - Belgium via Convoy"]),
        ("A Wal - Bel by sea through F ENG and F NTH", ["A Wales - Belgium via Convoy"]),
        (
            "A Yor - Nor via NTH and F Lon - ENG",
            ["A Yorkshire - Norway via Convoy", "F London - English Channel"],
        ),
        (
            "A Yor - Nor via NTH and F Lon H",
            ["A Yorkshire - Norway via Convoy", "F London Holds"],
        ),
        ("A Yor - Nor through", ["None"]),
        ("A Wal - Bel through thick and thin", ["None"]),
        ("A Wal - Bel via ENG and a miracle", ["None", "None"]),
    ],
)
def test_the_seas_after_via_end_where_another_order_begins(line: str, orders: list[str]):
    read = read_orders(stand(TWO_ROUTES), "England", [line])
    assert [str(reading.order) for reading in read] == orders
