"""Who may take an open seat, and what we tell those who may not."""

from __future__ import annotations

from games.errors import NotAllowed
from games.models import Game, Player, Power, Seat
from games.queries.access.accounts import is_player
from games.queries.access.roles import gms_ever
from games.queries.players.seats import last_seat
from games.services.common import require_blind


def require_stranger(game: Game, power: Power, player: Player) -> Seat | None:
    """Make sure that the player knows nothing about this game that others may not.

    Returns their earlier tenure of the same power, if they had one.
    """
    if game.gm and is_player(game.gm, player):
        raise NotAllowed(f"The GM of the game {game.name} cannot play in it.")
    if any(is_player(gm, player) for gm in gms_ever(game)):
        raise NotAllowed(f"A former GM of the game {game.name} cannot play in it.")
    require_blind(game, player)
    require_no_seat(game, player)
    mine = list(Seat.objects.filter(power__game=game, player=player).order_by("since", "pk"))
    theirs = [seat for seat in mine if seat.power_id == power.pk]
    if mine and not theirs:
        raise NotAllowed(_in_it_already(mine[-1], player, "has played"))
    return theirs[-1] if theirs else None


def require_no_seat(game: Game, player: Player) -> None:
    """Make sure that the player plays nothing in this game: after a merge of accounts they may have
    had two powers of it, one after the other."""
    if seat := Seat.objects.filter(power__game=game, player=player, until=None).first():
        raise NotAllowed(_in_it_already(seat, player, "plays"))


def _in_it_already(seat: Seat, player: Player, has: str) -> str:
    power = seat.power
    return (
        f"{player.name} already {has} {power.name} in the game {power.game.name}, and so cannot "
        "take over a power there."
    )


def not_open(power: Power) -> str:
    """Return why nobody can take this seat: somebody else was faster, or it is not open."""
    seat, where = last_seat(power), f"{power.name} in the game {power.game.name}"
    others = power.seats.order_by("since", "pk")
    before = others.exclude(pk=seat.pk).last() if seat and seat.until is None else None
    if seat and before and before.player_id == seat.player_id:
        return (
            f"The player of {where} has come back. Thank you anyway! LIST shows the seats "
            "that are still open."
        )
    if before:
        return (
            f"Somebody else was faster: {where} has a new player. Thank you anyway! "
            "LIST shows the seats that are still open."
        )
    return f"The seat of {where} is not open. LIST shows the seats that are."


def not_yours(power: Power, player: Player) -> str:
    """Return why the player cannot come back to this power: it has another player, or they have
    never played it."""
    where = f"{power.name} in the game {power.game.name}"
    if power.seats.filter(player=player).exists():
        return f"{where} has a new player now, so you cannot come back. Thank you for playing!"
    return f"You have not played {where}. LIST shows the seats that are open."
