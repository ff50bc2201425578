"""Signs that a program wrote a mail.

RFC 3834 (automatic responses) and RFC 3464 (delivery reports) have marks that only programs use.
Providers and companies add everything else that programs write to people's mails, too:
`Feedback-ID` and `X-Auto-Response-Suppress` say nothing at all, `Precedence` and `List-*` are
hints, and a subject can say anything. `mailer/inbound/admission.py` decides what becomes of a mail
with a mark.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from email.message import Message

from mailer.reading.headers import header
from mailer.reading.phrases import ANSWERED, PASSED_ON


class Kind(enum.Enum):
    """How surely a mark shows that a program wrote a mail."""

    REPORT = "a mail server's word about a mail of ours"
    AUTOMATIC = "only programs use it"
    HINT = "mostly programs use it"
    SUBJECT = "only the subject looks like that of a program"


@dataclasses.dataclass(frozen=True)
class Mark:
    """Why we think that a program wrote a mail, as half a sentence, and how sure we are."""

    reason: str
    kind: Kind

    @property
    def is_report(self) -> bool:
        """Whether the mail is a report: its sender did not write its text."""
        return self.kind is Kind.REPORT


_SERVERS = re.compile(r"mailer-daemon([+.-].*)?@")
_ROBOTS = re.compile(
    r"(postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)([+.-].*)?@"
)
_AUTOMATIC = (
    *("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Auto-Reply-From"),
    "X-Mail-Autoreply",
)
_CALENDAR_ANSWERS = {"REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH"}
_CALENDAR_FILES = ("text/calendar", "application/ics")
_REACTION = "text/vnd.google.email-reaction+json"
_METHOD = re.compile(rb"^METHOD:([A-Z]+)", re.IGNORECASE | re.MULTILINE)
_HEAD = 4096
"""How many bytes of a calendar file we search for its method."""
_LISTS = ("List-Id", "List-Unsubscribe", "List-Post")
_ABSENT = re.compile(
    r"(auto(matic|mated)?[ -]?(reply|response)|out of (the )?office|abwesenheits(notiz|nachricht)"
    r"|automatische antwort|r[ée]ponse automatique|absence du bureau|respuesta autom[áa]tica"
    r"|risposta automatica|fuori sede|automatisch antwoord|afwezig|resposta autom[áa]tica"
    r"|autosvar|fr[åa]nvaro|(automatyczna |auto)odpowied[źz]|undeliver(ed|able)"
    r"|delivery status notif"
    r"|mail delivery (failed|system)|returned mail|failure notice|delivery (failure|incomplete)"
    r"|vacation( reply| notice| message)?:|((not |un)?read|gelesen|ungelesen|gelezen|lu|leído|letto"
    r"|lida|läst|przeczytan[oy])\s?: "
    r"|自動応答|自動返信|不在)",
    re.IGNORECASE,
)


def mark_of(message: Message, sender: str | None, subject: str) -> Mark | None:
    """The surest sign that a program wrote this mail; None without one."""
    signs = (
        (Kind.REPORT, _of_report(message, sender)),
        (Kind.AUTOMATIC, _of_automatic(message)),
        (Kind.HINT, _hint(message, sender)),
    )
    for kind, reason in signs:
        if reason:
            return Mark(reason, kind)
    if _ABSENT.match(_without_prefix(subject)):
        return Mark("its subject is that of an automatic reply", Kind.SUBJECT)
    return None


def _of_report(message: Message, sender: str | None) -> str:
    if message.get_content_type() in ("multipart/report", "message/delivery-status"):
        return "it is a delivery report"
    return "it comes from a mail server" if sender and _SERVERS.match(sender) else ""


def _of_automatic(message: Message) -> str:
    if _empty_return_path(message):
        return "its return path is empty"
    submitted = header(message, "Auto-Submitted").lower()
    if re.split(r"[;(\s]", submitted, maxsplit=1)[0] not in ("", "no"):
        return "it says that it was submitted automatically"
    if header(message, "Precedence").lower() == "auto_reply":
        return "its Precedence is that of an automatic reply"
    if _answers_calendar(message):
        return "a calendar program answers one of our entries with it"
    if any(part.get_content_type() == _REACTION for part in message.walk()):
        return "it is a reaction to a mail of ours, put into words by a mail program"
    return next((f"it has the header {name}" for name in _AUTOMATIC if name in message), "")


def _answers_calendar(message: Message) -> bool:
    """Whether it answers a calendar's invitation (RFC 6047); we never send any that ask for an
    answer."""
    return any(
        part.get_content_type() in _CALENDAR_FILES and _method(part) in _CALENDAR_ANSWERS
        for part in message.walk()
    )


def _method(part: Message) -> str:
    """What a calendar file is for, by its type or else its first lines (RFC 5546, 1.4)."""
    named = part.get_param("method")
    if isinstance(named, str) and named:
        return named.upper()
    payload = part.get_payload(decode=True)
    found = _METHOD.search(payload[:_HEAD]) if isinstance(payload, bytes) else None
    return found[1].decode().upper() if found else ""


def _hint(message: Message, sender: str | None) -> str:
    if header(message, "Precedence").lower() in ("bulk", "junk", "list"):
        return "its Precedence is that of bulk mail"
    if "X-Loop" in message:
        return "it has the header X-Loop"
    if any(name in message for name in _LISTS):
        return "it comes from a mailing list"
    return "it comes from a robot's address" if sender and _ROBOTS.match(sender) else ""


def _empty_return_path(message: Message) -> bool:
    return "Return-Path" in message and header(message, "Return-Path") in ("<>", "")


def _without_prefix(subject: str) -> str:
    """The subject without `Re:` or its equivalent in other languages."""
    return re.sub(rf"^(({ANSWERED}|{PASSED_ON})\s*){{1,5}}", "", subject, flags=re.I)
