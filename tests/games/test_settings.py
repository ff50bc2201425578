"""The table of settings: form, act, command, page, start mail and docs know each of them."""

from __future__ import annotations

import datetime as dt
from argparse import Action
from io import StringIO
from pathlib import Path
from typing import get_type_hints

import pytest
from django.core.management import call_command
from django.core.management.base import CommandParser

from games.acts import GAME_ACTS
from games.admin.act_form import form_for
from games.admin.facts import settings_of
from games.admin.forms import FIELDSETS, GameForm, field_of
from games.errors import BadInput
from games.management.commands.create_game import Command
from games.models import Game
from games.queries import board
from games.settings import CHANGEABLE, SETTINGS, GameSettings, what_differs
from games.settings.setting import Setting
from tests.cast import DAY, HOUR, NOW

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
STORY = {
    *("id", "status", "created_at", "started_at", "finished_at", "paused_at", "resume_at"),
    *("starts_at", "start_reminded_at", "muster_until", "muster_remind_at"),
    *("winner", "ending", "winners", "code", "maker"),
}
"""Fields of a game that nobody chooses: what became of it."""

every_setting = pytest.mark.parametrize("one", SETTINGS.values(), ids=SETTINGS)


def test_every_field_of_a_game_is_a_setting_or_its_story() -> None:
    assert {field.name for field in Game._meta.fields} == SETTINGS.keys() | STORY
    assert set(get_type_hints(GameSettings)) == set(SETTINGS)


@every_setting
def test_the_default_is_of_the_settings_type(one: Setting) -> None:
    default = one.default
    assert isinstance(default, one.kind) or (one.optional and default is None)
    assert one.words(default)


@every_setting
def test_a_setting_is_in_the_form_of_a_new_game_in_its_words(one: Setting) -> None:
    field = GameForm().fields[one.name]
    assert (field.label, field.help_text) == (one.label, one.about.help)
    assert one.name in [name for _, group in FIELDSETS for name in group["fields"]]
    assert one.about.help.endswith(".")


@every_setting
def test_what_the_form_proposes_is_the_default(one: Setting) -> None:
    field = field_of(one)
    if one.default not in (None, ""):
        assert field.clean(field.prepare_value(one.default)) in (one.default, str(one.default))


def test_the_act_that_changes_settings_asks_for_all_that_may_change() -> None:
    form = form_for(GAME_ACTS["settings"], Game(name="marne"), now=NOW)
    assert list(form.fields) == [*CHANGEABLE, "why"]
    assert len(CHANGEABLE) >= 18


def options() -> dict[str, Action]:
    """What create_game can be told, by the setting."""
    parser = CommandParser()
    Command().add_arguments(parser)
    return {one.dest: one for one in parser._actions}


@every_setting
def test_create_game_has_an_option_for_a_setting(one: Setting) -> None:
    action = options()[one.name]
    if one.name not in ("name", "gm"):
        assert action.option_strings == [one.option]
        assert action.default is None
        assert [value for value in one.choices if value not in str(action.help)] == []


TOMORROW = (dt.datetime.now(dt.UTC) + DAY).date()
FITTING = {
    "timezone": ("Europe/Berlin", "Europe/Berlin"),
    "movement_clock": ("Tue Fri 20:00", "Tue Fri 20:00"),
    "retreat_clock": ("Wed 20:00", "Wed 20:00"),
    "adjustment_clock": ("Thu 20:00", "Thu 20:00"),
    "reminders": ("24h 4h", "24h 4h"),
    "start": (f"{TOMORROW:%-d %b %Y} 8pm", f"{TOMORROW} 20:00"),
    "last_year": ("1910", 1910),
    "variant_options": ("victory=20", "victory=20"),
}
"""What makes sense for settings that not every text fits."""
TYPED = {
    dt.timedelta: ("36h", 36 * HOUR),
    int: ("5", 5),
    str: ("Sat", "Sat"),
    object: ("1971",) * 2,
}


@pytest.mark.django_db
def test_create_game_gives_every_setting_to_the_game() -> None:
    given = ["--gm", "gm@players.test"]
    expected: dict[str, object] = {}
    for one in SETTINGS.values():
        if one.name in ("name", "gm"):
            continue
        if one.kind is bool:
            given.append(one.option)
            expected[one.name] = not one.default
        else:
            typed, value = TYPED[one.kind]
            if one.choices:
                typed = value = next(value for value in one.choices if value != one.default)
            typed, value = FITTING.get(one.name, (typed, value))
            given += [one.option, typed]
            expected[one.name] = value
    # The choices of a variant stand behind its name from then on.
    expected["variant"] = f"{expected['variant']}+{expected['variant_options']}"
    call_command("create_game", "verdun", *given, stdout=StringIO())
    assert Game.objects.values(*expected).get() == expected


@every_setting
def test_a_games_page_says_a_setting_in_the_list_or_in_a_sentence(one: Setting) -> None:
    shown = dict(settings_of(Game(name="marne")))
    assert (one.label in shown) == one.about.on_page


def test_times_of_reminders_are_said_in_words_not_as_they_are_typed() -> None:
    game = Game(name="marne", reminders="90m 10m")
    assert what_differs(game) == (
        "Reminders of missing orders before the deadline: 1 hour and 30 minutes, then 10 minutes, "
        "or halfway through a phase too short for these.",
    )


def test_what_is_otherwise_than_in_most_games_is_said_at_the_start() -> None:
    assert what_differs(Game(name="marne")) == ()
    game = Game(name="marne", gm_sees="orders", reminders="off")
    assert what_differs(game) == (
        "Reminders of missing orders before the deadline: off.",
        "What the game master may see while a phase is open: orders and press, by a look of which "
        "everybody is told.",
    )


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("movement_length", "soon", "write it like 72h"),
        ("quiet_years", "a few", "“a few” is not a number for: years without a capture"),
        ("rules", "{4.A.2", "no JSON object"),
    ],
)
def test_what_cannot_be_read_is_refused_in_the_writers_words(
    name: str, typed: str, said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        SETTINGS[name].read(typed)


@pytest.mark.parametrize(
    ("issue", "said"),
    [
        ("4.a.9", "There is no rule “4.a.9”. Did you mean 4.A.6, 4.A.7 or 4.D.9?"),
        ("4A2", "There is no rule “4A2”. Did you mean 4.A.2?"),
        (
            "paradox",
            "There is no rule “paradox”: they go by their numbers in the DATC, such as 4.A.1.",
        ),
    ],
)
def test_of_an_unknown_rule_only_those_like_it_are_named(issue: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        board.rulebook_of({issue: "a"})
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("length", "typed"),
    [
        *((3 * DAY, "72h"), (HOUR / 2, "30m"), (0 * DAY, "0h")),
        *((dt.timedelta(seconds=many), f"{many}s") for many in (90, 0.5, 1_209_601)),
    ],
)
def test_a_length_is_shown_as_it_may_be_typed(length: dt.timedelta, typed: str) -> None:
    setting = SETTINGS["transit_grace"]
    assert setting.typed(length) == typed
    assert setting.read(typed) == length


def test_the_page_of_settings_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("settings_manual")
    assert capsys.readouterr().out == PAGE.read_text("utf-8"), (
        "run: manage.py settings_manual > docs/settings.md"
    )


@every_setting
def test_a_setting_is_on_the_page(one: Setting) -> None:
    assert f"| {one.label} | " in PAGE.read_text("utf-8")


def test_a_zero_is_said_in_words() -> None:
    game = Game(muster=dt.timedelta(0), early_delay=dt.timedelta(0), disorder_after=0)
    said = dict(settings_of(game))
    assert said["Length of the muster"] == "none; the game starts at once"
    assert said["Delay of early processing"] == "none"
    assert said["Missed phases until civil disorder"] == "never by itself"
    assert said["Years until a draw"] == said["Years without a capture until a draw"] == "never"
    assert said["Last year"] == "none"
    assert not {"0", "no time"} & set(said.values())
    assert SETTINGS["transit_grace"].words(dt.timedelta(0)) == "none"
    assert SETTINGS["player_extensions"].words(0) == "none; they ask the GM"
