"""List-Unsubscribe (RFC 2369) and one click (RFC 8058), on mails that go to many people, who may do
without them.

These are the results for observers, reminders, and offers to those on standby. What a player gets
about their own seat has no such header: no click can ever cost a seat. By mail, the command that
the mail itself names does it; on the web, a signed link that is good for that mail alone.
"""

from __future__ import annotations

from urllib.parse import quote

from django.conf import settings
from django.core.signing import BadSignature, Signer

from games.events import OrdersMissing
from mailer.models import Bulk, OutboundMail

PATH = "/unsubscribe/"
_SIGNER = "unsubscribe"


def bulk_of(mail: OutboundMail) -> Bulk | None:
    """Say which kind of bulk the mail is; None for a mail that is only about its reader."""
    if mail.player_id is None or mail.event_id is None:
        return None
    if f"{mail.kind}/{mail.event_id}/observer/" in mail.key:
        return Bulk.OBSERVER
    bulk = {"orders_missing": Bulk.REMINDER, "seat_offered": Bulk.OFFER}.get(mail.kind)
    if bulk is Bulk.REMINDER and mail.event and OrdersMissing.of(mail.event).by:
        return None  # the GM wrote to them, and would again: no link could promise otherwise
    return bulk


def headers(mail: OutboundMail) -> dict[str, str]:
    """The headers that let a mail program offer to end such mails; none for other mails."""
    bulk = bulk_of(mail)
    if bulk is None:
        return {}
    places = [f"<mailto:{mail.reply_to or settings.JUDGE_ADDRESS}?body={quote(_line(mail, bulk))}>"]
    if not settings.SITE_URL.startswith("https://"):
        return {"List-Unsubscribe": places[0]}
    places.append(f"<{settings.SITE_URL}{PATH}{token_of(mail)}/>")
    return {
        "List-Unsubscribe": ", ".join(places),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _line(mail: OutboundMail, bulk: Bulk) -> str:
    """The command that does it."""
    if bulk is Bulk.OBSERVER:
        assert mail.event, "an observer's mail tells of an event"
        return f"OBSERVE {mail.event.game.name} OFF"
    return "SET REMINDERS OFF" if bulk is Bulk.REMINDER else "STANDBY OFF"


def token_of(mail: OutboundMail) -> str:
    """Return the secret part of the link: it names this mail, and nobody else can make one."""
    return Signer(salt=_SIGNER).sign(str(mail.pk))


def mail_of(token: str) -> OutboundMail | None:
    """Return the mail that a link was in; None for a link that is not ours."""
    try:
        key = int(Signer(salt=_SIGNER).unsign(token))
    except (BadSignature, ValueError):
        return None
    mails = OutboundMail.objects.select_related("event__game", "player")
    return mails.filter(pk=key).first()
