"""manage.py erase_player ADDRESS: forget a player who asked for it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.management.plain import PlainCommand
from games.queries.lookup import player_at
from games.services.erasing import pseudonym
from mailer.privacy import erase
from mailer.text import counted


class Command(PlainCommand):
    help = (
        "Erase a player: name, addresses, mails, reply addresses and the moderators' file. "
        "Finished games stay whole, with “Former player” and a number in place of the name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="an e-mail address of the player")
        parser.add_argument("--yes", action="store_true", help="do it: it cannot be undone")

    def run(self, **options: Any) -> str:
        player = player_at(options["address"])
        if not options["yes"]:
            return f"{player.name} would be erased, for ever. To do it, add --yes."
        mails = erase(player=player, now=timezone.now())
        return f"Erased: they are {pseudonym(player)} now, and {counted(mails, 'mail')} emptied."
