"""What is to be sent: queued in the transaction that tells it, sent afterwards, each mail once.

A mail is a row with one recipient and a Message-ID that never changes. Whoever sends takes rows
on lease in a short transaction, speaks SMTP without holding a lock, and marks every mail by
itself. A crash between the server's "250 OK" and the mark sends that one mail again, with the
same Message-ID: SMTP cannot do better.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid

from django.conf import settings
from django.core.validators import validate_email

from games.models import Event, Game, Player
from mailer.models import InboundMail, OutboundMail

CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def enqueue(
    *,
    key: str,
    kind: str,
    recipient: str,
    subject: str,
    body: str,
    now: dt.datetime,
    priority: int,
    player: Player | None = None,
    event: Event | None = None,
    answers: InboundMail | None = None,
    reply_to: str = "",
    in_reply_to: str = "",
    references: str = "",
) -> OutboundMail:
    """Queue one mail to one recipient; committed or undone with the caller's transaction.

    `key` says what makes it the same mail ("result/12/34"): a second call with it returns the
    first row and changes nothing. `in_reply_to` and `references` are Message-IDs with their
    angle brackets, the latter separated by blanks. Raises ValidationError when `recipient` is
    not exactly one address.
    """
    validate_email(recipient)
    mail, _ = OutboundMail.objects.get_or_create(
        key=key,
        defaults={
            "kind": kind,
            "priority": priority,
            "recipient": recipient,
            "player": player,
            "event": event,
            "answers": answers,
            "message_id": new_message_id(),
            "subject": one_line(subject)[:255],
            "body": body.replace("\x00", ""),
            "reply_to": reply_to,
            "in_reply_to": one_line(in_reply_to)[:255],
            "references": one_line(references),
            "created_at": now,
            "not_before": now,
        },
    )
    return mail


def one_line(text: str) -> str:
    """`text` fit for a header: folded lines joined, control characters gone (RFC 5322, 2.2)."""
    return CONTROL.sub(" ", text).strip()


def new_message_id() -> str:
    """A random Message-ID: it tells nobody which game or power the mail is about."""
    return f"<{uuid.uuid4().hex}@{settings.JUDGE_ADDRESS.rpartition('@')[2]}>"


def start_key(game: Game, player: Player) -> str:
    """The key of a player's start mail, the root of the thread of this game in his mailbox."""
    return f"start/{game.pk}/{player.pk}"


def thread_root(game: Game, player: Player) -> str:
    """The Message-ID every mail about `game` to `player` refers to; empty before the start."""
    start = OutboundMail.objects.filter(key=start_key(game, player)).only("message_id").first()
    return start.message_id if start else ""
