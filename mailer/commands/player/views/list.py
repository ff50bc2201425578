"""LIST: the games looking for players, and those being played."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet

from games.models import Game, Phase
from games.queries import lookup
from games.queries.access.staff_names import own_name
from games.queries.board import phase_title, variant_named
from games.queries.parsing.preferences import example_list
from games.queries.players.places import with_places
from games.queries.players.seats import (
    BEFORE_START,
    OpenSeat,
    open_powers,
    power_names,
    seats_described,
)
from games.queries.reports.timetable import pace
from games.queries.reports.what_game import particulars, starts, who_may_join
from games.queries.reports.wording import counted
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.player.views.status import Status
from mailer.commands.receipt import Receipt
from mailer.commands.texts.sentences import mustering, zone_of
from mailer.identity.senders import Sender
from mailer.text import deadline

MOST = 20
"""How many games of each kind the mail shows, so that it does not become a book."""


_ALL = r"(?:(?:full|all|open|games?)\b\W*)*"
_ONE = re.compile(rf"^{_ALL}|\W+full\b\W*$", re.IGNORECASE)
"""What njudge's players write around a game's name: LIST marne FULL."""


class List(PlayerCommand):
    name = "list"
    aliases = ("games",)
    usage = "LIST"
    summary = "see the games looking for players, and those being played"
    help = (
        "Shows the games still looking for players, with their pace and whatever is unusual about "
        "them, those being played, and powers that need a new player. "
        f"If there are more than {MOST} of a kind, it shows the newest, and names the page that "
        "has them all. LIST and a game's name does what STATUS does."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.SHOWN
    argument = re.compile(rf"{_ALL}(?:[\w-]+\W*(?:full\b\W*)?)?", re.IGNORECASE)
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if name := _ONE.sub("", call.argument).strip(" .?!"):
            return Status().run(replace(call, argument=name), sender, arrival)
        zone, now = zone_of(sender), arrival.now
        parts = [
            *_part("These games are looking for players:", *_taking(sender)),
            *_part("These are about to start:", *_full(zone)),
            *_part("These are being played:", *_running(zone, now)),
            *_part("These powers need a new player:", *_open(zone, now)),
        ]
        return Receipt(title="The games there are", text="\n".join(parts[1:]), subject="Games")


def _newest(rows: QuerySet[Any], newest: str = "-pk") -> tuple[list[Any], list[str]]:
    """Return the newest of the rows in their own order, and how to see the rest, if there are
    more."""
    keys = list(rows.order_by(newest).values_list("pk", flat=True)[: MOST + 1])
    more = f"These are the {MOST} newest. All of them: {settings.SITE_URL}/"
    return list(rows.filter(pk__in=keys[:MOST])), [more] if len(keys) > MOST else []


def _part(title: str, lines: Sequence[str], after: Sequence[str]) -> list[str]:
    """A list with its title, and a paragraph for each thing to say after it."""
    said = [*lines, *(line for one in after for line in ("", one))]
    return ["", title, "", *said] if lines else [line for one in after for line in ("", one)]


def _taking(sender: Sender) -> tuple[list[str], list[str]]:
    """The games looking for players, and how to join one."""
    looking = with_places(lookup.games_open()).filter(taken__lt=F("places"))
    games, more = _newest(looking.select_related("gm"))
    if not games:
        none = "No game is looking for players at the moment. A new one may be announced any day."
        return [], [f"{none} To make one yourself, write HELP CREATE."]
    first = "" if sender.player else "two lines: REGISTER and your name, and below it "
    how = (
        f"To join one, write {first}JOIN, its name and the powers you would like, best first, for "
        f"example: JOIN {games[0].name} {example_list(power_names(games[0]))}"
    )
    unlike = (
        "If a game is unlike most, its lines say how. To read more about one, write RULES and "
        f"its name, for example: RULES {games[0].name}"
    )
    apart = [line for game in games for line in (_forming(game, zone_of(sender)), "")][:-1]
    return apart, [*more, unlike, how]


def _full(zone: str) -> tuple[list[str], list[str]]:
    """The games whose seats are all taken and that have not started."""
    before = with_places(Game.objects.filter(status__in=BEFORE_START).order_by("name"))
    full = before.exclude(entry=Game.Entry.INVITED).filter(taken__gte=F("places"))
    games, more = _newest(full)
    return [f"- {game.name}: {_about_to_start(game, zone)}" for game in games], more


def _about_to_start(game: Any, zone: str) -> str:
    if game.status == Game.Status.MUSTER:
        return mustering(game, game.silent, zone)
    return " ".join(["all seats are taken.", *starts(game, zone, full=True)])


def _running(zone: str, now: dt.datetime) -> tuple[list[str], list[str]]:
    phases, more = _newest(lookup.phases_running(), "-game")
    return [_entry(phase, zone, now) for phase in phases], more


def _entry(phase: Phase, zone: str, now: dt.datetime) -> str:
    game = phase.game
    paused = game.status == Game.Status.PAUSED
    when = deadline(phase.due_at, zone, now, paused=paused, resumes_at=game.resume_at)
    return f"- {game.name}: {phase_title(phase.name)}. {when}"


def _open(zone: str, now: dt.datetime) -> tuple[list[str], list[str]]:
    """The seats whose players are gone, and how to take one."""
    powers, more = _newest(open_powers(), "-open_since")
    seats = seats_described(powers)
    if not seats:
        return [], []
    first = seats[0]
    how = (
        "To take one over, write TAKEOVER, the game and the power, for example: TAKEOVER "
        f"{first.game} {first.power}"
    )
    return [_seat(one, zone, now) for one in seats], [*more, how]


def _seat(one: OpenSeat, zone: str, now: dt.datetime) -> str:
    holds = f", {one.holds}" if one.holds else ""
    when = _when(one, zone, now)
    about = " ".join(one.about)
    return f"- {one.game}: {one.power}{holds}. {about} The phase is {one.phase_title}. {when}"


def _when(one: OpenSeat, zone: str, now: dt.datetime) -> str:
    if one.waits and not one.paused:
        return "The game waits."
    return deadline(one.due_at, zone, now, paused=one.paused)


def _forming(game: Any, zone: str) -> str:
    """A game looking for players, as `with_places` gives it."""
    free = f"{game.places - game.taken} of {counted(game.places, 'seat')} free"
    name = own_name(game.gm) if game.gm else ""
    gm = (f"Game master: {name}.",) if name else ()
    about = (*starts(game, zone), pace(game), *particulars(game), *who_may_join(game), *gm)
    return f"- {game.name}: {variant_named(game.variant).title}, {free}. {' '.join(about)}"
