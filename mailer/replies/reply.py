"""Makes one mail of the receipts: its subject, what was read, what each command did, what was left
out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence

from django.conf import settings

from games.models import Phase, Player
from games.queries import lookup
from games.queries.access.staff_names import staff_name
from games.queries.audit.proofs import receipt_block
from mailer.commands.player.account.mail import PAUSED
from mailer.commands.receipt import Receipt, pictured_first
from mailer.identity.senders import Proof, SeatHolder, Sender
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import layout, outbox, threads
from mailer.replies import unproved
from mailer.replies.budget import REFUSED, UNPROVED_BUDGET, refusals_today
from mailer.replies.left_out import left_out
from mailer.replies.recipient import Recipient, recipient_of, reply_to
from mailer.text import MARKER

ENOUGH = (
    "This was the last of many mails today in which there was nothing we could do. We will answer "
    "no more of them until tomorrow; a mail that asks for something we can do is answered as "
    "usual. HELP on a line of its own shows what you can write."
)
NOT_DONE = "NOT done: "
_TAG = re.compile(r"\[[\w-]+\]")


def reply(
    *,
    mail: InboundMail,
    letter: Letter,
    sender: Sender,
    receipts: Sequence[Receipt],
    now: dt.datetime,
    to: Recipient | None = None,
) -> list[outbox.Mail]:
    """The answer to a mail, to be queued: to the player's address of record or the stranger's own;
    `to` is that address, if the caller has looked it up.

    A player who wrote from another address of theirs gets a copy there.

    Empty when the recipient has had too many answers today: a forged From line must not make us
    flood somebody, nor two programs write to each other without end.
    """
    to = to or recipient_of(sender, _phase(sender), now)
    if to.is_full:
        _say_unanswered(mail, sender.player, now)
        return []
    within = _within_budget(receipts, to.email, now)
    if within is None:
        return []
    if sender.player is None and sender.gm is None:
        letter = unproved.without_quotes(letter)
    elif sender.proof is Proof.NONE:
        letter, within = unproved.harmless(letter, within)
    answer = _answer(mail, letter, sender, within, to, now)
    if not _wrote_from_another(sender, to.email):
        return [answer]
    copy: outbox.Mail = {
        **answer,
        "key": f"reply/{mail.pk}/copy",
        "kind": "copy",
        "recipient": sender.email,
    }
    return [copy, answer]


def _within_budget(
    receipts: Sequence[Receipt], email: str, now: dt.datetime
) -> Sequence[Receipt] | None:
    """The receipts, with a note if they are the last of a day that only refuse; None if they are
    one answer too many of that kind."""
    if _any_done(receipts):
        return receipts
    left = settings.REFUSALS_PER_DAY - refusals_today(email, now)
    enough = [Receipt("Enough for today", ENOUGH, done=False)] if left == 1 else []
    return [*receipts, *enough] if left > 0 else None


def _any_done(receipts: Sequence[Receipt]) -> bool:
    return any(receipt.done for receipt in receipts)


def _answer(
    mail: InboundMail,
    letter: Letter,
    sender: Sender,
    receipts: Sequence[Receipt],
    to: Recipient,
    now: dt.datetime,
) -> outbox.Mail:
    return outbox.Mail(
        key=f"reply/{mail.pk}{'' if _any_done(receipts) else REFUSED}",
        kind="reply",
        recipient=to.email,
        subject=subject_of(receipts, letter, to.root),
        body=_body(letter, sender, receipts, to.record),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=sender.player,
        answers=mail,
        reply_to=reply_to(sender, letter, receipts, now),
        in_reply_to=letter.message_id,
        on_yes=next((one.wish.script for one in receipts if one.wish), ""),
        buttons=[button for one in receipts for button in one.enclosed.buttons],
        calendars=[file for one in receipts for file in one.enclosed.calendars],
        pictured=pictured_first(receipts),
        references=" ".join(dict.fromkeys(filter(None, (to.root.message_id, letter.message_id)))),
    )


def _body(letter: Letter, sender: Sender, receipts: Sequence[Receipt], record: str) -> str:
    """The text: each receipt, the lines left out, and the signed orders."""
    return layout.render(
        "reply",
        marker=MARKER,
        name=_name_addressed(sender, record),
        receipts=receipts,
        several=len(receipts) > 1,
        left_out=left_out(_untold(letter, receipts)),
        signed=_receipt_blocks(receipts),
        paused=PAUSED if sender.player and sender.player.mail_paused_at else "",
    )


def _receipt_blocks(receipts: Sequence[Receipt]) -> list[str]:
    """The orders that count once everything in the mail is done, signed, once for each phase."""
    proved = dict.fromkeys(one.proves for one in receipts if one.proves)
    return [line for one in proved for line in receipt_block(one.phase, one.power, one.book)]


def _untold(letter: Letter, receipts: Sequence[Receipt]) -> Letter:
    """The letter without greetings that a receipt mentions: they were not left out."""
    told = {number for one in receipts for number in one.told}
    ignored = tuple(line for line in letter.ignored if line.number not in told)
    return dataclasses.replace(letter, ignored=ignored)


def _name_addressed(sender: Sender, record: str) -> str:
    """The name in the salutation; empty for strangers, who have no address of record."""
    if sender.player and record:
        return sender.player.name
    user = sender.gm.user if sender.gm else None
    return staff_name(user) if user else ""


def _wrote_from_another(sender: Sender, recipient: str) -> bool:
    """Whether a proved player wrote from a confirmed address other than that of record."""
    if sender.player is None or sender.proof is Proof.NONE or sender.email == recipient.lower():
        return False
    return lookup.player_by_address(sender.email) == sender.player


def _say_unanswered(mail: InboundMail, player: Player | None, now: dt.datetime) -> None:
    """Tell a player, once a day, that mails which do not prove their sender get no more
    answers."""
    if player is None or not player.address:
        return
    outbox.enqueue(
        key=f"unanswered/{now.date()}/{player.pk}",
        kind="unanswered",
        recipient=player.address,
        subject="Too many mails that do not prove who wrote them",
        body=layout.render("unanswered", marker=MARKER, name=player.name, most=UNPROVED_BUDGET),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
    )


def _phase(sender: Sender) -> Phase | None:
    """The phase whose thread the answer belongs to: the one that the mail was for."""
    if not isinstance(sender, SeatHolder):
        return None
    return sender.phase or lookup.open_phase(sender.seat.power.game)


def subject_of(receipts: Sequence[Receipt], letter: Letter, root: threads.Root) -> str:
    """The worst news of the answer, and whether there is more.

    If all is well, the answer keeps the subject of its thread, so that Gmail leaves it there.
    """
    if root.subject and all(map(_is_quiet, receipts)):
        return _answering(root.subject)
    worst_first = sorted(receipts, key=lambda receipt: (receipt.done, receipt.whole))
    subjects = [receipt.subject for receipt in worst_first if receipt.subject]
    if not subjects:
        return _without_news(worst_first, letter)
    refused = [one for one in receipts if not one.done and not one.subject]
    if refused:
        return _with_refused(subjects[0], refused)
    return subjects[0] if len(subjects) == 1 else f"{subjects[0]}, and more"


def _with_refused(subject: str, refused: Sequence[Receipt]) -> str:
    """`[marne] NOT done: TAKEOVER; Spring 1901 movement: …`: the worst news comes first."""
    game = _TAG.match(subject)
    words = (one.refused.removeprefix(NOT_DONE) or "some lines" for one in refused)
    not_done = f"{NOT_DONE}{', '.join(dict.fromkeys(words))}"
    rest = subject.removeprefix(game[0]).lstrip() if game else subject
    return f"{f'{game[0]} ' if game else ''}{not_done}; {rest}"


def _without_news(receipts: Sequence[Receipt], letter: Letter) -> str:
    """The subject if no receipt brings one: the refused commands, or the mail's own subject."""
    title = letter.subject or "your mail"
    refused = next((one.refused for one in receipts if one.refused), "")
    if refused:
        game = _TAG.search(title)
        return f"{game[0]} {refused}" if game else refused
    return _answering(title)


def _is_quiet(receipt: Receipt) -> bool:
    """Whether all is well, and nothing happened that a player should notice in the inbox."""
    all_well = receipt.done and receipt.whole and receipt.wish is None
    return all_well and (receipt.routine or not receipt.subject)


def _answering(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"
