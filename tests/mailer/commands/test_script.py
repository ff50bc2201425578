"""A letter's lines as calls: which are commands, which are orders, which belong together."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailer.commands.calls import AMEND, ORDERS, SIGNOFF
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.script import read_script
from mailer.letter import Letter, Line
from tests.mailer.commands.letters import letter
from tests.rows import each_row


def calls(text: str) -> list[tuple[str, str]]:
    """(command, argument or order lines) of each call."""
    return [
        (call.command, call.argument or " | ".join(line.text for line in call.lines))
        for call in read_script(letter(text), WORDS)
    ]


def test_plain_lines_are_orders() -> None:
    assert calls("A Par - Bur\nF Bre H") == [(ORDERS, "A Par - Bur | F Bre H")]


def test_commands_and_orders_mix() -> None:
    assert calls("LIST\nA Par - Bur\nREADY\nF Bre H") == [
        ("list", ""),
        (ORDERS, "A Par - Bur | F Bre H"),
        ("ready", ""),
    ]


@each_row(
    ("line", "order", "word"),
    [
        ("A Par - Bur, A Mar - Spa, READY", "A Par - Bur, A Mar - Spa", "ready"),
        ("A Par H; wait!", "A Par H", "wait"),
        ("A Par H. Ready.", "A Par H", "ready"),
    ],
)
def test_a_word_that_ends_a_line_of_orders_is_a_command(line: str, order: str, word: str) -> None:
    orders, said = read_script(letter(line), WORDS)
    assert [one.text for one in orders.lines] == [order]
    assert said.command == word


@each_row(
    ("line", "order", "question"),
    [
        ("A Par - Bur. When is the deadline?", "A Par - Bur", "When is the deadline?"),
        ("A Par - Bur, F Bre H! Did you get it?", "A Par - Bur, F Bre H", "Did you get it?"),
        ("A Par - Bur. Wann ist Abgabe?", "A Par - Bur", "Wann ist Abgabe?"),
        ("A Par H. Can I still change this later?", "A Par H", "Can I still change this later?"),
    ],
)
def test_a_question_after_orders_is_no_part_of_them(line: str, order: str, question: str) -> None:
    assert calls(line) == [(ORDERS, f"{order} | {question}")]


@each_row(
    "line",
    [
        "A Par - Bur. Or should it be Picardy?",
        "A Par - Bur. Does Germany move there?",
        "A Par - Bur. When is the deadline? I may change it instead",
        "My plan. When is the deadline?",
    ],
)
def test_a_question_that_may_change_the_orders_stays_with_them(line: str) -> None:
    assert calls(line) == [(ORDERS, line)]


@each_row(
    ("line", "first", "second"),
    [
        ("CLEAR and STATUS", ("clear", ""), "status"),
        ("vote draw, ready", ("vote", "draw"), "ready"),
        ("Hold all. Wait.", ("hold", "all"), "wait"),
        ("join marne France & list", ("join", "marne France"), "list"),
    ],
)
def test_a_command_may_follow_another_on_its_line(
    line: str, first: tuple[str, str], second: str
) -> None:
    assert calls(line) == [first, (second, "")]


@each_row(
    "line",
    [
        "HELP ORDERS, STATUS",
        "EXTEND 24h I am away, wait",
        "PRESS TO Italy: yes and wait",
        "READY, WAIT",
        "SET NAME John, Ready",
        "Clear and status?",
    ],
)
def test_a_word_that_may_belong_to_a_command_is_none_of_its_own(line: str) -> None:
    assert len(calls(line)) == 1


@pytest.mark.parametrize("line", ["A Par - Bur when Italy is, ready", "We attack soon, ready"])
def test_such_a_word_after_other_words_is_none(line: str) -> None:
    assert [one.command for one in read_script(letter(line), WORDS)] == ["orders"]


@each_row("line", ["READY", "ready", "Ready.", "ready!", "READY:"])
def test_a_command_is_known_in_any_case_and_with_a_dot(line: str) -> None:
    assert calls(line) == [("ready", "")]


@each_row("line", ["cancel my orders", "WITHDRAW ORDERS", "Please cancel all orders."])
def test_orders_that_are_cancelled_or_withdrawn_are_cleared(line: str) -> None:
    assert calls(line) == [("clear", "")]


def test_a_word_that_only_begins_a_sentence_is_no_command() -> None:
    assert calls("Wait for me, please") == [(ORDERS, "Wait for me, please")]


def test_amend_makes_all_orders_of_the_mail_an_amendment() -> None:
    assert calls("A Par H\nAMEND\nF Bre H") == [(AMEND, "A Par H | F Bre H")]
    assert calls("AMEND: A Par H") == [(AMEND, "A Par H")]


def test_orders_alone_asks_and_with_orders_introduces() -> None:
    assert calls("ORDERS") == [(ORDERS, "")]
    assert calls("Orders: A Par H") == [(ORDERS, "A Par H")]
    assert calls("Orders for France\nA Par H") == [(ORDERS, "Orders for France | A Par H")]


@each_row("line", ["Here are my orders for Spring 1901", "Here's my move", "Here is what I want"])
def test_who_hands_something_over_does_not_say_that_they_are_here(line: str) -> None:
    assert calls(line) == [(ORDERS, line)]
    assert calls("Here I am!") == [("here", "I am!")]


def test_an_argument_keeps_its_case_and_signs() -> None:
    assert calls("JOIN marne France; [Germany, Italy or Austria]; Turkey") == [
        ("join", "marne France; [Germany, Italy or Austria]; Turkey")
    ]


@each_row(
    ("broken", "whole"),
    [
        ("A Mar S A Par -\nBur", "A Mar S A Par - Bur"),
        ("A Marseilles Supports\nA Paris", "A Marseilles Supports A Paris"),
        ("A London - Belgium via\nConvoy", "A London - Belgium via Convoy"),
    ],
)
def test_an_order_broken_at_the_end_of_a_line_is_put_together(broken: str, whole: str) -> None:
    assert calls(broken) == [(ORDERS, whole)]


def test_a_blank_line_ends_an_order() -> None:
    assert calls("A Par -\n\nF Bre H") == [(ORDERS, "A Par - | F Bre H")]


def test_a_call_knows_its_line() -> None:
    script = read_script(letter("\nLIST\n\nA Par H\nA Mar H"), WORDS)
    assert [call.number for call in script] == [2, 4]
    assert script[1].lines == (Line(4, "A Par H"), Line(5, "A Mar H"))


def test_no_two_commands_share_a_word() -> None:
    words = [word for command in COMMANDS.values() for word in (command.name, *command.aliases)]
    assert len(words) == len(set(words))


def test_every_command_explains_itself() -> None:
    for command in COMMANDS.values():
        assert command.usage
        assert command.summary
        assert command.help


@given(st.lists(st.text(min_size=1, max_size=40).filter(str.strip), max_size=20))
def test_every_line_of_a_letter_is_a_command_or_stands_in_a_call(texts: list[str]) -> None:
    """Numbers three apart: no line is taken for the end of the one before."""
    lines = tuple(Line(3 * at, " ".join(text.split())) for at, text in enumerate(texts, 1))
    script = read_script(Letter("a@b.c", (), "", "", (), None, lines, ()), WORDS)
    told = {call.number for call in script}
    told |= {line.number for call in script for line in call.lines}
    for line in lines:
        word = WORDS.get(re.split(r"[\W\d_]+", line.text.strip())[0].lower())
        assert line.number in told or (word and word.command in (ORDERS, AMEND, SIGNOFF))


def test_nothing_below_signoff_is_read() -> None:
    script = read_script(letter("A Par H\nSIGNOFF\nA Bur H\nREADY"), WORDS)
    assert [call.command for call in script] == [ORDERS, "signoff"]
    assert [line.text for line in script[1].lines] == ["A Bur H", "READY"]


@each_row("end", [",", ".", " ----"])
def test_orders_that_end_in_a_sign_stay_apart(end: str) -> None:
    assert calls(f"A Par H{end}\nF Bre H{end}") == [(ORDERS, f"A Par H{end} | F Bre H{end}")]


def test_a_list_of_powers_goes_on_in_the_next_line() -> None:
    wishes = "JOIN marne France; [Germany,\nItaly or\nAustria];\nTurkey"
    assert calls(wishes) == [("join", "marne France; [Germany, Italy or Austria]; Turkey")]


def test_an_ornament_swallows_no_order() -> None:
    assert calls("---- Armies ----\nA Par H") == [(ORDERS, "---- Armies ---- | A Par H")]


@each_row(
    "above",
    [
        *(
            "My orders -",
            "Spring 1901 -",
            "Hello judge -",
            "My plan is to go to",
            "One unit goes to",
        ),
        *("A Mar S", "A Marseilles Supports", "F Bre -", "F Nth Convoys", "by", "we go via"),
    ],
)
@each_row("below", ["A Par-Bur", "Par - Bur", "A Mar S A Par - Bur", "F Bre H"])
def test_what_is_an_order_by_itself_never_belongs_to_the_line_above(above: str, below: str) -> None:
    assert calls(f"{above}\n{below}") == [(ORDERS, f"{above} | {below}")]


@each_row("above", ["My plan is to", "A Par -", "JOIN marne France,"])
def test_what_is_a_command_by_itself_never_belongs_to_the_line_above(above: str) -> None:
    assert calls(f"{above}\nREADY")[-1] == ("ready", "")


def test_an_order_below_a_list_of_powers_is_none_of_them() -> None:
    assert calls("JOIN marne France,\nA Par - Bur") == [
        ("join", "marne France,"),
        (ORDERS, "A Par - Bur"),
    ]


OWN = (
    "A Par - Bur",
    "A Marseilles Supports A Paris - Burgundy",
    "F Bre - MAO",
    "Par H",
    "a mar-spa",
)
PROSE = st.builds(
    lambda text, end: f"{text.strip() or 'so'}{end}",
    st.one_of(
        st.sampled_from(["My orders", "Spring 1901", "Hello judge", "I want to go", "it was long"]),
        st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=30),
    ),
    st.sampled_from(
        ["", " -", " to", ",", " ->", " by", " via", " s", " c", " supports", ":", "--"]
    ),
)


def is_prose(text: str) -> bool:
    """Not a command: what stands below SIGNOFF or PRESS TO is meant to be no order."""
    return command_of(text, WORDS) is None


@given(st.lists(st.one_of(st.sampled_from(OWN), PROSE.filter(is_prose)), max_size=12))
def test_no_line_of_prose_costs_an_order(texts: list[str]) -> None:
    lines = tuple(Line(at, text) for at, text in enumerate(texts, 1))
    script = read_script(Letter("a@b.c", (), "", "", (), None, lines, ()), WORDS)
    kept = [line for call in script for line in call.lines]
    for line in lines:
        assert line.text not in OWN or line in kept


def test_the_reason_for_more_time_may_stand_below() -> None:
    assert calls("EXTEND 20 minutes\nmy train is late\nA Par H") == [
        ("extend", "20 minutes my train is late"),
        (ORDERS, "A Par H"),
    ]
    assert calls("EXTEND 24h\nA Par H") == [("extend", "24h"), (ORDERS, "A Par H")]


@each_row(
    ("text", "orders"),
    [
        ("A Marseilles\nSupports A Paris - Burgundy", ["A Marseilles Supports A Paris - Burgundy"]),
        ("A Paris\n- Burgundy\nF Brest\nholds", ["A Paris - Burgundy", "F Brest holds"]),
        ("A Mar S A Paris\n-> Burgundy", ["A Mar S A Paris -> Burgundy"]),
        ("- A Paris\n- A Marseilles\n- Burgundy", ["A Paris", "A Marseilles", "Burgundy"]),
        ("A Paris\n\n- Burgundy", ["A Paris", "Burgundy"]),
        ("A Paris - Burgundy\n- Gascony", ["A Paris - Burgundy", "Gascony"]),
        ("A Paris\nSupports", ["A Paris", "Supports"]),
        ("A Paris\nto be continued", ["A Paris", "to be continued"]),
    ],
)
def test_a_line_that_begins_in_the_middle_goes_on_from_a_unit_above_it(
    text: str, orders: list[str]
) -> None:
    (call,) = read_script(letter(text), WORDS)
    assert [line.text for line in call.lines] == orders
