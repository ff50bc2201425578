"""RESIGN: a player gives up their power."""

from __future__ import annotations

import re

from games.events import SeatResigned
from games.models import Seat
from games.queries.reports.calendars import left_files
from games.services.seating.seats import seat_resign
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Enclosures, Receipt
from mailer.commands.seats import require_not_over, seat_named
from mailer.identity.senders import Sender, seat_meant

_STAYS_OPEN = (
    " To give somebody time to do so, the phase stays open until its deadline, even when all other "
    "orders are in."
)
_IS_SO = (
    r"(?:is|are|was|were|am|has|have|had|needs?|must|can|cannot|will|got|died|broke)\b"
    r"|(?:ca|wo)n['’]t\b"
)
_SAYS_WHY = (
    rf"(?:my|our|the)(?:\s+[\w'’-]+){{1,4}}?\s+(?:{_IS_SO})"
    rf"|(?:i|we)(?:\s+(?:{_IS_SO})|['’](?:m|ve|re)\b)"
    r"|for\s+(?:\w+\s+){0,2}reasons?\b|no\s+(?:more\s+)?time\b"
)
"""The beginning of a reason that is a whole sentence: “my baby is coming”."""
_NO_REASON = (
    r"(?:if|unless|until|when|whether|claims?|says?|said|tells?|told|asks?|asked|ha(?:ha)+|lol"
    r"|not\s+to|(?:is|are|was|were)\s+(?:winning|losing|leaving))"
)
"""Words of a sentence that is told to others, or by others: “Resign, the Turk is winning”."""
_BECAUSE = re.compile(
    r"(?:^|[\s,;.!–-]+)(?:(?:because|since|due\s+to|sorry)\b"
    rf"|(?!.*\b{_NO_REASON}\b)(?:{_SAYS_WHY}))"
    r"(?!.*(?:[?:>→]|\s[-–—]|\b(?:never|jok\w+|kidding|wrong|mistake|you|your)\b"
    r"|\b(?:not|n['’]t)\s+(?:mean|do|resign)\b|(?:\bnot|n['’]t)\W*$)).*",
    re.IGNORECASE,
)
"""A reason, which nobody has to give.

It neither asks nor orders, does not take the word back, and speaks to nobody else: “because you are
losing, Ben”.
"""
_NOTHING_TO_DO = "so there is nothing to resign from, and nothing more for you to do"


class Resign(PlayerCommand):
    name = "resign"
    usage = "RESIGN [game]"
    summary = "give up your power, so that somebody else can play it"
    help = (
        "Gives up your seat in the game whose mail you answer, or in the one you name. We ask "
        "whether you are sure, and do it when you reply YES. Then your seat is open, and we tell "
        "everybody. Your orders stand until somebody takes over, and the phase stays open until "
        "its deadline, even when all other orders are in. As long as nobody has the seat, RETURN "
        "brings you back.\n"
        "Example: RESIGN marne"
    )
    takes = Takes.MAYBE
    names_game = True
    argument = re.compile(rf"[\w-]*?[ .!]*(?:{_BECAUSE.pattern})?", re.IGNORECASE)
    secured = True
    grave = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, _ = seat_named(_game_in(call.argument, sender), sender)
        require_not_over(seat.power.game, _NOTHING_TO_DO)
        event = seat_resign(seat=seat, now=arrival.now)
        game, power = seat.power.game.name, seat.power.name
        return Receipt(
            title=f"You have resigned from {power} in {game}",
            text=(
                f"You have given up {power} in the game {game}. Its seat is open now, and "
                "everybody is told. Your orders stand until somebody takes over."
                f"{_STAYS_OPEN if SeatResigned.of(event).keeps_open else ''}\n"
                "\n"
                "Thank you for telling us instead of just staying away. As long as nobody has "
                f"taken the seat you can come back: write RETURN {game}"
            ),
            subject=f"[{game}] You have resigned from {power}",
            enclosed=Enclosures(calendars=left_files(event.phase, power) if event.phase else ()),
        )

    def seat_at_stake(self, call: Call, sender: Sender) -> Seat | None:
        return seat_named(_game_in(call.argument, sender), sender)[0]


def _game_in(argument: str, sender: Sender) -> str:
    """The game that the player names, without a reason; "" for the game that the mail answers,
    which they may name by their power: “RESIGN France”."""
    name, seat = _BECAUSE.sub("", argument).strip(" .!"), seat_meant(sender)
    return "" if seat and name.casefold() == seat.power.name.casefold() else name
