"""The floor of benchmarks.costs: the same rows and bytes, written by hand and without a thought.

It sends the least SQL, prepared, that leaves the same rows as our server, and commits as often. It
reads the mail as ours does; the texts are there already, and one connection sends them. Nobody
checks what is allowed, works out what a mail means, or thinks of an answer. Import after
django.setup().
"""

from __future__ import annotations

import smtplib
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection, models

from games.models import Attendance, Event, Game, OrderSet, Phase
from mailer.letter import read_letter
from mailer.models import InboundMail, OrderMail, OutboundMail, ReplyToken
from mailer.outbound.compose import compose

UNIQUE = ("key", "message_id", "digest", "sha256")
"""Columns that no two rows share."""


def sent(sql: str, values: Sequence[Any] = ()) -> Any:
    """Send a statement by the driver itself."""
    driver: Any = connection.connection
    if connection.vendor == "postgresql":
        return driver.execute(sql, values, prepare=True)
    return driver.execute(sql.replace("%s", "?"), values)


class Rows:
    """Rows that our server wrote, ready to be written once more in one statement."""

    def __init__(self, rows: Sequence[models.Model], **others: Any) -> None:
        [model] = {type(row) for row in rows}
        self.fields = [one for one in model._meta.local_concrete_fields if not one.primary_key]
        columns = ", ".join(f'"{one.column}"' for one in self.fields)
        row = f"({', '.join(['%s'] * len(self.fields))})"
        self.sql = (
            f"INSERT INTO {model._meta.db_table} ({columns}) "
            f"VALUES {', '.join([row] * len(rows))} RETURNING id"
        )
        self.rows = [self._values(row, others) for row in rows]

    def _values(self, row: models.Model, others: dict[str, Any]) -> list[Any]:
        return [
            one.get_db_prep_save(others.get(str(one.column), getattr(row, one.attname)), connection)
            for one in self.fields
        ]

    def write(self, **columns: Any) -> list[Any]:
        """Write them, with these values in some columns instead; return their keys."""
        values: list[Any] = []
        for row in self.rows:
            for one, value in zip(self.fields, row, strict=True):
                fresh = uuid.uuid4().hex if one.column in UNIQUE else value
                values.append(columns.get(str(one.column), fresh))
        return [key for (key,) in sent(self.sql, values).fetchall()]


class OrderMailByHand:
    """An order mail: stored, claimed, worked on, its receipt sent and marked."""

    def __init__(self, mail: InboundMail) -> None:
        reply = OutboundMail.objects.get(answers=mail)
        order = OrderMail.objects.select_related("order_set__seat").get(mail=mail)
        self.token = ReplyToken.objects.filter(seat=order.order_set.seat_id).latest("pk")
        self.raw = bytes(mail.raw)
        blank = InboundMail(
            mailbox=mail.mailbox, uid=mail.uid, uidvalidity=mail.uidvalidity, raw=self.raw,
            received_at=mail.received_at, stored_at=mail.stored_at, state="new",
        )  # fmt: skip
        self.stored, self.orders = Rows([blank]), Rows([order.order_set])
        self.link, self.secret, self.receipt = Rows([order]), Rows([self.token]), Rows([reply])
        self.recipient, self.bytes = reply.recipient, compose(reply)

    def __call__(self, session: smtplib.SMTP) -> None:
        [mail] = self.stored.write()
        sent(
            "UPDATE mailer_inboundmail SET working_since = stored_at WHERE id = %s RETURNING raw",
            [mail],
        ).fetchall()
        read_letter(self.raw)
        sent("BEGIN")
        sent(_READ_SEAT + _LOCK.get(connection.vendor, ""), [self.token.digest]).fetchall()
        [orders] = self.orders.write()
        self.link.write(order_set_id=orders, mail_id=mail)
        self.secret.write()
        [receipt] = self.receipt.write(answers_id=mail)
        sent("UPDATE mailer_inboundmail SET state = 'done' WHERE id = %s", [mail])
        sent("COMMIT")
        deliver(session, [(receipt, self.recipient, self.bytes)])


class PhaseByHand:
    """A phase: read, settled and told in one transaction; `send` says whether its mails go out."""

    def __init__(self, phase: Phase) -> None:
        following = phase.game.phases.get(number=phase.number + 1)
        event = Event.objects.get(phase=phase, kind="phase_processed")
        mails = list(OutboundMail.objects.filter(event=event, kind="phase_processed"))
        for mail in mails:
            mail.html = False
        self.phase, self.key = phase, following.pk
        self.following, self.event = Rows([following]), Rows([event])
        self.came = Rows(list(Attendance.objects.filter(phase=phase)))
        self.secrets = Rows(list(ReplyToken.objects.filter(phase=following)))
        self.mails = Rows(mails)
        self.written = [(mail.recipient, compose(mail)) for mail in mails]
        self.number = following.number

    def __call__(self, session: smtplib.SMTP | None = None) -> None:
        self.number += 1
        sent("BEGIN")
        sent(_READ_PHASE + _LOCK.get(connection.vendor, ""), [self.key]).fetchall()
        sent("UPDATE games_phase SET status = 'processed' WHERE id = %s", [self.key])
        [self.key] = self.following.write(number=self.number)
        self.came.write(phase_id=self.key)
        [event] = self.event.write(number=1000 + self.number, phase_id=self.key)
        self.secrets.write(phase_id=self.key)
        mails = self.mails.write(event_id=event)
        sent("COMMIT")
        if session:
            deliver(session, [(key, *one) for key, one in zip(mails, self.written, strict=True)])


def deliver(session: smtplib.SMTP, mails: Sequence[tuple[int, str, bytes]]) -> None:
    """Lease mails to ourselves, send them, and mark them together."""
    keys = [key for key, *_ in mails]
    places = f"({', '.join(['%s'] * len(keys))})"
    sent(f"UPDATE mailer_outboundmail SET leased_by = 'us' WHERE id IN {places}", keys)
    for _, recipient, written in mails:
        session.sendmail(settings.JUDGE_ADDRESS, [recipient], written)
    sent(f"UPDATE mailer_outboundmail SET state = 'sent' WHERE id IN {places}", keys)


def session() -> smtplib.SMTP:
    """Open one connection for all mails."""
    url = urlsplit(settings.EMAIL_URL)
    return smtplib.SMTP(url.hostname or "", url.port or 25, local_hostname="game.test")


def order_mails_by_hand(games: Sequence[Game]) -> list[OrderMailByHand]:
    """Return one for each mail that the server worked on in these games."""
    sets = OrderSet.objects.filter(phase__game__in=games)
    return [
        OrderMailByHand(one) for one in InboundMail.objects.filter(order_sets__order_set__in=sets)
    ]


_LOCK = {"postgresql": " FOR UPDATE OF g"}
_READ_SEAT = """
    SELECT t.*, s.*, w.*, p.*, a.* , g.* FROM mailer_replytoken t
    JOIN games_seat s ON s.id = t.seat_id JOIN games_power w ON w.id = s.power_id
    JOIN games_player p ON p.id = s.player_id JOIN games_game g ON g.id = w.game_id
    JOIN games_phase a ON a.id = t.phase_id WHERE t.digest = %s"""
_READ_PHASE = """
    SELECT p.*, g.*, w.*, s.*, l.* FROM games_phase p JOIN games_game g ON g.id = p.game_id
    JOIN games_power w ON w.game_id = g.id
    JOIN games_seat s ON s.power_id = w.id AND s.until IS NULL
    JOIN games_player l ON l.id = s.player_id WHERE p.id = %s"""
