"""The mails to send: queued in the transaction that has something to tell, sent afterwards
(sending.py).

A mail is a row with one recipient and a Message-ID that never changes. Writing one is cheap: only
processes that send mails load the code that draws pictures, makes HTML and speaks SMTP.

Players who paused their mail get only answers, and addresses that called a mail spam get no bulk,
unless they asked for it. What is kept back stays so; `mailer/notices/messages/while_away.py` sums
it up.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack

from django.conf import settings
from django.core.validators import validate_email
from django.db.models.functions import Upper

from games.models import Address, Event, Game, Phase, Player
from games.models.stored import Insert, fresh
from mailer.models import InboundMail, OutboundMail
from mailer.models.outbound import TrialJson
from mailer.outbound.addresses import bounce_digest_of
from mailer.outbound.buttons import Button
from mailer.outbound.leases import NOBODYS
from mailer.outbound.unsubscribe import bulk_of

if TYPE_CHECKING:  # the board and what draws it
    from games.queries.reports.calendars import CalendarFile
    from mailer.models.outbound import CalendarJson
    from mailer.outbound.pictured import PictureRequest

CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
State = OutboundMail.State


class Mail(TypedDict):
    """One mail to one recipient, as its sender's code writes it.

    `key` says what makes it the same mail ("result/12/34"). `cc` is only shown, so that an answer
    to all goes there; we send nothing to it. `in_reply_to` and `references` are Message-IDs with
    their angle brackets, the latter separated by blanks. `on_yes` has the lines that an answer YES
    stands for. A mail that its reader `asked_for`, or that `answers` one of theirs, comes even
    while their mail is paused.
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
    pictured: NotRequired[PictureRequest | None]
    calendars: NotRequired[Sequence[CalendarFile]]
    asked_for: NotRequired[bool]


def enqueue(**mail: Unpack[Mail]) -> OutboundMail:
    """Queue one mail, see `enqueue_all`."""
    return enqueue_all([mail])[0]


def enqueue_all(mails: Sequence[Mail]) -> list[OutboundMail]:
    """Queue mails; committed or undone with the caller's transaction.

    If there already is a mail with the same key, nothing changes, and that one is returned. Raises
    ValidationError if a recipient is not exactly one address.
    """
    # One INSERT that yields to earlier rows, instead of looking first: no savepoint is needed.
    rows: dict[str, OutboundMail] = {}
    for mail in mails:  # in their order: the person the news concerns comes first
        rows.setdefault(mail["key"], _row(mail))
    asked_for = {mail["key"] for mail in mails if mail.get("asked_for")}
    kept = _keep_back(list(rows.values()), asked_for)
    if not _INSERT.new(list(rows.values()), unique="key"):
        earlier = [key for key, row in rows.items() if row.pk is None]
        rows |= OutboundMail.objects.defer(*_LARGE).in_bulk(earlier, field_name="key")
    if new := [row for row in kept if row.pk]:
        _let_go(new, now=new[0].created_at)
    return [rows[mail["key"]] for mail in mails]


_INSERT = Insert(OutboundMail)


_LARGE = ("body", "calendars", "buttons", "trial")
"""Columns of an earlier mail that hardly any code needs."""


def _row(mail: Mail) -> OutboundMail:
    validate_email(mail["recipient"])
    message_id = new_message_id()
    return fresh(
        OutboundMail,
        key=mail["key"],
        kind=mail["kind"],
        priority=mail["priority"],
        recipient=mail["recipient"],
        player=mail.get("player"),
        event=mail.get("event"),
        answers=mail.get("answers"),
        message_id=message_id,
        bounce_digest=bounce_digest_of(message_id),
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
    trial: TrialJson | None
    calendars: list[CalendarJson]


def _look(mail: Mail) -> _Look:
    """The parts of the mail besides its text, as its reader wants them."""
    player = mail.get("player")
    html = player.html if player else True
    wanted = mail.get("pictured") if html and (player is None or player.maps) else None
    trial = wanted.trial if wanted else None
    files = mail.get("calendars", ()) if player is None or player.calendar_files else ()
    calendars = [(one.method, one.data.decode()) for one in files]
    return {
        "html": html,
        "pictures": wanted.kind if wanted else "",
        "pictured": wanted.phase if wanted else None,
        "viewer": (wanted.viewer if wanted else None) or "",
        "trial": {"results": list(trial.results), "next": trial.next} if trial else None,
        "calendars": calendars,
    }


def one_line(text: str) -> str:
    """`text` made fit for a header: folded lines joined, control characters removed (RFC 5322,
    2.2)."""
    return CONTROL.sub(" ", text).strip()


def new_message_id() -> str:
    """A random Message-ID, which tells nobody which game or power the mail is about."""
    return f"<{uuid.uuid4().hex}@{settings.JUDGE_ADDRESS.rpartition('@')[2]}>"


def start_key(game: Game, player: Player) -> str:
    """The key of a player's start mail: they get one in each game."""
    return f"start/{game.pk}/{player.pk}"


def send_again(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Queue again mails that failed for good and still have a text; return how many."""
    failed = OutboundMail.objects.filter(pk__in=mail_ids, state=OutboundMail.State.FAILED)
    return failed.filter(emptied_at=None).update(
        state=OutboundMail.State.QUEUED,
        attempts=0,
        not_before=now,
        bounced_at=None,
        bounce="",
        **NOBODYS,
    )


def _keep_back(rows: Sequence[OutboundMail], asked_for: Collection[str]) -> list[OutboundMail]:
    """Keep back those of these new mails that must not go out; return the keys of players who
    paused their mail.

    `asked_for` are the keys of mails that go out in any case.
    """
    free = [mail for mail in rows if mail.answers_id is None and mail.key not in asked_for]
    paused = [mail for mail in free if mail.player and mail.player.mail_paused_at]
    bulk = [mail for mail in free if bulk_of(mail)]
    unwanted = _complaining({mail.recipient.upper() for mail in bulk}) if bulk else set()
    for mail in (*paused, *(one for one in bulk if one.recipient.upper() in unwanted)):
        mail.state = State.KEPT
    return paused


def _complaining(emails: Collection[str]) -> set[str]:
    known = Address.objects.annotate(upper=Upper("email")).filter(upper__in=emails)
    return set(known.filter(complained_at__isnull=False).values_list("upper", flat=True))


def _let_go(kept: Sequence[OutboundMail], *, now: dt.datetime) -> None:
    """Queue what was kept back, and is written by now, if its player wants mail again.

    The rows that we wrote lock the player's row, so code that resumes their mail waits for us, or
    has finished before we look.
    """
    again = OutboundMail.objects.filter(pk__in=[mail.pk for mail in kept], state=State.KEPT)
    again.filter(player__mail_paused_at=None).update(state=State.QUEUED, not_before=now)
