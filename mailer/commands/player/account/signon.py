"""SIGNON, from the older judges: nobody needs it here, so we say what to write instead."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from games.models import Game, Seat
from games.queries.players.seats import BEFORE_START
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.player.seats.join import Join
from mailer.commands.receipt import Receipt
from mailer.identity.claims import running_seats
from mailer.identity.senders import PlayerAtLarge, SeatHolder, Sender, seat_meant

_NO_PASSWORD = "This server has no passwords: please write none into mails to us."
_NOT_NEEDED = (
    "You need not sign on here: a reply to a mail about your game speaks for your power. "
    f"{_NO_PASSWORD}\n"
    "To join a game looking for players, write JOIN and its name; to play a power that somebody "
    "has given up, TAKEOVER; to follow a game, OBSERVE. To act as a game's master, write GM, its "
    "name and the command."
)


class Signon(PlayerCommand):
    name = "signon"
    usage = "SIGNON game"
    summary = "a word of older judges: says which game a mail is for, or joins one"
    help = (
        "SIGNON ?marne and SIGNON marne join a game looking for players, as JOIN marne does. If "
        "you play in several games, SIGNON Fmarne, or SIGNON France marne, says which of them the "
        "mail is for; you need no password. A reply to the newest mail about a game needs neither."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    argument = re.compile(r"(\S+\s*){0,3}")
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        name = call.argument.partition(" ")[0].lstrip("?").strip(".,;:")
        if name and Game.objects.filter(name__iexact=name, status__in=BEFORE_START).exists():
            return Join().run(dataclasses.replace(call, argument=name), sender, arrival)
        seat = seat_meant(sender)
        if seat and seat == _seat_named(call.argument, [seat]):
            power, game = seat.power.name, seat.power.game.name
            text = f"This mail is for {power} in the game {game}. {_NO_PASSWORD}"
            return Receipt(title="Signing on", text=text, refused=f"[{game}] Signing on")
        return Receipt(title="Signing on is not needed", text=_NOT_NEEDED, subject="Signing on")


def signed_on(sender: Sender, calls: Sequence[Call]) -> Sender:
    """The player as the holder of the seat that SIGNON names, if nothing else tells which of their
    games the mail is for.

    It proves nothing about the writer.
    """
    if not isinstance(sender, PlayerAtLarge):
        return sender
    named = [call.argument for call in calls if call.command == Signon.name]
    seat = _seat_named(named[0], running_seats(sender.player)) if named else None
    if seat is None:
        return sender
    return SeatHolder(
        sender.email, sender.player, seat, None, sender.proof, sender.doubt, gm=sender.gm
    )


def _seat_named(text: str, seats: Sequence[Seat]) -> Seat | None:
    """The seat that is written "Fmarne", "F marne", "France marne" or "marne"."""
    words = [word.strip(".,;:").lower() for word in text.split()[:2]]
    if not words:
        return None
    found = [seat for seat in seats if _is_named(seat, words)]
    return found[0] if len(found) == 1 else None


def _is_named(seat: Seat, words: Sequence[str]) -> bool:
    game, power = seat.power.game.name.lower(), seat.power.name.lower()
    if words[0] in (game, f"{power[0]}{game}"):
        return True
    return words[1:] == [game] and power.startswith(words[0])
