"""A line of which a piece cannot be read: nothing of it is followed, and no order becomes another.

Only a comma or semicolon between two whole orders lets one stand without the other, or a semicolon
between two that begin with their units.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge import Position, load_variant
from judge.text.read import Reading, read_orders
from judge.text.vocabulary import VERBS
from tests.examples import times
from tests.rows import each_row

WHERE = Position.from_state(
    load_variant("standard"),
    {
        "phase": "S1902M",
        "units": {
            "France": ["A Paris", "A Marseilles", "F Brest", "F Mid-Atlantic Ocean", "A Spain"],
            "England": ["F North Sea", "A London"],
            "Germany": ["A Munich", "F Kiel", "A Ruhr"],
            "Italy": ["A Venice"],
        },
    },
)
MOVE = "A Paris - Burgundy"
SUPPORT = "A Marseilles Supports A Paris - Burgundy"
CONVOY = "F North Sea Convoys A London - Norway"


def read(line: str, power: str = "France") -> tuple[Reading, ...]:
    return read_orders(WHERE, power, [line])


def followed(line: str, power: str = "France") -> list[str]:
    return [str(reading.order) for reading in read(line, power) if reading.counts]


SUPPORTING = """
S
(S)
[S]
{S}
( S )
S:
S -
S/
sup:
(supports)
helping
helps
backs
backs up
backing
aids
aiding
assists
assisting
reinforces
reinforcing
Sprt
sppt
""".strip().split("\n")


@each_row("verb", SUPPORTING)
def test_a_support_is_read_however_its_verb_is_written(verb: str):
    if verb == "S -":  # A dash behind the verb is a slip that could mean a move.
        assert followed(f"A Mar {verb} A Par - Bur") == []
    else:
        assert followed(f"A Mar {verb} A Par - Bur") == [SUPPORT]
        assert followed(f"a mar {verb.lower()} a par-bur") == [SUPPORT]


@each_row("verb", ["C", "(C)", "[C]", "C:", "escorts", "escorting", "ferries", "cnv"])
def test_a_convoy_is_read_however_its_verb_is_written(verb: str):
    assert followed(f"F Nth {verb} A Lon - Nwy", "England") == [CONVOY]


@pytest.mark.parametrize("line", ["F Bre (holds)", "F Bre (H)", "F Bre [hold]"])
def test_a_hold_in_brackets_is_a_hold(line: str):
    assert followed(line) == ["F Brest Holds"]


def test_a_coast_in_brackets_stays_a_coast():
    assert followed("F Mao - Spa (S)") == ["F Mid-Atlantic Ocean - Spain(sc)"]
    assert followed("F Mao - Spa (N) A Mar H") == [
        "F Mid-Atlantic Ocean - Spain(nc)",
        "A Marseilles Holds",
    ]


@each_row(
    "line",
    """
A Mar support, A Par - Bur
A Mar S, A Par - Bur
A Mar w/ A Par - Bur
A Mar pushes A Par - Bur
A Mar told A Par - Bur
A Mar hoping A Par - Bur
A Mar whistles A Par - Bur
A Mar, A Par - Bur
A Mar A Par - Bur
A Mar with A Par - Bur
A Mar + A Par - Bur
A Mar & A Par - Bur
A Mar and A Par - Bur
A Mar and A Par and A Spa - Gas
A Par - Bur A Mar
A Par - Bur A Mar S
A Par - Bur A Mar whistles
A Par - Bur, if possible
A Par - Bur, unless Germany objects
A Par - Bur, A Mar - Spa, but not if Germany objects
A Par - Bur, not A Mar - Bur
A Par - Bur; hopefully
A Par - Bur?
A Par - Bur ?
A Par - Bur (?)
A Par - Bur (really?)
A Par - Bur？
A Par - Pir
A Par - Gaz
A Par1 - Bur7
Germany: A Par - Bur, A Mar - Bur
Germany: A Par - Bur A Mar - Bur
A Par-Bur / A Mar-Oz
""".strip().split("\n"),
)
def test_half_a_line_is_never_followed(line: str):
    readings = read(line)
    assert readings
    assert not any(reading.counts for reading in readings), readings
    assert all(reading.problem for reading in readings)


@pytest.mark.parametrize("line", ["A Ven-Tyl", "A Venice - Tyl"])
def test_three_letters_that_are_no_name_are_asked_about(line: str):
    [reading] = read(line, "Italy")
    assert reading.problem is not None
    assert "Tyrolia" in reading.problem.sentence


@each_row("verb", ["", "(?)", "takes", "brings", "C,", "carries over to", "and"])
def test_half_a_convoy_is_never_followed(verb: str):
    assert followed(f"F Nth {verb} A Lon - Nwy", "England") in ([], [CONVOY])
    if verb != "carries over to":
        assert followed(f"F Nth {verb} A Lon - Nwy", "England") == []


@each_row(
    ("line", "orders"),
    [
        ("A Par - Bur, A Mun - Oz", [MOVE]),
        ("A Mun - Oz; A Par - Bur", [MOVE]),
        ("A Mar S A Oz - Bur; A Par - Bur", [MOVE]),
        ("A Par - Bur, A Mar - Liv, F Bre - Pic", [MOVE, "F Brest - Picardy"]),
        ("A Par - Bur, A Mar - Spa, please", [MOVE, "A Marseilles - Spain"]),
        ("Hi Bob, A Par - Bur, thanks Bob", [MOVE]),
        ("A Par - Bur, A Mar - Spa, F Bre whistles", [MOVE]),
        ("A Par - Mos, A Mar S A Par - Bur", [SUPPORT]),
    ],
)
def test_a_comma_between_whole_orders_keeps_them_apart(line: str, orders: list[str]):
    assert followed(line) == orders


@each_row(
    ("line", "orders"),
    [
        ("A Par - Bur; A Mar dances; F Bre - Pic", [MOVE, "F Brest - Picardy"]),
        ("A Mar whistles; A Par - Bur", [MOVE]),
        ("A Par - Bur; A Mar", [MOVE]),
        ("A Par - Bur; A Mar S", [MOVE]),
        ("A Par - Bur; A Mar S; F Bre - Pic", [MOVE]),  # perhaps a support of what follows
        ("A Mar S; A Par - Bur", []),
        ("A Par - Bur; A Mar whistles A Spa - Gas; F Bre - Pic", [MOVE, "F Brest - Picardy"]),
        ("A Par - Bur; A Mar dances, F Bre - Pic", [MOVE]),
        ("A Par - Bur; A Mar - Spa unless Germany objects; F Bre - Pic", ["F Brest - Picardy"]),
        ("A Par - Bur; no, wait", []),
        ("A Par - Bur; rest hold; A Mar dances", [MOVE]),
    ],
)
def test_a_semicolon_between_orders_to_two_units_keeps_them_apart(line: str, orders: list[str]):
    assert followed(line) == orders
    assert len(read(line)) >= line.count(";") + 1, "each piece has its own answer"


@each_row(
    ("line", "orders"),
    [
        ("A Mar - Spa if it is free, A Par - Bur, F Bre - Pic", [MOVE, "F Brest - Picardy"]),
        ("F Bre - Pic, A Mar - Spa if it is free, A Par - Bur", [MOVE]),
        ("A Par - Bur, A Mar - Spa if Italy agrees", []),
        ("A Par - Bur and A Mar - Spa if Italy agrees, F Bre - Pic", ["F Brest - Picardy"]),
        ("A Mar - Spa if it is free, A Marseilles H, A Par - Bur", []),
        ("A Mar - Spa if it is free, then A Par - Bur", []),
        ("A Mar - Spa if it is free, then A Par - Bur, F Bre - Pic", []),
        ("A Mar - Spa if it is free, A Par - Bur, F Bre - Pic also", [MOVE]),
        ("A Mar - Spa if it is free, otherwise A Par - Bur", []),
        ("A Mar - Spa or H if it is not, A Par - Bur", []),
        ("If Spain is free, A Mar - Spa, A Par - Bur", []),
        ("A Mar - Spa, if Spain is free, A Par - Bur", []),
    ],
)
def test_a_condition_is_for_what_stands_before_it(line: str, orders: list[str]):
    assert followed(line) == orders


def test_what_is_not_followed_says_which_piece_is_to_blame():
    _, move = read("A Mar whistling, A Par - Bur")
    assert move.problem is not None
    assert move.problem.sentence == (
        "“A Mar whistling” on the same line cannot be read, so this is not followed either; "
        "write each order on a line of its own, and nothing else on it."
    )


@pytest.mark.parametrize(
    ("behind", "why"),
    [
        ("and wait", "We do not understand “wait” after “A Par - Bur”"),
        ("if Italy stays", "No order can depend on a condition such as “if Italy stays”"),
    ],
)
def test_what_is_quoted_as_the_order_ends_with_the_order(behind: str, why: str):
    [move] = read(f"A Par - Bur {behind}")
    assert move.problem is not None
    wish = "if “A Par - Bur” is all you want, write only that."
    assert move.problem.sentence == f"{why}; {wish}"


def test_the_rest_of_the_units_does_not_hold_beside_an_order_that_cannot_be_read():
    assert followed("A Par - Bur xx. All others hold.") == []
    assert followed("The rest hold; A Par whistles") == []


LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Without the "#" and "//" that begin a comment.
SIGNS = "()[]{}:&+<>?-=*'\"“”.!|_~"
JUNK = st.one_of(
    st.text(LETTERS, min_size=1, max_size=9),
    st.text(SIGNS + "sch ", min_size=1, max_size=5),
    st.sampled_from(sorted(VERBS)),
    st.sampled_from(("(S)", "(C)", "w/", "with", "for", "vs", "plus", "and", "&", "(hold)", "1")),
)
HARMLESS = {(), (MOVE,), (SUPPORT,)}


@given(JUNK, JUNK | st.just(""))
@times(8)
@example("s", "")
@example("support", "for")
@example("(s", "")
@example("supports", "my")
def test_whatever_stands_between_two_units_the_tail_is_no_order_of_its_own(word: str, more: str):
    line = f"A Mar {word} {more} A Par - Bur"
    orders = tuple(followed(line))
    if "A Paris - Burgundy" in orders:
        # Then what stands before is an order of its own: a hold, a move, an illegal disband.
        first, second = read(line)
        assert "A Marseilles" in str(first.order), (line, orders)
        assert str(second.order) == MOVE
    else:
        assert orders in HARMLESS, (line, orders)


@given(st.lists(JUNK, min_size=1, max_size=3).map(" ".join))
@times(8)
def test_whatever_stands_after_an_order_makes_no_other_one(tail: str):
    line = f"A Par - Bur {tail}"
    orders = [order.removesuffix(" via Convoy") for order in followed(line)]
    assert orders in ([], [MOVE]), (line, orders)


@given(JUNK, st.sampled_from(["A Paris", "F Brest", "A Marseilles", "F Mid-Atlantic Ocean"]))
@times(8)
@example("helping", "A Marseilles")
def test_no_word_that_is_none_of_the_verbs_is_read_as_another_verb(word: str, unit: str):
    """A verb with one slip may be followed, as the only one it can be."""
    if word not in VERBS and word.isalpha():
        for order in followed(f"{unit} {word} A Spain"):
            said = order.split()[2 if unit != "F Mid-Atlantic Ocean" else 3]
            verb = {"Holds": "hold", "Supports": "support", "Convoys": "convoy"}.get(said, "move")
            assert any(one_slip(word, known) for known, does in VERBS.items() if does == verb)


def one_slip(word: str, verb: str) -> bool:
    """Tell whether one letter too many, missing, wrong, or two swapped turn one into the other."""
    shorter, longer = sorted((word, verb), key=len)
    if len(longer) - len(shorter) > 1:
        return False
    if len(longer) > len(shorter):
        return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))
    differ = [at for at in range(len(word)) if word[at] != verb[at]]
    return len(differ) == 1 or (
        len(differ) == 2 and [word[at] for at in differ] == [verb[at] for at in differ][::-1]
    )
