"""Calendars by address: of a game for everybody, of a player for whoever has the secret."""

from __future__ import annotations

import logging

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar

from diplomacy_server.discretion import Discreet
from games.queries.reports.calendars import calendar_key
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_player_follows_their_calendar_by_a_secret_address(client: Client, marne: Cast) -> None:
    key = calendar_key(marne.player("Carla"))
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/calendar/{key}.ics")
    titles = [str(one["SUMMARY"]) for one in Calendar.from_ical(answer.content).walk("VEVENT")]

    assert titles == ["marne: Spring 1901 movement (France)"]
    assert answer["Content-Type"].startswith("text/calendar")
    assert answer["Cache-Control"] == "private, no-cache"
    assert len(queries) <= 10


def test_a_wrong_secret_leads_nowhere(client: Client, marne: Cast) -> None:
    key = calendar_key(marne.player("Carla"))
    other = key[:-1] + ("0" if key[-1] != "0" else "1")
    for wrong in (other, f"{marne.player('Ana').pk}-{key.partition('-')[2]}", "1-0"):
        assert client.get(f"/calendar/{wrong}.ics").status_code == 404


def test_the_secret_of_a_calendar_stays_out_of_the_log(client: Client, marne: Cast) -> None:
    """Django logs the path of what it refuses; the scan of all logs would find the secret."""
    key = calendar_key(marne.player("Carla"))
    assert client.post(f"/calendar/{key}.ics").status_code == 405
    written = Discreet("%(message)s").format(
        logging.LogRecord(
            "django.request", 30, "", 1, "Not Found: %s", (f"/calendar/{key}.ics",), None
        )
    )
    assert written == "Not Found: /calendar/[token].ics"


def test_everybody_may_follow_when_a_game_is_due(client: Client, marne: Cast) -> None:
    answer = client.get("/games/marne/calendar.ics")
    [one] = Calendar.from_ical(answer.content).walk("VEVENT")

    assert one.decoded("DTSTART") == marne.phase.due_at
    assert 'href="/games/marne/calendar.ics"' in client.get("/games/marne/").content.decode()


def test_a_game_that_is_over_is_never_due(client: Client, marne: Cast) -> None:
    marne.game.phases.update(status="closed")
    answer = client.get("/games/marne/calendar.ics")
    assert Calendar.from_ical(answer.content).walk("VEVENT") == []
