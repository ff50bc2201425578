"""A game with a time to start begins then if it is full, and otherwise a week later."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import transaction

from games.errors import BadInput, WrongState
from games.events import StartMoved, StartReminded
from games.models import Game
from games.queries.parsing.start_times import start_written
from games.queries.reports.what_game import starts
from games.services.clock.muster import game_begin
from games.services.clock.starts import OUR_FAULT, start_proceed, starts_due
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from tests.cast import DAY, HOUR, NOW, make_player
from tests.rows import each_row

AT = dt.datetime(2026, 3, 7, 20, tzinfo=dt.UTC)
"""The Saturday after NOW."""
WEEK = 7 * DAY


def make_game(*, players: int, start: str = "Saturday 20:00", **settings: Any) -> Game:
    game = game_create(name="marne", variant="england_turkey", start=start, now=NOW, **settings)
    for name in ("Ana", "Ben")[:players]:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    game.refresh_from_db()
    return game


def kinds(game: Game) -> list[str]:
    """What has happened after the game was made and joined."""
    seen = game.events.exclude(kind__in=("game_created", "player_joined")).order_by("number")
    return list(seen.values_list("kind", flat=True))


@pytest.mark.parametrize("muster", [0 * DAY, DAY])
def test_a_full_game_waits_for_its_time_reminds_everybody_and_starts(
    db: None, muster: dt.timedelta
) -> None:
    game = make_game(players=2, muster=muster)
    assert (game.status, game.start, game.starts_at) == ("forming", "2026-03-07 20:00", AT)
    assert starts_due(now=AT - 4 * HOUR) == []
    for now in (AT - 3 * HOUR, AT - HOUR, AT):
        start_proceed(game_id=game.pk, now=now)
    assert kinds(game) == ["start_reminded", "game_started"]
    game.refresh_from_db()
    assert (game.status, game.start, game.starts_at) == ("active", "", None)
    assert starts_due(now=AT + WEEK) == []


@each_row(
    ("players", "late", "why"),
    [(1, 0 * HOUR, ""), (1, 2 * HOUR, ""), (2, 2 * HOUR, OUR_FAULT)],
)
def test_a_start_with_free_seats_or_too_late_moves_by_a_week(
    db: None, players: int, late: dt.timedelta, why: str
) -> None:
    game = make_game(players=players)
    assert start_proceed(game_id=game.pk, now=AT + late, ready=lambda game: False) is None
    event = start_proceed(game_id=game.pk, now=AT + late)
    assert event
    assert event.payload.get("why", "") == why
    game.refresh_from_db()
    assert (game.status, game.starts_at, game.start_reminded_at) == ("forming", AT + WEEK, None)
    assert start_proceed(game_id=game.pk, now=AT + WEEK - 3 * HOUR)


def test_a_game_that_never_fills_is_closed_unless_somebody_cares_for_it(db: None) -> None:
    game, last = make_game(players=1), []
    for week in range(4):
        event = start_proceed(game_id=game.pk, now=AT + week * WEEK)
        assert event
        last.append(StartMoved.of(event).is_last)
    assert last == [False, False, False, True]
    reminded = start_proceed(game_id=game.pk, now=AT + 4 * WEEK - HOUR)
    assert reminded
    assert StartReminded.of(reminded).is_last
    with transaction.atomic():
        settings_change(
            game=game,
            changes={"movement_length": 2 * DAY},
            why="",
            by="Gil",
            now=AT + 4 * WEEK - HOUR,
        )
        start_proceed(game_id=game.pk, now=AT + 4 * WEEK)
        assert kinds(game)[-1] == "start_moved"
        transaction.set_rollback(True)
    with transaction.atomic():
        start_proceed(game_id=game.pk, now=AT + 4 * WEEK + 2 * HOUR)
        assert kinds(game)[-1] == "start_moved", "nobody could join while the server was away"
        transaction.set_rollback(True)
    start_proceed(game_id=game.pk, now=AT + 4 * WEEK)
    game.refresh_from_db()
    assert (game.status, kinds(game)[-1], starts(game)) == ("finished", "game_finished", ())
    assert starts_due(now=AT + 9 * WEEK) == []


def test_a_week_is_one_on_the_clocks_of_the_game(db: None) -> None:
    game = make_game(players=1, start="28 Mar 20:00", timezone="Europe/Berlin")
    start_proceed(game_id=game.pk, now=dt.datetime(2026, 3, 28, 19, tzinfo=dt.UTC))
    game.refresh_from_db()
    assert game.start == "2026-04-04 20:00"
    assert game.starts_at == dt.datetime(2026, 4, 4, 18, tzinfo=dt.UTC)


def test_whoever_runs_it_may_start_it_before_its_time(db: None) -> None:
    game = make_game(players=2, muster=DAY)
    assert game_begin(game=game, by="Gil", now=NOW).status == "active"


def test_the_time_changes_with_the_settings_and_a_full_game_without_one_begins(db: None) -> None:
    game = make_game(players=2)
    said = {"game": game, "why": "We agreed.", "by": "Gil"}
    settings_change(changes={"start": "Sunday 7pm"}, now=NOW, **said)
    settings_change(changes={"timezone": "Europe/Berlin"}, now=NOW, **said)
    game.refresh_from_db()
    assert (game.start, game.starts_at) == ("2026-03-08 19:00", AT + DAY - 2 * HOUR)
    settings_change(changes={"start": ""}, now=NOW, **said)
    game.refresh_from_db()
    assert (game.status, game.starts_at) == ("active", None)
    with pytest.raises(WrongState, match="already being played"):
        settings_change(changes={"start": "Sunday 7pm"}, now=NOW, **said)


@each_row(
    ("text", "said"),
    [
        ("Saturday", "Please write the time of day, too"),
        ("20:00", "Please write the day, too"),
        ("1 Mar 2026 20:00", "has passed"),
        ("1 Jun 2027 20:00", "more than a year away"),
        ("when all can", "We cannot read"),
    ],
)
def test_a_time_that_is_not_clear_is_asked_back(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        start_written(text, "UTC", NOW)


@each_row(
    ("text", "kept"),
    [
        ("Saturday 1900", "2026-03-07 19:00"),
        ("24 Dec 2030h", "2026-12-24 20:30"),
        ("24 Dec 1900", "2026-12-24 19:00"),
        ("24 Dec 2026 1900", "2026-12-24 19:00"),
        ("7 Mar 2026 20:00", "2026-03-07 20:00"),
    ],
)
def test_four_digits_after_a_day_are_a_time_unless_they_are_its_year(text: str, kept: str) -> None:
    assert start_written(text, "UTC", NOW) == kept
