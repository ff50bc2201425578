"""manage.py create_game NAME: make a game that players can join by mail."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from games.management.plain import PlainCommand
from games.models import Game
from games.scoring.systems import DEFAULT, SYSTEMS
from games.services.games import game_create
from games.services.staff import gm_appoint, user_at
from games.timing.durations import duration_text, read_duration


class Command(PlainCommand):
    help = "Make a game that players can join by mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="letters, digits, - and _: players write it in mails")
        parser.add_argument("--variant", default="standard")
        parser.add_argument("--rules", default="DATC", help="a preset of the rules")
        parser.add_argument("--gm", default="", help="the GM's e-mail address")
        parser.add_argument("--gm-name", default="", help="the GM's name, which players are told")
        for kind, length in (("movement", "72h"), ("retreat", "24h"), ("adjustment", "24h")):
            parser.add_argument(
                f"--{kind}", default=length, help=f"length of such a phase: {length}"
            )
            parser.add_argument(
                f"--{kind}-clock", default="", help='due at these times only: "Tue Fri 20:00"'
            )
        parser.add_argument(
            "--muster",
            default="0h",
            help="ask the players before the start whether they are here, for so long: 48h",
        )
        parser.add_argument(
            "--min-reliability",
            type=int,
            default=0,
            help="per cent; who is known to be less reliable cannot join",
        )
        _add_times(parser)
        _add_press(parser)
        _add_missing(parser)
        _add_ends(parser)

    @transaction.atomic
    def run(self, **options: Any) -> str:
        game = game_create(
            name=options["name"],
            variant=options["variant"],
            rules=options["rules"],
            gm=_gm_at(options["gm"], options["gm_name"]) if options["gm"] else None,
            movement=read_duration(options["movement"]),
            retreat=read_duration(options["retreat"]),
            adjustment=read_duration(options["adjustment"]),
            movement_clock=options["movement_clock"],
            retreat_clock=options["retreat_clock"],
            adjustment_clock=options["adjustment_clock"],
            days_off=options["days_off"],
            muster=read_duration(options["muster"]),
            min_reliability=options["min_reliability"],
            timezone=options["timezone"],
            first_extra=read_duration(options["first_extra"]),
            transit_grace=read_duration(options["grace"]),
            reminders=options["reminders"],
            process_early=not options["no_early"],
            early_delay=_or_none(options["early_delay"]),
            player_extensions=options["player_extensions"],
            press_mode=options["press"],
            grey_press=options["grey_press"],
            anonymous=options["anonymous"],
            observers=not options["no_observers"],
            gm_sees=options["gm_sees"],
            when_missing=options["missing"],
            extension_length=read_duration(options["extension"]),
            disorder_after=options["disorder_after"],
            takeover_time=_or_none(options["takeover_time"]),
            waits_for_absent=not options["no_absences"],
            draws=options["draws"],
            concessions=not options["no_concessions"],
            secret_votes=not options["open_votes"],
            scoring=options["scoring"],
            last_year=options["last_year"],
            quiet_years=options["quiet_years"],
            most_years=options["most_years"],
            now=timezone.now(),
        )
        return (
            f"Made the game {game.name}: {game.powers.count()} powers, "
            f"{duration_text(game.movement_length)} for movement. Players join it with: "
            f"JOIN {game.name}"
        )


def _add_times(parser: CommandParser) -> None:
    """When phases are due, and when they are processed before."""
    parser.add_argument("--timezone", default="UTC", help="of the clocks: Europe/Berlin")
    parser.add_argument("--days-off", default="", help='"Sat Sun, 12-25"')
    parser.add_argument("--first-extra", default="0h", help="for the first phase: 48h")
    parser.add_argument("--grace", default="0h", help="for mails under way: 5m")
    parser.add_argument("--reminders", default="24h", help='"24h 4h", or off')
    parser.add_argument(
        "--no-early",
        action="store_true",
        help="wait for the deadline even when every order is in",
    )
    parser.add_argument(
        "--early-delay",
        default="",
        help="for second thoughts when all orders are in: 1h, or 0h for none; without it 30 "
        "minutes, and less in phases shorter than a day",
    )


def _add_press(parser: CommandParser) -> None:
    """Who writes to whom, and who knows and sees what."""
    parser.add_argument(
        "--press",
        default="both",
        choices=Game.PressMode.values,
        help="what the powers may write: to everybody (public), to some (private), both, none",
    )
    parser.add_argument(
        "--grey-press",
        action="store_true",
        help="let powers write press that does not say which power wrote it",
    )
    parser.add_argument(
        "--anonymous",
        action="store_true",
        help="tell nobody but the GM who plays what, until the game is over",
    )
    parser.add_argument(
        "--no-observers", action="store_true", help="let nobody follow who does not play"
    )
    parser.add_argument(
        "--gm-sees",
        default="nothing",
        choices=Game.GMSees.values,
        help="what the GM may see before the deadline, by looks of which all players are told",
    )


def _add_missing(parser: CommandParser) -> None:
    """What becomes of players from whom nothing comes."""
    parser.add_argument(
        "--missing",
        default="hold",
        choices=Game.WhenMissing.values,
        help="when nothing has come from a power at the deadline",
    )
    parser.add_argument("--extension", default="24h", help="length of the one extension")
    parser.add_argument(
        "--disorder-after",
        type=int,
        default=2,
        help="missed phases in a row until a power is in civil disorder; 0: never by itself",
    )
    parser.add_argument(
        "--takeover-time",
        default="",
        help="least time to the deadline after a takeover: 24h; without it a day, but never more "
        "than the phase lasts",
    )
    parser.add_argument(
        "--player-extensions",
        type=int,
        default=0,
        help="how often each player may put off a deadline himself",
    )
    parser.add_argument(
        "--no-absences", action="store_true", help="put no deadline off for players away"
    )


def _add_ends(parser: CommandParser) -> None:
    """The options for votes, the game's end and its score."""
    parser.add_argument(
        "--draws",
        default="survivors",
        choices=Game.Draws.values,
        help="which draws the players may vote for: among all survivors, any subset, or none",
    )
    parser.add_argument(
        "--no-concessions", action="store_true", help="let nobody concede the victory by votes"
    )
    parser.add_argument(
        "--open-votes", action="store_true", help="tell everybody who proposes and votes what"
    )
    parser.add_argument(
        "--scoring", default=DEFAULT, choices=SYSTEMS, help="how the end of the game is scored"
    )
    parser.add_argument("--last-year", type=int, help="the year after which the game ends")
    parser.add_argument(
        "--quiet-years",
        type=int,
        default=0,
        help="draw the game after so many years without a capture (the DPTG has 7)",
    )
    parser.add_argument(
        "--most-years",
        type=int,
        default=0,
        help="draw the game after so many years (the DPTG has 35)",
    )


def _gm_at(email: str, name: str) -> User:
    """Return the user with that address, now a GM of the admin; players are told the name."""
    user = user_at(email=email, name=name)
    gm_appoint(user=user)
    return user


def _or_none(length: str) -> dt.timedelta | None:
    """Read a length; what is left out goes by the length of the phase."""
    return read_duration(length) if length else None
