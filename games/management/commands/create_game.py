"""manage.py create_game NAME: make a game that players can join by mail."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from games.errors import BadInput
from games.management.plain import PlainCommand
from games.queries.parsing.days_off import days_off_written
from games.services.moderation.staff import gm_appoint, user_at
from games.services.setup.games import game_create
from games.settings import SETTINGS, GameSettings
from games.settings.setting import Setting
from games.timing.durations import duration_text

CHOSEN = {name: one for name, one in SETTINGS.items() if name not in ("name", "gm")}
"""The settings whose options follow from the table; name and GM have options of their own."""


class Command(PlainCommand):
    help = "Make a game that players can join by mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=SETTINGS["name"].about.help)
        parser.add_argument("--gm", default="", help="the GM's e-mail address")
        parser.add_argument("--gm-name", default="", help="the GM's name, which players see")
        for one in CHOSEN.values():
            _add_option(parser, one)

    @transaction.atomic
    def run(self, **options: Any) -> str:
        given = {name: options[name] for name in CHOSEN if options[name] is not None}
        settings = {
            name: SETTINGS[name].read(value) if isinstance(value, str) else value
            for name, value in given.items()
        }
        if days := options["days_off"]:
            settings["days_off"] = days_off_written(days, timezone.now().date())
        if options["gm_name"] and not options["gm"]:
            raise BadInput("A name needs somebody who has it: write --gm and their address, too.")
        if options["gm"]:
            settings["gm"] = _gm_at(options["gm"], options["gm_name"])
        settings["name"] = options["name"]
        told = bool(options["gm"])
        game = game_create(**cast(GameSettings, settings), tells_gm=told, now=timezone.now())
        return (
            f"Made the game {game.name}: {game.powers.count()} powers, "
            f"{duration_text(game.movement_length)} for movement. Players join it with: "
            f"JOIN {game.name}{'. Its GM is told by mail.' if told else ''}"
        )


def _add_option(parser: CommandParser, one: Setting) -> None:
    """Offer a setting as an option; if left out, the setting keeps its default."""
    said = one.about.help.replace("%", "%%")
    if one.kind is bool:
        on = not one.default
        parser.add_argument(
            one.option,
            dest=one.name,
            action="store_const",
            const=on,
            help=said if on else f"Without it: {said[0].lower()}{said[1:]}",
        )
        return
    parser.add_argument(
        one.option,
        dest=one.name,
        metavar=one.option.removeprefix("--").replace("-", "_").upper(),
        choices=list(one.choices) or None,
        help=f"{said}{f' {one.one_of()}' if one.choices else ''} Without it: {one.usual}.",
    )


def _gm_at(email: str, name: str) -> User:
    """Return the user with that address, made a GM of the admin, with the name that players see."""
    user = user_at(email=email, name=name)
    gm_appoint(user=user)
    return user
