"""The corpus: mails shaped like what real programs send, and exactly what is read in each.

`letters/*.eml` are our own; `letters/expected.json` says for each which lines are its writer's,
for which reasons others were left out, how many things could not be read at all, and which kind of
mark of a program it bears.
"""

from __future__ import annotations

import json
import random
import time
from functools import cache
from pathlib import Path
from typing import Any

from mailer.letter import Letter, read_letter
from tests.examples import times
from tests.rows import each_row

LETTERS = Path(__file__).parents[1] / "letters"
EXPECTED: dict[str, dict[str, Any]] = json.loads((LETTERS / "expected.json").read_text("utf-8"))
ORDERLY = [name for name, one in EXPECTED.items() if one["lines"]]


def raw(name: str) -> bytes:
    return (LETTERS / f"{name}.eml").read_bytes()


@cache
def read(name: str) -> Letter:
    """A letter of the corpus, read once for all tests of it."""
    return read_letter(raw(name))


def test_every_letter_of_the_corpus_is_expected() -> None:
    assert {path.stem for path in LETTERS.glob("*.eml")} == set(EXPECTED)


@each_row("name", EXPECTED)
def test_exactly_its_writer_s_lines_are_read(name: str) -> None:
    assert [line.text for line in read(name).lines] == EXPECTED[name]["lines"]


@each_row("name", EXPECTED)
def test_what_is_left_out_has_its_reason(name: str) -> None:
    letter = read(name)
    assert sorted({line.why for line in letter.ignored}) == EXPECTED[name]["ignored"]
    assert len(letter.left_out) == EXPECTED[name]["left_out"]


@each_row("name", EXPECTED)
def test_marks_of_programs_are_known_and_how_sure_they_are(name: str) -> None:
    mark = read(name).mark
    assert (mark.kind.name if mark else None) == EXPECTED[name]["mark"]


@each_row("name", EXPECTED)
def test_no_line_is_both_read_and_left_out_and_none_is_told_twice(name: str) -> None:
    letter = read(name)
    numbers = [line.number for line in letter.lines] + [line.number for line in letter.ignored]
    assert len(numbers) == len(set(numbers))


@each_row("name", EXPECTED)
def test_no_letter_takes_longer_than_100_milliseconds(name: str) -> None:
    data = raw(name)
    assert any(_seconds(data) < 0.1 for _ in range(3))


def _seconds(data: bytes) -> float:
    begun = time.process_time()
    read_letter(data)
    return time.process_time() - begun


def test_a_footer_of_two_megabytes_hides_no_order_and_costs_no_time() -> None:
    footer = b"All rights are reserved by Players and Sons of Lyon, a company.\r\n" * 31_000
    notice = b"\r\nThis email is confidential and intended only for its recipient.\r\n"
    data = raw("unknown-charset") + notice + footer
    letter = read_letter(data)
    assert [line.text for line in letter.lines] == EXPECTED["unknown-charset"]["lines"]
    assert letter.left_out
    assert any(_seconds(data) < 1 for _ in range(3))


def test_mutated_letters_neither_crash_nor_dawdle() -> None:
    chance = random.Random(1901)
    letters = [raw(name) for name in EXPECTED]
    slowest = 0.0
    for _ in range(times(40).max_examples):
        data = _mutated(chance.choice(letters), chance)
        begun = time.process_time()
        letter = read_letter(data)
        slowest = max(slowest, time.process_time() - begun)
        assert all("\0" not in line.text for line in letter.lines)
        assert all("\0" not in line.text for line in letter.ignored)
    assert slowest < 1  # a hundred times what they take: a letter that dawdles takes more


def _mutated(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, cut out, doubled or put elsewhere."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place, length = chance.randrange(len(changed)), chance.randint(1, 40)
        piece = changed[place : place + length]
        kind = chance.randrange(4)
        if kind == 0:
            changed[place : place + length] = bytes(chance.randrange(256) for _ in piece)
        elif kind == 1 and len(changed) > 200:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = piece * chance.randint(1, 5)
        else:
            other = chance.randrange(len(changed))
            changed[other:other] = piece
    return bytes(changed)


@each_row("name", ORDERLY)
def test_reading_is_the_same_with_either_line_end(name: str) -> None:
    data = raw(name)
    unix = read_letter(data.replace(b"\r\n", b"\n"))
    if name != "windows-line-ends-only-cr":
        assert [line.text for line in unix.lines] == EXPECTED[name]["lines"]
