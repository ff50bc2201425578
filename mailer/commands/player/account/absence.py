"""ABSENCE: days on which a player is away."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.models import Player
from games.queries.parsing.dates import read_days
from games.queries.reports.wording import day_text
from games.services.accounts.absences import (
    MOST_DAYS,
    MOST_DAYS_A_YEAR,
    absence_declare,
    absence_to_withdraw,
    absence_withdraw,
    absences_to_come,
)
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.lines.reasons import without_reason
from mailer.commands.receipt import Receipt
from mailer.commands.wishes.everyday_words import days_away
from mailer.identity.senders import Sender

_WITHDRAWAL = re.compile(r"(?:off|withdraw|cancel)\b\W*(?:from\s+)?(.*)", re.IGNORECASE)


class Absence(PlayerCommand):
    name = "absence"
    aliases = ("vacation", "holiday")
    usage = "ABSENCE FROM date TO date"
    summary = "say on which days you are away"
    help = (
        "Write the first day and the last; both count, in your own time zone. In most games "
        "deadlines set from then on keep clear of these days. An absence can last "
        f"{MOST_DAYS} days at most, and all your absences in a year {MOST_DAYS_A_YEAR} days "
        "together.\n"
        "Example: ABSENCE FROM 24 Dec TO 27 Dec\n"
        "Example: ABSENCE 24.12. - 27.12.2026\n"
        "Example: ABSENCE 2026-12-24\n"
        "Example: ABSENCE next Friday\n"
        "Example: ABSENCE OFF 24 Dec (takes back the one that begins then)\n"
        "Example: ABSENCE (shows which you have announced)"
    )
    takes = Takes.MAYBE
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player, said = player_of(sender), without_reason(call.argument).strip()
        today = today_of(player, arrival.received_at)
        if match := _WITHDRAWAL.fullmatch(said):
            first = _first_day(match.group(1), player, today)
            gone = absence_withdraw(player=player, first=first, now=arrival.now)
            text = f"Your absence is taken back: it was {days_away(gone.first, gone.last)}."
            return Receipt(title="Your absence is taken back", text=text)
        if not said:
            return _absences_receipt(player, today)
        first, last = read_days(said, today)
        noted = absence_declare(player=player, first=first, last=last, now=arrival.now)
        return Receipt(
            title="Your absence is noted",
            text=f"You are away {days_away(noted.first, noted.last)}. "
            "Deadlines set from now on allow for it; one that is already set does not move. To "
            f"take it back, write ABSENCE OFF {day_text(noted.first)}.",
        )


def _absences_receipt(player: Player, today: dt.date) -> Receipt:
    """When they will be away, as they told us, or that they have not said."""
    ahead = absences_to_come(player, today)
    if not ahead:
        return Receipt(
            title="Your absences",
            text="You have announced no absence. To announce one, write for example "
            "ABSENCE FROM 24 Dec TO 27 Dec",
        )
    lines = [f"You are away {days_away(one.first, one.last)}." for one in ahead]
    which = "that" if len(ahead) == 1 else "the first of them"
    lines.append(f"To take {which} back, write ABSENCE OFF {day_text(ahead[0].first)}.")
    return Receipt(title="Your absences", text="\n".join(lines))


def _first_day(said: str, player: Player, today: dt.date) -> dt.date:
    """The first day of the absence to take back; without a day, that of the only absence."""
    return read_days(said, today)[0] if said else absence_to_withdraw(player, today).first


def today_of(player: Player, now: dt.datetime) -> dt.date:
    """Today, where the player lives."""
    return now.astimezone(ZoneInfo(player.timezone)).date()
