"""The questions that we ask before we do anything: was it yours, are you sure, is this you?"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from games.acts.game import state_stamp
from games.models import Address, Game, Phase, Player, Seat
from games.queries import lookup
from games.queries.access.staff_names import staff_name
from games.queries.reports.wording import listed, local_moment, time_left
from mailer.commands.own_settings.addresses import ADDRESS_QUESTION
from mailer.commands.receipt import Receipt
from mailer.identity.senders import SeatHolder
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.outbound.asked import may_be_asked
from mailer.outbound.tokens import ForGmHeldMail
from mailer.replies.budget import (
    PROVED_BUDGET,
    STRANGERS_BUDGET,
    UNPROVED,
    UNPROVED_BUDGET,
    within_budget,
)
from mailer.text import MARKER


@dataclass(frozen=True, slots=True)
class HeldMail:
    """What a held mail asks for, and why it waits for a player's word."""

    why: str
    asks: Sequence[str]
    """What it asks for, without quoting it: it may have been written to be read."""
    plays: SeatHolder | None
    """The power and phase it would be for, if it is for one."""
    sure: bool
    """Whether we know that they wrote it, and ask because it cannot simply be undone."""
    gives_up: Seat | None
    """The seat that is at stake."""
    by_program: bool
    """Whether it looks as if a program wrote it: then no other way of writing avoids the
    question."""


def question(*, mail: InboundMail, owner: Player, held: HeldMail, now: dt.datetime) -> bool:
    """Ask at the owner's address of record whether a held mail was theirs, or is meant.

    Returns False if nothing was asked: they have no confirmed address, or were asked too often
    today.
    """
    recipient = owner.address
    if not recipient:
        return False
    # If we only ask whether they are sure, they have proved who they are.
    budget = UNPROVED_BUDGET if held.sure else STRANGERS_BUDGET
    if not _may_ask(mail, recipient, budget, now):
        _say_unasked(mail, owner, budget, now)
        return False
    asked = _Question(recipient, _question_subject(held), _question_text(mail, owner, held, now))
    _ask(mail, asked, addresses.challenge_address(mail=mail, now=now), now, player=owner)
    return True


def _question_text(mail: InboundMail, owner: Player, held: HeldMail, now: dt.datetime) -> str:
    return layout.render(
        "question",
        marker=MARKER,
        name=owner.name,
        received=local_moment(mail.received_at, owner.timezone),
        why=held.why,
        asks=listed(held.asks) or "nothing that we understand",
        seat=held.plays.seat if held.plays else None,
        deadline=_deadline(held.plays, owner, now),
        record=owner.address,
        # A mailing list's address is nobody's own: everybody on the list could write in their name.
        other="" if held.by_program or lookup.player_by_address(mail.sender) else mail.sender,
        sure=held.sure,
        gives_up=held.gives_up,
        by_program=held.by_program,
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """The person we ask about a held mail, and in which words."""

    recipient: str
    subject: str
    body: str


def _ask(
    mail: InboundMail,
    question: _Question,
    reply_to: str,
    now: dt.datetime,
    *,
    player: Player | None = None,
) -> None:
    """Send a question about a held mail: the only answer that this mail gets for now."""
    outbox.enqueue(
        key=f"question/{mail.pk}",
        kind="question",
        recipient=question.recipient,
        subject=question.subject,
        body=question.body,
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
        reply_to=reply_to,
        in_reply_to=mail.message_id,
        references=mail.message_id,
    )


def _may_ask(mail: InboundMail, recipient: str, budget: int, now: dt.datetime) -> bool:
    """Whether we ask there once more today; proved and unproved mails have separate limits."""
    proved = mail.proof not in UNPROVED
    return within_budget(recipient, budget, now, kind="question", proved=proved)


def _question_subject(held: HeldMail) -> str:
    if held.gives_up:
        power = held.gives_up.power
        return f"[{power.game.name}] Are you sure you want to resign from {power.name}?"
    if held.sure:
        return "Are you sure?"
    if held.plays:
        return f"[{held.plays.seat.power.game.name}] NOT counted yet: was this mail yours?"
    return "NOT done yet: was this mail yours?"


def _deadline(plays: SeatHolder | None, owner: Player, now: dt.datetime) -> str:
    """When the phase that a held mail would be for is due, and how long that is."""
    phase = plays.phase if plays else None
    if phase is None or phase.status != Phase.Status.OPEN:
        return ""
    if phase.due_at is None or phase.due_at <= now:
        return ""
    return f"{local_moment(phase.due_at, owner.timezone)}, in {time_left(phase.due_at, now)}"


def _say_unasked(mail: InboundMail, who: Player | User, asked: int, now: dt.datetime) -> None:
    """Tell somebody, once a day, that we hold more mails in their name without asking."""
    if isinstance(who, User):
        key, recipient, name, player = f"gm/{who.pk}", who.email, staff_name(who), None
    else:
        key, recipient, name, player = str(who.pk), who.address, who.name, who
    shown = {"marker": MARKER, "name": name, "asked": asked, "gm": player is None}
    outbox.enqueue(
        key=f"unasked/{now.date()}/{key}",
        kind="unasked",
        recipient=recipient,
        subject="More mails in your name",
        body=layout.render("unasked", **shown),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
    )


@dataclass(frozen=True, slots=True)
class HeldGmMail:
    """What a game master's held mail asks for, and why it waits for their word."""

    why: str
    """Why it may not be theirs; then we forecast none of it. "" if we are sure."""
    asks: Sequence[str]
    """What it asks for, without quoting it."""
    expected: Sequence[Receipt]
    """What would happen."""


def question_to_gm(
    *, mail: InboundMail, user: User, game: Game, held: HeldGmMail, now: dt.datetime
) -> bool:
    """Ask at the game master's own address, and tell them what would happen.

    Returns False if we asked nothing: they have no address, or were asked too often today.
    """
    if not user.email:
        return False
    budget = _gm_budget(mail, held.why)
    if not _may_ask(mail, user.email, budget, now):
        _say_unasked(mail, user, budget, now)
        return False
    body = layout.render(
        "question_gm",
        marker=MARKER,
        name=staff_name(user),
        received=local_moment(mail.received_at, game.timezone),
        game=game.name,
        why=held.why,
        asks=listed(held.asks) or "nothing that we understand",
        expected=held.expected,
    )
    asked = _Question(user.email, f"[{game.name}] NOT done yet: please confirm", body)
    answers = ForGmHeldMail(user, game, mail, state_stamp(game))
    _ask(mail, asked, addresses.address_for(answers, now=now), now)
    return True


def _gm_budget(mail: InboundMail, why: str) -> int:
    """How many questions a day: somebody who runs a tournament confirms more than thirty acts."""
    if why:
        return STRANGERS_BUDGET
    return UNPROVED_BUDGET if mail.proof in UNPROVED else PROVED_BUDGET


def ask_address(*, mail: InboundMail, address: Address, now: dt.datetime) -> None:
    """Ask at an address whether it is the player's, who says so in the mail and does not take it
    back further down.

    If it is another person's already, tell them instead, and nobody else.
    """
    asker = mail.player
    if asker is None or not Address.objects.filter(pk=address.pk).exists():
        return
    if not may_be_asked(address.email, now):
        return
    taken = address.player_id != asker.pk
    outbox.enqueue(
        key=f"{ADDRESS_QUESTION.format(asker.pk)}{address.pk}/{mail.pk}",
        kind="question",
        recipient=address.email,
        subject="Somebody named your address" if taken else "Is this your address?",
        body=layout.render(
            "address", marker=MARKER, name=asker.name, email=address.email, taken=taken
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        answers=mail,
        reply_to="" if taken else addresses.player_address(address=address, now=now),
    )
