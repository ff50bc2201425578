"""The kinds of sender that a mail can have, by what is proved about them.

`identify` tells which kind a mail has; code that deals with a mail matches on them. All have the
`email` of their From line, their `proof`, the `player` they are, if any, and `gm`: themselves as a
game master, if this mail may speak for one.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import ClassVar

from django.contrib.auth.models import User

from games.models import Address, Game, Phase, Player, Seat
from mailer.outbound.tokens import (
    ForGmHeldMail,
    ForGmPress,
    ForHeldMail,
    ForModerators,
    ForMuster,
    ForOffer,
    ForPress,
)


class Proof(enum.Enum):
    """How a sender showed who they are."""

    NONE = "only their From line"
    AUTHENTICATED = "their From line, for which its domain stands up"
    TOKEN = "the secret reply address and their own address"
    CONFIRMED = "their reply to our question"


@dataclasses.dataclass(frozen=True)
class GameMaster:
    """A game master, by their own reply address or by a line that begins with GM."""

    email: str
    user: User
    proof: Proof
    game: Game | None = None
    """The game of the reply address they wrote to; None if the mail has to say which game it is."""
    subject: str = ""
    """Shows which game they mean, if no reply address does."""
    answers: ForGmPress | None = None
    """The press that they answer."""
    as_themselves: bool = False
    """Whether they answer a mail for their eyes only and about no power, such as the news that
    their game has been made."""
    left_open: ForGmHeldMail | None = None
    """Our question, which they answer with other commands."""
    player: ClassVar[None] = None
    """They do not act as a player here, though the address may be a player's, too."""

    @property
    def gm(self) -> GameMaster:
        return self


@dataclasses.dataclass(frozen=True)
class Suspect:
    """Somebody who may not be who the mail says: we do nothing in it before its owner says so."""

    email: str
    why: str
    """Why we hold the mail, as the end of a sentence."""
    owner: Player | None = None
    """The person to ask about it, None for nobody."""
    proof: ClassVar[Proof] = Proof.NONE
    player: ClassVar[None] = None
    gm: ClassVar[None] = None


@dataclasses.dataclass(frozen=True)
class SuspectGm:
    """Somebody who wrote to a game master's reply address, but not from the game master's
    address."""

    email: str
    why: str
    game: Game
    user: User | None
    """The game master, whom we ask about it; None if we ask nobody."""
    proof: ClassVar[Proof] = Proof.NONE
    player: ClassVar[None] = None

    @property
    def gm(self) -> GameMaster | None:
        """The game master in whose name we would do it."""
        if self.user is None:
            return None
        return GameMaster(self.email, self.user, self.proof, self.game)


@dataclasses.dataclass(frozen=True)
class Stranger:
    """Somebody whose address no player has."""

    email: str
    proof: Proof = Proof.NONE
    doubt: str = ""
    gm: GameMaster | None = None
    player: ClassVar[None] = None


@dataclasses.dataclass(frozen=True)
class Newcomer:
    """Somebody who registers: any reply to our first mail confirms their address."""

    email: str
    player: Player
    address: Address
    gm: GameMaster | None = None
    proof: ClassVar[Proof] = Proof.TOKEN


@dataclasses.dataclass(frozen=True)
class FurtherAddress:
    """Somebody at an address that a player also claims.

    It may be a stranger's. So they count as a stranger until they write CONFIRM, since any other
    reply says too little.
    """

    email: str
    address: Address
    gm: GameMaster | None = None
    proof: ClassVar[Proof] = Proof.TOKEN
    player: ClassVar[None] = None


@dataclasses.dataclass(frozen=True)
class PlayerAtLarge:
    """A player who speaks for no power: they have none, or may mean any of several."""

    email: str
    player: Player
    proof: Proof = Proof.NONE
    doubt: str = ""
    """Why their domain's word for the mail proves nothing."""
    gm: GameMaster | None = None
    about: Game | None = None
    """The game in the subject, if they play no power in it."""


@dataclasses.dataclass(frozen=True)
class SeatHolder:
    """A player who speaks for the power they play, or played, in one game."""

    email: str
    player: Player
    seat: Seat
    phase: Phase | None
    """The phase that they mean; None for the one open when we work on the mail."""
    proof: Proof = Proof.NONE
    doubt: str = ""
    """Why their domain's word for the mail proves nothing."""
    gm: GameMaster | None = None
    answers: ForPress | None = None
    """The press that they answer."""


Question = ForHeldMail | ForMuster | ForOffer | ForModerators


@dataclasses.dataclass(frozen=True)
class Answering:
    """A player who answers something that we, or a moderator, asked them."""

    email: str
    player: Player
    question: Question
    proof: Proof = Proof.TOKEN
    gm: GameMaster | None = None

    def afterwards(self) -> PlayerAtLarge:
        """The same player once the question is answered."""
        return PlayerAtLarge(self.email, self.player, self.proof, gm=self.gm)


@dataclasses.dataclass(frozen=True)
class AnsweringGm:
    """A game master who tells us whether to do what their held mail asks for."""

    email: str
    question: ForGmHeldMail
    proof: ClassVar[Proof] = Proof.TOKEN
    player: ClassVar[None] = None

    @property
    def gm(self) -> GameMaster:
        return GameMaster(self.email, self.question.user, self.proof, self.question.game)

    def afterwards(self) -> GameMaster:
        """The same game master once the question is answered."""
        return self.gm


Doubtful = Suspect | SuspectGm
"""Senders in whose mails we may not do anything yet."""
Unregistered = Stranger | FurtherAddress
"""Senders who may use only the commands open to all."""
Registered = Newcomer | PlayerAtLarge | SeatHolder | Answering
AsGm = GameMaster | AnsweringGm
Sender = Doubtful | Unregistered | Registered | AsGm


def seat_meant(sender: Sender) -> Seat | None:
    """The seat that the sender speaks for, if only one can be meant."""
    return sender.seat if isinstance(sender, SeatHolder) else None


def about_another(sender: Sender) -> Game | None:
    """The game in the mail's subject, if the sender plays no power in it."""
    return sender.about if isinstance(sender, PlayerAtLarge) else None


def speaking_for(sender: Sender, seat: Seat, phase: Phase) -> SeatHolder:
    """The same sender, for a seat and a phase that they named themselves."""
    return SeatHolder(sender.email, seat.player, seat, phase, sender.proof, gm=sender.gm)
