"""Shows on pages of games, which know nothing about mails, whether ours reach people."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django import template
from django.contrib.auth.models import User

from games.models import Player
from games.queries.lookup import everyone_in
from mailer.inbound.staff_bounces import failing_since
from mailer.models import InboundMail, OutboundMail
from mailer.notices.kinds import words_of

register = template.Library()


@register.simple_tag
def mails_fail_since(user: User | None, now: dt.datetime) -> dt.datetime | None:
    """Since when mails to this user come back; None when they arrive."""
    return failing_since(user.email, now) if user and user.email else None


SHOWN = 30
"""How many of a player's mails their page shows."""


class MailLine(NamedTuple):
    """A mail to or from a player, without a word of its text."""

    at: dt.datetime
    way: str
    about: str
    fate: str


@register.simple_tag
def last_mails(player: Player) -> list[MailLine]:
    """Return the newest mails to and from the player, under any account of theirs: whether they
    came, and what they were about, but none of their text."""
    them = everyone_in(player)
    ours = OutboundMail.objects.filter(player__in=them).defer("body").order_by("-pk")[:SHOWN]
    theirs = InboundMail.objects.filter(player__in=them).defer("raw").order_by("-pk")[:SHOWN]
    several = player.addresses.filter(confirmed_at__isnull=False).count() > 1
    lines = [
        *(
            MailLine(
                one.created_at,
                _way("to", one.recipient, several=several),
                words_of(one.kind),
                _fate(one),
            )
            for one in ours
        ),
        *(
            MailLine(
                one.received_at,
                _way("from", one.sender, several=several),
                "–",
                one.get_state_display(),
            )
            for one in theirs
        ),
    ]
    return sorted(lines, key=lambda one: one.at, reverse=True)[:SHOWN]


def _way(way: str, email: str, *, several: bool) -> str:
    """The direction of a mail, and its address if there are several: somebody else may have
    another."""
    return f"{way} {email}" if several and email else f"{way} them"


def _fate(mail: OutboundMail) -> str:
    if mail.bounced_at:
        return f"came back: {mail.bounce[:80]}"
    if mail.sent_at:
        return "sent"
    return f"{mail.get_state_display()}: {mail.last_error[:80]}" if mail.last_error else "waits"
