"""Mails for tests: written, stored as if a mailbox had brought them, and worked on."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime

from django.db.models import F

from games.models import Event
from games.models.prepared import Given, Query, Values
from games.models.stored import Insert, fresh
from mailer import jobs, notices
from mailer.inbound import processing, store
from mailer.inbound.place import Place
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from tests.cast import NOW, Cast, address_of, make_cast, player_named, the_cast
from tests.made import made_once

JUDGE = "judge@game.test"
URL = "imap://judge@mail.test/INBOX"
_numbers = itertools.count(1)

_MAILBOX = Query(lambda: Mailbox.objects.filter(url=URL))
_NEW_MAILBOX = Insert(Mailbox)
_MAIL = Query(lambda: InboundMail.objects.filter(pk=Given("key")))
_NEWEST = Query(lambda: InboundMail.objects.order_by("-pk")[:1])
_ANSWERS = Query(lambda: OutboundMail.objects.filter(answers=Given("mail")))
_UNTOLD = Query(
    lambda: Event.objects.select_related("game").filter(told_at=None).order_by("pk"),
)
_NEWEST_SENT = Values(lambda: OutboundMail.objects.order_by("-pk").values_list("pk")[:1])
_SENT_SINCE = Query(lambda: OutboundMail.objects.filter(pk__gt=Given("last")).order_by("pk"))


def told_cast() -> Cast:
    """Make the cast (tests/cast.py) and tell everybody of the start."""
    made_once("the cast, told", _told_cast)
    return the_cast()


def _told_cast() -> None:
    make_cast()
    jobs.tell(NOW)


def all_sent() -> None:
    """The relay has taken whatever was queued, as soon as it was written."""
    queued = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    queued.update(state=OutboundMail.State.SENT, sent_at=F("created_at"))


def eml(
    text: str,
    *,
    sender: str,
    to: str = JUDGE,
    subject: str = "Hello",
    message_id: str = "",
    headers: str = "",
    date: dt.datetime | None = None,
) -> bytes:
    """A plain mail as bytes; every one has its own Message-ID, and its own Date a few minutes
    before NOW, unless the test gives one."""
    number = next(_numbers)
    message_id = message_id or f"<m{number}@players.test>"
    date = date or NOW - dt.timedelta(seconds=number % 600)
    return (
        f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: {message_id}\r\n"
        f"Date: {format_datetime(date)}\r\n{headers}Content-Type: text/plain; charset=utf-8\r\n\r\n"
        + text.replace("\n", "\r\n")
    ).encode()


def stored(raw: bytes, *, received_at: dt.datetime = NOW) -> InboundMail:
    """The mail as a row that waits to be worked on."""
    store.store(
        place=Place(_mailbox(), 1, next(_numbers)),
        raw=raw,
        received_at=received_at,
        now=received_at,
    )
    [mail] = _NEWEST.all()
    return mail


def _mailbox() -> Mailbox:
    """The judge's mailbox, in which we have looked before."""
    known = _MAILBOX.first()
    if known is None:
        return _NEW_MAILBOX.one(fresh(Mailbox, url=URL, last_ok_poll=NOW))
    if known.last_ok_poll is None:
        known.last_ok_poll = NOW
        known.save()
    return known


def receive(
    raw: bytes, *, received_at: dt.datetime = NOW, now: dt.datetime | None = None
) -> InboundMail:
    """The mail stored and worked on."""
    mail = stored(raw, received_at=received_at)
    processing.process_mail(mail_id=mail.pk, now=now or received_at)
    [mail] = _MAIL.all(key=mail.pk)
    return mail


def write(
    name: str,
    text: str,
    *,
    to: str = JUDGE,
    sender: str = "",
    subject: str = "Hello",
    message_id: str = "",
    received_at: dt.datetime = NOW,
    now: dt.datetime | None = None,
) -> InboundMail:
    """A mail from a member of the cast, stored and worked on."""
    raw = eml(
        text,
        sender=sender or f"{name} <{address_of(name)}>",
        to=to,
        subject=subject,
        message_id=message_id,
    )
    return receive(raw, received_at=received_at, now=now)


def home(name: str) -> str:
    """The reply address in mails to this member of the cast that are about no game."""
    record = player_named(name).record
    assert record, f"{name} has confirmed an address"
    return addresses.player_address(address=record, now=NOW)


def to_seat(cast: Cast, power: str = "France") -> str:
    """The reply address in the mails to a power about its open phase."""
    return addresses.seat_address(seat=cast.seat(power), phase=cast.phase, now=NOW)


def answer_to(mail: InboundMail) -> OutboundMail:
    """The one mail that answers this one."""
    answers = _ANSWERS.all(mail=mail.pk)
    assert len(answers) == 1, f"{len(answers)} mails answer it"
    return answers[0]


def flat(text: str) -> str:
    """A body without its line breaks: what it says, wherever it is wrapped."""
    return " ".join(text.split())


def said(mail: InboundMail) -> str:
    """What the one mail says that answers this one, without its line breaks."""
    return flat(answer_to(mail).body)


def replied(mail: InboundMail) -> str:
    """The same of a mail for which another may have gone to another address."""
    return flat(mail.answers.get(kind="reply").body)


def gm_reads(cast: Cast, text: str) -> str:
    """What the game master reads who writes this to their reply address."""
    to = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    return said(write("gm", text, sender=cast.gm.email, to=to))


def tell_all(now: dt.datetime = NOW) -> list[OutboundMail]:
    """Tell everybody of all that has happened; the mails that come of it, oldest first."""
    last = _NEWEST_SENT.first() or (0,)
    for event in _UNTOLD.all():
        notices.tell_event(event, now=now)
    return _SENT_SINCE.all(last=last[0])


def parsed(mail: OutboundMail) -> EmailMessage:
    """A mail as its reader's program takes it apart."""
    message = message_from_bytes(compose(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


_PICTURE = re.compile(r"(Content-Type: image/png.*?\r\n\r\n)[A-Za-z0-9+/=\r\n]+", re.DOTALL)


def on_the_wire(mail: OutboundMail) -> str:
    """All that a mail says as it is sent: its headers, text and HTML, but no bytes of pictures."""
    return _PICTURE.sub(r"\1", compose(mail).decode()).replace("=\r\n", "")
