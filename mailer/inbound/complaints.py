"""Complaints about our mails: we find the mail, and send its reader less.

We believe a complaint as we believe a bounce (bounces.py): it came to the envelope sender of that
mail, or it quotes that address. That is a secret between us and whoever got the mail, so nobody can
stop somebody else's mails. Mails about a player's own seat go on. We tell the player: it may have
been a slip, or somebody to whom they passed on the whole mail. A moderator looks at the case and
can pause those mails, too.
"""

from __future__ import annotations

import datetime as dt
import logging

from games.models import Address
from games.services.moderation.conduct import address_complained
from mailer.inbound.bounces import mail_returned
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail
from mailer.notices.kinds import words_of
from mailer.outbound import addresses, layout, outbox
from mailer.outbound.buttons import MAIL_ON
from mailer.reading.complaint import Complaint
from mailer.text import MARKER

logger = logging.getLogger(__name__)

KIND = "called_spam"
COMPLAINED_WITHIN = dt.timedelta(days=90)
"""How long after a mail people may call it spam: when they tidy up, but not years later."""


def mail_complained_of(letter: Letter, at: dt.datetime) -> OutboundMail | None:
    """The mail of ours that a complaint which came `at` this time is about; None if it is not a
    complaint, or we do not believe it."""
    complaint = letter.complaint
    if complaint is None:
        return None
    return mail_returned(
        [*letter.recipients, complaint.mail_from, complaint.returned_to], at - COMPLAINED_WITHIN
    )


def take(mail: InboundMail, about: OutboundMail, complaint: Complaint, now: dt.datetime) -> str:
    """Do what a complaint asks for; return a sentence for the admin. Repeating it changes
    nothing."""
    mail.bounce_of, mail.player = about, about.player
    logger.warning("Mail #%s (%s) was called spam (%s)", about.pk, about.kind, complaint.kind)
    domain = about.recipient.rpartition("@")[2]
    stopped = address_complained(
        email=about.recipient, what=_what(about, complaint, domain), now=now
    )
    if stopped:
        _tell(stopped, now)
    return f"Mail #{about.pk} was called spam: {complaint.kind}, says {complaint.agent or domain}."


def _tell(stopped: Address, now: dt.datetime) -> None:
    """Tell the player which mails have stopped, at that address and at their address of record."""
    player, record = stopped.player, stopped.player.record or stopped
    for address in {stopped.pk: stopped, record.pk: record}.values():
        outbox.enqueue(
            key=f"{KIND}/{stopped.pk}/{now:%Y%m%d%H%M%S}/{address.pk}",
            kind=KIND,
            recipient=address.email,
            subject="We no longer send you reminders",
            body=layout.render(KIND, marker=MARKER, name=player.name, email=stopped.email),
            now=now,
            priority=OutboundMail.Priority.NOTICE,
            player=player,
            reply_to=addresses.player_address(address=address, now=now),
            buttons=[MAIL_ON],
        )


def _what(about: OutboundMail, complaint: Complaint, domain: str) -> str:
    kind = words_of(about.kind)
    return (
        f"{domain} reports that whoever reads mail at {about.recipient} marked one of ours as spam "
        f"({complaint.kind}): “{kind}”, sent on {about.created_at:%a %-d %b %Y}. We send that "
        "address no more reminders, offers of seats or results for observers, but still the "
        "results and receipts of their own games. We have told them how to get the rest again. If "
        "they do not want any of it, choose Pause mail on their page; if they slipped, Resume "
        "mail. Then settle this without an answer."
    )
