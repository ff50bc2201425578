"""The short way of reading finds what the long way finds, and leaves it the rest."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import CanonicalReader
from judge.legality.check import illegality
from judge.orders import Hold, Order
from judge.position import Position
from judge.rulebook import DATC, Rulebook, issue_choices
from judge.shortcuts import literal_order
from judge.text.interpret import Interpreter
from judge.text.meaning import Meaning
from judge.text.reader_cache import line_reader_of
from judge.text.written import Written
from judge.variants import load_variant
from tests.rows import each_row

STANDARD = load_variant("standard")
LEXICON = line_reader_of(STANDARD)
PLACES = ("Paris", "Gascony", "Spain", "Marseilles", "Portugal", "Mid-Atlantic Ocean", "Brest")
NAMED = (*PLACES, "Spain(nc)", "Spain(sc)", "Brest(nc)")
ISSUES = [issue for issue in DATC.to_json() if issue.startswith(("4.A.6", "4.B", "4.C"))]


def position(units: dict[str, list[str]]) -> Position:
    return Position.from_state(STANDARD, {"phase": "S1901M", "units": units})


def short_way(where: Position, line: str, rules: Rulebook) -> Order | None:
    """The order, if the line is one that the short way may read."""
    (piece,) = LEXICON.pieces(line)
    if piece.provinces is None or not isinstance(piece.written, Written):
        return None
    return literal_order(piece.written, piece.provinces, where.unit_at, STANDARD.board, rules)


def long_way(where: Position, power: str, line: str, rules: Rulebook) -> Meaning:
    (piece,) = LEXICON.pieces(line)
    assert isinstance(piece.written, Written)
    return Interpreter(where, power, rules, LEXICON.gazetteer).meaning(piece.written)


@st.composite
def crowds(draw: st.DrawFn) -> Position:
    """Units of two powers side by side, with a fleet on a coast now and then."""
    units: dict[str, list[str]] = {"France": [], "Italy": []}
    for place in draw(st.sets(st.sampled_from(PLACES), min_size=2)):
        kinds = "F" if "Ocean" in place else "A" if place == "Paris" else "AF"
        kind = draw(st.sampled_from(kinds))
        coast = draw(st.sampled_from(["(nc)", "(sc)"])) if (kind, place) == ("F", "Spain") else ""
        units[draw(st.sampled_from(sorted(units)))].append(f"{kind} {place}{coast}")
    return position(units)


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Orders as they are printed, with right and wrong letters, coasts and nations."""
    letter = st.sampled_from(["A ", "F ", ""])
    place = st.sampled_from(NAMED)
    nation = st.sampled_from(["", "", "Italian ", "French "])
    unit, other = draw(letter) + draw(place), draw(nation) + draw(letter) + draw(place)
    end = draw(st.sampled_from(["", " via Convoy"]))
    rest = ["Holds", f"- {draw(place)}{end}", f"Supports {other}", f"Convoys {other} - Spain"]
    rest.append(f"Supports {other} - {draw(place)}")
    return f"{draw(nation)}{unit} {draw(st.sampled_from(rest))}"


@st.composite
def rulebooks(draw: st.DrawFn) -> Rulebook:
    issue = draw(st.sampled_from(ISSUES))
    return Rulebook.from_json({issue: draw(st.sampled_from(sorted(issue_choices(issue))))})


@given(crowds(), st.sampled_from(["France", "Italy"]), lines(), rulebooks())
def test_what_the_short_way_reads_the_long_way_reads_likewise(where, power, line, rules):
    order = short_way(where, line, rules)
    if order is not None:
        expected = Meaning(order, illegality(order, where, power, rules))
        assert long_way(where, power, line, rules) == expected


@given(crowds(), lines())
def test_an_order_in_our_own_notation_is_printed_as_it_was_written(where, line):
    order = LEXICON.canonical.order(line, where.unit_at)
    if order is not None:
        assert str(order) == line


@given(crowds(), st.sampled_from(["France", "Italy"]), lines())
def test_a_line_that_is_plain_says_the_same_to_the_grammar_and_is_legal(where, power, line):
    [order], others = LEXICON.canonical.plain([line], where.layout, power)
    assert others == ([] if order else [0])
    if order is not None:
        assert long_way(where, power, line, DATC) == Meaning(order, None)
        assert str(order) == line


def test_an_order_that_was_printed_equals_one_that_was_not():
    printed, other = (Hold(unit) for unit in position({"France": ["A Paris"]}).units * 2)
    assert str(printed) == "A Paris Holds"
    assert printed == other
    assert hash(printed) == hash(other)
    assert pickle.loads(pickle.dumps(printed)) == other
    assert repr(printed) == repr(other)


CROWD = position(
    {
        "France": ["A Paris", "F Spain(nc)", "A Marseilles", "F Mid-Atlantic Ocean"],
        "Italy": ["A Gascony", "F Portugal", "A Brest"],
    }
)


@each_row(
    "line",
    [
        *("A Paris Holds", "A Par - Bur", "F Spain - Mid-Atlantic Ocean", "F Spa(nc) - MAO"),
        *("A Mar S A Gas", "A Paris Supports A Gascony - Burgundy", "A Mar S A Par - Bur"),
        *("A Par - Lon via Convoy", "F Por C A Gas - Bre", "A Paris - Rome", "A Gascony Holds"),
    ],
)
def test_the_short_way_reads_what_is_said_to_the_letter(line):
    assert short_way(CROWD, line, DATC) is not None


@each_row(
    ("line", "is_plain"),
    [
        *(("A Paris Holds", True), ("A Paris - Burgundy", True), ("A Paris", False)),
        ("A Marseilles Supports A Gascony", True),
        ("A Paris Supports A Gascony - Burgundy", True),
        *(("A Gascony Holds", False), ("A Paris Supports A Paris - Burgundy", False)),
        ("A Marseilles Supports A Gascony Holds", False),
        ("A Paris Supports A Marseilles - Spain", False),
        ("F Spain(nc) Supports F Portugal", True),
        ("A Marseilles Supports A Brest - Spain", True),
        ("F Mid-Atlantic Ocean Supports A Brest - Spain", False),
        *(("F Spain Holds", False), ("F Spain(sc) Holds", False), ("A Paris - Rome", False)),
    ],
)
def test_a_hold_a_step_or_the_support_of_either_or_of_a_crossing_is_plain(line, is_plain):
    [order], _ = LEXICON.canonical.plain([line], CROWD.layout, "France")
    assert (order is not None) is is_plain


FERRIES = position(
    {
        "France": ["A London", "A Paris", "F English Channel", "F Mid-Atlantic Ocean"],
        "Italy": ["F Western Mediterranean", "F Baltic Sea", "F North Sea", "A Wales"],
    }
)


@each_row(
    ("line", "is_plain"),
    [
        *(("A London - Tunis", True), ("A London - Tunis via Convoy", True)),
        ("F English Channel Convoys A London - Tunis", True),
        ("F Mid-Atlantic Ocean Convoys A Wales - Tunis", True),
        ("F English Channel Convoys A London - Spain", True),
        ("F Mid-Atlantic Ocean Convoys A London - Norway", False),
        *(("A London - Naples", False), ("A London - London", False), ("A Wales - Tunis", False)),
        *(("A Paris - Tunis", False), ("A London - Spain(sc)", False)),
        ("F North Sea Convoys A London - Norway", False),
    ],
)
def test_a_crossing_is_plain_if_the_fleets_at_sea_make_a_route(line, is_plain):
    [order], _ = LEXICON.canonical.plain([line], FERRIES.layout, "France")
    assert (order is not None) is is_plain
    if order is not None:
        assert long_way(FERRIES, "France", line, DATC) == Meaning(order, None)
    by_one = CanonicalReader(STANDARD.board, by_one_fleet=True)
    assert "Tunis" not in line or by_one.plain([line], FERRIES.layout, "France") == ([None], [0])


@each_row(
    ("line", "rules"),
    [
        ("F Paris Holds", "DATC"),
        ("Paris Holds", "DATC"),
        ("F Spain(sc) Holds", "DATC"),
        ("F Portugal - Spain", "DATC"),
        ("F Portugal - Mid-Atlantic Ocean via Convoy", "DATC"),
        ("A Burgundy Holds", "DATC"),
        ("French A Paris Holds", "DATC"),
        ("A Marseilles - Spain(nc)", "DATC"),
        ("A Marseilles Supports A Gascony", {"4.C.5": "a"}),
        ("A Marseilles Supports French A Gascony", {"4.C.6": "a"}),
        ("A Marseilles Supports F Portugal - Spain(nc)", "DPTG"),
        ("A Paris - Gascony - Spain", {"4.A.6": "b"}),
    ],
)
def test_the_short_way_leaves_to_the_long_way_what_the_board_or_the_rules_must_tell(line, rules):
    assert short_way(CROWD, line, Rulebook.from_json(rules)) is None
