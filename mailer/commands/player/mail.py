"""MAIL: a player wants no mail for a while, from no game."""

from __future__ import annotations

import re

from games.errors import WrongState
from games.models import Player
from games.queries.wording import listed
from games.services.conduct import mail_pause, mail_resume, seats_played
from mailer.commands.base import Arrival, Receipt, Verb, player_of
from mailer.commands.calls import Call, Takes
from mailer.identity.senders import Sender

_OFF = {"off", "no", "stop", "pause"}
PAUSED = (
    "Mail to you is paused: you get nothing from us but answers like this one. To get everything "
    "again, write MAIL ON."
)


class Mail(Verb):
    name = "mail"
    usage = "MAIL OFF | ON"
    summary = "pause all our mails to you, and get them again"
    help = (
        "After MAIL OFF you get nothing from us but answers to what you write: no results, no "
        "press, no reminders. All of it is kept back. Your games go on without a word, so say "
        "first that you are away (ABSENCE), or give up your seat (RESIGN).\n"
        "MAIL ON brings everything again: one mail says what happened and where each of your games "
        "stands; press to you and the newest results follow.\n"
        "PAUSE MAIL and RESUME MAIL say the same."
    )
    takes = Takes.SOMETHING
    argument = re.compile(r"(on|yes|resume|off|no|stop|pause)[ .!]*", re.IGNORECASE)
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        off = call.argument.strip(" .!").lower() in _OFF
        try:
            return _off(player, arrival) if off else _on(player, arrival)
        except WrongState:
            said = "is paused already" if off else "is not paused"
            return Receipt(title="Your mails", text=f"Mail to you {said}.")


def _off(player: Player, arrival: Arrival) -> Receipt:
    mail_pause(player=player, why="They asked for it by mail.", by=player.name, now=arrival.now)
    seats = [f"{seat.power.name} in {seat.power.game.name}" for seat in seats_played(player)]
    games = (
        f"\n\nYou still play {listed(seats)}. Deadlines pass there as ever. If you cannot send "
        "orders meanwhile, write ABSENCE FROM date TO date, or RESIGN."
        if seats
        else ""
    )
    return Receipt(
        title="Your mails",
        text="We keep all our mails to you back from now on. When you want them again, one mail "
        f"sums up what you missed.{games}",
        subject="Mail to you is paused",
    )


def _on(player: Player, arrival: Arrival) -> Receipt:
    mail_resume(player=player, why="They asked for it by mail.", by=player.name, now=arrival.now)
    return Receipt(
        title="Your mails",
        text="You get all our mails again. One follows that says what you missed and where each of "
        "your games stands.",
        subject="You get all our mails again",
    )
