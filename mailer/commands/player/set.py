"""SET: what players may change about themselves."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from django.conf import settings
from django.urls import reverse

from games.errors import BadInput
from games.models import Player
from games.queries.attendance import reliability
from games.queries.calendars import calendar_key
from games.queries.reliability import reliability_text
from games.queries.wording import nearest
from games.services.profile import (
    address_add,
    address_of_record_set,
    address_remove,
    calendar_renew,
    mail_look_set,
    player_rename,
    timezone_set,
)
from games.services.reminders import reminders_set
from games.settings import SETTINGS
from mailer.commands.base import Arrival, Receipt, Verb, player_of
from mailer.commands.calls import Asked, Call, Takes
from mailer.commands.player.absence import Absence
from mailer.commands.player.ready import Ready, Wait
from mailer.commands.player.vote import Concede, Draw, Vote
from mailer.identity.senders import Sender
from mailer.models import OutboundMail
from mailer.outbound.asked import may_be_asked
from mailer.text import listed, moment

ADDRESS_QUESTION = "address-of/{}/"
"""How the key of a mail begins that asks whether an address is a player's, by their number."""
MOST_ASKED = 10
"""So many of them a day."""
_WORDS_FOR_ON: Mapping[str, bool] = {"on": True, "yes": True, "off": False, "no": False}
_SETTING = re.compile(
    r"(time\s?zone|no\s\w+|\w+)\s*[:=]?\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)


class Set(Verb):
    name = "set"
    usage = (
        "SET name, timezone, address, record, forget, reminders, calendar, html or map, and the "
        "new value"
    )
    summary = "change your name, time zone, addresses, reminders, calendar, or how our mails look"
    help = (
        "Example: SET NAME Ana Smith\n"
        "Example: SET TIMEZONE Europe/Berlin (times are then told in your own zone)\n"
        "Example: SET ADDRESS ana@work.example (a second address; we ask there whether it is "
        "yours, and the reply CONFIRM says yes)\n"
        "Example: SET RECORD ana@work.example (write to that confirmed address from now on)\n"
        "Example: SET FORGET ana@old.example\n"
        "Example: SET REMINDERS 24h 4h (or OFF, or DEFAULT)\n"
        "Example: SET CALENDAR (tells the address of your calendar; SET CALENDAR NEW gives it "
        "another one)\n"
        "Example: SET CALENDAR OFF (mails come without deadlines as calendar files; ON takes that "
        "back)\n"
        "Example: SET HTML OFF (mails come as plain text; ON takes that back)\n"
        "Example: SET MAP OFF (mails come without pictures of the board)\n"
        "To see what is set, write SET alone."
    )
    takes = Takes.MAYBE
    asked = Asked.SHOWN
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        match = _SETTING.fullmatch(call.argument)
        if match is None:
            return Receipt(title="Your settings", text=_all(player, arrival.now))
        what = match.group(1).lower().replace(" ", "")
        if what in _AS_NJUDGE:
            return _AS_NJUDGE[what](replace(call, argument=match.group(2)), sender, arrival)
        if said := _ELSEWHERE.get(what) or _ELSEWHERE.get(what.removeprefix("no")):
            raise BadInput(said)
        change = _CHANGES.get(what)
        if change is None:
            raise _nothing_called(match.group(1))
        receipt = change(player, match.group(2).strip(), arrival.now)
        player.refresh_from_db()  # for what else the mail asks for
        return receipt


def _nothing_called(what: str) -> BadInput:
    names = [name.upper() for name in _SHOWN]
    near = nearest(what, names) or ""
    meant = f"Did you mean {near}?" if near else f"You can SET {listed(names, 'or')}."
    return BadInput(f"There is nothing called {what} to set. {meant}", wrote=what, near=near)


def _all(player: Player, now: dt.datetime) -> str:
    return "\n".join(
        [
            f"Name: {player.name}",
            f"Time zone: {player.timezone}, where it is {moment(now, player.timezone)}",
            f"Addresses: {_addresses(player)}",
            f"Reminders: {player.reminders or 'as each game has them'}",
            *(["Mail: paused; MAIL ON brings it again"] if player.mail_paused_at else []),
            f"HTML: {'on' if player.html else 'off'}",
            f"Maps: {'on' if player.maps else 'off'}",
            f"Calendar files: {'on' if player.calendar_files else 'off'}",
            f"Reliability: {reliability_text(reliability(player, now=now))}",
            "",
            "To change one, write for example SET TIMEZONE Europe/Berlin; HELP SET shows them all.",
        ]
    )


def _rename(player: Player, value: str, now: dt.datetime) -> Receipt:
    _require(value, "the name", "SET NAME Ana Smith")
    renamed = player_rename(player=player, name=value)
    return Receipt(title="Your name", text=f"You are {renamed.name} from now on.")


def _require(value: str, what: str, example: str) -> None:
    """Raise BadInput where nothing but the name of the setting was written."""
    if not value:
        raise BadInput(f"Please write {what}, too, for example: {example}")


def _timezone(player: Player, value: str, now: dt.datetime) -> Receipt:
    _require(value, "the zone", "SET TIMEZONE Europe/Berlin")
    zone = timezone_set(player=player, timezone=value).timezone
    return Receipt(
        title="Your time zone",
        text=f"From now on our times are in the zone {zone}. There it is {moment(now, zone)}.",
    )


def _address(player: Player, value: str, now: dt.datetime) -> Receipt:
    if _asked_today(player, now) >= MOST_ASKED:
        raise BadInput(
            f"We have asked at {MOST_ASKED} addresses for you today, which has to be enough. "
            "Please try again tomorrow."
        )
    address = address_add(player=player, email=value, now=now)
    is_theirs = address.confirmed_at and address.player_id == player.pk
    if not is_theirs and not may_be_asked(address.email, now):
        raise BadInput(
            f"We have asked at {value.strip()} so often today that we ask no more before tomorrow. "
            "Please look there for a mail of ours that asks whether it is yours, and reply to it "
            "with the word CONFIRM, or write SET ADDRESS again tomorrow."
        )
    if is_theirs:
        return Receipt(title="Your addresses", text=f"{address.email} is yours already.")
    email = value.strip()  # as they write it: the row may be somebody else's
    return Receipt(
        title="Your addresses",
        text=f"We have asked at {email} whether it is yours. Reply to that mail with the "
        "word CONFIRM; then you can write from there, too.",
        asks=address,
    )


def _asked_today(player: Player, now: dt.datetime) -> int:
    """How many of our questions in the last day asked somebody whether an address is theirs. They
    go wherever the player says: nobody may have us write to half the world."""
    asked = OutboundMail.objects.filter(key__startswith=ADDRESS_QUESTION.format(player.pk))
    return asked.filter(created_at__gt=now - dt.timedelta(days=1)).count()


def _record(player: Player, value: str, now: dt.datetime) -> Receipt:
    address = address_of_record_set(player=player, email=value)
    return Receipt(title="Your addresses", text=f"We write to {address.email} from now on.")


def _forget(player: Player, value: str, now: dt.datetime) -> Receipt:
    _require(value, "the address", "SET FORGET ana@old.example")
    address_remove(player=player, email=value, now=now)
    return Receipt(
        title="Your addresses",
        text=f"{value} is no address of yours here. You have {_addresses(player)}.",
    )


def _addresses(player: Player) -> str:
    """Those that they have confirmed: which of the others is somebody else's must not show."""
    confirmed = player.addresses.filter(confirmed_at__isnull=False)
    return listed([one.email for one in confirmed.order_by("-of_record", "email")])


def _reminders(player: Player, value: str, now: dt.datetime) -> Receipt:
    _require(value, "when", "SET REMINDERS 24h 4h")
    text = "" if value.strip(" .!").lower() == "default" else value
    reminders = reminders_set(player=player, text=text, now=now).reminders
    return Receipt(title="Your reminders", text=_reminded(reminders))


def _reminded(reminders: str) -> str:
    if reminders == "off":
        return "From now on we send you no reminders."
    if reminders:
        return (
            f"We remind you this long before a deadline: {SETTINGS['reminders'].words(reminders)}."
        )
    return "From now on we remind you when each game says so."


def _calendar(player: Player, value: str, now: dt.datetime) -> Receipt:
    word = value.strip(" .!").lower()
    if word in _WORDS_FOR_ON:
        return _calendar_files(player, wanted=_WORDS_FOR_ON[word])
    if word not in ("", "new"):
        raise BadInput(
            f"A calendar cannot be set to “{value}”. Write SET CALENDAR for the address of your "
            "calendar, SET CALENDAR NEW for another address, or SET CALENDAR ON or OFF for the "
            "files in our mails."
        )
    renewed = bool(word)
    if renewed:
        player = calendar_renew(player=player)
    address = settings.SITE_URL + reverse("calendar", kwargs={"key": calendar_key(player)})
    before = "The one before leads nowhere from now on. " if renewed else ""
    return Receipt(
        title="Your calendar",
        text=f"All your deadlines are at this address, for a calendar program to follow:\n\n"
        f"{address}\n\n{before}Whoever knows it sees when your games are due, and which powers "
        "you play. If somebody should not, write SET CALENDAR NEW.",
    )


def _calendar_files(player: Player, *, wanted: bool) -> Receipt:
    mail_look_set(player=player, calendar_files=wanted)
    return Receipt(
        title="Your mails",
        text="Mails that tell a deadline of yours carry it as a calendar file from now on."
        if wanted
        else "Our mails carry no calendar files from now on. A calendar program can still follow "
        "your deadlines: SET CALENDAR tells you the address.",
    )


def _html(player: Player, value: str, now: dt.datetime) -> Receipt:
    wanted = mail_look_set(player=player, html=_on(value, "HTML")).html
    text = "From now on our mails have an HTML part, too. It says the same as the text."
    if not wanted:
        text = "Our mails are plain text from now on, without pictures."
        if player.calendar_files:
            text += " Deadlines still come with a calendar file; SET CALENDAR OFF stops that, too."
    return Receipt(title="Your mails", text=text)


def _maps(player: Player, value: str, now: dt.datetime) -> Receipt:
    wanted = mail_look_set(player=player, maps=_on(value, "MAP")).maps
    text = "Our mails carry pictures of the board from now on."
    if not wanted:
        text = "Our mails carry no pictures from now on; the text says the same."
    elif not player.html:
        text += " You see them once you write SET HTML ON: they are part of the HTML."
    return Receipt(title="Your mails", text=text)


def _on(value: str, what: str) -> bool:
    word = value.lower().strip(" .!")
    if word not in _WORDS_FOR_ON:
        raise BadInput(f"“{value}” is neither ON nor OFF. Write SET {what} ON or SET {what} OFF.")
    return _WORDS_FOR_ON[word]


_Change = Callable[[Player, str, dt.datetime], Receipt]
_SHOWN: Mapping[str, _Change] = {
    "name": _rename,
    "timezone": _timezone,
    "address": _address,
    "record": _record,
    "forget": _forget,
    "reminders": _reminders,
    "calendar": _calendar,
    "html": _html,
    "map": _maps,
}


def _no_draw(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Draw().run(replace(call, argument="no"), sender, arrival)


def _no_concession(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Concede().run(replace(call, argument="no"), sender, arrival)


def _not_away(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Absence().run(replace(call, argument=f"off {call.argument}"), sender, arrival)


_AS_NJUDGE: Mapping[str, Callable[[Call, Sender, Arrival], Receipt]] = {
    "wait": Wait().run,
    "nowait": Ready().run,
    "draw": Draw().run,
    "vote": Vote().run,
    "concede": Concede().run,
    "nodraw": _no_draw,
    "noconcede": _no_concession,
    **dict.fromkeys(("absence", "vacation", "holiday"), Absence().run),
    **dict.fromkeys(("noabsence", "novacation", "noholiday"), _not_away),
}
"""What njudge's players write behind SET, and is a command here."""

_ELSEWHERE: Mapping[str, str] = {
    "mail": "To pause all our mails, write MAIL OFF; to get them again, MAIL ON.",
    "password": (
        "There are no passwords here. What you write is taken for yours when it comes from your "
        "address, in a reply to a mail of ours."
    ),
    **dict.fromkeys(
        ("preference", "preferences"),
        "To change the powers you would like, write JOIN, the game's name and the new list.",
    ),
    "deadline": "That is for the game master. To ask for more time, write EXTEND 24h and why.",
    **dict.fromkeys(
        ("note", "notes"),
        "To keep notes with a game that has diaries, write DIARY RECORD and the note below it.",
    ),
    **dict.fromkeys(
        ("concession", "concessions"), "To let a power win, write CONCEDE TO and its name."
    ),
    **dict.fromkeys(
        ("noreminder", "noreminders"), "To be reminded no more, write SET REMINDERS OFF."
    ),
    **dict.fromkeys(
        (
            *("grace", "start", "move", "moves", "retreat", "retreats", "adjust", "adjustments"),
            *("nmr", "cd", "comment", "press", "access", "dedication", "centers", "list", "public"),
            *("private", "moderated", "unmoderated", "approval", "allow", "deny", "players"),
            *("variant", "rated", "unrated", "observe", "observers", "watch", "blind", "gunboat"),
            *("secret", "moderate", "approve", "strict", "victory", "manual", "auto", "reveal"),
            *("late", "partial", "postal", "white", "grey", "fake", "draws", "dias", "proxy"),
        ),
        "That is for the game master. STATUS says how your game is set; to ask for something else, "
        "write PRESS TO GM.",
    ),
}
"""What they write behind SET, and is done otherwise here."""

_CHANGES: Mapping[str, _Change] = {
    **_SHOWN,
    **dict.fromkeys(("zone", "tz"), _timezone),
    **dict.fromkeys(("email", "addresses"), _address),
    "maps": _maps,
}
