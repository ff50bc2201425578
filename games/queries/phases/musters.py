"""Who is asked before a game starts whether they are here, and who has not answered yet."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Application, Game, Player, Seat


def mustered_places(game: Game) -> QuerySet[Application]:
    """The places that a muster is about; players whom the GM has seated are not asked."""
    seated = Seat.objects.filter(power__game=game, until=None)
    return game.applications.filter(withdrawn_at=None).exclude(player__in=seated.values("player"))


def silent_players(game: Game) -> list[Player]:
    """Return who still has to say that they are here, by name."""
    silent = mustered_places(game).filter(here_at=None)
    return list(Player.objects.filter(pk__in=silent.values("player")).order_by("name", "pk"))


def players_with_place(game: Game) -> list[Player]:
    """Return who has a place in a game that has not started, seated or applied, by name."""
    applied = game.applications.filter(withdrawn_at=None).values("player")
    seated = Seat.objects.filter(power__game=game, until=None).values("player")
    return list(Player.objects.filter(Q(pk__in=applied) | Q(pk__in=seated)).order_by("name", "pk"))


def maker_without_place(game: Game) -> Player | None:
    """Return the player who made a game that nobody runs and that has not started, unless they have
    joined it themselves: nobody else looks after it."""
    if game.gm_id is not None or game.maker is None or game.maker in players_with_place(game):
        return None
    return game.maker


def musters() -> QuerySet[Game]:
    """Return the games that are asking their players whether they are here, by name."""
    return Game.objects.filter(status=Game.Status.MUSTER).order_by("name")


def games_mustering(player: Player) -> list[Game]:
    """Return the games that wait for this player to say that they are here, by name."""
    applied = Application.objects.filter(player=player, withdrawn_at=None, here_at=None)
    seated = Seat.objects.filter(player=player, until=None)
    games = musters().filter(pk__in=applied.values("game"))
    return list(games.exclude(pk__in=seated.values("power__game")))
