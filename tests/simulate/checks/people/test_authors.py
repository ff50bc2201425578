"""What the simulation holds to be done of a mail that somebody else wrote, and whose mail it is."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any, cast

import pytest

from diplomacy_server.demo.reading import Mail
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.people.authors import Authors
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.writers import JUDGE, Letter

FORGED = Letter("<1@players.example>", "greta@players.example", JUDGE, "READY", is_forged=True)
ASKED = Mail("Spring 1901", "", "<2@game.test>", "", JUDGE)


def _seen() -> Evidence:
    seen = Evidence(_database, cast(Any, None), cast(Any, None), cast(Any, None), set())
    seen.wrote(FORGED)
    return seen


def _database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table mailer_inboundmail (id, message_id)")
    connection.execute("insert into mailer_inboundmail values (1, ?)", [FORGED.message_id])
    connection.execute("create table auth_user (email)")
    return connection


def _answered_by(key: str, *, at: str = FORGED.writer) -> None:
    """Have a forged mail answered; somebody has that address."""
    connection = _with_players()
    connection.execute("update games_address set email = ? where email = ?", [at, FORGED.writer])
    seen = Evidence(lambda: connection, cast(Any, None), cast(Any, None), cast(Any, None), set())
    seen.wrote(FORGED)
    query = "select 'reply' as kind, ? as key, 1 as answers_id, 'READY' as subject"
    [mail] = seen.rows(query, key)
    Authors(seen).mail(mail)


def test_a_forged_mail_may_be_refused() -> None:
    _answered_by("reply/1/refused")


def test_a_forged_mail_may_not_be_done() -> None:
    with pytest.raises(Broken, match="not of who may"):
        _answered_by("reply/1")


def test_a_forged_mail_may_be_answered_as_a_strangers_once_its_address_is_nobodys() -> None:
    _answered_by("reply/1", at="zoe@players.example")


def test_an_answer_to_a_forwarded_mail_may_be_done_if_its_reader_has_both_accounts() -> None:
    seen = Evidence(_with_players, cast(Any, None), cast(Any, None), cast(Any, None), set())
    seen.taken[ASKED.message_id] = [
        RelayedMail("emma@players.example", JUDGE, b"", BEGINNING, turn=1, told=True)
    ]
    query = "select 'reply' as kind, 'reply/1' as key, 1 as answers_id, 'READY' as subject"
    [mail] = seen.rows(query)
    answer = replace(FORGED, is_forged=False, is_forwarded=True, about=ASKED)
    seen.wrote(answer)
    Authors(seen).mail(mail)
    seen.wrote(replace(answer, writer="felix@players.example"))
    with pytest.raises(Broken, match="not of who may"):
        Authors(seen).mail(mail)


def test_an_answer_to_a_forwarded_mail_is_its_writers_own_once_the_reader_was_erased() -> None:
    connection = _with_players()
    seen = Evidence(lambda: connection, cast(Any, None), cast(Any, None), cast(Any, None), set())
    seen.taken[ASKED.message_id] = [
        RelayedMail("emma@players.example", JUDGE, b"", BEGINNING, turn=1, told=True)
    ]
    felix = replace(FORGED, writer="felix@players.example", is_forged=False, about=ASKED)
    seen.wrote(replace(felix, is_forwarded=True))
    [mail] = seen.rows("select 'reply' as kind, 'reply/1' as key, 1 as answers_id, '' as subject")
    with pytest.raises(Broken, match="not of who may"):
        Authors(seen).mail(mail)
    connection.execute("update games_player set erased_at = '2026-03-02' where id = 5")
    Authors(seen).mail(mail)


def test_only_what_its_writer_may_say_names_an_address_of_theirs() -> None:
    connection = _with_players()
    connection.execute("update mailer_outboundmail set kind = 'question', answers_id = 1")
    seen = Evidence(lambda: connection, cast(Any, None), cast(Any, None), cast(Any, None), set())
    text = "SET ADDRESS greta@elsewhere.example"
    for is_forged in (True, False):
        seen.wrote(replace(FORGED, text=text, is_forged=is_forged))
        named = Authors(seen).named("<2@game.test>", "greta@elsewhere.example")
        assert named is not is_forged
    assert not Authors(seen).named("<2@game.test>", "felix@elsewhere.example")


def _with_players() -> sqlite3.Connection:
    """Emma and Greta have become one; Felix is somebody else."""
    connection = _database()
    connection.executescript("""
        create table games_address as select 5 as player_id, 'emma@players.example' as email
          union select 5, 'greta@players.example' union select 6, 'felix@players.example';
        create table games_player as select 5 as id, null as erased_at, null as merged_into_id
          union select 6, null, null;
        create table mailer_outboundmail as
          select '<2@game.test>' as message_id, '' as reply_to, 5 as player_id,
                 'notice' as kind, null as answers_id;
    """)
    return connection


def test_an_answer_to_a_forwarded_mail_is_in_the_name_of_its_reader() -> None:
    seen = _seen()
    seen.taken[ASKED.message_id] = [
        RelayedMail("emma@players.example", JUDGE, b"", BEGINNING, turn=1, told=True)
    ]
    answer = replace(FORGED, is_forged=False, about=ASKED)
    assert seen.claimed_writer(answer) == "greta@players.example"
    assert seen.claimed_writer(replace(answer, is_forwarded=True)) == "emma@players.example"
