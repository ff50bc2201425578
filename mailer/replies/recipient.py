"""The recipient of an answer (their address of record, how many answers they had today, their
thread), and where their reply to it goes.

For a player whose identity is proved, one statement reads all of it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, assert_never

from django.db.models import Count, OuterRef, QuerySet, Subquery

from games.models import Address, Game, Phase, Player
from games.models.prepared import TIME, Given, Query
from games.queries import lookup
from mailer.commands.receipt import Receipt
from mailer.identity import senders
from mailer.identity.senders import Proof, Sender
from mailer.letter import Letter
from mailer.models import OutboundMail
from mailer.outbound import addresses, threads
from mailer.outbound.threads import Root
from mailer.replies.budget import A_DAY, PROVED_BUDGET, answers_to, budget_of, within_budget


class Recipient(NamedTuple):
    """Where an answer goes, and what went there before."""

    record: str
    """The player's address of record; "" if there is no such address, and for strangers."""
    email: str
    """Where the answer goes: there, or else to the address of the mail."""
    is_full: bool
    """Whether that address has had too many answers today."""
    root: Root
    """The mail that began the thread of the phase in the player's mailbox."""


def recipient_of(sender: Sender, phase: Phase | None, now: dt.datetime) -> Recipient:
    """Who gets the answer to a mail of this sender about the phase, or about none."""
    player, proved = sender.player, sender.proof is not Proof.NONE
    if player and proved:
        asked = player.pk, phase.pk if phase else None
        if found := recipients_of([asked], now=now).get(asked):
            return found
    record = player.address if player else ""
    email = record or sender.email
    is_full = not within_budget(email, budget_of(sender), now, proved=proved)
    root = threads.root(phase, player) if phase and player else threads.NO_ROOT
    return Recipient(record, email, is_full, root)


def recipients_of(
    asked: Collection[tuple[int, int | None]], *, now: dt.datetime
) -> dict[tuple[int, int | None], Recipient]:
    """The recipients of answers to proved players, each given by the keys of the player and of the
    phase; one statement does many.

    Players without an address of record are left out.
    """
    day_ago = now - A_DAY
    given = [{"player": player, "phase": phase, "day_ago": day_ago} for player, phase in asked]
    rows = zip(asked, _RECORD.first_of_each(given), strict=True)
    return {one: _recipient(row) for one, row in rows if row}


def _recipient(record: Any) -> Recipient:
    root = Root(record.root_id or "", record.root_subject or "")
    is_full = (record.answered or 0) >= PROVED_BUDGET
    return Recipient(record.email, record.email, is_full, root)


def _record() -> QuerySet[Address]:
    # The first is that of record, as `record_among` has it.
    first = OutboundMail.objects.filter(opens=Given("phase"), player=Given("player")).order_by("pk")
    answers = answers_to(OuterRef("email"), since=Given("day_ago", TIME), proved=True)
    number = answers.order_by().values("recipient").annotate(number=Count("pk")).values("number")
    confirmed = Address.objects.filter(player=Given("player"), confirmed_at__isnull=False)
    return confirmed.order_by("-of_record", "confirmed_at").annotate(
        answered=Subquery(number),
        root_id=Subquery(first.values("message_id")[:1]),
        root_subject=Subquery(first.values("subject")[:1]),
    )[:1]


_RECORD = Query(_record)


def reply_to(sender: Sender, letter: Letter, receipts: Sequence[Receipt], now: dt.datetime) -> str:
    """Where a reply to our answer goes; "" if our own address will do."""
    asked = next(filter(None, (receipt.confirmed_by_reply for receipt in receipts)), None)
    if asked is not None:
        return addresses.player_address(address=asked, now=now)
    if sender.gm and (game := _game_run(receipts)):
        return addresses.gm_address(user=sender.gm.user, game=game, now=now)
    done = all(receipt.done for receipt in receipts)
    match sender:
        case senders.GameMaster(user=user, game=Game() as game):
            return addresses.gm_address(user=user, game=game, now=now)
        case senders.AnsweringGm():  # the question still stands
            return addresses.address_for(sender.question, now=now)
        case senders.SeatHolder() if sender.seat.until is None:
            known = letter.recipients if sender.proof is Proof.TOKEN else ()
            return _to_open_phase(sender, known, now, done=done)
        case senders.Answering() if not done:
            return addresses.address_for(sender.question, now=now)
        case (
            senders.Newcomer()
            | senders.PlayerAtLarge()
            | senders.SeatHolder()
            | senders.Answering()
        ):
            return _to_player(sender.player, now)
        case (
            senders.Stranger()
            | senders.FurtherAddress()
            | senders.GameMaster()
            | senders.Suspect()
            | senders.SuspectGm()
        ):
            return ""
        case _:
            assert_never(sender)


def _game_run(receipts: Sequence[Receipt]) -> Game | None:
    """The game of an answer to its game master that is about nothing but their commands."""
    games = {receipt.run for receipt in receipts}
    return games.pop() if len(games) == 1 else None


def _to_open_phase(
    sender: senders.SeatHolder, known: Sequence[str], now: dt.datetime, *, done: bool
) -> str:
    """Where the seat orders next, most often the address the mail came to, which is `known`.

    An order that we refused may have come too late for its phase, and another may be open by now.
    """
    seen = sender.phase if done else None
    phase: Phase | None = lookup.open_phase(sender.seat.power.game, seen=seen)
    return addresses.seat_address(seat=sender.seat, phase=phase, known=known, now=now)


def _to_player(player: Player, now: dt.datetime) -> str:
    """Where a player writes to us about no game, if they have an address of record."""
    record = Address.objects.filter(player=player, of_record=True).first()
    return addresses.player_address(address=record, now=now) if record else ""
