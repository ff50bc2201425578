"""Players make games themselves, a few at a time."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import cast

from django.contrib.auth.models import User
from django.db import transaction

from games.bans import require_free
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Game, Player
from games.queries.access.staff_names import own_name
from games.queries.parsing.start_times import means_no_start
from games.queries.players.seats import seats_free
from games.queries.reports.wording import listed
from games.services.common import lock_game, lock_player, require_confirmed
from games.services.moderation.staff import gm_appoint, user_at
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from games.services.setup.unstarted import game_delete
from games.settings import GameSettings
from games.settings.presets import PRESETS

STANDARD = "standard"
WAITING = 2
"""How many games of one player may wait for players at the same time."""
_PRIVATE = {"entry": Game.Entry.INVITED, "observers": False}
"""Friends among themselves: strangers neither join it nor watch it."""
A_WEEK = 3
"""How many games a player may make in a week."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game that a player wants to make."""

    name: str
    preset: str
    private: bool = False
    """Only for those who are invited; nobody else may observe it."""
    as_gm: bool = False
    """Whether they run it. Otherwise nobody does, and the moderators help."""
    variant: str = STANDARD
    variant_options: str = ""
    start: str = ""
    """When it starts, as people write a time; "" once all seats are taken."""


@transaction.atomic
def game_make(*, player: Player, wanted: NewGame, now: dt.datetime) -> Game:
    """Make a game for a player, by one of the presets and in their time zone.

    Raises BadInput for a name, a preset, a time or a choice of the variant that makes no sense,
    NotAllowed for a player who may not play, has no confirmed address, or has made as many games as
    they may.
    """
    player = lock_player(player)
    require_free(player, now=now)
    require_confirmed(player)
    if wanted.preset not in PRESETS:
        ways = listed([f"{key} ({one.title.lower()})" for key, one in PRESETS.items()], "or")
        raise BadInput(
            f"Please say how it will be played: {ways}. For example: CREATE {wanted.name} "
            f"weekly{_also(wanted)}"
        )
    _require_few(player, now)
    gm = _gm(player) if wanted.as_gm else None
    settings = {
        **PRESETS[wanted.preset].settings,
        "name": wanted.name,
        "variant": wanted.variant,
        "variant_options": wanted.variant_options,
        "gm": gm,
        "timezone": player.timezone,
        "start": wanted.start,
        **(_PRIVATE if wanted.private else {}),
    }
    game = game_create(**cast(GameSettings, settings), now=now)
    game.maker = player
    game.save(update_fields=["maker"])
    return game


def _also(wanted: NewGame) -> str:
    """What else a line CREATE said, to write after the preset."""
    words = (
        *([wanted.variant] if wanted.variant != STANDARD else []),
        *filter(None, [wanted.variant_options]),
        *(["PRIVATE"] if wanted.private else []),
        *(["GM"] if wanted.as_gm else []),
        *([f"START {wanted.start}"] if wanted.start else []),
    )
    return "".join(f" {one}" for one in words)


def game_unmake(*, player: Player, name: str) -> str:
    """Delete a game that the player made and that nobody has joined; return its name.

    Raises BadInput for any other name, NotAllowed once somebody has joined, follows it, or was
    invited.
    """
    waiting = player.games_made.filter(status=Game.Status.FORMING)
    game = waiting.filter(name__iexact=name).first()
    if game is None:
        names = ", ".join(waiting.order_by("pk").values_list("name", flat=True))
        which = f"These are: {names}." if names else "None of your games is."
        raise BadInput(f"You have no game {name} that is looking for players. {which}")
    try:
        game_delete(game=game)
    except WrongState as error:
        raise NotAllowed(
            f"People have joined {game.name}, follow it or have been invited, so you cannot take "
            f"it back. {_how_to_end(game)}"
        ) from error
    return game.name


THE_MAKER = "The player who made the game"
"""Not by name: where nobody knows who plays, that would tell of one."""


@transaction.atomic
def start_choose(
    *, player: Player, name: str, start: str, why: str, now: dt.datetime
) -> Game | None:
    """Set when a game that the player made is to start, as people write a time, and tell everybody
    who has joined; None if they made no such game that looks for players.

    Raises BadInput for a time that cannot be read, NotAllowed for a game that somebody runs,
    WrongState for no time if it is full.
    """
    waiting = player.games_made.filter(status=Game.Status.FORMING)
    game = waiting.filter(name__iexact=name).first()
    if game is None:
        return None
    require_free(player, now=now)
    if game.gm_id is not None:
        raise NotAllowed(
            f"The GM of {game.name} sets when it starts: they write GM {game.name} on a line, and "
            f"START {start} and the reason below it."
        )
    game = lock_game(game)  # nobody may take the last seat between this check and the change
    if game.starts_at and means_no_start(start) and not seats_free(game):
        raise WrongState(
            f"All seats of {game.name} are taken, so without a time it would begin at once. If you "
            "want that, set a time that is near."
        )
    settings_change(game=game, changes={"start": start}, why=why, by=THE_MAKER, now=now)
    game.refresh_from_db()
    return game


def _how_to_end(game: Game) -> str:
    if game.gm:
        return (
            f"To end it, write GM {game.name} on a line, and FINISH NONE and your reason below it."
        )
    return "To have it ended, write MODERATOR on a line of its own, and the reason below it."


def _gm(player: Player) -> User:
    """Let the player into the admin as a GM. If they have a name there already, they keep it."""
    user = user_at(email=player.address)
    if not own_name(user):
        user = user_at(email=player.address, name=player.name)
    gm_appoint(user=user)
    return user


def _require_few(player: Player, now: dt.datetime) -> None:
    made = player.games_made.all()
    if made.filter(status=Game.Status.FORMING).count() >= WAITING:
        waiting = made.filter(status=Game.Status.FORMING).order_by("pk")
        names = list(waiting.values_list("name", flat=True))
        raise NotAllowed(
            f"You already have {WAITING} games looking for players: {', '.join(names)}. You can "
            "make another when one of them starts, or take back one that nobody has joined: "
            f"CREATE {names[0]} OFF"
        )
    if made.filter(created_at__gt=now - dt.timedelta(days=7)).count() >= A_WEEK:
        raise NotAllowed(f"You have made {A_WEEK} games within a week. Please wait a few days.")
