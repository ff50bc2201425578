"""ABSENCE: days on which a player is away."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput
from games.services.absences import absence_declare, absence_withdraw
from mailer.commands.base import Arrival, Receipt, Verb, player_of
from mailer.commands.calls import Call, Takes
from mailer.inbound.senders import Sender

_DATE = r"(\d{4}-\d{1,2}-\d{1,2})"
_DAYS = re.compile(rf"(?:from\s+)?{_DATE}(?:\s*(?:to|until|till|-|–)\s*{_DATE})?", re.IGNORECASE)
_WITHDRAWAL = re.compile(rf"(?:off|withdraw|cancel)\s+(?:from\s+)?{_DATE}", re.IGNORECASE)


class Absence(Verb):
    name = "absence"
    aliases = ("vacation", "holiday")
    usage = "ABSENCE FROM date TO date"
    summary = "say on which days you are away"
    help = (
        "Write the days like 2026-12-24, the first and the last; both count, in your own time "
        "zone. Deadlines that are set from then on take account of it.\n"
        "Example: ABSENCE FROM 2026-12-24 TO 2026-12-27\n"
        "Example: ABSENCE OFF 2026-12-24 (takes back the one that begins then)"
    )
    takes = Takes.SOMETHING
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player, said = player_of(sender), call.argument.strip(" .")
        if match := _WITHDRAWAL.fullmatch(said):
            gone = absence_withdraw(player=player, first=_day(match.group(1)), now=arrival.now)
            text = f"Your absence from {gone.first} to {gone.last} is taken back."
            return Receipt(title="Absence taken back", text=text)
        match = _DAYS.fullmatch(said)
        if match is None:
            raise BadInput("Write the days like this: ABSENCE FROM 2026-12-24 TO 2026-12-27")
        first = _day(match.group(1))
        last = _day(match.group(2)) if match.group(2) else first
        noted = absence_declare(player=player, first=first, last=last, now=arrival.now)
        return Receipt(
            title="Absence noted",
            text=f"You are away from {noted.first} to {noted.last}, both days included. "
            "Deadlines that are set from now on take account of it; one that stands already "
            "does not move.",
        )


def _day(text: str) -> dt.date:
    year, month, day = map(int, text.split("-"))
    try:
        return dt.date(year, month, day)
    except ValueError as error:
        raise BadInput(f"There is no day {text}. Write days like 2026-12-24.") from error
