"""The glossary is true: each word stands once, and what it is called in code exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps

import judge
from games.models import Game
from tests.style import GLOSSARY, ROOT, retired_words

TERM = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)


def terms() -> list[tuple[str, str, str]]:
    """The rows of the first table."""
    table = GLOSSARY.read_text().partition("## Words we no longer use")[0]
    return [row for row in TERM.findall(table) if row[0] != "word" and not set(row[0]) <= {"-"}]


def test_every_word_stands_once_and_in_one_table() -> None:
    words = [name.strip() for word, _, _ in terms() for name in word.split(",")]
    assert len(words) == len(set(words)) > 25
    gone = [row.word for row in retired_words()]
    assert len(gone) == len(set(gone))
    assert set(words).isdisjoint(gone)


def test_a_games_statuses_are_called_as_the_glossary_says() -> None:
    """The admin, pages and mails show these labels."""
    [meaning] = [meaning for word, meaning, _ in terms() if word == "status"]
    words = meaning.partition(": ")[2].replace(" or ", ", ").split(", ")
    assert words == Game.Status.labels


NAMED = sorted({name for _, _, where in terms() for name in re.findall(r"`([^`]+)`", where)})


@pytest.mark.parametrize("name", NAMED)
def test_what_a_word_is_called_in_code_exists(name: str) -> None:
    first, _, second = name.partition(".")
    if "/" in name:
        assert Path(ROOT / name).exists()
    elif first == "judge":
        assert hasattr(judge, second)
    elif name != "mailer":
        models = {model.__name__: model for model in apps.get_models()}
        assert first in models
        assert not second or second in {field.name for field in models[first]._meta.get_fields()}
