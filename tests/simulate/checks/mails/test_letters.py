"""What the simulation holds to be said rightly about a letter to other powers."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.mails import letters
from tests.simulate.players.writers import JUDGE, Letter

NOTHING = cast(Any, None)
SENT = "[marne] Passed on to Italy"
NOT_SENT = "[marne] NOT SENT to Italy"


@pytest.mark.parametrize(
    ("subject", "body", "source", "may"),
    [
        (SENT, "", "<1@a.example>", True),
        (SENT, "", "<2@a.example>", False),
        (SENT, "", "", True),  # a GM's
        (NOT_SENT, "The game marne is over, and there is no press.", "", False),
        (NOT_SENT, "Nobody plays Italy\nat the moment.", "", True),
        (NOT_SENT, "The game marne is played without press.", "", True),
        (NOT_SENT, "The deadline has passed.", "", False),
    ],
)
def test_a_letter_is_passed_on_or_refused_for_a_reason_of_its_game(
    subject: str, body: str, source: str, may: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript("""
        create table mailer_inboundmail as select 1 as id, '<1@a.example>' as message_id;
        create table games_game as select 1 as id, 'marne' as name, 'active' as status,
                                          'none' as press_mode;
        create table games_power as select 1 as id, 1 as game_id, 'Italy' as name;
        create table games_seat (power_id, until, since);
        create table games_press as select '' as source, null as seat_id, 'word1x' as text;
    """)
    database.execute("update games_press set source = ?", [source])
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    text = "PRESS TO Italy\nword1x"
    seen.wrote(
        Letter("<1@a.example>", "ana@a.example", JUDGE, text, game="marne", press_word="word1x")
    )
    answer = {
        "kind": "reply",
        "answers_id": 1,
        "subject": subject,
        "body": body,
        "created_at": dt.datetime(2026, 3, 3),
    }
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="word1x"):
        letters.mail(seen, cast(sqlite3.Row, answer))
