"""Which mails the simulation holds to have said that somebody is here."""

from __future__ import annotations

import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from diplomacy_server.demo.reading import Mail
from tests.simulate.checks.evidence import Evidence
from tests.simulate.checks.people.musters import Musters
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.players.writers import JUDGE, Letter

HERE = Letter("<1@players.example>", "ana@players.example", JUDGE, "HERE marne")
QUESTION = Mail("was this mail yours?", "", "<2@game.test>", "", JUDGE)
ANSWER = Letter("<3@players.example>", "ana@players.example", JUDGE, "CONFIRM", about=QUESTION)
HOUR = dt.timedelta(hours=1)


@pytest.mark.parametrize(
    ("kind", "answered", "doubted"),
    [
        ("reply", 9 * HOUR, False),
        ("question", 9 * HOUR, True),
        ("question", HOUR, False),
    ],
)
def test_a_mail_says_nothing_until_its_writer_says_that_it_is_theirs(
    kind: str, answered: dt.timedelta, doubted: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("create table mailer_inboundmail (id, message_id)")
    database.execute("insert into mailer_inboundmail values (1, ?)", [HERE.message_id])
    database.execute("create table mailer_outboundmail (answers_id, message_id, kind)")
    database.execute(
        "insert into mailer_outboundmail values (1, ?, ?)", [QUESTION.message_id, kind]
    )
    nothing = cast(Any, None)
    seen = Evidence(lambda: database, nothing, nothing, nothing, set())
    seen.wrote(ANSWER)
    seen.delivered(ANSWER.message_id, BEGINNING + answered)
    assert Musters(seen).is_doubted(HERE, BEGINNING + 2 * HOUR) == doubted
