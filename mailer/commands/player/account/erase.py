"""ERASE: a player wants to be forgotten."""

from __future__ import annotations

import datetime as dt
import re

from games.models import Player
from games.queries.players.ties import Ties, ties_of
from games.queries.reports.wording import listed
from games.services.accounts.erasing import erasure_ask, erasure_withdraw
from games.services.accounts.own_data import last_asked
from games.services.moderation.gm_leaves import accounts_to_close, games_left_by
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.own_settings.told_of_addresses import require_settled
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender

GOES = (
    "They will erase your name, your addresses, your settings, your file and the words of every "
    "mail from you and to you. What you played stays, because others played it with you; there "
    "you become “Former player” and a number. It cannot be undone, and one last mail tells you "
    "when it is done."
)
STAYS = (
    "The moderators no longer have your request: nothing is erased, and you play on as before. A "
    "seat that you have given up by RESIGN stays given up."
)
_UNSETTLED = (
    "So that nobody else can have you erased, please write ERASE again after {until}. To ask for "
    "it now, from your old address, write SET RECORD {former}, and ERASE again. If you no longer "
    "get mail there, write MODERATOR, and below it what you want."
)


class Erase(PlayerCommand):
    name = "erase"
    usage = "ERASE [OFF]"
    summary = "have your account and all that we know about you erased"
    help = (
        "Asks the moderators to erase you: your name, your addresses, your settings, your file and "
        "the words of all your mails. They do it by hand, because it cannot be undone. Your games "
        "stay as they were played, with “Former player” in place of your name. Seats that you "
        "still have then open to others; to leave in good order, write RESIGN first. To get all "
        "your data first, write EXPORT. Until they have done it, ERASE OFF takes your wish back. "
        "You cannot ask for it within a week of SET RECORD to another address.\n"
        "FORGET ME, DELETE MY ACCOUNT and UNREGISTER ME say the same."
    )
    takes = Takes.MAYBE
    argument = re.compile(r"(off|no|stop|cancel)?[ .!]*", re.IGNORECASE)
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        if call.argument.strip(" .!"):
            erasure_withdraw(player=player, now=arrival.now)
            return Receipt(title="Not to be erased", text=STAYS, subject="Nothing is erased")
        require_settled(player, _UNSETTLED, arrival.now)
        if erasure_ask(player=player, now=arrival.now):
            said = "The moderators have your request now, and will see to it within days."
        else:
            said = "The moderators already have your request."
        return Receipt(
            title="To be erased",
            text="\n\n".join(filter(None, [f"{said} Nothing is erased yet.", GOES, _seats(player)]))
            + f"\n\nIf you change your mind, write ERASE OFF. {_data(player, arrival.now)}",
            subject="You asked to be erased",
        )


def _data(player: Player, now: dt.datetime) -> str:
    """How to get everything we keep about them, unless they have just asked for it."""
    if last_asked(player, now=now):
        return "All that we keep about you is on its way, or already in your mailbox."
    return "To get all that we keep about you first, write EXPORT."


def _seats(player: Player) -> str:
    """The sentences about the games that they play and run."""
    ties = ties_of(player)
    return " ".join(filter(None, [_losses(ties), _handover_sentences(player)]))


def _handover_sentences(player: Player) -> str:
    """The sentences about the games that they run, unless their account in the admin stays."""
    closed = accounts_to_close(player)
    run = sorted({game.name for user in closed for game in games_left_by(user)})
    if not run:
        return ""
    return (
        f"You run {listed(run)}. Once you are erased, a co-GM runs it in your place, or "
        "else nobody does, and the moderators keep it alive. It is kinder to find a co-GM first."
    )


def _losses(ties: Ties) -> str:
    seats = [f"{power} in {game}" for power, game in ties.seats]
    if not seats:
        return ""
    those = "that seat is" if len(seats) == 1 else "those seats are"
    return (
        f"You still play {listed(seats)}. Once you are erased, {those} offered to others. It is "
        "kinder to write RESIGN now, so that somebody can take over before the next deadline."
    )
