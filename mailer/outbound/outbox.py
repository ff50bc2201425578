"""What is to be sent: queued in the transaction that tells it, sent afterwards, each mail once.

A mail is a row with one recipient and a Message-ID that never changes. Whoever sends takes a few
rows on lease in a short transaction (leases.py), speaks SMTP without holding a lock, and marks what
the server took (marks.py). A crash between the server's "250 OK" and the mark sends a mail again,
with the same Message-ID. SMTP cannot do without this window; ours is ten mails or a second long.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import NotRequired, TypedDict, Unpack

from django.conf import settings
from django.core.validators import validate_email

from games.models import Event, Game, Phase, Player
from games.models.prepared import Insert
from games.queries.calendars import CalendarFile
from games.services.working import working_on
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import pace, quiet
from mailer.outbound.addresses import bounce_address, bounce_digest, redacted
from mailer.outbound.buttons import Button
from mailer.outbound.leases import (
    LEASE,
    MOST,
    NOBODYS,
    PATIENCE,
    Due,
    give_back,
    our_lease,
    renewed,
    still_ours,
)
from mailer.outbound.marks import Marks
from mailer.outbound.pictured import Pictured
from mailer.outbound.smtp import NotSent, PutOff, Rejected, Session, Unreachable

logger = logging.getLogger(__name__)

WORKING_TIME = 240.0  # seconds; then the rest of a batch goes back
LONGEST_PAUSE = dt.timedelta(hours=1)
GIVE_UP_AFTER = dt.timedelta(hours=48)
CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


class Mail(TypedDict):
    """One mail to one recipient, as whoever tells something writes it.

    `key` says what makes it the same mail ("result/12/34"). `cc` is only shown to the reader,
    nothing is sent there: where an answer to all goes. `in_reply_to` and `references` are
    Message-IDs with their angle brackets, the latter separated by blanks. `on_yes` has the lines
    that an answer YES stands for. What its reader `asked_for`, and what `answers` a mail of theirs,
    comes even while their mail is paused.
    """

    key: str
    kind: str
    recipient: str
    subject: str
    body: str
    now: dt.datetime
    priority: int
    player: NotRequired[Player | None]
    event: NotRequired[Event | None]
    answers: NotRequired[InboundMail | None]
    reply_to: NotRequired[str]
    cc: NotRequired[str]
    in_reply_to: NotRequired[str]
    references: NotRequired[str]
    on_yes: NotRequired[str]
    opens: NotRequired[Phase | None]
    buttons: NotRequired[Sequence[Button]]
    pictured: NotRequired[Pictured | None]
    calendars: NotRequired[Sequence[CalendarFile]]
    asked_for: NotRequired[bool]


def enqueue(**mail: Unpack[Mail]) -> OutboundMail:
    """Queue one mail, see `enqueue_all`."""
    return enqueue_all([mail])[0]


def enqueue_all(mails: Sequence[Mail]) -> list[OutboundMail]:
    """Queue mails; committed or undone with the caller's transaction.

    Where there is a mail with the same key already, nothing changes, and that one is returned.
    Raises ValidationError when a recipient is not exactly one address.
    """
    # One INSERT that yields to earlier rows, instead of looking first: no savepoint is needed.
    rows: dict[str, OutboundMail] = {}
    for mail in mails:  # in their order: whom the news concerns is told first
        rows.setdefault(mail["key"], _row(mail))
    asked_for = {mail["key"] for mail in mails if mail.get("asked_for")}
    kept = quiet.keep_back(list(rows.values()), asked_for)
    if not _INSERT.new(list(rows.values()), unique="key"):
        earlier = [key for key, row in rows.items() if row.pk is None]
        rows |= OutboundMail.objects.defer(*_LARGE).in_bulk(earlier, field_name="key")
    if new := [row for row in kept if row.pk]:
        quiet.let_go(new, now=new[0].created_at)
    return [rows[mail["key"]] for mail in mails]


_INSERT = Insert(OutboundMail)


_LARGE = ("body", "calendars", "buttons", "trial")
"""What is seldom wanted of a mail that was written before."""


def _row(mail: Mail) -> OutboundMail:
    validate_email(mail["recipient"])
    message_id = new_message_id()
    return OutboundMail(
        key=mail["key"],
        kind=mail["kind"],
        priority=mail["priority"],
        recipient=mail["recipient"],
        player=mail.get("player"),
        event=mail.get("event"),
        answers=mail.get("answers"),
        message_id=message_id,
        bounce_digest=bounce_digest(bounce_address(message_id)),
        subject=one_line(mail["subject"])[:255],
        body=mail["body"].replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n"),
        reply_to=mail.get("reply_to", ""),
        cc=mail.get("cc", ""),
        in_reply_to=one_line(mail.get("in_reply_to", ""))[:255],
        references=one_line(mail.get("references", "")),
        on_yes=mail.get("on_yes", ""),
        opens=mail.get("opens"),
        buttons=[list(button) for button in mail.get("buttons", ())],
        **_look(mail),
        created_at=mail["now"],
        not_before=mail["now"],
    )


class _Look(TypedDict):
    html: bool
    pictures: str
    pictured: Phase | None
    viewer: str
    trial: dict[str, object] | None
    calendars: list[tuple[str, str]]


def _look(mail: Mail) -> _Look:
    """What the mail has besides its text, as its reader wishes."""
    player = mail.get("player")
    html = player.html if player else True
    wanted = mail.get("pictured") if html and (player is None or player.maps) else None
    trial = wanted.trial if wanted else None
    files = mail.get("calendars", ()) if player is None or player.calendar_files else ()
    calendars = [(str(one.method), one.data.decode()) for one in files]
    return {
        "html": html,
        "pictures": wanted.kind if wanted else "",
        "pictured": wanted.phase if wanted else None,
        "viewer": (wanted.viewer if wanted else None) or "",
        "trial": {"results": list(trial.results), "next": trial.next} if trial else None,
        "calendars": calendars,
    }


def one_line(text: str) -> str:
    """`text` fit for a header: folded lines joined, control characters gone (RFC 5322, 2.2)."""
    return CONTROL.sub(" ", text).strip()


def new_message_id() -> str:
    """A random Message-ID: it tells nobody which game or power the mail is about."""
    return f"<{uuid.uuid4().hex}@{settings.JUDGE_ADDRESS.rpartition('@')[2]}>"


def start_key(game: Game, player: Player) -> str:
    """The key of a player's start mail: they get one for each game."""
    return f"start/{game.pk}/{player.pk}"


def drain(*, now: dt.datetime, limit: int = 500) -> int:
    """Send what is due, receipts first, at most `limit` mails; returns how many were sent.

    When the server cannot be reached, all that is due is put off with the mail that found out.
    Call it outside of any transaction: each lease and each mark is its own.
    """
    begun = time.monotonic()
    end, sent, tried, due = begun + WORKING_TIME, 0, 0, Due()
    with Session(settings.EMAIL_URL) as session:
        while tried < limit and time.monotonic() < end:
            taken = time.monotonic()
            at = now + dt.timedelta(seconds=taken - begun)
            batch = due.lease(now=at, limit=limit - tried)
            if not batch:
                break
            tried += len(batch)
            try:
                with renewed(batch, now=at):
                    sent += sum(send_batch(session, batch, now=now, end=end, at=at, taken=taken))
            except Unreachable as error:
                logger.warning("Mail out: %s", error)
                put_all_off(str(error), now=now)
                break
    return sent


def send_batch(
    session: Session,
    batch: Sequence[OutboundMail],
    *,
    now: dt.datetime,
    end: float,
    at: dt.datetime,
    taken: float,
) -> Iterator[bool]:
    """Send each mail and mark it; says of each whether the server took it.

    The mails were `taken` on lease (a monotonic clock) `at` this time. What others have taken from
    us meanwhile is left to them.

    What comes behind a mail that was put off, to the same recipient, is given back, and all that is
    left after `end` (a monotonic clock). A mail whose domain has had enough `at` this time waits
    for its turn, and so does what comes behind it. Raises Unreachable when the server cannot be
    reached at all; what is left is put off then.
    """
    put_off_to: set[str] = set()
    with Marks(now) as marks:
        for number, mail in enumerate(batch):
            if time.monotonic() > end or mail.recipient in put_off_to:
                give_back(mail)
                continue
            held = dt.timedelta(seconds=time.monotonic() - taken)
            if held > LEASE and not still_ours(mail, now=at + held):
                continue
            if pause := pace.wait(mail, at):
                give_back(mail, not_before=at + pause)
                put_off_to.add(mail.recipient)
                continue
            try:
                session.open()
            except Unreachable as error:
                for waiting in batch[number:]:
                    put_off(waiting, str(error), now=now)
                raise
            state = send_one(session, mail, marks)
            if state == OutboundMail.State.QUEUED and mail.attempts <= PATIENCE:
                put_off_to.add(mail.recipient)
            yield state == OutboundMail.State.SENT


def send_one(session: Session, mail: OutboundMail, marks: Marks) -> OutboundMail.State:
    """Send one leased mail and write down what came of it: its state afterwards."""
    with working_on(sent_mail=mail.pk):
        return _sent(session, mail, marks)


def _sent(session: Session, mail: OutboundMail, marks: Marks) -> OutboundMail.State:
    try:
        session.send(mail)
    except Rejected as error:
        give_up(mail, redacted(str(error)))
    except NotSent as error:
        if isinstance(error, PutOff):
            pace.deferred(mail, now=marks.now)
        return put_off(mail, redacted(str(error)), now=marks.now)
    except ValueError as error:  # a header or address that cannot be written: no retry helps
        logger.exception("Mail #%s cannot be composed", mail.pk)
        give_up(mail, str(error))
    else:
        pace.taken(mail)
        marks.add(mail)
        return OutboundMail.State.SENT
    return OutboundMail.State.FAILED


def put_off(mail: OutboundMail, error: str, *, now: dt.datetime) -> OutboundMail.State:
    """Try again after a pause that doubles each time; give up after two days. Returns its state."""
    if now - mail.created_at >= GIVE_UP_AFTER:
        give_up(mail, error)
        return OutboundMail.State.FAILED
    not_before = now + pause_after(mail.attempts)
    our_lease(mail).update(not_before=not_before, last_error=error, **NOBODYS)
    return OutboundMail.State.QUEUED


def put_all_off(error: str, *, now: dt.datetime) -> None:
    """Put off every mail that is due: there is no way out for any."""
    due = Due()
    while batch := due.lease(now=now, limit=MOST):
        for mail in batch:
            put_off(mail, error, now=now)


def give_up(mail: OutboundMail, error: str) -> None:
    """The mail will not arrive: keep it for the operator, who can send it again."""
    logger.error("Mail #%s (%s) will not arrive: %s", mail.pk, mail.kind, error)
    our_lease(mail).update(state=OutboundMail.State.FAILED, last_error=error, **NOBODYS)


def pause_after(attempts: int) -> dt.timedelta:
    """1, 2, 4 … minutes (settings.MAIL_RETRY_SECONDS is the first), at most an hour."""
    first = dt.timedelta(seconds=settings.MAIL_RETRY_SECONDS)
    return min(first * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)


def send_again(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Queue mails anew that failed for good; how many there were."""
    failed = OutboundMail.objects.filter(pk__in=mail_ids, state=OutboundMail.State.FAILED)
    return failed.update(
        state=OutboundMail.State.QUEUED,
        attempts=0,
        not_before=now,
        bounced_at=None,
        bounce="",
        **NOBODYS,
    )
