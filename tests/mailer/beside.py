"""A second game of the same players."""

from __future__ import annotations

from games.models import Game
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import NOW, OPENINGS, Cast, submit


def beside(cast: Cast, name: str) -> Cast:
    """Another game that the cast plays, with orders but Turkey's; and one that Carla joins."""
    game, phase = Game.objects.get(pk=cast.game.pk), cast.phase
    powers = list(game.powers.all())
    game.pk, game.name = None, name
    game.save()
    phase.pk, phase.game = None, game
    phase.save()
    for power in powers:
        seat = power.seats.get(until=None)
        power.pk, power.game = None, game
        power.save()
        seat.pk, seat.power = None, power
        seat.save()
    other = Cast(game, cast.gm)
    for power_name in set(OPENINGS) - {"Turkey"}:
        submit(other, power_name, OPENINGS[power_name])
    forming = game_create(name=f"{name}-2", gm=cast.gm, now=NOW)
    game_join(game=forming, player=cast.player("Carla"), preferences="", now=NOW)
    return other
