"""When the simulation holds that somebody is blamed, or excused, without a reason."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games.blame import NOT_TOLD, Blame
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.machinery.relay import RelayedMail

HOUR = dt.timedelta(hours=1)
DUE = BEGINNING + 12 * HOUR
sqlite3.register_converter("moment", lambda raw: dt.datetime.fromisoformat(raw.decode()))
TABLES = """
    create table games_game (id, name);
    create table games_power (id, name, game_id);
    create table games_seat (id, player_id, power_id, since moment);
    create table games_phase (id, name, game_id, opened_at moment, due_at moment);
    create table games_attendance (id, seat_id, phase_id, came, excused_why, recorded_at);
    create table games_event (id, phase_id, kind, payload);
    create table games_address (player_id, confirmed_at, failing_since);
    create table mailer_outboundmail
        (opens_id, player_id, message_id, state, kind, created_at, not_before, event_id, key,
         bounced_at);
    insert into games_game values (1, 'marne');
    insert into games_power values (1, 'France', 1);
    insert into mailer_outboundmail values (1, 1, '<1@game.test>', 'sent', '', '', '', 1, '', null);
    insert into games_event values (1, 1, 'phase_processed', '{}');
    insert into games_address values (1, 'then', null);
"""


def _missed(excuse: str, *, taken: dt.datetime, before: str = "") -> None:
    """Look at somebody who missed a phase whose mail the relay took then; `before` are the rows of
    the phases that they missed before, if any."""
    database = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)
    begun, due = BEGINNING.isoformat(), DUE.isoformat()
    database.executescript(TABLES)
    database.execute("insert into games_seat values (1, 1, 1, ?)", [begun])
    database.execute("insert into games_phase values (1, 'S1901M', 1, ?, ?)", [begun, due])
    database.executescript(before)
    database.execute("insert into games_attendance values (9, 1, 1, 'missed', ?, ?)", [excuse, due])
    seen = Evidence(lambda: database, lambda turn: False, cast(Any, None), lambda turn: [], set())
    seen.taken["<1@game.test>"].append(
        RelayedMail("ana@a.example", "", b"", taken, turn=1, told=True)
    )
    Blame(seen).look()


def test_whoever_was_told_in_time_may_be_blamed() -> None:
    _missed("", taken=BEGINNING + HOUR)


def test_whoever_was_told_too_late_may_be_excused() -> None:
    _missed(NOT_TOLD, taken=DUE + HOUR)


def test_whoever_was_told_too_late_may_not_be_blamed() -> None:
    with pytest.raises(Broken, match="France in marne S1901M is blamed"):
        _missed("", taken=DUE + HOUR)


@pytest.mark.parametrize(("hours", "may"), [(1, True), (-1, False)])
def test_whoever_wanted_no_mail_until_after_the_deadline_may_be_blamed(
    hours: int, may: bool
) -> None:
    at = f"{(DUE + hours * HOUR).replace(tzinfo=None)}"
    before = f"""update mailer_outboundmail set not_before = '{at}';
        insert into mailer_outboundmail values
            (null, 1, '', 'sent', 'resumed', '{at}', '{at}', null, '', null);"""
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="is blamed"):
        _missed("", taken=DUE + HOUR, before=before)


def test_whoever_was_told_in_time_may_not_be_excused() -> None:
    with pytest.raises(Broken, match="is excused, and was told"):
        _missed(NOT_TOLD, taken=BEGINNING + HOUR)
    came_back = "update mailer_outboundmail set bounced_at = '2026-03-02 13:00:00'"
    _missed(NOT_TOLD, taken=BEGINNING + HOUR, before=came_back)


def _excused(players: int, *, days_ago: int) -> str:
    """The rows of an earlier phase of four players; the first of them is the one who is blamed."""
    at = f"{(DUE - dt.timedelta(days=days_ago)).replace(tzinfo=None)}"
    excuses = [NOT_TOLD] * players + [""] * (4 - players)
    return "".join(
        f"insert into games_attendance values ({seat}, {seat}, 0, 'sent', '{why}', '{at}');"
        for seat, why in enumerate(excuses, start=1)
    )


@pytest.mark.parametrize(
    ("players", "days_ago", "may"), [(1, 30, True), (3, 30, False), (1, 100, False)]
)
def test_a_mail_that_only_few_did_not_have_excuses_once_in_ninety_days(
    players: int, days_ago: int, may: bool
) -> None:
    before = _excused(players, days_ago=days_ago)
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="is blamed"):
        _missed("", taken=DUE + HOUR, before=before)
