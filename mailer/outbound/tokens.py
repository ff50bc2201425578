"""The meanings of the secret in a reply address: one class for each purpose of a ReplyToken.

Each can make the row that stores it (`stored`), and be read back from that row (`read`).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.contrib.auth.models import User

from games.models import Address, Game, Offer, Phase, Press, Seat
from games.models.stored import fresh
from games.queries.players.tenures import held_now
from mailer.models import InboundMail, ReplyToken

T = TypeVar("T")
Purpose = ReplyToken.Purpose


@dataclasses.dataclass(frozen=True)
class ForSeat:
    """A player's orders and commands for a power in a phase."""

    seat: Seat
    """When read back, the tenure that its player has now, if they have the power again."""
    phase: Phase | None
    """None outside any phase: before the game starts, and once it is over."""
    from_player: bool = dataclasses.field(default=False, compare=False)
    """Whether the mail that used it came from one of the addresses of the seat's player."""
    given_at: dt.datetime | None = dataclasses.field(default=None, compare=False)
    """When read back, the time at which the first mail with it was written."""

    def stored(self) -> ReplyToken:
        return fresh(ReplyToken, purpose=Purpose.SEAT, seat=self.seat, phase=self.phase)

    @classmethod
    def read(cls, row: ReplyToken) -> ForSeat:
        seat, phase = held_now(_require(row.seat)), row.phase
        if phase and phase.game_id == seat.power.game_id:
            phase.game = seat.power.game
        from_player = getattr(row, "from_player", False)
        return cls(seat, phase, from_player=from_player, given_at=row.created_at)


@dataclasses.dataclass(frozen=True)
class ForPress:
    """A player's answer to a press: to its writer alone, or to all who take part."""

    seat: Seat
    press: Press
    to_all: bool
    given_at: dt.datetime | None = dataclasses.field(default=None, compare=False)
    """When read back, the time at which the press was passed on."""

    def stored(self) -> ReplyToken:
        purpose = Purpose.ANSWER_ALL if self.to_all else Purpose.ANSWER
        return ReplyToken(purpose=purpose, seat=self.seat, press=self.press)

    @classmethod
    def read(cls, row: ReplyToken) -> ForPress:
        seat = held_now(_require(row.seat))
        to_all = row.purpose == Purpose.ANSWER_ALL
        return cls(seat, _require(row.press), to_all=to_all, given_at=row.created_at)


@dataclasses.dataclass(frozen=True)
class ForAddress:
    """Mail from the owner of an address, who confirms it by writing their first."""

    address: Address

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.ADDRESS, address=self.address)

    @classmethod
    def read(cls, row: ReplyToken) -> ForAddress:
        return cls(_require(row.address))


@dataclasses.dataclass(frozen=True)
class ForModerators:
    """A player's answer to what a moderator wrote to them."""

    address: Address

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.MODERATORS, address=self.address)

    @classmethod
    def read(cls, row: ReplyToken) -> ForModerators:
        return cls(_require(row.address))


@dataclasses.dataclass(frozen=True)
class ForMuster:
    """A player's word, before a game starts, that they are here."""

    address: Address
    game: Game

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.HERE, address=self.address, game=self.game)

    @classmethod
    def read(cls, row: ReplyToken) -> ForMuster:
        return cls(_require(row.address), _require(row.game))


@dataclasses.dataclass(frozen=True)
class ForOffer:
    """A player's yes or no to a seat that was offered to them."""

    address: Address
    offer: Offer

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.OFFER, address=self.address, offer=self.offer)

    @classmethod
    def read(cls, row: ReplyToken) -> ForOffer:
        return cls(_require(row.address), _require(row.offer))


@dataclasses.dataclass(frozen=True)
class ForHeldMail:
    """A player's word that a held mail was theirs, and that we should carry it out."""

    mail: InboundMail

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.MAIL, mail=self.mail)

    @classmethod
    def read(cls, row: ReplyToken) -> ForHeldMail:
        return cls(_require(row.mail))


@dataclasses.dataclass(frozen=True)
class ForGm:
    """A GM's commands for their game."""

    user: User
    game: Game

    def stored(self) -> ReplyToken:
        return ReplyToken(purpose=Purpose.GM, user=self.user, game=self.game)

    @classmethod
    def read(cls, row: ReplyToken) -> ForGm:
        return cls(_require(row.user), _require(row.game))


@dataclasses.dataclass(frozen=True)
class ForGmPress:
    """A GM's answer to a press, to its writer alone."""

    user: User
    press: Press

    @property
    def game(self) -> Game:
        """The game in which the press was written."""
        return self.press.game

    def stored(self) -> ReplyToken:
        return ReplyToken(
            purpose=Purpose.GM_ANSWER, user=self.user, game=self.game, press=self.press
        )

    @classmethod
    def read(cls, row: ReplyToken) -> ForGmPress:
        return cls(_require(row.user), _require(row.press))


@dataclasses.dataclass(frozen=True)
class ForGmHeldMail:
    """A GM's word that we should do what a held mail asks for."""

    user: User
    game: Game
    mail: InboundMail
    stamp: str
    """The state of the game when we asked the GM; if it has changed, we do nothing."""

    def stored(self) -> ReplyToken:
        return ReplyToken(
            purpose=Purpose.GM_MAIL,
            user=self.user,
            game=self.game,
            mail=self.mail,
            stamp=self.stamp,
        )

    @classmethod
    def read(cls, row: ReplyToken) -> ForGmHeldMail:
        return cls(_require(row.user), _require(row.game), _require(row.mail), row.stamp)


OfSeat = ForSeat | ForPress
OfAddress = ForAddress | ForModerators | ForMuster | ForOffer
OfGm = ForGm | ForGmPress | ForGmHeldMail
Token = OfSeat | OfAddress | ForHeldMail | OfGm

_READ: Mapping[str, Callable[[ReplyToken], Token]] = {
    Purpose.SEAT: ForSeat.read,
    Purpose.ANSWER: ForPress.read,
    Purpose.ANSWER_ALL: ForPress.read,
    Purpose.ADDRESS: ForAddress.read,
    Purpose.MODERATORS: ForModerators.read,
    Purpose.HERE: ForMuster.read,
    Purpose.OFFER: ForOffer.read,
    Purpose.MAIL: ForHeldMail.read,
    Purpose.GM: ForGm.read,
    Purpose.GM_ANSWER: ForGmPress.read,
    Purpose.GM_MAIL: ForGmHeldMail.read,
}


def token_in(row: ReplyToken) -> Token:
    """What a stored token stands for."""
    return _READ[row.purpose](row)


def row_of(token: Token, *, now: dt.datetime) -> ReplyToken:
    """The row that keeps a token, not saved yet and without its digest."""
    row = token.stored()
    row.created_at = now
    return row


def _require(value: T | None) -> T:
    """A column that this purpose always has: deleting what it names deletes the row."""
    assert value is not None, "a reply token lacks what it stands for"
    return value
