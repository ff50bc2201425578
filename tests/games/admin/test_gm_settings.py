"""Settings that the GM changes while a game is played."""

from __future__ import annotations

import datetime as dt

import pytest

from games.errors import BadInput, WrongState
from games.models import Game
from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from tests.cast import DAY, HOUR, NOW, Cast

pytestmark = pytest.mark.django_db

GIVEN = {"why": "Holidays.", "by": "Gerda", "now": NOW}


def test_a_new_length_holds_from_the_next_phase_on(marne: Cast):
    due_at = marne.phase.due_at
    settings_change(game=marne.game, changes={"movement_length": 5 * DAY}, **GIVEN)
    assert marne.phase.due_at == due_at
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert marne.phase.due_at == NOW + 5 * DAY


def test_the_log_says_what_was_changed_from_what_to_what(marne: Cast):
    changes = {"retreat_length": 2 * DAY, "when_missing": "wait", "days_off": "Sat Sun"}
    event = settings_change(game=marne.game, changes=changes, **GIVEN)
    assert event.payload["changes"] == [
        "length of retreat phases: 2 days (before: 1 day)",
        "days without deadlines: on Saturdays and Sundays (before: none)",
        "when orders are missing: the game waits for the orders, or for a replacement "
        "(before: units without an order hold, and the game goes on)",
    ]
    assert sentence(event).startswith("Gerda changed the settings of the game: length of retreat")
    assert sentence(event).endswith("Holidays.")


def test_only_what_is_other_than_before_is_told(marne: Cast):
    changes = {"movement_length": 3 * DAY, "retreat_length": 2 * DAY}
    event = settings_change(game=marne.game, changes=changes, **GIVEN)
    assert len(event.payload["changes"]) == 1


def test_reminders_of_the_open_phase_follow_the_new_setting(marne: Cast):
    assert marne.phase.remind_at == NOW + 2 * DAY
    settings_change(game=marne.game, changes={"reminders": "6h"}, **GIVEN)
    assert marne.phase.remind_at == NOW + 3 * DAY - 6 * HOUR


def test_a_game_that_waits_goes_on_when_it_no_longer_has_to(marne: Cast):
    Game.objects.update(when_missing="wait")
    after = NOW + 3 * DAY
    phase_process(game_id=marne.game.pk, now=after)
    assert marne.phase.overdue_at == after
    settings_change(
        game=marne.game, changes={"when_missing": "hold"}, why="-", by="Gerda", now=after
    )
    phase_process(game_id=marne.game.pk, now=after)
    assert marne.phase.name == "F1901M"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rules": "1971"}, "This setting never changes in a game: rules"),
        ({"variant": "loeb9"}, "never changes"),
        ({"movement_length": dt.timedelta(0)}, "longer than no time"),
        ({"movement_clock": "Someday"}, "Someday"),
        ({"reminders": "soon"}, "soon"),
        ({"timezone": "Mars/Olympus"}, "Mars/Olympus"),
        ({"when_missing": "panic"}, "panic"),
        ({"player_extensions": -1}, "not|less|greater"),
        ({"movement_length": 3 * DAY}, "marne already has all of these settings"),
        ({}, "already"),
    ],
)
def test_what_makes_no_sense_changes_nothing(marne: Cast, changes: dict[str, object], said: str):
    before = Game.objects.values().get()
    with pytest.raises(BadInput, match=said):
        settings_change(game=marne.game, changes=changes, **GIVEN)
    assert Game.objects.values().get() == before
    assert not marne.events("settings_changed")


def test_a_game_that_is_over_has_no_settings_to_change(marne: Cast):
    Game.objects.update(status="finished")
    with pytest.raises(WrongState, match="is over"):
        settings_change(game=marne.game, changes={"reminders": "6h"}, **GIVEN)


def test_a_game_looking_for_players_can_be_changed_too(db):
    game = game_create(name="yser", now=NOW)
    settings_change(game=game, changes={"movement_length": 5 * DAY}, **GIVEN)
    game.refresh_from_db()
    assert game.movement_length == 5 * DAY
