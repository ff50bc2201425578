"""Which mails the simulation holds to name somebody who was erased."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.people.oblivion import ErasedPlayer, Oblivion
from tests.simulate.players.writers import Letter

NOTHING = cast(Any, None)
DMITRI = "dmitri@players.example"
ERASED_AT = dt.datetime(2026, 3, 2, 23, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
FROM = f"A mail came from {DMITRI} to your reply address."


@pytest.mark.parametrize(
    ("body", "came_at", "may"),
    [
        (FROM, ERASED_AT + HOUR, True),
        (FROM, ERASED_AT - HOUR, False),
        (f"{FROM} That is Dmitri.", ERASED_AT + HOUR, False),
    ],
)
def test_only_a_mail_that_came_since_they_were_erased_brings_their_address_back(
    body: str, came_at: dt.datetime, may: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(
        """
        create table games_address (email);
        create table auth_user (email);
        create table games_player (name, erased_at);
        create table mailer_inboundmail (id, sender, received_at);
        """
    )
    came = f"{came_at:%Y-%m-%d %H:%M:%S}"
    database.execute("insert into mailer_inboundmail values (58, ?, ?)", [DMITRI, came])
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    oblivion = Oblivion(seen, list, lambda: True)
    oblivion.gone[4] = ErasedPlayer(4, "Dmitri", frozenset({DMITRI}), ERASED_AT)
    question = {
        "subject": "Was this mail yours?",
        "body": body,
        "kind": "question",
        "recipient": "ana@players.example",
        "created_at": dt.datetime(2026, 3, 3, 19),
        "answers_id": 58,
    }
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="names Dmitri"):
        oblivion.mail(cast(sqlite3.Row, question))


@pytest.mark.parametrize(
    ("master", "kind", "facts", "stays"),
    [
        ("former-3", "players_invited", {"by": "Dmitri"}, []),
        ("former-3", "players_invited", {"by": "Dmitri", "power": "Dmitri"}, ["payload"]),
        ("gm", "players_invited", {"by": "Dmitri"}, ["payload"]),
        ("gm", "game_handed_over", {"by": "Dmitri"}, []),
        ("gm", "gm_left", {"by": "Dmitri"}, []),
    ],
)
def test_a_log_keeps_the_name_of_nobody_but_who_ran_the_game(
    master: str, kind: str, facts: dict[str, str], stays: list[str]
) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(
        """
        create table games_game (id, name, gm_id, maker_id);
        create table games_player (name, erased_at);
        create table games_address (email);
        create table auth_user (id, username, email);
        create table games_event (game_id, kind, payload);
        insert into games_game values (1, 'amiens1', null, 3);
        """
    )
    database.execute("insert into auth_user values (3, ?, '')", [master])
    database.execute("insert into games_event values (1, ?, ?)", [kind, json.dumps(facts)])
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    gone = ErasedPlayer(4, "Dmitri", frozenset({DMITRI}), ERASED_AT)
    [row] = seen.rows("select * from games_event")
    oblivion = Oblivion(seen, list, lambda: True)
    told = oblivion._told("games_event", row)
    assert [key for key, what in told if gone.named_in(what)] == stays
    oblivion.gone[4] = gone
    named = master == "former-3" or kind != "players_invited"
    for title in ("/games/amiens1/log/", "/games/amiens1/proof.json", "[amiens1] The log"):
        with contextlib.nullcontext() if named else pytest.raises(Broken):
            oblivion.page("Dmitri invited players.", title)
    with pytest.raises(Broken):
        oblivion.page("Dmitri invited players.", "/games/amiens1/")


def test_whoever_was_erased_wrote_from_an_address_that_they_gave_up_before() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript("""
        create table games_address as select 4 as player_id, 'dmitri@players.example' as email
          union select 4, 'dmitri@elsewhere.example' union select 5, 'emma@players.example';
    """)
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    oblivion = Oblivion(seen, list, lambda: True)
    seen.begin_step()
    database.execute("delete from games_address where player_id = 4")
    oblivion.gone[4] = ErasedPlayer(4, "Dmitri", frozenset({"dmitri@elsewhere.example"}), ERASED_AT)
    assert oblivion.wrote_before(DMITRI, ERASED_AT - HOUR)
    assert not oblivion.wrote_before(DMITRI, ERASED_AT + HOUR)
    assert not oblivion.wrote_before("emma@players.example", ERASED_AT - HOUR)


@pytest.mark.parametrize(
    ("typed_at", "text", "may"),
    [
        (None, "", False),
        (ERASED_AT + HOUR, "", True),
        (ERASED_AT - HOUR, "", False),
        (None, f"GM lille1\nDENY {DMITRI}", True),
        (None, f"GM lille1\nINVITE {DMITRI}", True),
    ],
)
def test_an_address_may_come_back_that_a_gm_typed_since(
    typed_at: dt.datetime | None, text: str, may: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript("""
        create table games_address (email);
        create table auth_user (email);
        create table games_player (name, erased_at);
        create table mailer_inboundmail (message_id, processed_at);
        insert into mailer_inboundmail values ('<1@a.example>', '2026-03-03 08:00:00');
    """)
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    seen.typed = {DMITRI: typed_at} if typed_at else {}
    seen.wrote(Letter("<1@a.example>", "gm@players.example", "judge@game.test", text))
    oblivion = Oblivion(seen, list, lambda: True)
    oblivion.gone[4] = ErasedPlayer(4, "Dmitri", frozenset({DMITRI}), ERASED_AT)
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="names Dmitri"):
        oblivion.page(f"Kept out of lille1: {DMITRI}.", "/admin/games/staffentry/")
