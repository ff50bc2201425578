"""LIST: the games one can join, and those that are being played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.queries import lookup
from games.queries.lookup import GameSummary
from games.queries.musters import games_mustering
from games.queries.seats import OpenSeat, open_seats
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Call
from mailer.commands.texts.sentences import how_long, summary_line, zone_of
from mailer.identity.senders import Sender
from mailer.text import counted, deadline


class List(Verb):
    name = "list"
    aliases = ("games",)
    usage = "LIST"
    summary = "see the games that take players, and those being played"
    help = "Shows every game that still takes players, with its pace, and those being played."
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        summaries = [lookup.game_summary(game) for game in lookup.games_open()]
        forming = [_forming(one) for one in summaries]
        mustering = [
            summary_line(lookup.game_summary(game), sender, arrival.now)
            for game in games_mustering()
        ]
        running = [
            summary_line(lookup.game_summary(game), sender, arrival.now)
            for game in lookup.games_running()
        ]
        parts = (
            ["These games take players:", "", *forming]
            if forming
            else ["No game takes players at the moment. A new one may be announced any day."]
        )
        if forming:
            parts += [
                "",
                "To join one, write JOIN, its name and the powers you would like, best first, for "
                f"example: JOIN {summaries[0].name} {summaries[0].example_wishes}",
            ]
        if mustering:
            parts += ["", "These are about to start:", "", *mustering]
        if running:
            parts += ["", "These are being played:", "", *running]
        if free := open_seats():
            parts += ["", *_open(free, sender, arrival.now)]
        return Receipt(title="The games there are", text="\n".join(parts), subject="Games")


def _open(seats: Sequence[OpenSeat], sender: Sender, now: dt.datetime) -> list[str]:
    """The seats whose players are gone, and how to take one."""
    first = seats[0]
    return [
        "These powers look for a new player:",
        "",
        *(
            f"- {one.game}: {one.power}{f', {one.holds}' if one.holds else ''}. "
            f"It is {one.phase_title}. "
            f"{_when(one, sender, now)}"
            for one in seats
        ),
        "",
        "To take one over, write TAKEOVER, the game and the power, for example: TAKEOVER "
        f"{first.game} {first.power}",
    ]


def _when(one: OpenSeat, sender: Sender, now: dt.datetime) -> str:
    if one.waits and not one.paused:
        return "The game waits."
    return deadline(one.due_at, zone_of(sender), now, paused=one.paused)


def _forming(one: GameSummary) -> str:
    return (
        f"- {one.name}: {one.variant}, {counted(one.seats_free, 'seat')} of {len(one.powers)} "
        f"free.{' In fog of war.' if one.fog else ''} {how_long(one)} Press: {one.press}. "
        f"Scored by {one.scoring}.{f' Game master: {one.gm}.' if one.gm else ''}"
        f"{' The game master lets people in.' if one.lets_in else ''}"
    )
