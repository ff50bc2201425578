"""The facts after a run: by SQL and IMAP, past the code that is under test."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import psycopg
from psycopg.rows import class_row

from tests.chaos.diary import Diary
from tests.chaos.facts import Arrival, Calm, Facts, Inbound, OrderSet, Outbound, Phase
from tests.chaos.world import GAMES, GM, JUDGE, OPERATOR, PLAYERS, World
from tests.servers import Dovecot

FOLDERS = {JUDGE: ("INBOX", "Processed", "Quarantine")}
AT_ONCE = 500
Row = TypeVar("Row")
MESSAGE_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)

INBOUND = """
    select message_id, state, note, received_at,
           (select count(*) from mailer_outboundmail where answers_id = mail.id) as answers,
           (select count(*) from mailer_ordermail where mail_id = mail.id) as order_sets
      from mailer_inboundmail mail order by id
"""
OUTBOUND = """
    select mail.message_id, recipient, mail.kind, state, mail.created_at,
           case event.kind when 'phase_processed' then event.phase_id end as phase,
           answers_id is not null as is_receipt
      from mailer_outboundmail mail left join games_event event on event.id = event_id
     order by mail.id
"""
PHASES = """
    select phase.id, game.name as game, number, phase.name, phase.status, due_at, processed_at,
           orders,
           (select count(*) from games_event
             where phase_id = phase.id and kind = 'phase_processed') as adjudications
      from games_phase phase join games_game game on game.id = game_id
     order by game.name, number
"""
ORDER_SETS = """
    select phase_id as phase, power.name as power, mode, lines, counts, late,
           sets.received_at, mail.message_id
      from games_orderset sets
      join games_power power on power.id = power_id
      join mailer_ordermail on order_set_id = sets.id
      join mailer_inboundmail mail on mail.id = mail_id
     order by sets.received_at, sets.id
"""
UNDONE = """
    select (select count(*) from mailer_inboundmail where state in ('new', 'later')),
           (select count(*) from mailer_outboundmail where state = 'queued'),
           (select count(*) from games_event where told_at is null),
           (select count(*) from games_phase phase join games_game game on game.id = game_id
             where phase.status = 'open' and game.status = 'active' and due_at < now())
"""


def connect(world: World) -> psycopg.Connection:
    """The database as it is now."""
    return psycopg.connect(world.env["DATABASE_URL"])


def undone(world: World) -> tuple[int, int, int, int]:
    """Mails to work on, mails to send, events to tell of, phases that are due."""
    with connect(world) as connection:
        row = connection.execute(UNDONE).fetchone()
    assert row, "an aggregate has a row"
    return int(row[0]), int(row[1]), int(row[2]), int(row[3])


def gather(world: World, calms: list[Calm]) -> Facts:
    """Everything there is to know; the programs have ended, the servers answer."""
    with connect(world) as connection:
        return replace(
            in_tables(connection),
            attempts=Diary(world.diary).read(),
            arrivals=list(arrivals(world.dovecot)),
            calms=calms,
            log_faults=dict(log_faults(world)),
            logs=dict(logs(world.folder)),
        )


def in_tables(connection: psycopg.Connection) -> Facts:
    """What stands in the database."""
    untold = connection.execute("select count(*) from games_event where told_at is null").fetchone()
    games = connection.execute("select name, status from games_game").fetchall()
    return Facts(
        inbound=rows(connection, Inbound, INBOUND),
        outbound=rows(connection, Outbound, OUTBOUND),
        phases=rows(connection, Phase, PHASES),
        order_sets=rows(connection, OrderSet, ORDER_SETS),
        games={str(name): str(status) for name, status in games},
        untold=int(untold[0]) if untold else 0,
    )


def rows(connection: psycopg.Connection, kind: type[Row], query: str) -> list[Row]:
    """The query's rows as values of this class, column by field."""
    with connection.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(query.encode()).fetchall()


def arrivals(dovecot: Dovecot, others: Sequence[str] = ()) -> Iterator[Arrival]:
    """What lies in the mailboxes of the judge and of everybody it writes to; `others` if given."""
    for address in (JUDGE, *(others or (GM, OPERATOR, *PLAYERS))):
        for folder in FOLDERS.get(address, ("INBOX",)):
            yield from _arrivals(dovecot, address, folder)


def _arrivals(dovecot: Dovecot, address: str, folder: str) -> Iterator[Arrival]:
    with dovecot.client(address, folder) as client:
        client.normalise_times = False  # INTERNALDATE with its zone
        header = "BODY[HEADER.FIELDS (MESSAGE-ID)]"
        uids = client.search()
        for start in range(0, len(uids), AT_ONCE):
            asked = ["BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]", "INTERNALDATE"]
            fetched = client.fetch(uids[start : start + AT_ONCE], asked)
            for facts in fetched.values():
                found = MESSAGE_ID.search(facts[header.encode()])
                message_id = found[1].decode() if found else ""
                at: dt.datetime = facts[b"INTERNALDATE"]
                yield Arrival(address, message_id, at)


def log_faults(world: World) -> Iterator[tuple[str, str]]:
    """The games whose log is not whole, with what `verify_log` says of it."""
    for game in GAMES:
        done = world.try_to_manage("verify_log", game)
        if done.returncode:
            yield game, (done.stdout + done.stderr).strip()


def logs(folder: Path) -> Iterator[tuple[str, str]]:
    """What our own programs wrote, by their names."""
    for path in sorted(folder.glob("*.log")):
        yield path.stem, path.read_text(errors="replace")
