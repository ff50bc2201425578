"""Who wrote a mail, and how sure that is.

Two things together prove a sender: the secret in the address they wrote to, and a From line that is
exactly one of their confirmed addresses. Each alone can be had by others: mails are forwarded with
their reply addresses, and a From line can be forged. Where our own mail server vouches for the
From line (Authentication-Results), that does instead of the secret, if the mail was written to us
and is fresh (directed.py); where it says that the line is forged, nothing else helps. What lacks
proof is held until the owner of the address of record has said that it was theirs
(replies/questions.py). Reply-To proves nothing and is never read; neither is a token in the text,
for texts are quoted.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence
from typing import assert_never

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet

from games.models import Game, Offer, Player, Seat
from games.models.prepared import Given, Query
from games.queries import lookup, roles
from games.queries.seats import BEFORE_START, PLAYED
from mailer.identity import directed
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
from mailer.models import ReplyToken
from mailer.outbound import addresses
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
from mailer.reading.authentication import Verdict, names, verdict

_IN_BRACKETS = re.compile(r"\[([\w-]+)\]")
Unproved = Stranger | PlayerAtLarge | SeatHolder
Known = Unproved | Newcomer | FurtherAddress | Answering | GameMaster | AnsweringGm

NOT_PLAIN = (
    "its header can be read in two ways, or its From line is not one plain address, so that it "
    "does not say for sure who sent it"
)


def identify(
    letter: Letter,
    *,
    received_at: dt.datetime,
    signed_by: Sequence[str] = (),
    tokens: Sequence[ReplyToken] | None = None,
) -> Sender:
    """The sender of a letter that came then (docs/identity.md).

    `signed_by` are the domains whose DKIM signatures we found valid ourselves (dkim_check.py),
    `tokens` the valid rows that its recipients name, if they were read.
    """
    email = letter.sender
    if email is None:
        return Suspect("", NOT_PLAIN, _owner_of(letter))
    if tokens is None:
        token = addresses.find(letter.recipients, sender=email)
    else:
        token = addresses.meant(tokens)
    sender = _claimed(letter, email, token, received_at)
    if isinstance(sender, Suspect | SuspectGm):
        return sender
    found = _verdict(letter, email, signed_by)
    if found is Verdict.FAILED:
        return _disproved(sender)
    if isinstance(sender, GameMaster | AnsweringGm):
        return sender
    if isinstance(sender, Stranger | PlayerAtLarge | SeatHolder) and found is Verdict.PASSED:
        sender = _vouched_for(sender, letter, received_at)
    return dataclasses.replace(sender, gm=_account(sender, letter, received_at))


def confirmed_gm(answer: AnsweringGm, held: Letter) -> GameMaster:
    """The sender of a game master's held letter after they said that it is to be done.

    They speak as nobody but the game master; which game they mean the letter says again.
    """
    confirmed = GameMaster(
        answer.email, answer.question.user, Proof.CONFIRMED, subject=held.subject
    )
    match addresses.find(held.recipients):
        case ForGm() | ForGmHeldMail() as token:
            return dataclasses.replace(confirmed, game=token.game)
        case ForGmPress() as token:
            return dataclasses.replace(confirmed, game=token.game, answers=token)
        case _:
            return confirmed


def confirmed(player: Player, held: Letter, received_at: dt.datetime) -> Sender:
    """The sender of a held letter, which came then, after its owner has said that it was theirs.

    It keeps the address that it came from: if that is one of theirs, the receipt goes there, too.
    """
    speaker = PlayerAtLarge(held.sender or player.address, player, Proof.CONFIRMED)
    match addresses.find(held.recipients):
        case (ForSeat() | ForPress()) as token if token.seat.player_id == player.pk:
            return _holding(speaker, token)
        case (ForModerators() | ForMuster() | ForOffer()) as token if (
            token.address.player_id == player.pk
        ):
            return _answering(speaker, token, held.subject, received_at)
        case _:
            return _seated(speaker, held.subject, received_at)


def running_seats(player: Player) -> list[Seat]:
    """The powers this player plays now, by the game's name."""
    return _RUNNING_SEATS.all(player=player.pk)


def _running_seats() -> QuerySet[Seat]:
    seats = Seat.objects.select_related("power__game", "player").order_by("power__game__name")
    mine = seats.filter(player=Given("player"), until=None)
    return mine.filter(power__game__status__in=PLAYED)


_RUNNING_SEATS = Query(_running_seats)


def _verdict(letter: Letter, email: str, signed_by: Sequence[str]) -> Verdict:
    """What our own mail server says of the From line, or else the signatures that we checked."""
    found = verdict(letter.authentication, email, settings.TRUSTED_AUTHSERV_ID)
    if found is Verdict.UNKNOWN and any(names(one, email.rpartition("@")[2]) for one in signed_by):
        return Verdict.PASSED
    return found


def _disproved(sender: Known) -> Suspect:
    """Somebody whose From line is forged, as our mail server says."""
    known = isinstance(sender, PlayerAtLarge | SeatHolder | Answering)
    domain = sender.email.rpartition("@")[2]
    return Suspect(
        sender.email,
        f"our mail server says that it did not come from {domain}",
        owner=sender.player if known else None,
    )


def _vouched_for(sender: Unproved, letter: Letter, received_at: dt.datetime) -> Unproved:
    """The sender as their domain stands up for the mail, unless that proves nothing."""
    if sender.proof is not Proof.NONE:
        return sender
    if doubt := directed.doubt(letter, received_at):
        return dataclasses.replace(sender, doubt=doubt)
    return dataclasses.replace(sender, proof=Proof.AUTHENTICATED)


def _owner_of(letter: Letter) -> Player | None:
    """Whom to ask about a letter of which nobody can say who sent it: the owner of the reply
    address, or else of the one registered address in its From lines."""
    match addresses.find(letter.recipients):
        case ForSeat(seat=seat) | ForPress(seat=seat):
            return seat.player
        case (
            ForAddress(address=address)
            | ForModerators(address=address)
            | ForMuster(address=address)
            | ForOffer(address=address)
        ):
            return address.player if address.confirmed_at else None
        case ForHeldMail() | ForGm() | ForGmPress() | ForGmHeldMail():
            return None
        case None:
            named = {lookup.player_by_address(one) for one in letter.claimed} - {None}
            return named.pop() if len(named) == 1 else None


def _claimed(letter: Letter, email: str, token: Token | None, received_at: dt.datetime) -> Sender:
    """Who the From line and the reply address say it is."""
    if isinstance(token, ForSeat) and token.from_player:
        return _by_seat(email, token.seat.player, token)
    player = lookup.player_by_address(email)
    match token:
        case None:
            speaker = PlayerAtLarge(email, player) if player else None
            return _seated(speaker, letter.subject, received_at) if speaker else Stranger(email)
        case ForSeat() | ForPress():
            return _by_seat(email, player, token)
        case ForAddress() | ForModerators() | ForMuster() | ForOffer():
            return _by_address(email, player, token, letter.subject, received_at)
        case ForHeldMail():
            return _by_question(email, player, token)
        case ForGm() | ForGmPress() | ForGmHeldMail():
            return _by_gm(email, token)
        case _:
            assert_never(token)


def _by_seat(email: str, player: Player | None, token: OfSeat) -> Suspect | SeatHolder:
    """Whoever wrote to a power's reply address."""
    if player is None or player != token.seat.player:
        why = f"it came from {email} to a reply address of {token.seat.power.name}"
        return Suspect(email, why, owner=token.seat.player)
    return _holding(PlayerAtLarge(email, player, Proof.TOKEN), token)


def _by_address(
    email: str, player: Player | None, token: OfAddress, subject: str, received_at: dt.datetime
) -> Sender:
    """Whoever wrote to the reply address of one who is registered, or registers."""
    address = token.address
    owner = address.player
    is_further = address.confirmed_at is None and bool(owner.address)
    if address.email.lower() != email and (is_further or player != owner):
        why = f"it came from {email} to a reply address that only {owner.name} has"
        return Suspect(email, why, owner=owner if address.confirmed_at else None)
    if is_further:
        return FurtherAddress(email, address)
    if address.confirmed_at is None:
        return Newcomer(email, owner, address)
    return _answering(PlayerAtLarge(email, owner, Proof.TOKEN), token, subject, received_at)


def _by_question(email: str, player: Player | None, token: ForHeldMail) -> Suspect | Answering:
    """Whoever answers whether a held mail was theirs."""
    held = token.mail
    owner = held.player and (held.player.merged_into or held.player)
    if player is None or player != owner:
        return Suspect(email, f"it came from {email} in answer to a question to another")
    return Answering(email, player, token)


def _by_gm(email: str, token: OfGm) -> SuspectGm | GameMaster | AnsweringGm:
    """Whoever wrote to a reply address that only a game master got."""
    game, user = token.game, token.user
    if user.email.lower() != email or not user.is_active:
        why = f"it came from {email} to a reply address of the game master of {game.name}"
        asked = not isinstance(token, ForGmHeldMail) and user.is_active
        return SuspectGm(email, why, game, user if asked else None)
    match token:
        case ForGmHeldMail():
            return AnsweringGm(email, token)
        case ForGmPress():
            return GameMaster(email, user, Proof.TOKEN, game, answers=token)
        case ForGm():
            return GameMaster(email, user, Proof.TOKEN, game)
        case _:
            assert_never(token)


def _holding(speaker: PlayerAtLarge, token: OfSeat) -> SeatHolder:
    """The player with the seat, and the phase or the press, that the reply address names."""
    phase = token.phase if isinstance(token, ForSeat) else None
    answers = token if isinstance(token, ForPress) else None
    email, player = speaker.email, speaker.player
    return SeatHolder(email, player, token.seat, phase, speaker.proof, answers=answers)


def _answering(
    speaker: PlayerAtLarge, token: OfAddress, subject: str, received_at: dt.datetime
) -> PlayerAtLarge | SeatHolder | Answering:
    """The player who answers what they were asked; once that is settled, it is any reply."""
    match token:
        case ForAddress():
            return _seated(speaker, subject, received_at)
        case ForMuster(game=game) if game.status not in BEFORE_START:
            return _seated(speaker, subject, received_at)
        case ForOffer(offer=offer) if offer.end == Offer.End.TAKEN:
            return _seated(speaker, subject, received_at)
        case ForModerators() | ForMuster() | ForOffer():
            return Answering(speaker.email, speaker.player, token, speaker.proof)
        case _:
            assert_never(token)


def _seated(
    speaker: PlayerAtLarge, subject: str, received_at: dt.datetime
) -> PlayerAtLarge | SeatHolder:
    """With the seat that must be meant: that of the game in the subject, or the only one where it
    names no game; and with the phase that was being played when the mail came, though it may be
    worked on long after."""
    seats = running_seats(speaker.player)
    named = [seat for seat in seats if f"[{seat.power.game.name}]".lower() in subject.lower()]
    if not named and (other := _named(subject)):
        return dataclasses.replace(speaker, about=other)
    meant = named or seats
    if len(meant) != 1:
        return speaker
    phase = lookup.phase_at(meant[0].power.game, received_at)
    return SeatHolder(speaker.email, speaker.player, meant[0], phase, speaker.proof)


def _named(subject: str) -> Game | None:
    """The game whose name stands in brackets in the subject."""
    for name in _IN_BRACKETS.findall(subject):
        if game := Game.objects.filter(name__iexact=name).first():
            return game
    return None


def _account(sender: Known, letter: Letter, at: dt.datetime) -> GameMaster | None:
    """The sender as the game master that they were then, by the account under this address, where a
    line begins with GM."""
    if not any(line.text[:2].lower() == "gm" for line in letter.lines):
        return None
    users = list(User.objects.filter(email__iexact=sender.email, is_active=True)[:2])
    if len(users) != 1 or not roles.games_for(users[0], now=at).exists():
        return None
    return GameMaster(sender.email, users[0], sender.proof, subject=letter.subject)
