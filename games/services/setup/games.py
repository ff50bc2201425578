"""Games before and around the play: making them, seating, starting."""

from __future__ import annotations

import datetime as dt
import random
import secrets
from typing import Any, Unpack

from django.db import transaction

from games import lifecycle, log
from games.errors import WrongState
from games.events import GameCreated, GameStarted
from games.models import Game, Power, Seat
from games.proofs.digests import rules_digest
from games.queries import board
from games.queries.parsing.preferences import assign_powers, read_preferences
from games.queries.parsing.start_times import start_written
from games.queries.players.seats import BEFORE_START, power_names, seats_free
from games.services.adjudication.opening import phase_open
from games.services.clock.halts import require_running
from games.services.common import lock_game
from games.services.seating.invitations import waiting_refuse
from games.services.setup.game_faults import (
    end_faults,
    game_faults,
    name_guarded,
    require_none,
    time_faults,
)
from games.services.setup.start_times import start_set
from games.settings import SETTINGS, GameSettings

Status = Game.Status

_CHANCE = random.SystemRandom()
_BEFORE = ("muster_until", "muster_remind_at", "start", "starts_at")
"""What only a game that has not started has."""


def game_check(**settings: Unpack[GameSettings]) -> Game:
    """Return the game with these settings, not yet made.

    Raises BadInput if the name is taken or unusable, or a setting makes no sense.
    """
    game = Game(**settings)
    game.name = game.name.strip()
    require_none(game_faults(game))
    game.observers = game.observers and not game.fog
    game.variant = board.variant_chosen(game.variant, game.variant_options)
    return game


def settings_to_copy(game: Game) -> dict[str, Any]:
    """Return the settings of a game for another one like it: all except its name, its GM and the
    time at which it was to start."""
    own = ("name", "gm", "start")
    kept = {name: getattr(game, name) for name in SETTINGS if name not in own}
    # The choices of a variant stand in `variant_options`, too.
    return {**kept, "variant": game.variant.partition(board.CHOICES)[0]}


@transaction.atomic
def game_create(
    *, now: dt.datetime, tells_gm: bool = False, **settings: Unpack[GameSettings]
) -> Game:
    """Make a game that players can join; with `tells_gm` its GM is told of it by mail.

    Raises BadInput when the name is taken or unusable, or a setting makes no sense, WrongState
    while the whole server stands still.
    """
    require_running()
    game = game_check(**settings)
    start_set(game, start_written(game.start, game.timezone, now), now)
    game.created_at = now
    game.code = _new_code() if game.entry != Game.Entry.OPEN else ""
    with name_guarded(game):
        game.save()
    powers = board.variant_named(game.variant).powers
    Power.objects.bulk_create(Power(game=game, name=power) for power in powers)
    log.record(game=game, facts=GameCreated(tells_gm=tells_gm), now=now)
    return game


@transaction.atomic
def game_start(*, game: Game, now: dt.datetime, by: str = "", rng: random.Random = _CHANCE) -> Game:
    """Deal the powers by the preference lists, open the first phase and tell everybody.

    Powers that the GM has filled already stay as they are. It holds no muster; `game_begin` does.
    `by` names who started it, for the log; it is "" if the last seat was taken. Raises WrongState
    while seats are free.
    """
    game = lock_game(game)
    lifecycle.require(game, *BEFORE_START)
    require_full(game)
    _seat_applicants(game, now, rng)
    lifecycle.change_status(game, Status.ACTIVE)
    game.started_at = now
    game.muster_until = game.muster_remind_at = game.starts_at = None
    game.start = ""
    game.save(update_fields=["status", "started_at", *_BEFORE])
    opening = board.first_state(game.variant)
    phase = phase_open(game=game, number=1, state=opening, now=now)
    judged_by = rules_digest(variant=game.variant, rules=game.rules)
    facts = GameStarted(by=by, rules_sha256=judged_by)
    log.record(game=game, phase=phase, facts=facts, now=now)
    waiting_refuse(game=game, now=now)
    return game


def require_full(game: Game) -> None:
    """Raise WrongState while seats of a game that has not started are free."""
    if free := seats_free(game):
        raise WrongState(
            f"The game {game.name} cannot start: {free} of its "
            f"{game.powers.count()} seats {'is' if free == 1 else 'are'} still free. To fill "
            f"{'it' if free == 1 else 'them'}, send people the invitation on the game's page, or "
            "invite them by their addresses."
        )


def _seat_applicants(game: Game, now: dt.datetime, rng: random.Random) -> None:
    seats = Seat.objects.filter(power__game=game, until=None)
    players = set(seats.values_list("player", flat=True))
    taken = set(seats.values_list("power", flat=True))
    free = {power.name: power for power in game.powers.all() if power.pk not in taken}
    every = power_names(game)
    wishes = {
        one.player_id: read_preferences(one.preferences, every)
        for one in game.applications.filter(withdrawn_at=None)
        if one.player_id not in players
    }
    given = assign_powers(wishes, list(free), rng)
    Seat.objects.bulk_create(
        Seat(power=free[name], player_id=player, since=now) for player, name in given.items()
    )


def check_ends(game: Game) -> None:
    """Raise BadInput when a setting of the game's end cannot be read or makes no sense."""
    require_none(end_faults(game))


def check_times(game: Game) -> None:
    """Raise BadInput when a setting of time cannot be read or makes no sense."""
    require_none(time_faults(game))


_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for one another when copying or reading them out."""


def _new_code() -> str:
    """A code that nobody can guess: each mail is one try, and there are 31 to the eighth codes."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))
