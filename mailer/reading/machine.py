"""Whether a program wrote a mail. Such a mail is never answered and never read for orders.

RFC 3834 (automatic responses), RFC 3464 (delivery reports) and what programs do instead.
"""

from __future__ import annotations

import re
from email.message import Message

from mailer.reading.headers import header

_ROBOTS = re.compile(
    r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)([+.-].*)?@"
)
_MARKS = (
    *("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Auto-Reply-From", "X-Mail-Autoreply"),
    *("X-Loop", "Feedback-ID"),
)
_LISTS = ("List-Id", "List-Unsubscribe", "List-Post")
_ABSENT = re.compile(
    r"(auto(matic|mated)?[ -]?(reply|response)|out of (the )?office|abwesenheits(notiz|nachricht)"
    r"|automatische antwort|r[ée]ponse automatique|absence du bureau|respuesta autom[áa]tica"
    r"|risposta automatica|fuori sede|automatisch antwoord|afwezig|resposta autom[áa]tica"
    r"|autosvar|fr[åa]nvaro|automatyczna odpowied[źz]|undeliver(ed|able)|delivery status notif"
    r"|mail delivery (failed|system)|returned mail|failure notice|delivery (failure|incomplete)"
    r"|vacation( reply| notice| message)?:|((not |un)?read|gelesen|ungelesen|lu|leído|letto): "
    r"|自動応答|自動返信|不在)",
    re.IGNORECASE,
)


def machine_reason(message: Message, sender: str | None, subject: str) -> str | None:
    """Why this mail was written by a program, as half a sentence; None for a person's."""
    kind = message.get_content_type()
    if kind in ("multipart/report", "message/delivery-status"):
        return "it is a delivery report"
    if _empty_return_path(message):
        return "its return path is empty"
    automatic = header(message, "Auto-Submitted").lower()
    if automatic and not automatic.startswith("no"):
        return "it says that it was submitted automatically"
    if header(message, "Precedence").lower() in ("bulk", "junk", "list", "auto_reply"):
        return "its Precedence is that of bulk mail"
    for name in _MARKS:
        if name in message:
            return f"it has the header {name}"
    for name in _LISTS:
        if name in message:
            return "it comes from a mailing list"
    if sender and _ROBOTS.match(sender):
        return "it comes from a robot's address"
    if _ABSENT.match(_without_prefix(subject)):
        return "its subject is that of an automatic reply"
    return None


def _empty_return_path(message: Message) -> bool:
    return "Return-Path" in message and header(message, "Return-Path") in ("<>", "")


def _without_prefix(subject: str) -> str:
    """The subject without `Re:` and what stands for it elsewhere."""
    return re.sub(r"^((re|aw|sv|antw|rif|odp|fwd?|wg|tr)\s*:\s*){1,5}", "", subject, flags=re.I)
