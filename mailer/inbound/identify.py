"""Who wrote a mail, and how sure that is.

Two things together prove a sender: the secret in the address they wrote to, and a From line that is
exactly one of their confirmed addresses. Each alone can be had by others: mails are forwarded with
their reply addresses, and a From line can be forged. Where our own mail server vouches for the
From line (Authentication-Results), that does instead of the secret, if the mail was written to us
and is fresh (directed.py); where it says that the line is forged, nothing else helps. What lacks
proof is held until the owner of the address of record has said that it was theirs (reply.question).
Reply-To proves nothing and is never read; neither is a token in the text, for texts are quoted.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User

from games import roles
from games.models import Address, Game, Offer, Phase, Player, Press, Seat
from games.queries import lookup
from mailer.inbound import directed
from mailer.letter import Letter
from mailer.models import InboundMail, ReplyToken
from mailer.outbound import addresses
from mailer.reading.authentication import Verdict, names, verdict

Purpose = ReplyToken.Purpose
NOT_PLAIN = (
    "its header can be read in two ways, or its From line is not one plain address, so that it "
    "does not say for sure who sent it"
)


class Proof(enum.Enum):
    """How a sender showed who they are."""

    NONE = "only their From line"
    AUTHENTICATED = "their From line, for which its domain stands up"
    TOKEN = "the secret reply address and their own address"
    CONFIRMED = "their reply to our question"


@dataclasses.dataclass(frozen=True)
class Sender:
    """Who wrote, as far as it is proved.

    `offer` is the seat that they were offered in the mail they answer.
    `player` is None for strangers. `seat` and `phase` come from the reply address. `confirms` is
    an address that this reply confirms, `approves` a held mail that it sets free, `answers` a press
    that it answers, to all who take part if `to_all`, `to_moderators` says that it answers a
    moderator, `musters` a game that asked them before its start whether they are here. `user` is
    the account of a game master under this address, `as_gm` the game if they wrote to its game
    master's reply address, `asked` their answer to a question of ours; `subject` tells which game
    they mean elsewhere. `doubt` says why it proves nothing that its domain stands up for the mail.
    `held` says why nothing in the mail may be done yet, `owner` whom to ask about it (None:
    nobody).
    """

    email: str
    player: Player | None = None
    proof: Proof = Proof.NONE
    seat: Seat | None = None
    phase: Phase | None = None
    confirms: Address | None = None
    approves: InboundMail | None = None
    answers: Press | None = None
    to_all: bool = False
    to_moderators: bool = False
    musters: Game | None = None
    offer: Offer | None = None
    user: User | None = None
    as_gm: Game | None = None
    asked: ReplyToken | None = None
    subject: str = ""
    doubt: str = ""
    held: str = ""
    owner: Player | None = None


def identify(letter: Letter, *, received_at: dt.datetime, signed_by: Sequence[str] = ()) -> Sender:
    """The sender of a letter that came then (docs/identity.md).

    `signed_by` are the domains whose DKIM signatures we found valid ourselves (dkim_check.py).
    """
    email = letter.sender
    if email is None:
        return Sender(email="", held=NOT_PLAIN, owner=_owner_of(letter))
    sender = _claimed(letter, email)
    found = verdict(letter.authentication, email, settings.TRUSTED_AUTHSERV_ID)
    if found is Verdict.UNKNOWN and any(names(one, email.rpartition("@")[2]) for one in signed_by):
        found = Verdict.PASSED
    if found is Verdict.FAILED and not sender.held:
        domain = email.rpartition("@")[2]
        return Sender(
            email=email,
            held=f"our mail server says that it did not come from {domain}",
            owner=sender.player if sender.confirms is None else None,
        )
    sender = _with_account(sender, letter)
    if found is not Verdict.PASSED or sender.held or sender.proof is not Proof.NONE:
        return sender
    if doubt := directed.doubt(letter, received_at):
        return dataclasses.replace(sender, doubt=doubt)
    return dataclasses.replace(sender, proof=Proof.AUTHENTICATED)


def _owner_of(letter: Letter) -> Player | None:
    """Whom to ask about a letter of which nobody can say who sent it: by the reply address, or
    else who alone stands in its From lines."""
    token = addresses.find(letter.recipients)
    if token and token.seat:
        return token.seat.player
    if token and token.address:
        return token.address.player if token.address.confirmed_at else None
    named = {lookup.player_by_address(one) for one in letter.claimed} - {None}
    return named.pop() if len(named) == 1 and token is None else None


def _claimed(letter: Letter, email: str) -> Sender:
    """Who the From line and the reply address say it is."""
    token = addresses.find(letter.recipients)
    if token is not None and token.user is not None:
        return _by_gm(email, token, token.user)
    player = lookup.player_by_address(email)
    if token is None:
        return _seated(Sender(email=email, player=player), letter.subject)
    if token.purpose == Purpose.ADDRESS:
        return _seated(_by_address(email, player, token), letter.subject)
    if token.purpose == Purpose.MODERATORS:
        return dataclasses.replace(_by_address(email, player, token), to_moderators=True)
    if token.purpose == Purpose.HERE:
        return _by_muster(email, player, token)
    if token.purpose == Purpose.OFFER:
        return _by_offer(email, player, token, letter.subject)
    if token.purpose == Purpose.MAIL:
        return _by_question(email, player, token)
    return _by_seat(email, player, token)


def confirmed_gm(answer: Sender, held: Letter) -> Sender:
    """The sender of a game master's held letter after they said that it is to be done.

    They speak as nobody but the game master; which game they mean the letter says again.
    """
    token = addresses.find(held.recipients)
    return Sender(
        email=answer.email,
        proof=Proof.CONFIRMED,
        user=answer.user,
        as_gm=token.game if token and token.user else None,
        subject=held.subject,
    )


def confirmed(player: Player, held: Letter) -> Sender:
    """The sender of a held letter after its owner has said that it was theirs.

    It keeps the address that it came from: if that is one of theirs, the receipt goes there, too.
    """
    email = held.sender or player.address
    sender = Sender(email=email, player=player, proof=Proof.CONFIRMED)
    token = addresses.find(held.recipients)
    if token and token.seat and token.seat.player_id == player.pk:
        return _spoken_by(sender, token)
    if token and token.purpose == Purpose.MODERATORS and token.address in player.addresses.all():
        return dataclasses.replace(sender, to_moderators=True)
    if token and token.offer and token.offer.player_id == player.pk:
        return dataclasses.replace(sender, offer=token.offer)
    return _seated(sender, held.subject)


def running_seats(player: Player) -> list[Seat]:
    """The powers this player plays now, by the game's name."""
    seats = Seat.objects.select_related("power__game", "player").order_by("power__game__name")
    running = [Game.Status.ACTIVE, Game.Status.PAUSED]
    return list(seats.filter(player=player, until=None, power__game__status__in=running))


def _seated(sender: Sender, subject: str) -> Sender:
    """With the seat that must be meant: that of the game in the subject, or the only one."""
    if sender.player is None or sender.held:
        return sender
    seats = running_seats(sender.player)
    named = [seat for seat in seats if f"[{seat.power.game.name}]".lower() in subject.lower()]
    meant = named or seats
    if len(meant) != 1:
        return sender
    phase = lookup.open_phase(meant[0].power.game)
    return dataclasses.replace(sender, seat=meant[0], phase=phase)


def _with_account(sender: Sender, letter: Letter) -> Sender:
    """With the game master's account under this address, where a line of theirs begins with GM."""
    says_so = any(line.text[:2].lower() == "gm" for line in letter.lines)
    if sender.held or sender.user or not says_so:
        return sender
    users = list(User.objects.filter(email__iexact=sender.email, is_active=True)[:2])
    if len(users) != 1 or not roles.games_for(users[0]).exists():
        return sender
    return dataclasses.replace(sender, user=users[0], subject=letter.subject)


def _by_gm(email: str, token: ReplyToken, user: User) -> Sender:
    """A game master, by a reply address that only they got; they are nobody's player here."""
    game = token.game
    assert game, "a game master's token belongs to a game"
    sender = Sender(email=email, user=user, as_gm=game, proof=Proof.TOKEN, answers=token.press)
    if user.email.lower() != email or not user.is_active:
        whose = f"it came from {email} to a reply address of the game master of {game.name}"
        asks = user if token.purpose != Purpose.GM_MAIL and user.is_active else None
        return Sender(email=email, user=asks, as_gm=game, held=whose)
    if token.purpose == Purpose.GM_MAIL:
        return dataclasses.replace(sender, approves=token.mail, asked=token)
    return sender


def _by_seat(email: str, player: Player | None, token: ReplyToken) -> Sender:
    seat = token.seat
    assert seat, "a seat's token belongs to a seat"
    if player != seat.player:
        return Sender(
            email=email,
            held=f"it came from {email} to a reply address of {seat.power.name}",
            owner=seat.player,
        )
    return _spoken_by(Sender(email=email, player=player, proof=Proof.TOKEN), token)


def _spoken_by(sender: Sender, token: ReplyToken) -> Sender:
    """With the seat, and the phase or the press, that the reply address names."""
    return dataclasses.replace(
        sender,
        seat=token.seat,
        phase=token.phase,
        answers=token.press,
        to_all=token.purpose == Purpose.ANSWER_ALL,
    )


def _by_address(email: str, player: Player | None, token: ReplyToken) -> Sender:
    address = token.address
    assert address, "an address's token belongs to an address"
    if address.confirmed_at is None and address.player.address:
        return _by_further_address(email, address)
    if address.email.lower() == email or player == address.player:
        confirms = None if address.confirmed_at else address
        return Sender(email=email, player=address.player, proof=Proof.TOKEN, confirms=confirms)
    owner = address.player if address.confirmed_at else None
    return Sender(email=email, held=f"it came from {email} to another's address", owner=owner)


def _by_muster(email: str, player: Player | None, token: ReplyToken) -> Sender:
    """Whoever answers whether they are here; after the start it is a reply like any other."""
    sender, game = _by_address(email, player, token), token.game
    if sender.held or game is None or game.status not in (Game.Status.FORMING, Game.Status.MUSTER):
        return _seated(sender, "")
    return dataclasses.replace(sender, musters=game)


def _by_offer(email: str, player: Player | None, token: ReplyToken, subject: str) -> Sender:
    """Who answers an offer; once they have taken the seat, it is a reply like any other."""
    sender, offer = _by_address(email, player, token), token.offer
    if sender.held or offer is None or offer.end == Offer.End.TAKEN:
        return _seated(sender, subject)
    return dataclasses.replace(sender, offer=offer)


def _by_further_address(email: str, address: Address) -> Sender:
    """Somebody at an address that a player says is theirs, too; it may belong to a stranger.

    So they are one, until the word CONFIRM says more than just any reply would.
    """
    if address.email.lower() != email:
        return Sender(email=email, held=f"it came from {email} to another's address")
    return Sender(email=email, proof=Proof.TOKEN, confirms=address)


def _by_question(email: str, player: Player | None, token: ReplyToken) -> Sender:
    held = token.mail
    assert held, "a question's token belongs to a mail"
    owner = held.player and (held.player.merged_into or held.player)
    if player is None or player != owner:
        return Sender(email=email, held=f"it came from {email} in answer to a question to another")
    return Sender(email=email, player=player, proof=Proof.TOKEN, approves=held)
