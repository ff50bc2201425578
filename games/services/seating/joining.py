"""Taking and giving back a place in a game that has not started."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db import transaction

from games import lifecycle, log
from games.bans import require_free, require_seatable
from games.errors import NotAllowed, WrongState
from games.events import PlayerJoined, PlayerRemoved, PlayerWithdrawn
from games.models import Application, Game, Player, Power, Seat
from games.queries.access.staff_names import Actor
from games.queries.parsing.preferences import read_preferences
from games.queries.players.attendance import require_reliable
from games.queries.players.seats import (
    BEFORE_START,
    has_seat,
    power_names,
    running_seat,
    seats_free,
)
from games.services.clock.muster import game_filled, muster_fail, player_here
from games.services.common import (
    lock_game,
    lock_player,
    power_now,
    reason,
    require_blind,
    require_confirmed,
)
from games.services.seating.invitations import (
    ask_to_join,
    code_taken_off,
    keep_out,
    let_in,
    require_not_kept_out,
    what_stands,
    wish_end,
    wish_take_back,
)

Status = Game.Status


@transaction.atomic
def game_join(
    *,
    game: Game,
    player: Player,
    preferences: str,
    now: dt.datetime,
    received_at: dt.datetime | None = None,
    let_in_by: User | None = None,
) -> Application | None:
    """Join a forming game with a preference list. Joining again replaces the old list, and nobody
    is told of it.

    A list counts from `received_at`, or else from now. If it is confirmed after a newer one came,
    or after its player left, it changes nothing, but in a muster it says that its player is here.

    The list may begin with the game's code. Returns None if the GM has been asked to let the player
    in. `let_in_by` is who answered that, and knows of it.

    The game starts, or musters, when this takes its last seat, unless it has a time to start; a new
    list during a muster says that its player is here. Raises WrongState when the game takes no more
    players or a newer mail of theirs stands, NotAllowed before the player's address is confirmed,
    and for somebody whom this game or the server does not want, BadInput for an unreadable list.
    """
    player, game = lock_player(player), lock_game(game)
    knows_code, preferences = code_taken_off(game, preferences)
    _require_joinable(game, player, now)
    since = received_at or now
    has_place, newer = _place_and_newer_list(game, player, since)
    may_join = has_place or let_in(game, player, knows_code=knows_code)
    wishes = str(read_preferences(preferences, power_names(game)))
    if not may_join:
        ask_to_join(game, player, wishes, since, now)
        return None
    application = newer or _enter(game, player, wishes, since, now)
    wish_end(game, player)
    if game.status == Status.MUSTER:
        player_here(game=game, player=player, now=now)
        return application
    free = seats_free(game)
    if not has_place:
        let_in_key = let_in_by.pk if let_in_by else None
        joined = PlayerJoined(player=player.pk, free=free, let_in_by=let_in_key)
        log.record(game=game, facts=joined, now=now)
    if not free:
        game_filled(game=game, here=player, now=now)
    return application


def _place_and_newer_list(
    game: Game, player: Player, since: dt.datetime
) -> tuple[bool, Application | None]:
    """Return whether the player has a place, and the list they sent after `since`, if any: the
    newer list stands. Raises WrongState if it leaves the one at hand nothing to do."""
    last = game.applications.filter(player=player).first()
    has_place = last is not None and last.withdrawn_at is None
    newer = last if _is_newer(last, since) else None
    if newer and not (has_place and game.status == Status.MUSTER):
        raise _superseded_error(newer)
    return has_place, newer


def _enter(
    game: Game, player: Player, wishes: str, since: dt.datetime, now: dt.datetime
) -> Application:
    said = {"preferences": wishes, "preferences_at": since, "withdrawn_at": None}
    application, _ = game.applications.update_or_create(
        player=player, defaults=said, create_defaults={**said, "created_at": now}
    )
    return application


def _is_newer(last: Application | None, since: dt.datetime) -> bool:
    """Whether the player has joined or left by a mail that came after `since`."""
    return last is not None and (last.preferences_at or last.created_at) > since


def _superseded_error(last: Application) -> WrongState:
    """Return the refusal of a mail that is older than the one that counts now; it says what that
    one was. Raises NotAllowed for somebody whose place has ended and whom the GM keeps out now."""
    name = last.game.name
    if last.withdrawn_at:
        require_not_kept_out(last.game, last.player)
        return WrongState(
            f"Your place in {name} has ended since this mail came. If you would like to join "
            f"again, write JOIN {name}."
        )
    return WrongState(
        f"You have joined {name} since this mail came, and {what_stands(last.preferences)}."
    )


@transaction.atomic
def seat_give(
    *, game: Game, power: Power, player: Player, why: str, by: str, now: dt.datetime
) -> Seat:
    """Give a power to a player before the start; it starts, or musters, with its last seat.

    They are told why, and can leave like everybody else. Raises WrongState when the game is no
    longer looking for players or somebody has the power, NotAllowed when the player may take no
    seat or already has a power.
    """
    player, game = lock_player(player), lock_game(game)
    lifecycle.require(game, Status.FORMING)
    power = power_now(power, game)
    _require_seatable(power, player, now)
    game.applications.update_or_create(
        player=player,
        defaults={"withdrawn_at": None},
        create_defaults={"preferences": power.name, "created_at": now},
    )
    wish_end(game, player)
    seat = Seat.objects.create(power=power, player=player, since=now)
    free = seats_free(game)
    joined = PlayerJoined(player=player.pk, free=free, power=power.name, why=why, by=by)
    log.record(game=game, facts=joined, now=now)
    if not free:
        game_filled(game=game, now=now)
    return seat


@transaction.atomic
def game_leave(
    *, game: Game, player: Player, now: dt.datetime, received_at: dt.datetime | None = None
) -> bool:
    """Take back an application, or the wish to be let in; say whether it was a place.

    It counts from `received_at` (else now). Raises WrongState once the game has started, without
    either, and for one that came later.
    """
    game, since = lock_game(game), received_at or now
    lifecycle.require(game, *BEFORE_START)
    mine = game.applications.filter(player=player)
    place = mine.filter(withdrawn_at=None).first()
    if place and _is_newer(place, since):
        raise _superseded_error(place)
    if _withdrawn(game, player, now):
        mine.update(preferences_at=since)
        return True
    if not wish_take_back(game, player, since):
        raise WrongState(f"You have not joined the game {game.name}, so there is nothing to leave.")
    return False


@transaction.atomic
def player_withdraw(*, game: Game, player: Player, why: str, by: str, now: dt.datetime) -> None:
    """Take a player's place in a game that has not started away from them, if they have one.

    The GM is told; whoever does this tells the player.
    """
    game = lock_game(game)
    if game.status not in BEFORE_START or not _withdrawn(game, player, now):
        return
    left = PlayerWithdrawn(player=player.pk, free=seats_free(game), why=why, by=by)
    log.record(game=game, facts=left, now=now)


@transaction.atomic
def player_remove(*, game: Game, player: Player, why: str, by: Actor, now: dt.datetime) -> None:
    """Take a player's place in a game that has not started away from them, and keep them out of it.

    They are told why, and so is whoever else runs the game; nobody else. Raises BadInput without a
    reason, WrongState when the game has started or they have no place in it.
    """
    game = lock_game(game)
    lifecycle.require(game, *BEFORE_START)
    why = reason(why, readers="the player is told")
    if not _withdrawn(game, player, now):
        raise WrongState(f"{player.name} has no place in the game {game.name}.")
    keep_out(game, player, by.name, now)
    removed = PlayerRemoved(
        player=player.pk,
        free=seats_free(game),
        why=why,
        by=by.name,
        user=by.user.pk if by.user else None,
    )
    log.record(game=game, facts=removed, now=now)


def _withdrawn(game: Game, player: Player, now: dt.datetime) -> bool:
    """Withdraw the player's application, and the seat that the GM gave them; False without either.

    Nothing is kept of that seat, since they have not played the power, and may take one over later.
    A muster ends, because a place is free.
    """
    mine = game.applications.filter(player=player, withdrawn_at=None)
    seats = Seat.objects.filter(power__game=game, player=player, until=None)
    gone = mine.update(withdrawn_at=now)
    gone += seats.delete()[0]
    if not gone:
        return False
    if game.status == Status.MUSTER and seats_free(game):
        muster_fail(game=game, silent=[], now=now)
    return True


def _require_seatable(power: Power, player: Player, now: dt.datetime) -> None:
    game = power.game
    require_seatable(player, now=now)
    require_blind(game, player)
    if held := Seat.objects.filter(power__game=game, player=player, until=None).first():
        raise NotAllowed(f"{player.name} already has {held.power.name} in the game {game.name}.")
    if held := running_seat(power):
        raise WrongState(f"{held.player.name} already has {power.name} in the game {game.name}.")
    applied = game.applications.filter(player=player, withdrawn_at=None)
    if not seats_free(game) and not applied.exists():
        raise WrongState(f"All seats of the game {game.name} are taken.")


def _require_joinable(game: Game, player: Player, now: dt.datetime) -> None:
    lifecycle.require(game, *BEFORE_START)
    require_confirmed(player, "Then join again.")
    require_free(player, now=now)
    require_blind(game, player)
    if has_seat(game, player):
        raise WrongState(f"You already have a seat in the game {game.name}.")
    if game.applications.filter(player=player, withdrawn_at=None).exists():
        return
    if not seats_free(game):
        raise WrongState(f"All seats of the game {game.name} are taken.")
    require_reliable(game, player, now=now)
