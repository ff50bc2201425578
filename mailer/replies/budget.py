"""How many answers somebody gets in a day, how many mails of theirs are worked on in an hour, and
how many strangers are answered in an hour, all of them together.

A forged From line must not make us flood somebody, two programs must not write to each other
without end, and nobody may keep us from everybody else's mail. We throw nothing away: we keep what
is too much for an hour, work on it as the hour goes by, and count it from when it came. We count
mails that prove their sender apart from mails that only claim one, so that somebody who forges a
player's From line cannot use up what the player may send.

A limit for each address does not help against a list of ten thousand forged ones: we would be
sending unwanted mail to all of them. So strangers have one limit together.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models.prepared import Given
from games.services.cleaned import EMAIL_LENGTH, can_be_written_to
from mailer.identity.senders import Proof, Sender, Stranger
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import layout, operators, outbox
from mailer.text import MARKER

STRANGERS_BUDGET = 5
"""Answers a day to somebody who is neither a player nor a GM."""
UNPROVED_BUDGET = 30
"""Answers a day to somebody whose mails prove nothing."""
PROVED_BUDGET = 5000  # a game of short phases asks for many; a loop without pauses is cut off
A_DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
REFUSED = "/refused"
"""The end of the key of an answer that could only refuse."""
UNPROVED = ("", Proof.NONE.name.lower())
logger = logging.getLogger(__name__)
State = InboundMail.State
UNANSWERED = "An operator left it unanswered: too many strangers wrote."
STRANGERS_WAIT = "Kept for later: too many strangers wrote in an hour."


def budget_of(sender: Sender) -> int:
    """How many answers a day somebody gets, by what we know and what they prove about
    themselves."""
    if sender.player is None and sender.gm is None:
        return STRANGERS_BUDGET
    return UNPROVED_BUDGET if sender.proof is Proof.NONE else PROVED_BUDGET


def within_budget(
    recipient: str,
    budget: int,
    now: dt.datetime,
    *,
    kind: str = "reply",
    proved: bool,
) -> bool:
    """Whether this address has had fewer than `budget` mails of this kind in the last day.

    `proved` says which answers to count: those to mails that prove their sender, or those to other
    mails. Forged mails must not use up what senders themselves may ask.
    """
    return answers_to(recipient, since=now - A_DAY, kind=kind, proved=proved).count() < budget


def answers_to(
    recipient: str | OuterRef, *, since: dt.datetime | Given, kind: str = "reply", proved: bool
) -> QuerySet[OutboundMail]:
    """The mails of this kind to an address since then; `proved` as in `within_budget`."""
    recent = OutboundMail.objects.filter(kind=kind, recipient=recipient, created_at__gt=since)
    return recent.filter(_alike("answers__proof", proved=proved))


def refusals_today(recipient: str, now: dt.datetime) -> int:
    """How many answers in the last day told this address only that nothing was done."""
    answers = OutboundMail.objects.filter(recipient=recipient, created_at__gt=now - A_DAY)
    return answers.filter(kind="reply", key__endswith=REFUSED).count()


def full_until(sender: Sender, now: dt.datetime, worked_on: int) -> dt.datetime | None:
    """When there is room for a mail of this sender again; None if there is room now.

    `worked_on` is how many of their mails, with as much proof as this one, we worked on in the last
    hour.
    """
    most = settings.MAILS_PER_HOUR
    if worked_on < most:
        return None
    kept = sender.email[:EMAIL_LENGTH]
    recent = InboundMail.objects.filter(sender=kept, processed_at__gt=now - HOUR)
    alike = recent.filter(_alike("proof", proved=sender.proof is not Proof.NONE))
    times = alike.order_by("-processed_at").values_list("processed_at", flat=True)
    last_that_counts = times[most - 1 : most].first()
    return last_that_counts + HOUR if last_that_counts else None


def say_later(mail: InboundMail, sender: Sender, now: dt.datetime) -> None:
    """Tell a sender, once a day, that we work on their mails more slowly, and what that means."""
    recipient = (sender.player.address if sender.player else "") or sender.email
    if not can_be_written_to(recipient):
        return
    outbox.enqueue(
        key=f"later/{now.date()}/{recipient}"[:200],
        kind="later",
        recipient=recipient,
        subject="Too many mails within an hour",
        body=layout.render(
            "later",
            marker=MARKER,
            name=sender.player.name if sender.player else "",
            most=settings.MAILS_PER_HOUR,
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=sender.player,
        answers=mail,
        in_reply_to=mail.message_id,
        references=mail.message_id,
    )


def strangers_full_until(mail: InboundMail, sender: Sender, now: dt.datetime) -> dt.datetime | None:
    """When there is room for a mail of this sender; None if there is room now, or we know them.

    First come, first answered: while others wait, a new mail waits after them, and so they spread
    over the hours to come. A mail that finds no room after all waits until the next answer is an
    hour old, after those that came before it: by whole hours it might come too late each time.
    Mails that we work on together do not see each other's answers, so a few more than the limit may
    pass.
    """
    if not isinstance(sender, Stranger) or sender.gm is not None:
        return None
    most, proved = settings.STRANGERS_PER_HOUR, sender.proof is not Proof.NONE
    waiting = _waiting_strangers().filter(_alike("proof", proved=proved))
    if mail.state != State.NEW:
        before = waiting.filter(received_at__lt=mail.received_at).count()
        return _room_at(now, most, before, proved=proved)
    if ahead := waiting.count():
        return now + HOUR * (1 + ahead // most)
    return _room_at(now, most, 0, proved=proved)


def put_off_stranger(mail: InboundMail, until: dt.datetime, now: dt.datetime) -> None:
    """Make a stranger's mail wait. The log mentions the first; the operators hear of it once a
    day."""
    most = settings.STRANGERS_PER_HOUR
    if not _waiting_strangers().exists():
        logger.warning("More than %s strangers wrote within an hour: their mails wait", most)
    operators.tell(
        key=f"strangers/{now.date()}",
        kind="strangers",
        subject="Many strangers write to us: their mails wait",
        context={"most": most, "trusted": settings.TRUSTED_AUTHSERV_ID},
        now=now,
    )
    mail.put_off(until, note=STRANGERS_WAIT)


def leave_unanswered(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Never answer these of the waiting strangers' mails; return how many. The others get their
    answers sooner."""
    theirs = _waiting_strangers().filter(pk__in=mail_ids, working_since=None)
    left = theirs.update(state=State.IGNORED, note=UNANSWERED, processed_at=now)
    _waiting_strangers().filter(retry_at__gt=now, working_since=None).update(retry_at=now)
    return left


def _room_at(now: dt.datetime, most: int, before: int, *, proved: bool) -> dt.datetime | None:
    """When one more mail can be answered after so many before it; None if now."""
    answered = _answers_to_strangers(now, proved=proved).order_by("-created_at")
    times = list(answered.values_list("created_at", flat=True)[:most])
    return times[max(most - 1 - before, 0)] + HOUR if len(times) == most else None


def _answers_to_strangers(now: dt.datetime, *, proved: bool) -> QuerySet[OutboundMail]:
    """The answers that strangers had in the last hour to mails that proved as much as this one."""
    staff = User.objects.filter(email__iexact=OuterRef("recipient"))
    # Those that still have their words: there is an index by time for them, and none so young is
    # emptied.
    recent = OutboundMail.objects.filter(created_at__gt=now - HOUR, emptied_at=None)
    answers = recent.filter(_alike("answers__proof", proved=proved), kind="reply", player=None)
    return answers.filter(answers__player=None).exclude(Exists(staff))


def _alike(field: str, *, proved: bool) -> Q:
    """The mails that prove their sender, or else those that do not."""
    unproved = Q(**{f"{field}__in": UNPROVED})
    return ~unproved if proved else unproved


def _waiting_strangers() -> QuerySet[InboundMail]:
    """The mails of strangers that wait already."""
    return InboundMail.objects.filter(state=State.LATER, note=STRANGERS_WAIT)
