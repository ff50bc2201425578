"""Empties mails and press, bit by bit, once they are older than the settings allow.

The row stays without its words: that the mail came, when, and what became of it, so that we
recognise the same mail if it comes again. We never empty a mail that somebody still has to see to.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Conduct
from games.services.messages.press import press_empty
from games.services.moderation.bans_kept import bans_expire
from games.services.moderation.care import cares_forget
from mailer.models import AttachedFile, InboundMail, OutboundMail

PER_TURN = 500
"""How many rows of each kind one turn empties: a job must not hold up the others."""
FILES_KEPT = dt.timedelta(days=1)
"""After the mail was sent."""
UNSENT_KEPT = dt.timedelta(days=7)
"""How long we keep the file of a mail that failed, because an operator may send it again."""
State = InboundMail.State
SETTLED = (State.DONE, State.IGNORED, State.HELD, State.REPORT)
"""Mails that came and have been seen to. Nobody will say any more that a held mail so old was
theirs."""


def empty_old(now: dt.datetime) -> int:
    """Empty rows that are too old, as many as fit a turn; return how many. Safe to repeat."""
    emptied = _files_delete(now)
    bans_expire(now=now)
    cares_forget(now=now)
    if settings.MAIL_DAYS:
        before = now - dt.timedelta(days=settings.MAIL_DAYS)
        emptied += empty_inbound(_old_inbound(before), now)
        emptied += empty_outbound(_old_outbound(before), now)
    if settings.PRESS_DAYS:
        before = now - dt.timedelta(days=settings.PRESS_DAYS)
        emptied += press_empty(before=before, limit=PER_TURN)
    return emptied


def _files_delete(now: dt.datetime) -> int:
    """Delete files a day after the mails that carried them were sent, and the files of mails that
    nobody took, with the words of these; return how many rows."""
    failed = OutboundMail.objects.filter(
        file__isnull=False, state=OutboundMail.State.FAILED, created_at__lt=now - UNSENT_KEPT
    )
    unsent = list(failed.values_list("pk", flat=True))
    empty_outbound(failed.filter(pk__in=unsent), now)
    gone = Q(mail__sent_at__lt=now - FILES_KEPT) | Q(mail__in=failed.filter(pk__in=unsent))
    return AttachedFile.objects.filter(gone).delete()[0]


def empty_inbound(mails: QuerySet[InboundMail], now: dt.datetime) -> int:
    """Take the words out of mails that came; return how many mails."""
    return mails.update(raw=b"", subject="", error="", emptied_at=now)


def empty_outbound(mails: QuerySet[OutboundMail], now: dt.datetime) -> int:
    """Take the words out of mails that we sent; return how many mails."""
    words = {"body": "", "on_yes": "", "bounce": "", "last_error": ""}
    return mails.update(**words, buttons=[], calendars=[], trial=None, emptied_at=now)


def _old_inbound(before: dt.datetime) -> QuerySet[InboundMail]:
    old = InboundMail.objects.filter(emptied_at=None, processed_at__lt=before, state__in=SETTLED)
    keys = old.order_by("processed_at").values_list("pk", flat=True)
    return InboundMail.objects.filter(pk__in=list(keys[:PER_TURN]))


def _old_outbound(before: dt.datetime) -> QuerySet[OutboundMail]:
    old = OutboundMail.objects.filter(emptied_at=None, created_at__lt=before)
    untold = Conduct.objects.filter(
        player=OuterRef("player"), kind=Conduct.Kind.MAIL_RESUMED, told_at=None
    )
    unread = Q(player__mail_paused_at__isnull=False) | Exists(untold)
    kept = Q(state=OutboundMail.State.KEPT) & unread
    done = old.exclude(kept | Q(state=OutboundMail.State.QUEUED))
    keys = list(done.order_by("created_at").values_list("pk", flat=True)[:PER_TURN])
    # The statement that empties them asks once more: an operator may just have sent one again.
    return OutboundMail.objects.filter(pk__in=keys).exclude(state=OutboundMail.State.QUEUED)
