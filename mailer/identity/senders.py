"""The kinds of sender that a mail can have, by what is proved about them.

`identify` tells which one a mail has; code that deals with a mail matches on them. All have the
`email` of their From line, their `proof`, the `player` they are, if they are one, and `gm`:
themselves as a game master, if they may speak as one in this mail.
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
    """The game of the reply address they wrote to; without one, the mail has to say which game it
    is."""
    subject: str = ""
    """Tells which game they mean, if no reply address does."""
    answers: ForGmPress | None = None
    """The press that they answer."""
    as_themselves: bool = False
    """They answer a mail that was for nobody but them, and about no power: such as that their game
    has been made."""
    left_open: ForGmHeldMail | None = None
    """Our question, which they answer with other commands."""
    player: ClassVar[None] = None
    """They do not act as a player here, though they may play under the same address."""

    @property
    def gm(self) -> GameMaster:
        return self


@dataclasses.dataclass(frozen=True)
class Suspect:
    """Somebody who may not be who the mail says: nothing in it is done before its owner says so."""

    email: str
    why: str
    """Why the mail is held, as the end of a sentence."""
    owner: Player | None = None
    """Whom to ask about it, None for nobody."""
    proof: ClassVar[Proof] = Proof.NONE
    player: ClassVar[None] = None
    gm: ClassVar[None] = None


@dataclasses.dataclass(frozen=True)
class SuspectGm:
    """Somebody who wrote to a game master's reply address from another address than theirs."""

    email: str
    why: str
    game: Game
    user: User | None
    """The game master, whom we ask about it; None if we ask nobody."""
    proof: ClassVar[Proof] = Proof.NONE
    player: ClassVar[None] = None

    @property
    def gm(self) -> GameMaster | None:
        """The game master in whose name it would be done."""
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
    """Somebody at an address that a player claims as well. It may be a stranger's.

    So they count as a stranger until the word CONFIRM says more than just any reply would.
    """

    email: str
    address: Address
    gm: GameMaster | None = None
    proof: ClassVar[Proof] = Proof.TOKEN
    player: ClassVar[None] = None


@dataclasses.dataclass(frozen=True)
class PlayerAtLarge:
    """A player who speaks for no power: they have none, or more than one can be meant."""

    email: str
    player: Player
    proof: Proof = Proof.NONE
    doubt: str = ""
    """Why it proves nothing that their domain vouches for the mail."""
    gm: GameMaster | None = None
    about: Game | None = None
    """The game that the subject names, in which they play no power."""


@dataclasses.dataclass(frozen=True)
class SeatHolder:
    """A player who speaks for the power they play, or played, in one game."""

    email: str
    player: Player
    seat: Seat
    phase: Phase | None
    """The phase that they mean; None for the one that is open when the mail is worked on."""
    proof: Proof = Proof.NONE
    doubt: str = ""
    """Why it proves nothing that their domain vouches for the mail."""
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
    """A game master who answers whether what their held mail asks for is to be done."""

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
"""Nothing in their mails may be done yet."""
Unregistered = Stranger | FurtherAddress
"""They can use only what is open to all."""
Registered = Newcomer | PlayerAtLarge | SeatHolder | Answering
AsGm = GameMaster | AnsweringGm
Sender = Doubtful | Unregistered | Registered | AsGm


def seat_meant(sender: Sender) -> Seat | None:
    """The seat for which the sender speaks, if there is just one that can be meant."""
    return sender.seat if isinstance(sender, SeatHolder) else None


def about_another(sender: Sender) -> Game | None:
    """The game that the mail is about by its subject, if the sender plays no power in it."""
    return sender.about if isinstance(sender, PlayerAtLarge) else None


def speaking_for(sender: Sender, seat: Seat, phase: Phase) -> SeatHolder:
    """The same sender, for a seat and a phase that they named themselves."""
    return SeatHolder(sender.email, seat.player, seat, phase, sender.proof, gm=sender.gm)
