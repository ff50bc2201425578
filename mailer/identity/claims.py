"""Who a mail claims to be from, by its From line, the reply address it came to, and its subject.

If these disagree, the sender is a suspect; identify.py says how sure we are of the others.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence
from typing import assert_never

from django.db.models import QuerySet

from games.models import Game, Offer, Player, Seat
from games.models.prepared import Given, Query
from games.queries import lookup
from games.queries.players.seats import BEFORE_START, PLAYED, is_alive
from mailer.identity import senders
from mailer.identity.senders import Proof, Sender
from mailer.letter import Letter
from mailer.outbound.tokens import (
    ForAddress,
    ForGm,
    ForGmHeldMail,
    ForGmPress,
    ForHeldMail,
    ForModerators,
    ForMuster,
    ForOffer,
    ForPress,
    ForSeat,
    OfAddress,
    OfGm,
    OfSeat,
    Token,
)

IN_BRACKETS = re.compile(r"\[([\w-]+)\]")
"""How subjects of our mails name their game."""


def claimed_sender(
    letter: Letter, email: str, token: Token | None, received_at: dt.datetime
) -> Sender:
    """The sender, according to the From line and the reply address."""
    if isinstance(token, ForSeat) and token.from_player:
        return _by_seat(email, token.seat.player, token)
    player = lookup.player_by_address(email)
    match token:
        case ForSeat() | ForPress() if token.seat.player.erased_at is None:
            return _by_seat(email, player, token)
        case None | ForSeat() | ForPress():  # an erased player's address is nobody's
            speaker = senders.PlayerAtLarge(email, player) if player else None
            return (
                with_seat(speaker, letter.subject, received_at)
                if speaker
                else senders.Stranger(email)
            )
        case ForAddress() | ForModerators() | ForMuster() | ForOffer():
            return _by_address(email, player, token, letter.subject, received_at)
        case ForHeldMail():
            return _by_question(email, player, token)
        case ForGm() | ForGmPress() | ForGmHeldMail():
            return _by_gm(email, token)
        case _:
            assert_never(token)


def _by_seat(
    email: str, player: Player | None, token: OfSeat
) -> senders.Suspect | senders.SeatHolder:
    """The sender of a mail to a power's reply address."""
    if player is None or player != token.seat.player:
        why = f"it came from {email} to a reply address of {token.seat.power.name}"
        return senders.Suspect(email, why, owner=token.seat.player)
    return holding(senders.PlayerAtLarge(email, player, Proof.TOKEN), token)


def _by_address(
    email: str, player: Player | None, token: OfAddress, subject: str, received_at: dt.datetime
) -> Sender:
    """The sender of a mail to the reply address of somebody registered or registering."""
    address = token.address
    owner = address.player
    is_further = address.confirmed_at is None and bool(owner.address)
    if address.email.lower() != email and (is_further or player != owner):
        why = f"it came from {email} to a reply address that only you have"
        return senders.Suspect(email, why, owner=owner if address.confirmed_at else None)
    if is_further:
        return senders.FurtherAddress(email, address)
    if address.confirmed_at is None:
        return senders.Newcomer(email, owner, address)
    return answering(senders.PlayerAtLarge(email, owner, Proof.TOKEN), token, subject, received_at)


def _by_question(
    email: str, player: Player | None, token: ForHeldMail
) -> senders.Suspect | senders.Answering:
    """Somebody who answers whether a held mail was theirs."""
    held = token.mail
    owner = held.player and (held.player.merged_into or held.player)
    if player is None or player != owner:
        return senders.Suspect(email, f"it came from {email} in answer to a question to another")
    return senders.Answering(email, player, token)


def _by_gm(email: str, token: OfGm) -> senders.SuspectGm | senders.GameMaster | senders.AnsweringGm:
    """The sender of a mail to a reply address that only a game master got."""
    game, user = token.game, token.user
    if user.email.lower() != email or not user.is_active:
        why = f"it came from {email} to a reply address of the game master of {game.name}"
        asked = not isinstance(token, ForGmHeldMail) and user.is_active
        return senders.SuspectGm(email, why, game, user if asked else None)
    match token:
        case ForGmHeldMail():
            return senders.AnsweringGm(email, token)
        case ForGmPress():
            return senders.GameMaster(email, user, Proof.TOKEN, game, answers=token)
        case ForGm():
            return senders.GameMaster(email, user, Proof.TOKEN, game)
        case _:
            assert_never(token)


def holding(speaker: senders.PlayerAtLarge, token: OfSeat) -> senders.SeatHolder:
    """The player with the seat, and the phase or press, behind the reply address."""
    phase = token.phase if isinstance(token, ForSeat) else None
    answers = token if isinstance(token, ForPress) else None
    email, player = speaker.email, speaker.player
    return senders.SeatHolder(email, player, token.seat, phase, speaker.proof, answers=answers)


def answering(
    speaker: senders.PlayerAtLarge, token: OfAddress, subject: str, received_at: dt.datetime
) -> senders.PlayerAtLarge | senders.SeatHolder | senders.Answering:
    """The player who answers a question; once it is settled, the address is an ordinary reply
    address."""
    match token:
        case ForAddress():
            return with_seat(speaker, subject, received_at)
        case ForMuster(game=game) if game.status not in BEFORE_START:
            return with_seat(speaker, subject, received_at)
        case ForOffer(offer=offer) if offer.end == Offer.End.TAKEN:
            return with_seat(speaker, subject, received_at)
        case ForModerators() | ForMuster() | ForOffer():
            return senders.Answering(speaker.email, speaker.player, token, speaker.proof)
        case _:
            assert_never(token)


def with_seat(
    speaker: senders.PlayerAtLarge, subject: str, received_at: dt.datetime
) -> senders.PlayerAtLarge | senders.SeatHolder:
    """The sender with the only seat they can mean: the one in the game that the subject names, or
    without a name their only one.

    The phase is the one that was being played when the mail came, though we may work on it long
    after.
    """
    seats = running_seats(speaker.player)
    named = [seat for seat in seats if f"[{seat.power.game.name}]".lower() in subject.lower()]
    if not named and (other := _game_in(subject)):
        return dataclasses.replace(speaker, about=other)
    meant = _living(named or seats)
    if len(meant) != 1:
        return speaker
    phase = lookup.phase_at(meant[0].power.game, received_at)
    return senders.SeatHolder(speaker.email, speaker.player, meant[0], phase, speaker.proof)


def _living(seats: Sequence[Seat]) -> Sequence[Seat]:
    """Of several powers in one game, those not eliminated.

    After a merge of accounts and a rollback a player may have one to play, and one of which nothing
    is left.
    """
    if len(seats) < 2 or len({seat.power.game_id for seat in seats}) > 1:
        return seats
    return [seat for seat in seats if is_alive(seat.power)]


def _game_in(subject: str) -> Game | None:
    """The game whose name is in brackets in the subject."""
    for name in IN_BRACKETS.findall(subject):
        if game := Game.objects.filter(name__iexact=name).first():
            return game
    return None


def running_seats(player: Player) -> list[Seat]:
    """The powers this player plays now, by the game's name."""
    return _RUNNING_SEATS.all(player=player.pk)


def _running_seats() -> QuerySet[Seat]:
    seats = Seat.objects.select_related("power__game", "player").order_by("power__game__name")
    mine = seats.filter(player=Given("player"), until=None)
    return mine.filter(power__game__status__in=PLAYED)


_RUNNING_SEATS = Query(_running_seats)
