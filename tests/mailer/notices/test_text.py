"""Times and lengths of time as our mails say them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.template import Context, Template, TemplateDoesNotExist

from games.queries.reports.wording import time_left
from mailer.text import brief, deadline, due, paused_until, you_wrote
from tests.rows import each_row

AT = dt.datetime(2026, 11, 24, 19, 0, tzinfo=dt.UTC)
MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


@each_row(
    ("zone", "written"),
    [
        ("UTC", "Tue 24 Nov 19:00 UTC"),
        ("Europe/Berlin", "Tue 24 Nov 20:00 CET"),
        ("Asia/Dubai", "Tue 24 Nov 23:00 UTC+04"),
    ],
)
def test_a_zone_without_a_name_is_called_by_its_distance(zone: str, written: str) -> None:
    assert brief(AT, zone) == written


@each_row(
    ("left", "said"),
    [
        (-MINUTE, "no time"),
        (dt.timedelta(milliseconds=300), "a moment"),
        (dt.timedelta(seconds=1), "1 second"),
        (MINUTE, "1 minute"),
        (HOUR - dt.timedelta(seconds=1), "59 minutes"),
        (HOUR, "1 hour"),
        (2 * HOUR - dt.timedelta(seconds=1), "1 hour and 59 minutes"),
        (DAY, "1 day"),
        (DAY + 23 * HOUR + 59 * MINUTE, "1 day and 23 hours"),
        (2 * DAY, "2 days"),
    ],
)
def test_time_is_rounded_down_to_what_one_cares_about(left: dt.timedelta, said: str) -> None:
    assert time_left(AT + left, AT) == said


@pytest.mark.django_db
def test_a_deadline_is_named_unless_there_is_none_or_the_game_is_paused() -> None:
    assert deadline(AT, "UTC", AT - HOUR) == "Deadline: Tue 24 Nov 2026, 19:00 UTC, in 1 hour."
    assert deadline(AT, "UTC", AT) == "The deadline was Tue 24 Nov 2026, 19:00 UTC."
    assert deadline(None, "UTC", AT) == "There is no deadline."
    assert deadline(AT, "UTC", AT, paused=True) == paused_until(None, "UTC")
    assert "We tell you when it goes on." in paused_until(None, "UTC")
    assert "goes on by itself on Tue 24 Nov 2026, 19:00 UTC." in paused_until(AT, "UTC")


@each_row(
    ("zone", "game", "added"),
    [
        ("Europe/Berlin", "Europe/Paris", []),
        ("Europe/Berlin", "UTC", []),
        ("Europe/Berlin", "Europe/London", [", Europe/London: Tue 24 Nov 2026, 19:00 GMT."]),
        ("UTC", "Asia/Dubai", [": Tue 24 Nov 2026, 23:00 Asia/Dubai (19:00 UTC)."]),
    ],
)
def test_the_games_own_zone_is_added_where_its_clocks_differ(
    zone: str, game: str, added: list[str]
) -> None:
    said = due(AT, zone, game, AT - HOUR)
    assert said[1:] == [f"In the game's own zone{one}" for one in added]


def test_what_somebody_wrote_ends_with_one_full_stop() -> None:
    assert you_wrote("no orders") == "You wrote “no orders”."
    assert you_wrote("Who plays?") == "You wrote “Who plays?”"
    assert you_wrote("Who plays?", "who is Italy") == "You wrote “Who plays?” and “who is Italy”."


def test_a_part_that_mails_share_reads_as_if_it_were_written_in_each() -> None:
    known = Context({"duty_heading": "WHAT YOU MUST DO NOW", "todo": ["Order.", ["A", "B"]]})
    shared, included = (
        Template(f'{{% load lines %}}Now: {{% {tag} "mail/duty.txt" %}}.').render(known)
        for tag in ("share", "include")
    )
    assert shared == included
    assert "WHAT YOU MUST DO NOW\n\nOrder.\nA\nB\n" in shared
    with pytest.raises(TemplateDoesNotExist):
        Template('{% load lines %}{% share "mail/nothing.txt" %}')
