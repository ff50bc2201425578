"""A letter's lines as calls: which are commands, which are orders, which belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailer.letter import Letter, Line, read_letter
from mailer.script import AMEND, ORDERS, Call, read_script
from mailer.verbs import VERBS, WORDS


def letter(text: str) -> Letter:
    return read_letter(f"From: ana@players.test\n\n{text}".encode())


def calls(text: str) -> list[tuple[str, str]]:
    """(verb, argument or order lines) of each call."""
    return [
        (call.verb, call.argument or " | ".join(line.text for line in call.lines))
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


@pytest.mark.parametrize("line", ["READY", "ready", "Ready.", "ready!", "READY:"])
def test_a_command_is_known_in_any_case_and_with_a_dot(line: str) -> None:
    assert calls(line) == [("ready", "")]


def test_a_word_that_only_begins_a_sentence_is_no_command() -> None:
    assert calls("Wait for me, please") == [(ORDERS, "Wait for me, please")]


def test_amend_makes_all_orders_of_the_mail_an_amendment() -> None:
    assert calls("A Par H\nAMEND\nF Bre H") == [(AMEND, "A Par H | F Bre H")]
    assert calls("AMEND: A Par H") == [(AMEND, "A Par H")]


def test_orders_alone_asks_and_with_orders_introduces() -> None:
    assert calls("ORDERS") == [(ORDERS, "")]
    assert calls("Orders: A Par H") == [(ORDERS, "A Par H")]


def test_an_argument_keeps_its_case_and_signs() -> None:
    assert calls("JOIN marne France; [Germany, Italy or Austria]; Turkey") == [
        ("join", "marne France; [Germany, Italy or Austria]; Turkey")
    ]


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("A Mar S A Par -\nBur", "A Mar S A Par - Bur"),
        ("A Marseilles Supports\nA Paris - Burgundy", "A Marseilles Supports A Paris - Burgundy"),
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
    words = [word for verb in VERBS.values() for word in (verb.name, *verb.aliases)]
    assert len(words) == len(set(words))


def test_every_command_explains_itself() -> None:
    for verb in VERBS.values():
        assert verb.usage
        assert verb.summary
        assert verb.help


@given(st.lists(st.text(max_size=40), max_size=20))
def test_no_line_is_lost_between_letter_and_script(texts: list[str]) -> None:
    lines = tuple(Line(number, " ".join(text.split()) or "x") for number, text in enumerate(texts))
    whole = Letter("a@b.c", (), "", "", (), None, lines, ())
    script = read_script(whole, WORDS)
    told = sum(
        len(" ".join(line.text for line in call.lines).split())
        if call.verb in (ORDERS, AMEND)
        else 1
        for call in script
    )
    assert told >= min(1, len(lines)) or not lines
    assert all(isinstance(call, Call) for call in script)
