"""STOP: ends the mails that its sender can do without, and never costs them a seat."""

from __future__ import annotations

import re

from games.queries.players.ties import Ties, ties_of
from games.queries.reports.wording import counted, listed
from games.services.accounts.fewer_mails import Ended, bulk_mails_end
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import STOP, Call, Takes
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.receipt import Receipt
from mailer.identity.senders import FurtherAddress, Newcomer, Sender
from mailer.outbound.ended_by_link import reminders_decided


class Stop(PlayerCommand):
    name = STOP
    aliases = ("unsubscribe", "optout", "stopall")
    usage = "STOP"
    summary = "get fewer mails: no reminders, no offers of seats, nothing of games you observe"
    help = (
        "Write STOP, or UNSUBSCRIBE, as the first line of your mail or as the subject of an empty "
        "one. At once you get no more reminders before deadlines, offers of open seats, or results "
        "of games that you observe. You keep every seat that you have, and still get the results "
        "and deadlines of the games you play; the answer says how to leave those, too. Below "
        "orders or other commands STOP means SIGNOFF."
    )
    takes = Takes.MAYBE
    argument = re.compile(
        r"((sending|mailing|writing)( to)?( me)?|me|all|please|(all |these |the )?e?-?mails?"
        r"|(sending|mailing)( me)?( any| these| your)?( more)? e?-?mails?)?( please)?[ .!]*",
        re.IGNORECASE,
    )
    secured = True
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if isinstance(sender, Newcomer | FurtherAddress):
            return Refuse().run(call, sender, arrival)
        if sender.player is None:
            return NOTHING_TO_STOP
        ended = bulk_mails_end(player=sender.player, now=arrival.now)
        reminders_decided(player=sender.player, now=arrival.now)
        return Receipt(
            title="Fewer mails",
            text="\n".join(
                [*_what_ended(ended), "", *_what_stays(ties_of(sender.player)), *_below(call)]
            ),
            subject="You get fewer mails from now on"
            if ended.observed or ended.offers or ended.reminders
            else "Nothing was left to stop",
        )


NOTHING_TO_STOP = Receipt(
    title="Nothing to stop",
    text="Nobody is registered here under the address you wrote from, so there is nothing to stop, "
    "and no account to erase: we write to it only to answer mails that come from it. If you are "
    "registered under another address, please write from that one.",
    subject="Nothing to stop",
)


def _what_ended(ended: Ended) -> list[str]:
    said = []
    if ended.observed:
        said += [f"- what you got as an observer of {listed(ended.observed)} (OBSERVE and a name)"]
    if ended.offers:
        said += ["- offers of open seats (STANDBY)"]
    if ended.reminders:
        said += ["- reminders before your deadlines (SET REMINDERS DEFAULT)"]
    if not said:
        return ["You had already stopped everything that you can stop without leaving a game."]
    return ["These mails have stopped; in brackets, what starts them again:", "", *said]


def _what_stays(tied: Ties) -> list[str]:
    """Say which mails still come, and how to be rid of those, too."""
    seats = [f"- You play {power} in {game}: RESIGN {game}" for power, game in tied.seats]
    places = [
        f"- You have a place in {game}, which has not begun: LEAVE {game}" for game in tied.places
    ]
    run = [f"- You are the game master of {game}: write MODERATOR" for game in tied.run]
    if not (seats or places or run):
        return [
            "You are not playing in any game, so from now on we only answer mails of yours. To "
            "have your account erased, write ERASE."
        ]
    still = "You have left no game. Mails about these still come; the word after each ends that:"
    return [still, "", *seats, *places, *run]


def _below(call: Call) -> list[str]:
    """Say how many lines we did not read, so that nobody thinks they were carried out."""
    if not call.lines:
        return []
    was = "was" if len(call.lines) == 1 else "were"
    return ["", f"{counted(len(call.lines), 'line')} below STOP {was} not read."]
