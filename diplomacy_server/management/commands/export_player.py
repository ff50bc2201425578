"""manage.py export_player ADDRESS: send a player everything we keep about them, or write it to a
file for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from games.acts.players.send_data import Parameters, SendData
from games.errors import BadInput
from games.management.acts import perform
from games.management.plain import PlainCommand
from games.models import Player
from games.queries.access.staff_names import OPERATOR
from games.queries.lookup import player_at
from games.services.accounts.own_data import own_data_take
from mailer.privacy.own_data import export


class Command(PlainCommand):
    help = (
        "Mail a player everything the server has about them: settings, games, orders, press, and "
        "every mail from and to them. --file writes it to a ZIP file instead, for a player whom "
        "mail does not reach or whose data do not fit into one. That is a look at secrets, so the "
        "players of their running games are told of it, with the reason."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="an e-mail address of the player")
        parser.add_argument("--notes", action="store_true", help="include the moderators' notes")
        parser.add_argument("--file", type=Path, help="where to write it; needs --why")
        parser.add_argument(
            "--why", default="", help="the reason, a sentence that players are told"
        )

    def run(self, **options: Any) -> str:
        player, file = player_at(options["address"]), options["file"]
        if file is None:
            given = Parameters(notes="with" if options["notes"] else "")
            return perform(SendData(), player, given).said
        return _write(player, file, options["why"], notes=options["notes"])


def _write(player: Player, file: Path, why: str, *, notes: bool) -> str:
    """Write the file, readable for nobody else, once everybody concerned will be told."""
    if not why.strip():
        raise BadInput("Say why you write it: --why “…”, one sentence, which players are told.")
    if file.exists():
        raise BadInput(f"{file} is already there.")
    now = timezone.now()
    try:
        with transaction.atomic():
            own_data_take(player=player, why=why, by=OPERATOR, now=now)
            found = export(player, notes=notes, now=now, largest=None)
            file.touch(mode=0o600)
            file.write_bytes(found.data)
    except OSError as error:
        raise BadInput(f"{file} cannot be written, so nobody is told: {error}") from error
    return f"All about {player.name} is in {file}. Give it to them, and then delete it."
