"""manage.py create_game NAME: make a game that players can join by mail."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.utils import timezone

from games.durations import duration_text, read_duration
from games.errors import NotFound
from games.management.plain import PlainCommand
from games.services.games import game_create


class Command(PlainCommand):
    help = "Make a game that players can join by mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="letters, digits, - and _: players write it in mails")
        parser.add_argument("--variant", default="standard")
        parser.add_argument("--rules", default="DATC", help="a preset of the rules")
        parser.add_argument("--gm", default="", help="the e-mail address of the GM's user")
        parser.add_argument("--movement", default="72h", help="length of a movement phase")
        parser.add_argument("--retreat", default="24h", help="length of a retreat phase")
        parser.add_argument("--adjustment", default="24h", help="length of an adjustment phase")
        parser.add_argument("--timezone", default="UTC", help="e.g. Europe/Berlin")
        parser.add_argument(
            "--no-early",
            action="store_true",
            help="wait for the deadline even when every order is in",
        )

    def run(self, **options: Any) -> str:
        game = game_create(
            name=options["name"],
            variant=options["variant"],
            rules=options["rules"],
            gm=_user_at(options["gm"]) if options["gm"] else None,
            movement=read_duration(options["movement"]),
            retreat=read_duration(options["retreat"]),
            adjustment=read_duration(options["adjustment"]),
            timezone=options["timezone"],
            process_early=not options["no_early"],
            now=timezone.now(),
        )
        return (
            f"Made the game {game.name}: {game.powers.count()} powers, "
            f"{duration_text(game.movement_length)} for movement. Players join it with: "
            f"JOIN {game.name}"
        )


def _user_at(email: str) -> User:
    users = list(User.objects.filter(email__iexact=email.strip(), is_active=True)[:2])
    if len(users) != 1:
        count = "no user" if not users else "more than one user"
        raise NotFound(f"There is {count} with the address {email}: make one in the admin first.")
    return users[0]
