"""What ties a player to games, and so still brings them mail when they want none."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Application, Game, Player, Seat
from games.queries.access.run_by import users_of
from games.queries.players.seats import BEFORE_START, PLAYED

Status = Game.Status


@dataclass(frozen=True, slots=True)
class Ties:
    """What a player plays, as power and game; the games in which they have a place before the
    start; and those they run as GM. Games are named, and none is over."""

    seats: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    run: tuple[str, ...]


def ties_of(player: Player) -> Ties:
    """Return what binds the player to games now."""
    seats = Seat.objects.filter(player=player, until=None)
    seats = seats.filter(power__game__status__in=PLAYED)
    places = Application.objects.filter(player=player, withdrawn_at=None)
    places = places.filter(game__status__in=BEFORE_START)
    run = Game.objects.filter(gm__in=users_of(player)).exclude(status=Status.FINISHED)
    names = seats.order_by("power__game__name").values_list("power__name", "power__game__name")
    return Ties(
        tuple(names),
        tuple(places.order_by("game__name").values_list("game__name", flat=True)),
        tuple(run.order_by("name").values_list("name", flat=True)),
    )
