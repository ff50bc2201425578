"""What every command has: its words, its help, and the receipt for running it."""

from __future__ import annotations

import abc
import dataclasses
import datetime as dt
from typing import ClassVar

from games.errors import NotAllowed
from games.models import Player, Seat
from mailer.commands.calls import Call, Takes
from mailer.commands.command import Command
from mailer.commands.receipt import OrderProof as OrderProof
from mailer.commands.receipt import Outlook as Outlook
from mailer.commands.receipt import Receipt
from mailer.identity.directed import is_fresh
from mailer.identity.senders import Sender
from mailer.letter import Letter
from mailer.models import InboundMail

REGISTER_FIRST = (
    "Nobody is registered under the address you wrote from. To register, write one line: "
    "REGISTER and your name, for example: REGISTER Ana Smith"
)

MOST_COMMANDS = 20
"""For one mail; all its orders count as one."""


@dataclasses.dataclass(frozen=True)
class Arrival:
    """The mail a command came in, when our mail server got it, and what time it is now."""

    mail_id: int
    source: str
    received_at: dt.datetime
    now: dt.datetime
    so_far: tuple[Receipt, ...] = ()
    """What has become of the commands above."""
    answers: tuple[str, ...] = ()
    """The Message-IDs of the mails that it answers."""
    to: tuple[str, ...] = ()
    """The addresses that it was sent to."""
    alone: bool = False
    """Whether the command has the mail to itself, so that nothing changes between it and the
    answer."""
    written_at: dt.datetime | None = None
    """The mail's Date; None if that cannot be true."""

    @property
    def known_by(self) -> str:
        """What this mail and its copies have in common: the second in which it was written.

        Some relays give a mail a new Message-ID each time they try. Nobody writes two mails by hand
        in one second.
        """
        return f"written {self.written_at.timestamp()}" if self.written_at else self.source

    @classmethod
    def of(cls, mail: InboundMail, letter: Letter, now: dt.datetime) -> Arrival:
        """The arrival of a mail that we have not worked on yet."""
        return cls(
            mail.pk,
            mail.message_id or mail.sha256,
            mail.received_at,
            now,
            answers=letter.references,
            to=letter.recipients,
            written_at=letter.date if is_fresh(letter.date, mail.received_at) else None,
        )


class PlayerCommand(Command):
    """One command of a player. `secured` commands change what a player plays, or show what only
    they may know: a From line is not enough for them. `for_seat` commands are for the power they
    play. Anybody may use `open_to_all` commands, registered or not. `grave` ones wait until the
    player has answered CONFIRM to our question. `refused_first` ones have written nothing when they
    raise GameError, so there is nothing to undo. `follows_orders` ones run together with the mail's
    orders, wherever they stand. `only_shows` ones change nothing, so they are not set aside for
    later when the board cannot be read.
    """

    aliases_are: ClassVar[str] = "These words mean the same"
    takes: ClassVar[Takes] = Takes.NOTHING
    secured: ClassVar[bool] = False
    for_seat: ClassVar[bool] = False
    open_to_all: ClassVar[bool] = False
    grave: ClassVar[bool] = False
    refused_first: ClassVar[bool] = False
    follows_orders: ClassVar[bool] = False
    only_shows: ClassVar[bool] = False

    @abc.abstractmethod
    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        """Do it, and say what was done. Raises GameError if it cannot be done."""

    def seat_at_stake(self, call: Call, sender: Sender) -> Seat | None:
        """The seat that a grave command gives up; our question names it."""
        return None


def player_of(sender: Sender) -> Player:
    """The registered player who wrote. Raises NotAllowed for a stranger."""
    if sender.player is None:
        raise NotAllowed(REGISTER_FIRST)
    return sender.player


def too_many(number: int, first_left_out: str) -> str:
    """The receipt for a mail with too many commands: we carry out only the first ones."""
    return (
        f"One mail can hold {MOST_COMMANDS} commands, and yours has {number}. We have carried "
        f"out the first {MOST_COMMANDS}, but not the others; the first of those is "
        f"{first_left_out}. Please send the others in another mail."
    )
