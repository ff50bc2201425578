"""Complaints about mails of ours: matched to the mail, its reader spared what they may do without.

A complaint is believed as a report of failure is (bounces.py): it came to the envelope sender of
that mail, or it holds that address or the mail's Message-ID, which are secrets between us and
whoever got the mail. So nobody can end somebody else's mails. Nobody is answered. What a player
gets about their own seat goes on: a moderator looks, and can pause that, too.
"""

from __future__ import annotations

import datetime as dt
import logging

from django.db.models import Q

from games.services.conduct import address_complained
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.reading.complaint import Complaint

logger = logging.getLogger(__name__)


def mail_complained_of(letter: Letter) -> OutboundMail | None:
    """The mail of ours that a complaint is about; None for no complaint, or not to be believed."""
    complaint = letter.complaint
    if complaint is None:
        return None
    secrets = (*letter.recipients, complaint.mail_from)
    digests = list(filter(None, map(addresses.bounce_digest, secrets)))
    named = Q(bounce_digest__in=digests)
    if complaint.message_id:
        named |= Q(message_id=complaint.message_id)
    mails = OutboundMail.objects.filter(named).select_related("player")
    return mails.order_by("pk").first()


def take(mail: InboundMail, about: OutboundMail, complaint: Complaint, now: dt.datetime) -> str:
    """Do what a complaint asks for; a sentence for the admin. Again: nothing new."""
    mail.bounce_of, mail.player = about, about.player
    logger.warning("Mail #%s (%s) was called spam (%s)", about.pk, about.kind, complaint.kind)
    domain = about.recipient.rpartition("@")[2]
    address_complained(email=about.recipient, what=_what(about, complaint, domain), now=now)
    return f"Mail #{about.pk} was called spam: {complaint.kind}, says {complaint.agent or domain}."


def _what(about: OutboundMail, complaint: Complaint, domain: str) -> str:
    kind = about.kind.replace("_", " ")
    return (
        f"Whoever reads at {about.recipient} called a mail of ours spam ({complaint.kind}), as "
        f"{domain} reports. It was of the kind “{kind}”, of {about.created_at:%a %d %b %Y}. "
        "Reminders, offers of seats and results for observers go there no more; results and "
        "receipts of their own games do. If they want none of those either, choose Pause mail on "
        "their page; if it was a slip, Resume mail. Then settle this without an answer."
    )
