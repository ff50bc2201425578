"""manage.py erase_player ADDRESS: forget a player who asked for it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.acts.players.erase import ASKED, Erase, Parameters
from games.management.acts import foresee, perform
from games.management.plain import PlainCommand
from games.queries.lookup import player_at
from mailer.privacy import data_requests


class Command(PlainCommand):
    help = (
        "Erase a player: name, addresses, mails, reply addresses and the moderators' file. Their "
        "games stay whole, with “Former player” and a number in place of the name. Without --yes "
        "it only says what would happen."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="an e-mail address of the player")
        parser.add_argument("--yes", action="store_true", help="do it: it cannot be undone")

    def run(self, **options: Any) -> str:
        player, given = player_at(options["address"]), Parameters(because=ASKED)
        if not options["yes"]:
            return "\n".join([*foresee(Erase(), player, given), "To do it, add --yes."])
        done = perform(Erase(), player, given)
        data_requests.carry_out(timezone.now())
        return done.said
