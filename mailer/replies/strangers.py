"""How many strangers are answered in an hour, all of them together.

Each address has a limit of its own (budget.py), which does not help against a list of ten thousand
forged ones: we would be sending unwanted mail to all of them. Nothing is thrown away: what is too
much for an hour waits, and is answered when there is room. Mails for which their domain vouches are
counted separately, so that forged ones do not keep newcomers out.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from mailer.identity.senders import Proof, Sender, Stranger
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import operators
from mailer.replies.budget import HOUR, UNPROVED

logger = logging.getLogger(__name__)
State = InboundMail.State
UNANSWERED = "An operator left it unanswered: too many strangers wrote."
WAITS = "Kept for later: too many strangers wrote in an hour."


def full_until(mail: InboundMail, sender: Sender, now: dt.datetime) -> dt.datetime | None:
    """When there is room for a mail of this sender; None if there is room now, or they are known.

    The first to come is the first to be answered: while others wait, a new mail waits behind them,
    and so they are spread over the hours to come. One that finds no room after all waits for the
    next answer to be an hour old, behind those that came before it: by whole hours it might come
    too late each time. Mails that are worked on together do not see each other's answers: some more
    than the limit may pass.
    """
    if not isinstance(sender, Stranger) or sender.gm is not None:
        return None
    most, proved = settings.STRANGERS_PER_HOUR, sender.proof is not Proof.NONE
    waiting = _waiting().filter(_alike("proof", proved=proved))
    if mail.state != State.NEW:
        before = waiting.filter(received_at__lt=mail.received_at).count()
        return _room_at(now, most, before, proved=proved)
    if ahead := waiting.count():
        return now + HOUR * (1 + ahead // most)
    return _room_at(now, most, 0, proved=proved)


def put_off(mail: InboundMail, until: dt.datetime, now: dt.datetime) -> None:
    """Make a stranger's mail wait. The log mentions the first; the operators are told once a
    day."""
    most = settings.STRANGERS_PER_HOUR
    if not _waiting().exists():
        logger.warning("More than %s strangers wrote within an hour: their mails wait", most)
    operators.tell(
        key=f"strangers/{now.date()}",
        kind="strangers",
        subject="Many strangers write to us: their mails wait",
        template="strangers",
        context={"most": most, "trusted": settings.TRUSTED_AUTHSERV_ID},
        now=now,
    )
    mail.put_off(until, note=WAITS)


def leave_unanswered(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Never answer these of the strangers' mails that wait; return how many. The others are
    answered sooner."""
    theirs = _waiting().filter(pk__in=mail_ids, working_since=None)
    left = theirs.update(state=State.IGNORED, note=UNANSWERED, processed_at=now)
    _waiting().filter(retry_at__gt=now, working_since=None).update(retry_at=now)
    return left


def _room_at(now: dt.datetime, most: int, before: int, *, proved: bool) -> dt.datetime | None:
    """When so many before and one more can be answered; None when one can be now."""
    answered = _answered(now, proved=proved).order_by("-created_at")
    times = list(answered.values_list("created_at", flat=True)[:most])
    return times[max(most - 1 - before, 0)] + HOUR if len(times) == most else None


def _answered(now: dt.datetime, *, proved: bool) -> QuerySet[OutboundMail]:
    """The answers that strangers had in the last hour, as well proved as this one."""
    staff = User.objects.filter(email__iexact=OuterRef("recipient"))
    # Those with their words: of these there is an index by time, and none so young is emptied.
    recent = OutboundMail.objects.filter(created_at__gt=now - HOUR, emptied_at=None)
    answers = recent.filter(_alike("answers__proof", proved=proved), kind="reply", player=None)
    return answers.filter(answers__player=None).exclude(Exists(staff))


def _alike(field: str, *, proved: bool) -> Q:
    unproved = Q(**{f"{field}__in": UNPROVED})
    return ~unproved if proved else unproved


def _waiting() -> QuerySet[InboundMail]:
    """The mails of strangers that wait already."""
    return InboundMail.objects.filter(state=State.LATER, note=WAITS)
