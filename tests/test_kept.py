"""What a test begins with may stand in the database for the next test; nobody notices."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Game, Player
from tests.cast import Cast, make_cast, make_player

KEYS: set[int] = set()
"""The keys of the player that each test makes after the same beginning."""

beginning = pytest.mark.parametrize("time", ["made", "put back", "put beneath", "kept"])


@beginning
def test_a_test_begins_with_the_same_rows_and_the_same_next_keys(marne: Cast, time: str) -> None:
    assert (Game.objects.get(), Player.objects.count()) == (marne.game, 8)
    KEYS.add(make_player("Ines").pk)
    assert len(KEYS) == 1
    Game.objects.update(name="verdun")


def test_a_test_that_begins_with_a_block_without_a_savepoint_finds_nothing(db: None) -> None:
    with transaction.atomic(savepoint=False):
        assert not Game.objects.exists()


@beginning
def test_a_test_that_ends_the_connection_spoils_nothing_for_the_next(
    marne: Cast, time: str
) -> None:
    assert Game.objects.get() == marne.game
    connection.close()


def test_a_test_that_makes_something_first_finds_nothing_else(db: None) -> None:
    make_player("Ines")
    assert Player.objects.get().name == "Ines"


def test_a_test_that_breaks_a_statement_spoils_nothing_for_the_next(marne: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(name="marne", gm=marne.gm)
    assert marne.player("Ana").name == "Ana"


def test_a_test_that_begins_with_nothing_finds_nothing(db: None) -> None:
    assert (Game.objects.count(), Player.objects.count()) == (0, 0)


@beginning
def test_a_test_that_begins_with_something_else_finds_only_that(db: None, time: str) -> None:
    cast = make_cast(press_mode="none")
    assert Game.objects.get().press_mode == cast.game.press_mode == "none"


def test_a_test_that_commits_finds_no_transaction_open(transactional_db: None) -> None:
    assert not connection.in_atomic_block
    assert not Game.objects.exists()
