"""Complaints about our mails: each is matched to the mail, and its reader gets less from us.

We believe a complaint as we believe a bounce (bounces.py): it came to the envelope sender of that
mail, or it quotes that address or the mail's Message-ID. Both are secrets between us and whoever
got the mail, so nobody can stop somebody else's mails. We answer nobody. Mails about a player's own
seat go on; a moderator looks at the case and can pause those, too.
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
    """The mail of ours that a complaint is about; None if it is not a complaint, or not to be
    believed."""
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
    """Do what a complaint asks for; return a sentence for the admin. A second time it changes
    nothing."""
    mail.bounce_of, mail.player = about, about.player
    logger.warning("Mail #%s (%s) was called spam (%s)", about.pk, about.kind, complaint.kind)
    domain = about.recipient.rpartition("@")[2]
    address_complained(email=about.recipient, what=_what(about, complaint, domain), now=now)
    return f"Mail #{about.pk} was called spam: {complaint.kind}, says {complaint.agent or domain}."


def _what(about: OutboundMail, complaint: Complaint, domain: str) -> str:
    kind = about.kind.replace("_", " ")
    return (
        f"{domain} reports that whoever reads mail at {about.recipient} marked one of ours as spam "
        f"({complaint.kind}): “{kind}”, sent on {about.created_at:%a %d %b %Y}. We send that "
        "address no more reminders, offers of seats or results for observers, but still the "
        "results and receipts of their own games. If they do not want those either, choose Pause "
        "mail on their page; if they slipped, Resume mail. Then settle this without an answer."
    )
