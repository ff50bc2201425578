"""Carries out decisions about players' data: mails it to them, or empties their mails.

`games` writes a DataRequest in the transaction that decides it. We carry out each in a transaction
of its own; if it breaks, we try again, each time after a longer pause.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator, Sequence

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q

from games.models import DataRequest, Player
from games.queries.lookup import everyone_in
from games.queries.players.settled_address import record_at
from games.queries.reports.wording import counted
from games.services.accounts.erasing import pseudonym
from mailer.commands.own_settings.addresses import ADDRESS_QUESTION
from mailer.inbound import old_mail
from mailer.models import AttachedFile, Click, InboundMail, OutboundMail, ReplyToken
from mailer.outbound import addresses, layout, outbox, sending
from mailer.privacy import retention
from mailer.privacy.own_data import export
from mailer.privacy.whose_mail import PROVED, others_than
from mailer.text import MARKER

logger = logging.getLogger(__name__)

Kind = DataRequest.Kind
NOBODY = "erased@invalid"
AT_ONCE = 500
"""How many mails one statement empties: SQLite takes no more than 32766 values."""
LOOK_AGAIN = dt.timedelta(minutes=1)
"""How long we wait before we check whether the last mail to an erased player has left."""
FILE_NAME = "your-data.zip"
EMPTIED = Q(sender="", emptied_at__isnull=False)
"""Mails of erased people, once they are emptied."""


def carry_out(now: dt.datetime) -> int:
    """Carry out every request that waits; return how many were seen to. Safe to repeat."""
    due = DataRequest.objects.filter(Q(again_at=None) | Q(again_at__lte=now), done_at=None)
    requests = list(due.order_by("pk").select_related("player"))
    for request in requests:
        _tidy_mailboxes(request)
    return sum(_carry_out(request.pk, now) for request in requests)


@transaction.atomic
def _carry_out(key: int, now: dt.datetime) -> bool:
    rows = DataRequest.objects.select_for_update(skip_locked=True, of=("self",))
    request = rows.select_related("player").filter(pk=key, done_at=None).first()
    if request is None:
        return False
    try:
        with transaction.atomic():
            steps = {Kind.EXPORT: _send, Kind.ERASE: _erase}
            steps[Kind(request.kind)](request, now)
    except Exception:
        logger.exception("The data request #%s (%s) broke", request.pk, request.kind)
        request.attempts += 1
        request.again_at = now + sending.pause_after(request.attempts)
    request.save(update_fields=["done_at", "emails", "attempts", "again_at"])
    return True


# --- given ------------------------------------------------------------------------------------


def _send(request: DataRequest, now: dt.datetime) -> None:
    """Mail the player everything we keep about them, to their address of record and nowhere
    else."""
    request.done_at = now
    player, record = request.player, record_at(request.player, request.at)
    if record is None:
        return
    file = export(player, notes=request.notes, now=now)
    mail = outbox.enqueue(
        key=f"own_data/{request.pk}",
        kind="own_data",
        recipient=record.email,
        subject="All that we keep about you",
        body=layout.render(
            "own_data",
            marker=MARKER,
            name=player.name,
            by=request.by,
            left_out=counted(file.left_out, "mail") if file.left_out else "",
            notes=counted(file.notes, "note") if file.notes else "",
        ),
        now=now,
        priority=OutboundMail.Priority.NOTICE,
        player=player,
        asked_for=True,
        reply_to=addresses.player_address(address=record, now=now),
    )
    AttachedFile.objects.get_or_create(mail=mail, defaults={"name": FILE_NAME, "data": file.data})


# --- erased -----------------------------------------------------------------------------------


def _erase(request: DataRequest, now: dt.datetime) -> None:
    """Empty the player's mails, and tell them; when that mail has left, forget where it went."""
    empty_mails(request, now)
    last = _farewell(request, now)
    waits = last is not None and last.state == OutboundMail.State.QUEUED
    if waits and now - request.at < sending.GIVE_UP_AFTER:
        request.again_at = now + LOOK_AGAIN
        return
    if last is not None:
        _empty_outbound([last.pk], now)
    request.emails, request.done_at = [], now


def _tidy_mailboxes(request: DataRequest) -> None:
    """Delete an erased player's mails from the mailboxes, outside any transaction: the network may
    be slow.

    Do it each time: mails that lay in the INBOX the first time have been moved away since.
    """
    if request.kind != Kind.ERASE or not request.emails:
        return
    accounts = everyone_in(request.player)
    theirs = InboundMail.objects.filter(_by(request, accounts) | EMPTIED, stored_at__lte=request.at)
    if number := old_mail.delete_erased(request.emails, theirs):
        logger.info("Mails of erased account %s deleted: %s", request.player_id, number)


def _farewell(request: DataRequest, now: dt.datetime) -> OutboundMail | None:
    """The mail that says that it is done; None if there is no address to send it to."""
    if not request.emails:
        return None
    return outbox.enqueue(
        key=_goodbye(request),
        kind="erased",
        recipient=request.emails[0],
        subject="We have erased you",
        body=layout.render("erased", marker=MARKER, name=pseudonym(request.player)),
        now=now,
        priority=OutboundMail.Priority.NOTICE,
    )


def _goodbye(request: DataRequest) -> str:
    """The key of that mail."""
    return f"erased/{request.pk}"


def empty_mails(request: DataRequest, now: dt.datetime) -> int:
    """Take the words, the names and the reply addresses out of the mails from and to an erased
    player, up to when they were erased; return how many mails.

    Mails of theirs that nobody has worked on are dropped. If somebody is at work on such a mail,
    this waits, and then finds the answer, too.
    """
    accounts = everyone_in(request.player)
    _revoke(accounts)
    came = list(_came(request, accounts))
    for some in _portions(came):
        _empty_inbound(some, now)
    went = list(_went(request, accounts))
    for some in _portions(went):
        _empty_outbound(some, now)
    return len(came) + len(went)


def _portions(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))


def _empty_inbound(keys: Sequence[int], now: dt.datetime) -> None:
    mails = InboundMail.objects.filter(pk__in=keys)
    ReplyToken.objects.filter(mail__in=keys).delete()
    undone = mails.exclude(state__in=retention.SETTLED)
    undone.update(state=InboundMail.State.IGNORED, processed_at=now, retry_at=None)
    mails.update(sender="", message_id="", note="", signed_by="")
    retention.empty_inbound(mails, now)
    _forget_in_admin(InboundMail, keys)


def _empty_outbound(keys: Sequence[int], now: dt.datetime) -> None:
    mails = OutboundMail.objects.filter(pk__in=keys)
    AttachedFile.objects.filter(mail__in=keys).delete()
    mails.filter(state=OutboundMail.State.QUEUED).update(state=OutboundMail.State.FAILED)
    mails.update(recipient=NOBODY, subject="", reply_to="", cc="", in_reply_to="", references="")
    retention.empty_outbound(mails, now)
    _forget_in_admin(OutboundMail, keys)


def _forget_in_admin(kind: type[InboundMail | OutboundMail], keys: Sequence[int]) -> None:
    """Take the address out of the admin's own log, which calls a mail by its number and address."""
    about = ContentType.objects.get_for_model(kind)
    entries = LogEntry.objects.filter(content_type=about, object_id__in=[str(key) for key in keys])
    entries.update(object_repr="a mail of an erased player", change_message="")


def _revoke(accounts: Sequence[Player]) -> None:
    """Revoke all their reply addresses and their links to unsubscribe."""
    theirs = Q(seat__player__in=accounts) | Q(press__seat__player__in=accounts)
    ReplyToken.objects.filter(theirs).delete()
    Click.objects.filter(player__in=accounts).delete()


def _came(request: DataRequest, accounts: Sequence[Player]) -> Iterator[int]:
    mails = InboundMail.objects.filter(_by(request, accounts), stored_at__lte=request.at)
    mails = mails.exclude(EMPTIED)
    return iter(mails.order_by("pk").values_list("pk", flat=True))


def _by(request: DataRequest, accounts: Sequence[Player]) -> Q:
    """The mails that came from an erased player, not those of somebody who had an address before
    them."""
    emails = [email.lower() for email in request.emails]
    not_theirs = others_than(accounts) & Q(proof__in=PROVED)
    return Q(player__in=accounts) | Q(sender__in=emails) & ~not_theirs


def _went(request: DataRequest, accounts: Sequence[Player]) -> Iterator[int]:
    # A worker that was busy when they were erased may have written at a later time.
    answered = InboundMail.objects.filter(EMPTIED, stored_at__lte=request.at).values("pk")
    before = Q(created_at__lte=request.at) | Q(answers__in=answered)
    at_theirs = Q(recipient__in=request.emails) & before & ~others_than(accounts)
    theirs = Q(player__in=accounts) | at_theirs
    for one in accounts:  # questions whether an address is theirs, to which nobody said yes
        theirs |= Q(key__startswith=ADDRESS_QUESTION.format(one.pk))
    mails = OutboundMail.objects.filter(theirs)
    mails = mails.exclude(recipient=NOBODY).exclude(key=_goodbye(request))
    return iter(mails.order_by("pk").values_list("pk", flat=True))
