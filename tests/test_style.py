"""Words that nobody should read any more: how many are left in each room may only go down."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests import style
from tests.style import Found, Retired, counted, found, left, parts, retired_words


@pytest.mark.parametrize("key", sorted(left()))
def test_no_retired_word_comes_back(key: str) -> None:
    """Write what the glossary has instead; it names the word that this one has given way to."""
    here = [place for place in found() if place.key == key]
    assert len(here) <= left()[key], _told(here, left()[key])


def test_no_retired_word_comes_back_where_none_was_left() -> None:
    gone = sorted(set(counted(found())) - set(left()))
    told = [_told([place for place in found() if place.key == key], 0) for key in gone]
    assert not told, "\n".join(told)


def _told(here: list[Found], allowed: int) -> str:
    word: Retired = here[0].retired
    places = Counter(place.place for place in here)
    lines = [f"“{word.word}” is retired: {word.instead} ({len(here)}, {allowed} were left)"]
    return "\n".join([*lines, *(f"  {place} ({number})" for place, number in places.items())])


def test_no_phrase_is_left_in_what_people_read() -> None:
    """Only names still hold retired words; prose holds none, nor do docstrings and comments."""
    assert [
        key for key in left() if re.match(r"docs|templates|.* (docstrings|comments|sen)", key)
    ] == []


CODE = '''
"""Greets whoever comes in."""
# They greet themselves,
# and that is as it is.

GREETING = "Tell him that he is welcome."
NO_SENTENCE = "his"

class Door:
    name: str
    """What he calls it."""

def greet(): # himself
    """A door is none."""
'''


def test_the_search_reads_docstrings_comments_and_sentences_but_no_other_strings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "door.py").write_text(CODE)
    monkeypatch.setattr(style, "ROOT", tmp_path)
    places = style.found.__wrapped__()
    assert Counter(place.key for place in places) == {
        "games comments: as it is": 1,
        "games comments: himself": 1,
        "games sentences: him": 1,
        "games sentences: he": 1,
        "games docstrings: he": 1,
        "games docstrings: is none": 1,
    }


def test_a_room_that_needs_a_word_for_something_else_keeps_it() -> None:
    """In an order line there are verbs: `judge/text/` reads them."""
    assert [word.outside for word in retired_words() if word.word == "verb"] == ["judge"]
    assert {place.room for place in found() if place.retired.word == "verb"} == set()


def test_names_are_split_into_words_in_the_singular() -> None:
    assert parts("OrdersAhead") == ["order", "ahead"]
    assert parts("seat_fill_HTML2") == ["seat", "fill", "html"]


def test_the_search_finds_names_and_prose() -> None:
    """Something of both is still there; when nothing is left, this test goes with the numbers."""
    wheres = {frozenset(place.retired.where) for place in found()}
    assert wheres or left() == {}
    assert len(retired_words()) > 20
