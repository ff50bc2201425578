"""Words that nobody should read any more: none is left, and none comes back."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from pathlib import Path

import pytest

from tests import style
from tests.style import documented, found, modules, parts, retired_words

NO_VERBS = {"Answers", "As", "Its", "Orders", "Raises", "Words"}
"""What begins the description of a function and is no verb, or says nothing but what it raises."""


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


def test_functions_are_described_as_one_would_call_for_them() -> None:
    """`Take a mail`, not `Takes a mail`. What is a verb is seen from how others begin."""
    functions = [
        (ast.get_docstring(node) or "", f"{path.name}: {node.name}")
        for _, path in modules()
        for node in documented(path)
        if isinstance(node, ast.FunctionDef)
    ]
    begin = [(text.split()[0].strip(",;:."), where) for text, where in functions if text.strip()]
    firsts = {word for word, _ in begin}
    assert "Take" in firsts
    third = {word for word in firsts - NO_VERBS if word.endswith("s") and word[:-1] in firsts}
    assert [where for word, where in begin if word in third] == []


RAISES = re.compile(r"\b[Rr]aises ([A-Z]\w+)")


def test_an_error_that_a_docstring_announces_exists() -> None:
    """Whoever wants to catch it looks for it by this name."""
    nodes = [(path, node) for _, path in modules() for node in documented(path)]
    # Each model has its own DoesNotExist; DataError is psycopg's.
    known = set(vars(builtins)) | {"DoesNotExist", "DataError"}
    known |= {node.name for _, node in nodes if isinstance(node, ast.ClassDef)}
    for _, node in nodes:
        imports = [one for one in node.body if isinstance(one, ast.ImportFrom)]
        known |= {alias.name for one in imports for alias in one.names}
    announced = [
        (error, f"{path}:{node.lineno}")
        for path, node in nodes
        if isinstance(node, ast.FunctionDef)
        for error in RAISES.findall(ast.get_docstring(node) or "")
    ]
    assert len(announced) > 300
    assert [(error, where) for error, where in announced if error not in known] == []
