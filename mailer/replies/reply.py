"""Receipts as one mail: what was read, what each command did, what was left out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import assert_never

from django.conf import settings

from games.models import Address, Game, Phase, Player
from games.queries import lookup
from games.queries.proofs import receipt_block
from mailer.commands.player import Receipt
from mailer.commands.player.mail import PAUSED
from mailer.identity.senders import (
    Answering,
    AnsweringGm,
    FurtherAddress,
    GameMaster,
    Newcomer,
    PlayerAtLarge,
    Proof,
    SeatHolder,
    Sender,
    Stranger,
    Suspect,
    SuspectGm,
)
from mailer.letter import Ignored, Letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, layout, outbox, threads
from mailer.reading import quotes
from mailer.replies.budget import REFUSED, UNPROVED_BUDGET, refusals_today
from mailer.replies.recipient import recipient_of
from mailer.text import MARKER, counted

ENOUGH = (
    "This was the last of many mails today in which there was nothing we could do. We do not "
    "answer such mails any more until tomorrow; one that says something we can do is answered as "
    "always. HELP on a line of its own shows what you can write."
)
_SHOWN_TEXT = 60
NOT_DONE = "NOT done: "
_TAG = re.compile(r"\[[\w-]+\]")


def reply(
    *,
    mail: InboundMail,
    letter: Letter,
    sender: Sender,
    receipts: Sequence[Receipt],
    now: dt.datetime,
) -> OutboundMail | None:
    """Queues the answer to a mail, to the player's address of record or to the stranger's own.

    A player who wrote from another address of theirs gets a copy there.

    None when the recipient has had too many answers today: a forged From line must not make us
    flood somebody, nor two programs write to each other without end.
    """
    player = sender.player
    to = recipient_of(sender, _phase(sender), now)
    if player is None and sender.gm is None:
        letter = _unquoted(letter)
    if to.is_full:
        _say_unanswered(mail, player, now)
        return None
    refused = not any(receipt.done for receipt in receipts)
    if refused:
        left = settings.REFUSALS_PER_DAY - refusals_today(to.email, now)
        if left <= 0:
            return None
        enough = [Receipt("Enough for today", ENOUGH, done=False)] if left == 1 else []
        receipts = [*receipts, *enough]
    send = functools.partial(
        outbox.enqueue,
        subject=_subject(receipts, letter, to.root),
        body=_body(letter, sender, receipts, to.record),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
        reply_to=_reply_to(sender, receipts, now),
        in_reply_to=letter.message_id,
        on_yes=next((one.wish.script for one in receipts if one.wish), ""),
        buttons=[button for receipt in receipts for button in receipt.buttons],
        calendars=[file for receipt in receipts for file in receipt.calendars],
        pictured=next((receipt.pictured for receipt in receipts if receipt.pictured), None),
        references=" ".join(dict.fromkeys(filter(None, (to.root.message_id, letter.message_id)))),
    )
    if _wrote_from_another(sender, to.email):
        send(key=f"reply/{mail.pk}/copy", kind="copy", recipient=sender.email)
    key = f"reply/{mail.pk}{REFUSED if refused else ''}"
    return send(key=key, kind="reply", recipient=to.email)


def _body(letter: Letter, sender: Sender, receipts: Sequence[Receipt], record: str) -> str:
    """The text: each receipt, what was left out, and what is signed."""
    return layout.render(
        "reply",
        marker=MARKER,
        name=_addressed(sender, record),
        receipts=receipts,
        several=len(receipts) > 1,
        left_out=left_out(_untold(letter, receipts)),
        signed=_signed(receipts),
        paused=PAUSED if sender.player and sender.player.mail_paused_at else "",
    )


def _signed(receipts: Sequence[Receipt]) -> list[str]:
    """The orders that stand when everything in the mail is done, signed, once for each phase."""
    proved = dict.fromkeys(one.proves for one in receipts if one.proves)
    return [line for one in proved for line in receipt_block(one.phase, one.power, one.book)]


def _unquoted(letter: Letter) -> Letter:
    """The letter without what an answer would repeat of it.

    A stranger's From line may be forged, to have us send its owner an advertisement.
    """
    return dataclasses.replace(letter, subject="", ignored=())


def _untold(letter: Letter, receipts: Sequence[Receipt]) -> Letter:
    """The letter without the greetings that a receipt speaks of: they were not left out."""
    told = {number for one in receipts for number in one.told}
    ignored = tuple(line for line in letter.ignored if line.number not in told)
    return dataclasses.replace(letter, ignored=ignored)


def _addressed(sender: Sender, record: str) -> str:
    """The name in the salutation; empty for strangers, who have no address of record."""
    if sender.player and record:
        return sender.player.name
    user = sender.gm.user if sender.gm else None
    return (user.get_full_name() or user.get_username()) if user else ""


def _wrote_from_another(sender: Sender, recipient: str) -> bool:
    """Whether a player who is proved wrote from a confirmed address that is not that of record."""
    if sender.player is None or sender.proof is Proof.NONE or sender.email == recipient.lower():
        return False
    return lookup.player_by_address(sender.email) == sender.player


def _say_unanswered(mail: InboundMail, player: Player | None, now: dt.datetime) -> None:
    """Tells a player, once a day, that mails of which we do not know whose they are get no answer
    any more."""
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


def left_out(letter: Letter) -> list[str]:
    """What of a mail was not read, and why: quotes counted, other lines shown shortly."""
    sentences = []
    quoted = sum(line.why in (quotes.QUOTED, quotes.ATTRIBUTION) for line in letter.ignored)
    if quoted:
        sentences.append(f"{counted(quoted, 'line')} quoted from another mail.")
    sentences += _shown(line for line in letter.ignored if line.why == quotes.COURTESY)
    others = (quotes.SIGNATURE, quotes.FOOTER)
    sentences += _shown(line for line in letter.ignored if line.why in others)
    sentences += [f"We could not read {thing}." for thing in letter.left_out]
    return [f"- {sentence[:1].upper()}{sentence[1:]}" for sentence in sentences]


def _shown(lines: Iterable[Ignored]) -> list[str]:
    """The first lines left out for each reason, with a count of the others."""
    lines = list(lines)
    shown = [f"“{_short(line.text)}”: {_why(line)}." for line in lines[:3]]
    more = Counter(map(_why, lines[3:]))
    return shown + [f"{counted(number, 'more line')}: {why}." for why, number in more.items()]


def _why(line: Ignored) -> str:
    return "a greeting" if line.why == quotes.COURTESY else line.why


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…"


def _subject(receipts: Sequence[Receipt], letter: Letter, root: threads.Root) -> str:
    """The worst news of the answer, and whether there is more of it.

    When all is well the answer keeps the subject of its thread, so that Gmail leaves it there.
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
    """`[marne] NOT done: TAKEOVER; Spring 1901 movement: …`: the worst news stands first."""
    game = _TAG.match(subject)
    words = (one.refused.removeprefix(NOT_DONE) or "some lines" for one in refused)
    said = f"{NOT_DONE}{', '.join(dict.fromkeys(words))}"
    rest = subject.removeprefix(game[0]).lstrip() if game else subject
    return f"{f'{game[0]} ' if game else ''}{said}; {rest}"


def _without_news(receipts: Sequence[Receipt], letter: Letter) -> str:
    """The subject where no receipt brings one: what was refused, or that of the mail."""
    title = letter.subject or "your mail"
    refused = next((one.refused for one in receipts if one.refused), "")
    if refused:
        game = _TAG.search(title)
        return f"{game[0]} {refused}" if game else refused
    return _answering(title)


def _reply_to(sender: Sender, receipts: Sequence[Receipt], now: dt.datetime) -> str:
    """Where an answer to our answer goes; empty where our own address will do."""
    asked = next((receipt.address for receipt in receipts if receipt.address), None)
    if asked is not None:
        return addresses.player_address(address=asked, now=now)
    done = all(receipt.done for receipt in receipts)
    match sender:
        case GameMaster(user=user, game=Game() as game):
            return addresses.gm_address(user=user, game=game, now=now)
        case AnsweringGm():  # the question still stands
            return addresses.address_for(sender.question, now=now)
        case SeatHolder() if sender.seat.until is None:
            return _to_open_phase(sender, done, now)
        case Answering() if not done:
            return addresses.address_for(sender.question, now=now)
        case Newcomer() | PlayerAtLarge() | SeatHolder() | Answering():
            return _to_player(sender.player, now)
        case Stranger() | FurtherAddress() | GameMaster() | Suspect() | SuspectGm():
            return ""
        case _:
            assert_never(sender)


def _to_open_phase(sender: SeatHolder, done: bool, now: dt.datetime) -> str:
    """Where the seat orders next: what was refused may have come too late for the phase it meant,
    and then another is open by now."""
    seen = sender.phase if done else None
    phase: Phase | None = lookup.open_phase(sender.seat.power.game, seen=seen)
    return addresses.seat_address(seat=sender.seat, phase=phase, now=now)


def _to_player(player: Player, now: dt.datetime) -> str:
    """Where a player writes to us about no game, if they have an address of record."""
    record = Address.objects.filter(player=player, of_record=True).first()
    return addresses.player_address(address=record, now=now) if record else ""


def _is_quiet(receipt: Receipt) -> bool:
    """Whether all is well, and nothing happened that a player should notice in the inbox."""
    all_well = receipt.done and receipt.whole and receipt.wish is None
    return all_well and (receipt.routine or not receipt.subject)


def _answering(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _phase(sender: Sender) -> Phase | None:
    """The phase to whose thread the answer belongs: the one that the mail was for."""
    if not isinstance(sender, SeatHolder):
        return None
    return sender.phase or lookup.open_phase(sender.seat.power.game)
