"""Words that nobody should read any more: none is left, and none comes back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import style
from tests.style import found, parts, retired_words


def test_no_retired_word_comes_back() -> None:
    """Write what the glossary has instead; it names the word that this one has given way to."""
    assert not found(), "\n".join(map(str, found()))


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
    assert Counter(f"{place.room}: {place.retired.word}" for place in places) == {
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


def test_the_search_finds_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "desk.py").write_text("class Deeds:\n    def errand(self): ...\n")
    monkeypatch.setattr(style, "ROOT", tmp_path)
    assert [place.retired.word for place in style.found.__wrapped__()] == ["desk", "deed", "errand"]
