"""Which tests run on both databases: each statement is sent to both, no test twice for nothing.

That the notes are what a test really sent, `tests/test_plugin.py` shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils.module_loading import import_string
from hypothesis import given
from hypothesis import strategies as st

from games.models import Game
from games.queries import lookup
from tests.cast import Cast
from tests.second_database import WAYS, DatabaseUse, Notes, for_both, shape
from tests.second_run import name_on_second

SELECT = 'SELECT "id" FROM "games_game" WHERE "name" = %s'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("WHERE id IN (%s, %s, %s)", "WHERE id IN (%s)"),
        ("VALUES (%s, %s), (%s, %s), (%s, %s)", "VALUES (%s, %s)"),
        (f"{SELECT} LIMIT 21", f"{SELECT} LIMIT 1"),
    ],
)
def test_how_many_values_and_which_makes_no_other_statement(one: str, other: str) -> None:
    assert shape(one) == shape(other)


@pytest.mark.parametrize(
    "other",
    [
        'SELECT "id" FROM "games_game" WHERE "name" = %s FOR UPDATE',
        'SELECT "id" FROM "games_game" WHERE UPPER("name") = UPPER(%s)',
        'SELECT "id" FROM "games_game" WHERE "name" = %s ORDER BY "name"',
        'SELECT "id" FROM "games_game"',
    ],
)
def test_what_is_asked_makes_another_statement(other: str) -> None:
    assert shape(SELECT) != shape(other)


def test_only_what_the_code_sends_is_noted_whichever_way_it_goes(
    marne: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, ana = Notes(tmp_path, lambda item: False), marne.player("Ana")
    game, phase = marne.game, marne.phase
    for path, name in WAYS:
        owner = import_string(path)
        monkeypatch.setattr(owner, name, notes.noting(getattr(owner, name)))
    assert Game.objects.filter(name="marne").exists()
    assert not notes.sent
    assert lookup.everyone_in(ana) == [ana]
    assert lookup.open_phase(game) == phase
    of_player, of_phase = sorted(notes.sent, key=lambda sql: "games_phase" in sql)
    assert "games_player" in of_player
    assert "games_phase" in of_phase


def test_a_marked_test_runs_and_spares_those_that_send_the_same() -> None:
    tests = {
        "marked": DatabaseUse(always=True, shapes={1, 2}),
        "same": DatabaseUse(always=False, shapes={1, 2}),
        "more": DatabaseUse(always=False, shapes={2, 3}),
    }
    assert for_both(tests) == {"marked", "more"}


def test_of_two_that_send_the_same_the_faster_runs() -> None:
    slow = DatabaseUse(always=False, seconds=2.0, shapes={1})
    fast = DatabaseUse(always=False, seconds=0.1, shapes={1})
    assert for_both({"slow": slow, "fast": fast}) == {"fast"}


noted_tests = st.dictionaries(
    st.text("abc", min_size=1, max_size=4),
    st.builds(
        DatabaseUse,
        always=st.booleans(),
        seconds=st.floats(0, 10),
        shapes=st.sets(st.integers(0, 20)),
    ),
)


@pytest.mark.parametrize(
    ("name", "there"), [("test_a", "test_a[SQLite]"), ("test_a[b-c]", "test_a[b-c-SQLite]")]
)
def test_a_report_of_the_second_database_names_it(name: str, there: str) -> None:
    assert name_on_second(name) == there


@given(noted_tests)
def test_every_statement_is_sent_and_no_test_runs_that_sends_nothing_new(
    tests: dict[str, DatabaseUse],
) -> None:
    names = for_both(tests)

    every = set[int]().union(*(test.shapes for test in tests.values()))
    assert set[int]().union(*(tests[name].shapes for name in names)) == every
    assert {name for name, test in tests.items() if test.always} <= names
    assert all(tests[name].always or tests[name].shapes for name in names)
