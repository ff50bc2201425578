"""Stores mails from a mailbox before anybody works on them, and knows whether all are here yet."""

from __future__ import annotations

import datetime as dt
import email
import hashlib
import logging
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, QuerySet

from games.models import Game
from games.models.prepared import TIME, Given, Query
from games.models.stored import Insert
from games.services.cleaned import EMAIL_LENGTH
from mailer.inbound import holds
from mailer.inbound.place import Place
from mailer.models import InboundMail, Mailbox
from mailer.reading.headers import strict_sender
from mailer.reading.parser import header_of

logger = logging.getLogger(__name__)

LONGEST_HEADER = 64 * 1024
"""In bytes."""
FIRST_LOOK_BACK = dt.timedelta(days=7)
"""How old a mail may be for us to work on it, at our first look into a mailbox."""
CLOCKS_DIFFER = dt.timedelta(minutes=5)
"""How far the mail server's clock may be from ours."""
OVERLAP = dt.timedelta(seconds=10)
"""How much later another process's poll may have begun than one that waited for the row ended."""
SETTLING = dt.timedelta(minutes=10)
"""How long deadlines wait after the clock jumped: it may jump back."""
REFUSED_FOR = dt.timedelta(minutes=5)
"""How long we leave a server alone that refused our login: many lock out whoever tries again and
again, and then keep out the right password as well."""
NOTHING = dt.timedelta(0)
NO_GAME = 0
LONG_AGO = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


def mailbox_name(url: str) -> str:
    """The IMAP URL as we store and show it: without the password, with its folder."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.username}@{parts.hostname}{port}/{parts.path.strip('/')}"


def mailbox_for(url: str) -> Mailbox:
    """The row of this mailbox, made when it is first read."""
    return Mailbox.objects.get_or_create(url=mailbox_name(url))[0]


def store(*, place: Place, raw: bytes, received_at: dt.datetime, now: dt.datetime) -> bool:
    """Store one mail; return False if the same bytes are already here, under any UID.

    After a change of UIDVALIDITY, or after a poller died before it wrote down how far it was, we
    meet the same mail again: its SHA-256 tells. We note the newest UID, for the tidying. On the
    very first look into a mailbox, we keep mail older than a week, but do not work on it: a server
    that moves in does not answer the previous tenant's letters. Mail that a wrong clock dates in
    the future counts as having come now: otherwise it would be late, or newer than all mail after
    it. But right after our own clock has jumped, we believe the mailbox's.
    """
    mailbox = place.mailbox
    if received_at > now + CLOCKS_DIFFER and not _is_settling(mailbox, now):
        received_at = now
    old = mailbox.last_ok_poll is None and received_at < now - FIRST_LOOK_BACK
    sha256 = digest_of(raw)
    mail = InboundMail(
        mailbox=mailbox,
        sha256=sha256,
        uidvalidity=place.uidvalidity,
        uid=place.uid,
        raw=raw,
        received_at=received_at,
        stored_at=now,
        sender=claimed_sender(raw),
        state=InboundMail.State.IGNORED if old else InboundMail.State.NEW,
        note="It was here before this server." if old else "",
    )
    new = _INSERT.new([mail], unique="sha256")  # this one yields to the one that is here
    if not new:
        here = InboundMail.objects.filter(mailbox=mailbox, sha256=sha256)
        numbers = {"uidvalidity": place.uidvalidity, "uid": place.uid}
        here.exclude(**numbers).update(**numbers)
    return new


_INSERT = Insert(InboundMail)


def digest_of(raw: bytes) -> str:
    """The digest by which we know a mail, under any UID, even after it was emptied."""
    return hashlib.sha256(raw).hexdigest()


def claimed_sender(raw: bytes) -> str:
    """The address in the From line of a mail, in lower case; "" if it is not one plain address.

    It proves nothing, and only decides whose turn the mail takes.
    """
    try:
        return (strict_sender(email.message_from_bytes(header_only(raw))) or "")[:EMAIL_LENGTH]
    except Exception:  # whatever a stranger's header does to the library: we must keep the mail
        logger.info("A header cannot be read")
        return ""


def header_only(raw: bytes) -> bytes:
    """A mail of only this one's header, cut at a length that nobody's header exceeds."""
    return header_of(raw)[:LONGEST_HEADER] + b"\r\n\r\n"


def note_poll(
    mailbox: Mailbox, begun_at: dt.datetime, *, ended_at: dt.datetime | None = None
) -> None:
    """Write into the row (not saved) that all mail up to `begun_at` is here.

    If the last time is longer ago than an outage may last, note the gap, too: it moves the
    deadlines in it (outages.py). The first look into a mailbox that replaces another ends the
    other's outage. A last time after the end of this poll came from a wrong clock, and would let
    deadlines pass without any poll: set it back.
    """
    last = mailbox.last_ok_poll
    if last is not None and last > (ended_at or begun_at) + OVERLAP:
        logger.warning("Mail in: %s: the last poll lay in the future, at %s", mailbox, last)
        mailbox.last_ok_poll, mailbox.failing_since = begun_at, None
        return
    if last is not None and last >= begun_at:
        return
    before = last or _last_look_anywhere()
    if before is not None and begun_at - before > dt.timedelta(seconds=settings.OUTAGE_SECONDS):
        mailbox.gap_from, mailbox.gap_to = before, begun_at
    mailbox.last_ok_poll, mailbox.failing_since = begun_at, None
    _release_others(begun_at)


def _release_others(now: dt.datetime) -> None:
    """Write down that nothing was missed in mailboxes that are no longer ours.

    Otherwise a mailbox that becomes ours again would have a gap as long as it was away, and move
    deadlines by that.
    """
    names = [mailbox_name(url) for url in settings.IMAP_URLS]
    others = Mailbox.objects.exclude(url__in=names).filter(last_ok_poll__lt=now)
    others.update(last_ok_poll=now, failing_since=None)


def _last_look_anywhere() -> dt.datetime | None:
    newest: dt.datetime | None = Mailbox.objects.aggregate(newest=Max("last_ok_poll"))["newest"]
    return newest


def note_step(step: dt.timedelta, *, now: dt.datetime) -> None:
    """Write down that the clock jumped by `step` and shows `now`: for a while no deadline counts.

    After a step back all we know of the last poll is that it did not begin later than it says, less
    the step. If even that lies in the future, another clock wrote it, and it began before now, less
    the step. Several processes may notice the same step, which counts once.
    """
    logger.error("The clock jumped by %+.1f s: deadlines wait until it is steady", step / SECOND)
    with transaction.atomic():
        for mailbox in Mailbox.objects.select_for_update().order_by("pk"):
            last = mailbox.last_ok_poll
            if last and step < NOTHING and (last > now or not _is_settling(mailbox, now)):
                mailbox.last_ok_poll = (last if last + step <= now else now) + step
            mailbox.settling_until = now + SETTLING
            mailbox.save(update_fields=["last_ok_poll", "settling_until"])


def note_failure(url: str, now: dt.datetime, *, refused: bool = False) -> None:
    """Note since when we cannot read the mailbox, and whether it has just refused our login.

    If the last poll is in the future, it says nothing: nobody knows any more when it really was.
    """
    mailbox = mailbox_for(url)
    future = Mailbox.objects.filter(pk=mailbox.pk, last_ok_poll__gt=now + CLOCKS_DIFFER)
    if future.update(last_ok_poll=None):
        logger.warning("Mail in: %s: the last poll lay in the future", mailbox)
    Mailbox.objects.filter(pk=mailbox.pk, failing_since=None).update(failing_since=now)
    if refused:
        Mailbox.objects.filter(pk=mailbox.pk).update(refused_at=now)


def was_refused(url: str, now: dt.datetime) -> bool:
    """Whether the mailbox has refused our login so lately that we leave it alone.

    Only while it fails: once somebody has read it, the password is right.
    """
    failing = Mailbox.objects.filter(url=mailbox_name(url), failing_since__isnull=False)
    return failing.filter(refused_at__gt=now - REFUSED_FOR, refused_at__lte=now).exists()


def all_mail_read(
    *,
    due_at: dt.datetime,
    now: dt.datetime,
    settle: dt.timedelta = NOTHING,
    game: Game | None = None,
    boxes: Sequence[Mailbox] | None = None,
) -> bool:
    """Whether we have read every mail received up to `due_at`, so that nobody's orders are missing.

    True if a poll of every mailbox that began `settle` after `due_at` or later read it completely
    (mails need a moment from our mail exchanger into the mailbox), no mail received up to `due_at`
    is still to be worked on, and none is stuck that `game` waits for (holds.py). While a mailbox is
    down, or a clock has just jumped, a deadline waits. `boxes` are the `mailboxes` of all this, if
    the caller has read them.
    """
    names = {mailbox_name(url) for url in settings.IMAP_URLS}
    if boxes is None:
        boxes = mailboxes(due_at=due_at, game=game)
    read = [
        box
        for box in boxes
        if box.url in names
        and box.last_ok_poll
        and box.last_ok_poll >= due_at + settle
        and _is_sure(box, now)
    ]
    return len(read) == len(names) and not any(_waits(box) for box in boxes)


def mailboxes(
    *, due_at: dt.datetime, game: Game | None, since: dt.datetime | None = None
) -> list[Mailbox]:
    """All mailboxes that we ever read, each with whether it has a mail to wait for; `since` is when
    the game's phase began."""
    begun = holds.whole_second(since or LONG_AGO)
    return _BOXES.all(due_at=due_at, game=game.pk if game else NO_GAME, begun=begun)


def _waits(box: Mailbox) -> bool:
    """Whether there is a mail to wait for, as each row of `_BOXES` says."""
    return any(vars(box)[name] for name in ("to_do", "cannot_be_fetched", "is_set_aside"))


def _boxes() -> QuerySet[Mailbox]:
    due_at = Given("due_at", TIME)
    new = InboundMail.objects.filter(state=InboundMail.State.NEW, received_at__lte=due_at)
    aside = holds.set_aside(Given("game"), due_at, begun=Given("begun", TIME))
    return Mailbox.objects.annotate(
        to_do=Exists(new),
        cannot_be_fetched=Exists(holds.unfetched_mails(due_at)),
        is_set_aside=Exists(aside),
    )


_BOXES = Query(_boxes)


def _is_sure(mailbox: Mailbox, now: dt.datetime) -> bool:
    """Whether the time of the last poll can be true; a time in the future cannot."""
    last = mailbox.last_ok_poll
    return last is not None and last <= now + CLOCKS_DIFFER and not _is_settling(mailbox, now)


def _is_settling(mailbox: Mailbox, now: dt.datetime) -> bool:
    until = mailbox.settling_until
    return until is not None and now < until <= now + SETTLING
