"""Whether a mail was here before: sent again, sent on, or copied by a relay on its way."""

from __future__ import annotations

from mailer.inbound.locked_mail import LockedMail, copied_since, done_lately, earlier, only_orders
from mailer.inbound.requests import Request, read_with_greetings
from mailer.letter import Letter
from mailer.models import InboundMail

_MOST_COMPARED = 10
"""How many earlier mails we compare one with: those of the same subject first, then the newest."""
_MOST_SUBJECTS = 100
"""How many subjects we look at to find those mails."""


def is_the_same(mail: InboundMail, letter: Letter) -> bool:
    """Whether we have dealt with a mail with this Message-ID, sender and text before: this one was
    sent again, or replayed.

    The Message-ID alone is not enough: somebody who knows it could send a mail of their own first.
    """
    settled = earlier(mail.sender, mail.message_id).exclude(pk=mail.pk)
    raws = settled.values_list("raw", flat=True)
    # For a mail that has been emptied, the Message-ID and the sender have to do.
    return any(not raw or read_with_greetings(bytes(raw)).lines == letter.lines for raw in raws[:5])


def repeats(locked: LockedMail, request: Request) -> bool:
    """Whether a mail repeats another one, sent on by hand or as a copy."""
    if request.letter.resent and locked.came_before and is_the_same(locked.mail, request.letter):
        return True
    return locked.looks_known and _is_copy(request)


def _is_copy(request: Request) -> bool:
    """Whether we have carried out this mail already, under another Message-ID: a program that hears
    no 250 sends a mail again, and some relays give it another Message-ID each time.

    Nobody writes the same words to the same addresses twice in a second by hand. A person who does
    so a minute later means them again, and so does a program that wrote others in the same second.
    Repeated orders do no harm, and are not worth a database statement for each mail with orders.
    """
    mail, letter = request.mail, request.letter
    if letter.date is None or only_orders(request.sender, request.calls):
        return False
    done = done_lately(mail.sender, copied_since(letter, request.now)).order_by("-id")
    rows = done.values_list("id", "subject")[:_MOST_SUBJECTS]
    alike = sorted(  # an empty subject is like any: those that are the same come first
        (subject != mail.subject, -row)
        for row, subject in rows
        if _are_alike(subject, mail.subject)
    )
    keys = [-row for _, row in alike[:_MOST_COMPARED]]
    raws = done.filter(pk__in=keys).values_list("raw", flat=True)
    others = (read_with_greetings(bytes(raw)) for raw in raws)
    lines = next(
        (one.lines for one in others if _date_and_recipients(one) == _date_and_recipients(letter)),
        None,
    )
    return lines == letter.lines


def _are_alike(subject: str, other: str) -> bool:
    """Whether these may be two subjects of one mail: a relay may have added “[spam?]” in front."""
    return subject.endswith(other) or other.endswith(subject)


def _date_and_recipients(letter: Letter) -> tuple[object, ...]:
    return letter.date, letter.recipients
