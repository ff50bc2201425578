"""Which deadlines the simulation holds to have moved in silence."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games.deadlines import Deadlines
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.players.writers import Letter

NOTHING = cast(Any, None)
BEFORE, DUE, LATER = (dt.datetime(2026, 4, day, 20, tzinfo=dt.UTC) for day in (5, 12, 13))
EARLIER = BEFORE - dt.timedelta(hours=1)
MOVED = ("deadline_moved", {"to": DUE.isoformat()})
NOBODY_IS_LEFT = ("game_paused", {"by": "the server"})
PHASE = cast(sqlite3.Row, {"id": 1, "name": "S1445M", "game": "amiens"})


def moved_to(due: dt.datetime, *events: tuple[str, dict[str, str]]) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("create table games_event (id integer primary key, phase_id, kind, payload)")
    rows = [(kind, json.dumps(facts)) for kind, facts in events]
    database.executemany("insert into games_event values (null, 1, ?, ?)", rows)
    seen = Evidence(lambda: database, NOTHING, lambda: BEGINNING, NOTHING, set())
    Deadlines(seen)._was_moved(PHASE, BEFORE, due)


@pytest.mark.parametrize("events", [[MOVED], [NOBODY_IS_LEFT], [NOBODY_IS_LEFT, MOVED]])
def test_a_deadline_moves_as_an_event_says_or_the_clock_stands_still(
    events: list[tuple[str, dict[str, str]]],
) -> None:
    moved_to(DUE, *events)


@pytest.mark.parametrize(
    ("due", "events"),
    [
        (DUE, []),
        (DUE, [("game_paused", {"by": "the GM"})]),
        (LATER, [MOVED]),
        (LATER, [NOBODY_IS_LEFT, MOVED]),
        (EARLIER, [NOBODY_IS_LEFT]),
    ],
)
def test_any_other_moves_in_silence(
    due: dt.datetime, events: list[tuple[str, dict[str, str]]]
) -> None:
    with pytest.raises(Broken, match="nothing says so"):
        moved_to(due, *events)


AT = BEGINNING.replace(tzinfo=None)
TABLES = """
    create table games_event (id, game_id, kind, payload, created_at);
    create table games_game (id, name, gm_id, player_extensions);
    create table games_cogm (user_id, game_id, until);
    create table games_power (id, game_id, name);
    create table games_seat (id, power_id, player_id, until);
    create table games_readiness (phase_id, power_id, said_at);
    create table games_address (email, player_id);
    create table auth_user (id, email, first_name);
    create table mailer_inboundmail (id, message_id);
    create table mailer_outboundmail (answers_id, kind, created_at);
    insert into games_game values (1, 'amiens1', 1, 1);
    insert into games_power values (1, 1, 'France');
    insert into auth_user values (1, 'carla@x.test', 'Carla'), (2, 'ben@x.test', 'Ben');
    insert into mailer_inboundmail values (1, '<1@x.test>');
    insert into mailer_outboundmail values (1, 'reply', '2026-03-02 12:00:00');
"""


def put_off_by(name: str, writer: str, text: str, *, said: tuple[dt.datetime, ...] = ()) -> None:
    """Whoever `writer` is wrote `text`, and the event says who put the deadline off; Carla has
    `said` READY."""
    database = sqlite3.connect(":memory:")
    database.executescript(TABLES)
    seen = Evidence(lambda: database, NOTHING, lambda: BEGINNING, NOTHING, set())
    seen.wrote(
        cast(
            Letter,
            SimpleNamespace(message_id="<1@x.test>", press_word="", writer=writer, text=text),
        )
    )
    event = {"id": 1, "game_id": 1, "kind": "deadline_moved", "created_at": AT, "phase_id": 7}
    event["payload"] = json.dumps({"by": name})
    for said_at in said:
        database.execute("insert into games_readiness values (7, 1, ?)", [str(said_at)])
    Deadlines(seen).event(cast(sqlite3.Row, event))


BY_MAIL = "GM amiens1\nEXTEND 24h because I say so"


def test_a_player_who_made_a_game_puts_its_deadlines_off_as_its_gm() -> None:
    put_off_by("Carla", "carla@x.test", BY_MAIL)


@pytest.mark.parametrize(
    ("name", "writer", "text"),
    [
        ("Carla", "ben@x.test", BY_MAIL),
        ("Carla", "carla@x.test", "LIST"),
        ("Ben", "ben@x.test", BY_MAIL),
    ],
)
def test_nobody_else_does_and_no_other_mail(name: str, writer: str, text: str) -> None:
    with pytest.raises(Broken, match="no mail of theirs asks for it"):
        put_off_by(name, writer, text)


def test_ready_counts_for_the_deadline_for_which_it_was_said() -> None:
    put_off_by("Carla", "carla@x.test", BY_MAIL, said=(AT,))
    with pytest.raises(Broken, match="France said READY"):
        put_off_by("Carla", "carla@x.test", BY_MAIL, said=(AT - dt.timedelta(seconds=1),))
