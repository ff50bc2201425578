"""The table of settings, in the groups of the form for a new game.

A setting is a field of `models.Game`, which has its default, and one entry here: its type and what
there is to say about it. `games.services.setup.games` checks combinations that make no sense.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Required, TypedDict

from django.contrib.auth.models import User

from games.scoring.systems import SYSTEMS
from games.settings.setting import About, Change
from games.timing.reminders import ladder_text
from judge import variant_names

_LENGTH = "Like 72h, 3d, 1d12h, 90m; with a clock: the least that such a phase lasts."
_CLOCK = "Due at these days and times only, like: Tue Fri 20:00. Empty: after the length."


def _variants() -> Mapping[str, str]:
    return {name: name for name in variant_names()}


def _systems() -> Mapping[str, str]:
    return {name: system.title for name, system in SYSTEMS.items()}


class TheGame(TypedDict, total=False):
    """The game"""

    name: Required[
        Annotated[
            str,
            About(
                "name",
                "Players write it in mails. Letters, digits, - and _ only.",
                on_page=False,
            ),
        ]
    ]
    variant: Annotated[
        str,
        About(
            "variant",
            "The map and its powers; standard is the game of 1901.",
            choices=_variants,
            on_page=False,
        ),
    ]
    variant_options: Annotated[
        str,
        About(
            "choices of the variant",
            "Separated by spaces: victory=20, builds=owned, start=winter, or a choice that the "
            "map has (land_bridges=hawes in colonial).",
            on_page=False,
        ),
    ]
    rules: Annotated[
        object,
        About(
            "rules",
            'A preset of the judge, or one with single rules: {"preset": "DATC", "4.A.2": "1982"}.',
            on_page=False,
        ),
    ]
    gm: Annotated[
        User | None,
        About("GM", "The person who looks after the game.", on_page=False),
    ]
    tournament: Annotated[
        str,
        About(
            "tournament",
            "Games that name the same tournament share one table, and their scores add up. "
            "Letters, digits, - and _ only.",
            change=Change.BY_GM,
            differs="It is a game of the tournament {0}: TABLE {0} shows how everybody stands.",
        ),
    ]


class Joining(TypedDict, total=False):
    """Who may join, and the start"""

    min_reliability: Annotated[
        int,
        About(
            "minimum reliability",
            "In per cent. A player known to be less reliable cannot join or take over a seat; "
            "newcomers can.",
            zero="none",
        ),
    ]
    entry: Annotated[
        str,
        About(
            "who may join",
            "Anybody, those the GM lets in, or only those who are invited, by their address or by "
            "the code on the game's page.",
            option="--entry",
            differs="Who may join: {}.",
        ),
    ]
    muster: Annotated[
        dt.timedelta,
        About(
            "length of the muster",
            "How long the players have to say that they are here, once all seats are taken. A "
            "player who does not say so loses the seat. 0h: the game starts at once. There is no "
            "muster in a game with a time to start.",
            zero="none; the game starts at once",
        ),
    ]
    start: Annotated[
        str,
        About(
            "time of the start",
            "Like Saturday 20:00 or 2026-12-24 20:00, in the game's time zone, for people who sit "
            "down together. If seats are still free then, the start moves by a week; after four "
            "such moves, the game is closed. Empty: the "
            "game starts when the last seat is taken.",
            change=Change.BY_GM,
            empty="when the last seat is taken",
        ),
    ]


class Deadlines(TypedDict, total=False):
    """Deadlines"""

    movement_length: Annotated[
        dt.timedelta,
        About(
            "length of movement phases",
            f"For orders. {_LENGTH}",
            option="--movement",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]
    retreat_length: Annotated[
        dt.timedelta,
        About(
            "length of retreat phases",
            "For retreats.",
            option="--retreat",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]
    adjustment_length: Annotated[
        dt.timedelta,
        About(
            "length of adjustment phases",
            "For builds and disbands.",
            option="--adjustment",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]


class Clocks(TypedDict, total=False):
    """Deadlines on the wall clock"""

    timezone: Annotated[
        str,
        About(
            "time zone",
            "The zone of the clocks and days off, like Europe/Berlin.",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]
    movement_clock: Annotated[
        str, About("movement is due at", _CLOCK, change=Change.BY_GM, on_page=False)
    ]
    retreat_clock: Annotated[
        str, About("retreats are due at", _CLOCK, change=Change.BY_GM, on_page=False)
    ]
    adjustment_clock: Annotated[
        str, About("adjustments are due at", _CLOCK, change=Change.BY_GM, on_page=False)
    ]
    days_off: Annotated[
        str,
        About(
            "days without deadlines",
            "Weekdays and dates, like: Sat Sun, 24 Dec - 6 Jan, 12-25. A weekday is free every "
            "week, 12-25 every year, any other day once.",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]
    waits_for_absent: Annotated[
        bool,
        About(
            "no deadline in announced absences",
            "Set no deadline on days when a player has said they will be away.",
            option="--no-absences",
            change=Change.BY_GM,
            differs="Deadlines do not wait for players who are away.",
        ),
    ]


class AroundTheDeadline(TypedDict, total=False):
    """Around the deadline"""

    first_extra: Annotated[
        dt.timedelta,
        About(
            "extra time for the first phase",
            "How much longer the first phase lasts.",
            on_page=False,
            zero="none",
        ),
    ]
    process_early: Annotated[
        bool,
        About(
            "early processing",
            "Process as soon as every order is in and nobody waits.",
            option="--no-early",
            change=Change.BY_GM,
        ),
    ]
    early_delay: Annotated[
        dt.timedelta | None,
        About(
            "delay of early processing",
            "How long a phase waits for second thoughts once all orders are in. Each new order "
            "starts the time again. Empty: 30 minutes, or less in phases shorter than a day; 0h: "
            "not at all.",
            change=Change.BY_GM,
            empty="30 minutes, less in phases shorter than a day",
            zero="none",
        ),
    ]
    transit_grace: Annotated[
        dt.timedelta,
        About(
            "grace for late mails",
            "How long after the deadline a mail that was on its way still counts.",
            option="--grace",
            change=Change.BY_GM,
            on_page=False,
            zero="none",
        ),
    ]
    reminders: Annotated[
        str,
        About(
            "reminders",
            "How long before the deadline we remind players who owe orders: 24h 4h, or off. In a "
            "phase too short for any of these, the reminder comes halfway through.",
            change=Change.BY_GM,
            said=ladder_text,
            differs="Reminders of missing orders before the deadline: {}.",
        ),
    ]


class PressAndNames(TypedDict, total=False):
    """Press, and who knows whom"""

    press_mode: Annotated[
        str,
        About(
            "press",
            "Who may write to whom. Everybody may write to the GM.",
            option="--press",
        ),
    ]
    grey_press: Annotated[
        bool,
        About(
            "grey press",
            "Powers may write press that does not say which power wrote it.",
        ),
    ]
    fake_press: Annotated[
        bool,
        About(
            "fake press",
            "Powers may write press that claims another writer, or other readers, than it has. "
            "Only the GM learns who wrote it.",
        ),
    ]
    diaries: Annotated[
        str,
        About(
            "diaries",
            "Whether players may keep notes with the game, and who reads them. The GM never does "
            "before the end.",
        ),
    ]
    anonymous: Annotated[
        bool,
        About(
            "anonymous players",
            "Until the game is over, only GMs and moderators who do not play in it learn who plays "
            "what.",
        ),
    ]
    observers: Annotated[
        bool,
        About(
            "may be observed",
            "People who do not play may follow the game by mail and on the web: results, and press "
            "to everybody.",
            differs="Only those who play in it are told what happens.",
        ),
    ]
    fog: Annotated[
        bool,
        About(
            "fog of war",
            "Each power sees the provinces of its units and centres and those next to them, and "
            "nothing else. Such a game cannot be observed before it is over.",
            differs="There is fog of war: each player sees the provinces of their units and "
            "centres and those that border on them, and nothing else. They may support or convoy "
            "units that they cannot see; nobody tells them whether these are there. RULES says "
            "more.",
        ),
    ]
    gm_sees: Annotated[
        str,
        About(
            "the GM sees",
            "What the GM may see while a phase is open.",
            on_page=False,
            differs="What the game master may see while a phase is open: {}.",
        ),
    ]


class ShortOfTime(TypedDict, total=False):
    """When time is short"""

    when_missing: Annotated[
        str,
        About(
            "when orders are missing",
            "What happens when nothing has come from a power by the deadline.",
            option="--missing",
            change=Change.BY_GM,
            on_page=False,
        ),
    ]
    extension_length: Annotated[
        dt.timedelta,
        About(
            "length of the one extension",
            "How long the one extension lasts.",
            option="--extension",
            change=Change.BY_GM,
        ),
    ]
    player_extensions: Annotated[
        int,
        About(
            "extensions for each player",
            "How often each player may put off a deadline; 0: they ask the GM.",
            change=Change.BY_GM,
            on_page=False,
            zero="none; they ask the GM",
        ),
    ]
    disorder_after: Annotated[
        int,
        About(
            "missed phases until civil disorder",
            "After this many missed phases in a row a power falls into civil disorder, and its "
            "seat is offered to others; 0: never by itself.",
            change=Change.BY_GM,
            zero="never by itself",
        ),
    ]
    takeover_time: Annotated[
        dt.timedelta | None,
        About(
            "minimum time after a takeover",
            "A substitute has at least this much time before the next deadline. Empty: 24 hours, "
            "but never more than the phase lasts.",
            change=Change.BY_GM,
            empty="1 day, but no more than the phase lasts",
            zero="none",
        ),
    ]


class TheEnd(TypedDict, total=False):
    """The end of the game"""

    draws: Annotated[str, About("draws by votes", "Which draws the players may vote for.")]
    concessions: Annotated[
        bool,
        About("concessions by votes", "The players may concede the victory to one power."),
    ]
    secret_votes: Annotated[
        bool,
        About(
            "secret votes",
            "Nobody learns who proposed what, or how anybody voted.",
            option="--open-votes",
        ),
    ]
    scoring: Annotated[
        str,
        About(
            "scoring",
            "How the end is scored. The page of a new game, and docs/gms.md, say what each gives.",
            choices=_systems,
        ),
    ]
    last_year: Annotated[int | None, About("last year", "The year after which the game ends.")]
    quiet_years: Annotated[
        int,
        About(
            "years without a capture until a draw",
            "After this many years in a row without a capture the game is drawn (the DPTG has 7); "
            "0: never.",
            zero="never",
        ),
    ]
    most_years: Annotated[
        int,
        About(
            "years until a draw",
            "After this many years the game is drawn (the DPTG has 35); 0: never.",
            zero="never",
        ),
    ]


GROUPS = (
    TheGame,
    Joining,
    Deadlines,
    Clocks,
    AroundTheDeadline,
    PressAndNames,
    ShortOfTime,
    TheEnd,
)
"""The groups in the order of the form; each docstring is a heading."""


class GameSettings(
    TheGame,
    Joining,
    Deadlines,
    Clocks,
    AroundTheDeadline,
    PressAndNames,
    ShortOfTime,
    TheEnd,
    total=False,
):
    """All settings, as `games.services.setup.games.game_create` takes them."""
