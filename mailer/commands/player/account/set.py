"""SET: what players may change about themselves."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from games.errors import BadInput
from games.models import Player
from games.queries.players.attendance import reliability
from games.queries.players.reliability import reliability_text
from games.queries.reports.wording import listed, local_moment, nearest
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.own_settings import BY_WORD, OWN_SETTINGS
from mailer.commands.own_settings.addresses import confirmed_of
from mailer.commands.own_settings.base import OwnSetting
from mailer.commands.own_settings.elsewhere import ELSEWHERE
from mailer.commands.player.account.absence import Absence
from mailer.commands.player.account.mail import what_stopped
from mailer.commands.player.clock.ready import Ready, Wait
from mailer.commands.player.consent.vote import Concede, Draw, Vote
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender

_SETTING = re.compile(
    r"(time\s?zone|no\s\w+|\w+)\s*[:=]?\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_OFF = re.compile(r"(?:off|no|none|false|0)[.!]*", re.IGNORECASE)
_EXAMPLES = [example for one in OWN_SETTINGS.values() for example in one.examples]


def setting_in(argument: str) -> OwnSetting | None:
    """The setting that the words after SET are about; None for none that we know."""
    match = _SETTING.fullmatch(argument)
    return BY_WORD.get(_word_of(match)) if match else None


def _word_of(match: re.Match[str]) -> str:
    return match.group(1).lower().replace(" ", "")


class Set(PlayerCommand):
    name = "set"
    usage = f"SET {listed(list(OWN_SETTINGS), 'or')}, and the new value"
    summary = "change your name, time zone, addresses, reminders, calendar, or how our mails look"
    help = "\n".join(
        [*(f"Example: {one}" for one in _EXAMPLES), "To see what is set, write SET alone."]
    )
    takes = Takes.MAYBE
    asked = QuestionMark.SHOWN
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        match = _SETTING.fullmatch(call.argument)
        if match is None:
            return Receipt(title="Your settings", text=_all(player, arrival.now))
        what = _word_of(match)
        if what in _AS_NJUDGE:
            return _AS_NJUDGE[what](replace(call, argument=match.group(2)), sender, arrival)
        if said := ELSEWHERE.get(what) or ELSEWHERE.get(what.removeprefix("no")):
            raise BadInput(said)
        if what not in BY_WORD:
            raise _unknown_setting(match.group(1))
        receipt = BY_WORD[what].change(player, match.group(2).strip(), arrival.now)
        player.refresh_from_db()  # for the other lines of the mail
        return receipt


def _unknown_setting(what: str) -> BadInput:
    names = [name.upper() for name in OWN_SETTINGS]
    near = nearest(what, names) or ""
    meant = f"Did you mean {near}?" if near else f"You can SET {listed(names, 'or')}."
    return BadInput(f"There is nothing called {what} to set. {meant}", wrote=what, near=near)


def _all(player: Player, now: dt.datetime) -> str:
    return "\n".join(
        [
            f"Name: {player.name}",
            f"Time zone: {player.timezone}, where it is {local_moment(now, player.timezone)}",
            f"Addresses: {confirmed_of(player)}",
            f"Reminders: {player.reminders or 'as each game has them'}",
            *(["Mail: paused; MAIL ON brings it again"] if player.mail_paused_at else []),
            *what_stopped(player),
            f"HTML: {'on' if player.html else 'off'}",
            f"Maps: {'on' if player.maps else 'off'}",
            f"Calendar files: {'on' if player.calendar_files else 'off'}",
            f"Reliability: {reliability_text(reliability(player, now=now))}",
            "",
            "To change one, write for example SET TIMEZONE Europe/Berlin; HELP SET shows them all.",
        ]
    )


def _wait(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    command = Ready() if _OFF.fullmatch(call.argument.strip()) else Wait()
    return command.run(call, sender, arrival)


def _no_wait(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    command = Wait() if _OFF.fullmatch(call.argument.strip()) else Ready()
    return command.run(call, sender, arrival)


def _no_draw(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Draw().run(replace(call, argument="no"), sender, arrival)


def _no_concession(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Concede().run(replace(call, argument="no"), sender, arrival)


def _not_away(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Absence().run(replace(call, argument=f"off {call.argument}"), sender, arrival)


_AS_NJUDGE: Mapping[str, Callable[[Call, Sender, Arrival], Receipt]] = {
    "wait": _wait,
    "nowait": _no_wait,
    "draw": Draw().run,
    "vote": Vote().run,
    "concede": Concede().run,
    "nodraw": _no_draw,
    "noconcede": _no_concession,
    **dict.fromkeys(("absence", "vacation", "holiday"), Absence().run),
    **dict.fromkeys(("noabsence", "novacation", "noholiday"), _not_away),
}
"""What njudge's players write after SET, and is a command here."""
