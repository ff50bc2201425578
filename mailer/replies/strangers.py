"""How many strangers are answered in an hour, all of them together.

Each address has a limit of its own (budget.py), which is no help against a list of ten thousand
forged ones: then we would be what sends unwanted mail to all of them. Nothing is thrown away: what
is too much for an hour waits, and is answered when there is room. Mails for which their domain
stands up are counted apart, so that forged ones do not keep newcomers out.
"""

from __future__ import annotations

import datetime as dt
import logging

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from mailer.identity.senders import Proof, Sender, Stranger
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import operators
from mailer.replies.budget import HOUR, UNPROVED

logger = logging.getLogger(__name__)
State = InboundMail.State
WAITS = "Kept for later: too many strangers wrote in an hour."


def full_until(mail: InboundMail, sender: Sender, now: dt.datetime) -> dt.datetime | None:
    """When there is room for a mail of this sender; None when there is now, or they are known.

    The first to come is the first to be answered: while others wait, a new mail waits behind them,
    and so they are spread over the hours to come. Mails that are worked on together do not see
    each other's answers: some more than the limit may pass.
    """
    if not isinstance(sender, Stranger) or sender.gm is not None:
        return None
    most, proved = settings.STRANGERS_PER_HOUR, sender.proof is not Proof.NONE
    unproved = Q(proof__in=UNPROVED)
    ahead = 0
    if mail.state == State.NEW:
        ahead = _waiting().filter(~unproved if proved else unproved).count()
    if not ahead and _answered(now, proved=proved) < most:
        return None
    return now + HOUR * (1 + ahead // most)


def put_off(mail: InboundMail, until: dt.datetime, now: dt.datetime) -> None:
    """Have a stranger's mail wait. The log says so of the first; the operators are told once a
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


def _answered(now: dt.datetime, *, proved: bool) -> int:
    """How many answers strangers had in the last hour, as well proved as this one."""
    staff = User.objects.filter(email__iexact=OuterRef("recipient"))
    # Those with their words: of these there is an index by time, and none so young is emptied.
    recent = OutboundMail.objects.filter(created_at__gt=now - HOUR, emptied_at=None)
    answers = recent.filter(kind="reply", player=None)
    unproved = Q(answers__proof__in=UNPROVED)
    strangers = answers.filter(~unproved if proved else unproved, answers__player=None)
    return strangers.exclude(Exists(staff)).count()


def _waiting() -> QuerySet[InboundMail]:
    """The mails of strangers that wait already."""
    return InboundMail.objects.filter(state=State.LATER, note=WAITS)
