"""SET: what players choose for themselves."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Player
from mailer.commands.own_settings.reminders import reminder_sentence
from mailer.models import InboundMail
from tests.cast import Cast
from tests.mailer.correspondence import answer_to, flat, home, write
from tests.mailer.correspondence import replied as said
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State


def test_set_name_changes_how_others_see_the_player(marne: Cast) -> None:
    assert "you are Ana Smith" in said(write("Ana", "SET NAME Ana Smith", to=home("Ana")))
    assert marne.seat("Austria").player.name == "Ana Smith"


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one(marne: Cast) -> None:
    body = said(write("Ana", "SET NAME Ana S.", to=home("Ana")))
    assert "From now on you are Ana S. " in f"{body} "
    assert marne.seat("Austria").player.name == "Ana S."


@each_row(
    "line",
    ["SET TIMEZONE Europe/Paris", "set time zone: europe/paris", "SET TZ=Europe/Paris"],
)
def test_set_timezone_tells_times_in_that_zone(marne: Cast, line: str) -> None:
    assert "13:00 CET (12:00 UTC)" in said(write("Carla", line, to=home("Carla")))
    assert marne.player("Carla").timezone == "Europe/Paris"


@pytest.mark.parametrize(
    ("written", "near"), [("EST", "America/New_York"), ("mst", "America/Denver")]
)
def test_a_zone_without_summer_time_is_not_guessed_at(marne: Cast, written: str, near: str) -> None:
    body = said(write("Carla", f"SET TIMEZONE {written}", to=home("Carla")))
    assert f"Did you mean {near}?" in body
    assert marne.player("Carla").timezone == "UTC"


def test_a_zone_on_the_wrong_side_of_greenwich_is_not_suggested(marne: Cast) -> None:
    body = said(write("Carla", "SET TIMEZONE GMT+1", to=home("Carla")))
    assert "There is no time zone “GMT+1”. Write it like Europe/Berlin" in body
    assert "Etc" not in body


def test_set_an_unknown_timezone_suggests_one(marne: Cast) -> None:
    body = said(write("Carla", "SET TIMEZONE Berlin", to=home("Carla")))
    assert "Did you mean Europe/Berlin?" in body
    assert marne.player("Carla").timezone == "UTC"


def test_set_alone_shows_everything(marne: Cast) -> None:
    body = said(write("Carla", "SET", to=home("Carla")))
    assert "Name: Carla" in body
    assert "carla@players.test" in body


def test_set_alone_says_how_to_change_what_it_shows(marne: Cast) -> None:
    body = said(write("Carla", "SET", to=home("Carla")))
    assert "To change one, write for example SET TIMEZONE Europe/Berlin" in body


def test_set_calendar_tells_its_address_and_new_gives_it_another(
    marne: Cast, client: Client
) -> None:
    address = re.compile(r"/calendar/\S+\.ics")
    [first] = address.findall(said(write("Carla", "SET CALENDAR", to=home("Carla"))))
    assert b"(France)" in client.get(first).content
    [again] = address.findall(said(write("Carla", "SET CALENDAR", to=home("Carla"))))
    [other] = address.findall(said(write("Carla", "SET CALENDAR NEW", to=home("Carla"))))

    assert first == again != other
    assert client.get(first).status_code == 404
    assert b"(France)" in client.get(other).content
    assert "no calendar files" in said(write("Carla", "SET CALENDAR OFF", to=home("Carla")))


def test_set_something_there_is_not_names_what_there_is(marne: Cast) -> None:
    assert "NAME, TIMEZONE" in said(write("Carla", "SET COLOUR red", to=home("Carla")))


def test_how_somebody_is_reminded_is_said_in_a_whole_sentence() -> None:
    assert (
        reminder_sentence("24h 4h") == "We remind you this long before a deadline: 1 day, then "
        "4 hours, or halfway through a phase too short for these."
    )
    assert reminder_sentence("off") == "We will send you no more reminders."
    assert reminder_sentence("") == "From now on we remind you when each game says so."


@each_row(
    ("line", "told"),
    [
        ("SET NAME", "Please write the name, too, for example: SET NAME Ana Smith"),
        ("SET TIMEZONE", "Please write the zone, too, for example: SET TIMEZONE Europe/Berlin"),
        ("SET REMINDERS", "Please write when, too, for example: SET REMINDERS 24h 4h"),
        ("SET CALENDER OFF", "Did you mean CALENDAR?"),
        ("SET CALENDER OFF", "Reply with the word YES, and we take it as “SET CALENDAR OFF”."),
        ("SET MAIL OFF", "To pause all our mails, write MAIL OFF"),
        ("SET EMAIL carla@work.test", "We have asked at carla@work.test whether it is yours."),
        ("SET REMINDERS none", "We will send you no more reminders."),
        ("SET REMINDERS OFF.", "We will send you no more reminders."),
        (
            "SET REMINDERS" + " 24 hours and" * 20 + " 4h",
            "before a deadline: 1 day, then 4 hours, or",
        ),
        ("SET REMINDERS 2 days and 4 hours", "before a deadline: 2 days, then 4 hours, or"),
    ],
)
def test_set_is_answered_in_the_words_of_who_wrote(marne: Cast, line: str, told: str) -> None:
    assert told in said(write("Carla", line, to=home("Carla")))


def test_the_only_absence_is_taken_back_without_its_day(marne: Cast) -> None:
    assert "You have announced no absence" in said(write("Carla", "ABSENCE OFF", to=home("Carla")))
    answer = answer_to(write("Carla", "ABSENCE", to=home("Carla")))
    assert "NOT done" not in answer.subject
    assert "write for example ABSENCE FROM" in flat(answer.body)
    write("Carla", "ABSENCE 24 Dec\nABSENCE 27 Dec", to=home("Carla"))
    shown = flat(said(write("Carla", "VACATION", to=home("Carla"))))
    assert "24 Dec 2026" in shown.partition("27 Dec 2026")[0]
    assert "To take the first of them back, write ABSENCE OFF 24 Dec 2026." in shown
    which = said(write("Carla", "ABSENCE OFF", to=home("Carla")))
    assert "Please write ABSENCE OFF 24 Dec 2026 or ABSENCE OFF 27 Dec 2026." in which
    write("Carla", "ABSENCE OFF 24 Dec", to=home("Carla"))
    gone = said(write("Carla", "ABSENCE OFF", to=home("Carla")))
    assert "Your absence is taken back: it was on Sun 27 Dec 2026." in gone


def test_a_player_sets_their_reminders_and_takes_the_setting_back(marne: Cast) -> None:
    said(write("Carla", "SET REMINDERS 24h 4h", to=home("Carla")))
    said(write("Carla", "SET REMINDERS", to=home("Carla")))
    assert marne.player("Carla").reminders == "24h 4h"
    said(write("Carla", "SET REMINDERS DEFAULT.", to=home("Carla")))
    assert marne.player("Carla").reminders == ""


def test_settings_need_proof(marne: Cast) -> None:
    assert write("Carla", "SET NAME Fool").state == State.HELD
    assert Player.objects.filter(name="Carla").exists()
