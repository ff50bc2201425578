"""SIGNON, as the older judges have it: nobody needs it here, and what was meant is said."""

from __future__ import annotations

import dataclasses
import re

from games.models import Game
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Call, Takes
from mailer.commands.player.join import Join
from mailer.inbound.senders import Sender

_NOT_NEEDED = (
    "You need not sign on here, and there is no password: whoever replies to a mail about their "
    "game speaks for their power. Please write no password into mails to us.\n"
    "To join a game that takes players, write JOIN and its name; to play a power that somebody has "
    "given up, TAKEOVER; to follow a game, OBSERVE."
)


class Signon(Verb):
    name = "signon"
    usage = "SIGNON game"
    summary = "a word of older judges: joins a game that takes players"
    help = (
        "SIGNON ?marne and SIGNON marne join a game that takes players, as JOIN marne does. Once "
        "you play nothing has to be signed: reply to the newest mail about your game."
    )
    takes = Takes.MAYBE
    argument = re.compile(r"(\S+\s*){0,3}")
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        name = call.argument.partition(" ")[0].lstrip("?").strip(".,;:")
        forming = (Game.Status.FORMING, Game.Status.MUSTER)
        if name and Game.objects.filter(name__iexact=name, status__in=forming).exists():
            return Join().run(dataclasses.replace(call, argument=name), sender, arrival)
        return Receipt(title="Signing on is not needed", text=_NOT_NEEDED, subject="Signing on")
