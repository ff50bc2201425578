"""Any commands in any order, in one mail or in several at once: each mail is answered once, breaks
nothing, and leaves the database whole."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from games.models import Game
from games.services.setup.games import game_create
from mailer import jobs
from mailer.inbound import processing
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW
from tests.mailer.correspondence import JUDGE, eml, home, stored, told_cast
from tests.rows import each_row

pytestmark = pytest.mark.django_db

ABOUT = {
    "addresses": (
        "SET ADDRESS new@work.test",
        "SET FORGET new@work.test",
        "SET RECORD new@work.test",
        "SET ADDRESS zoe@players.test",
        "REGISTER Zoe Miller",
        "SET NAME Zoe",
    ),
    "seats": (
        "JOIN verdun France",
        "LEAVE verdun",
        "OBSERVE marne",
        "OBSERVE marne OFF",
        "STANDBY",
        "STANDBY OFF",
        "TAKEOVER marne France",
        "RESIGN marne",
        "RETURN marne",
    ),
    "games": ("CREATE aisne daily", "CREATE aisne daily PRIVATE GM", "JOIN aisne", "LEAVE aisne"),
    "orders": (
        "A Par - Bur",
        "CLEAR",
        "AMEND",
        "PHASE F1901M\nA Par H\nEND",
        "CLEAR AHEAD",
        "HOLD ALL",
        "READY",
        "WAIT",
    ),
    "words": (
        "PRESS TO Italy\nHello.\nEND",
        "DIARY RECORD\nHello.\nEND",
        "DIARY DELETE 1",
        "VOTE DRAW",
        "VOTE WITHDRAW",
        "VOTE NO",
        "MODERATOR\nHello.\nEND",
        "MAIL OFF",
        "MAIL ON",
        "ERASE",
        "ERASE OFF",
        "STOP",
    ),
}
"""Commands that touch the same rows."""


@pytest.fixture
def places(db: None) -> list[tuple[str, str]]:
    """Who writes, and to which address of ours."""
    told_cast()
    game_create(name="verdun", now=NOW)
    Game.objects.update(diaries=Game.Diaries.PRIVATE)
    seat = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test").reply_to
    return [
        ("carla@players.test", seat),
        ("carla@players.test", home("Carla")),
        ("hugo@players.test", home("Hugo")),
        ("hugo@players.test", JUDGE),
        ("zoe@players.test", JUDGE),
    ]


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        connection.check_constraints()  # else nobody would, for nothing here is committed
        transaction.set_rollback(True)


@each_row("about", ABOUT)
def test_no_commands_in_a_row_break_a_mail_or_the_database(
    places: list[tuple[str, str]], about: str
) -> None:
    chance = random.Random(1901)
    for _ in range(12):
        with undone():
            mails = [
                stored(eml("\n".join(chance.choices(ABOUT[about], k=6)), sender=sender, to=to))
                for sender, to in chance.choices(places, k=chance.randint(1, 2))
            ]
            processing.process_inbound(now=NOW, limit=len(mails))
            jobs.tell(NOW)
            for mail in InboundMail.objects.filter(pk__in=[mail.pk for mail in mails]):
                assert (mail.attempts, mail.setbacks, mail.error) == (0, 0, "")
                assert mail.answers.filter(kind__in=["reply", "question"]).exists(), bytes(mail.raw)
