"""What the simulation holds to be done of a mail that somebody else wrote."""

from __future__ import annotations

import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.authors import Authors
from tests.simulate.evidence import Broken, Evidence
from tests.simulate.writers import JUDGE, Letter

FORGED = Letter("<1@players.example>", "greta@players.example", JUDGE, "READY", is_forged=True)


def _answered_by(key: str) -> None:
    seen = Evidence(_database, cast(Any, None), cast(Any, None), cast(Any, None), set())
    seen.wrote(FORGED)
    query = "select 'reply' as kind, ? as key, 1 as answers_id, 'READY' as subject"
    [mail] = seen.rows(query, key)
    Authors(seen).mail(mail)


def _database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table mailer_inboundmail (id, message_id)")
    connection.execute("insert into mailer_inboundmail values (1, ?)", [FORGED.message_id])
    return connection


def test_a_forged_mail_may_be_refused() -> None:
    _answered_by("reply/1/refused")


def test_a_forged_mail_may_not_be_done() -> None:
    with pytest.raises(Broken, match="not of who may"):
        _answered_by("reply/1")
