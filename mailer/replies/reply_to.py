"""Where an answer to our answer goes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import assert_never

from games.models import Address, Game, Phase, Player
from games.queries import lookup
from mailer.commands.player import Receipt
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
from mailer.letter import Letter
from mailer.outbound import addresses


def reply_to(sender: Sender, letter: Letter, receipts: Sequence[Receipt], now: dt.datetime) -> str:
    """Where an answer to our answer goes; "" if our own address will do."""
    asked = next((receipt.address for receipt in receipts if receipt.address), None)
    if asked is not None:
        return addresses.player_address(address=asked, now=now)
    if sender.gm and (game := _run(receipts)):
        return addresses.gm_address(user=sender.gm.user, game=game, now=now)
    done = all(receipt.done for receipt in receipts)
    match sender:
        case GameMaster(user=user, game=Game() as game):
            return addresses.gm_address(user=user, game=game, now=now)
        case AnsweringGm():  # the question still stands
            return addresses.address_for(sender.question, now=now)
        case SeatHolder() if sender.seat.until is None:
            known = letter.recipients if sender.proof is Proof.TOKEN else ()
            return _to_open_phase(sender, done, known, now)
        case Answering() if not done:
            return addresses.address_for(sender.question, now=now)
        case Newcomer() | PlayerAtLarge() | SeatHolder() | Answering():
            return _to_player(sender.player, now)
        case Stranger() | FurtherAddress() | GameMaster() | Suspect() | SuspectGm():
            return ""
        case _:
            assert_never(sender)


def _run(receipts: Sequence[Receipt]) -> Game | None:
    """The game of which an answer is to its game master about nothing but their commands."""
    games = {receipt.run for receipt in receipts}
    return games.pop() if len(games) == 1 else None


def _to_open_phase(sender: SeatHolder, done: bool, known: Sequence[str], now: dt.datetime) -> str:
    """Where the seat orders next: what was refused may have come too late for the phase it meant,
    and then another is open by now. Most often it is where the mail was sent, which is `known`."""
    seen = sender.phase if done else None
    phase: Phase | None = lookup.open_phase(sender.seat.power.game, seen=seen)
    return addresses.seat_address(seat=sender.seat, phase=phase, known=known, now=now)


def _to_player(player: Player, now: dt.datetime) -> str:
    """Where a player writes to us about no game, if they have an address of record."""
    record = Address.objects.filter(player=player, of_record=True).first()
    return addresses.player_address(address=record, now=now) if record else ""
