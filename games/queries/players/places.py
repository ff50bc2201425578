"""How many seats games have, and how many are taken: counted game by game, without a join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.events import JoinRefused
from games.models import Application, Game, Invitation, Player, Power, Seat
from games.queries.lookup import emails_confirmed, players_by_address
from games.queries.phases.musters import players_with_place

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Places(TypedDict):
    """What `with_places` counts of a game."""

    places: int
    """How many powers it has."""
    taken: int
    """How many of them are played or applied for."""
    silent: int
    """How many who applied have not said that they are here."""
    asking: int
    """How many wait for the GM to let them in."""


if TYPE_CHECKING:
    GameWithPlaces = WithAnnotations[Game, Places]


def with_places(games: QuerySet[Game]) -> QuerySet[GameWithPlaces]:
    """Give each game its `Places`, as attributes."""
    power = Power.objects.filter(game=OuterRef("pk"))
    seated = Seat.objects.filter(power__game=OuterRef("pk"), until=None)
    waiting = Application.objects.filter(game=OuterRef("pk"), withdrawn_at=None).exclude(
        Exists(
            Seat.objects.filter(power__game=OuterRef("game"), player=OuterRef("player"), until=None)
        )
    )
    asked = Invitation.objects.filter(game=OuterRef("pk"), kind=Invitation.Kind.ASKED)
    return games.annotate(
        places=_number(power, "game"),
        seated=_number(seated, "power__game"),
        wanted=_number(waiting, "game"),
        silent=_number(waiting.filter(here_at=None), "game"),
        asking=_number(asked, "game"),
    ).annotate(taken=F("seated") + F("wanted"))


def places_of(player: Player) -> list[Game]:
    """Return the games that have not started in which they have a place, in the order of locks."""
    joined = player.applications.filter(withdrawn_at=None)
    seated = player.seats.filter(until=None)
    places = Q(pk__in=joined.values("game")) | Q(pk__in=seated.values("power__game"))
    games = Game.objects.filter(places, started_at=None).exclude(status=Game.Status.FINISHED)
    return list(games.order_by("pk"))


def wishes_of(player: Player) -> list[Game]:
    """Return the games that the player is waiting to be let into, by name."""
    asked = Invitation.objects.filter(
        kind=Invitation.Kind.ASKED, email__in=emails_confirmed(player)
    )
    games = Game.objects.filter(pk__in=asked.values("game"), status=Game.Status.FORMING)
    return list(games.order_by("name"))


class WishToJoin(NamedTuple):
    """Somebody waits to be let into a game."""

    player: Player
    row: Invitation
    """How they asked: by which address, when, and for which powers."""


def wishes_to_join(game: Game) -> list[WishToJoin]:
    """Return who waits to be let into the game, the oldest first."""
    asked = list(game.invitations.filter(kind=Invitation.Kind.ASKED))
    players = players_by_address(row.email for row in asked)
    return [WishToJoin(players[row.email], row) for row in asked if row.email in players]


def invited_to(game: Game) -> list[Player]:
    """Return the players, by name, who are invited to a game that has not started, but have no
    place in it."""
    rows = game.invitations.filter(kind=Invitation.Kind.INVITED)
    invited = set(players_by_address(rows.values_list("email", flat=True)).values())
    return sorted(invited - set(players_with_place(game)), key=lambda one: (one.name, one.pk))


def kept_out(game: Game) -> list[str]:
    """Return whom the game keeps out, as those who run it may read it: by name somebody who has had
    a place, or was refused one, since their addresses are their own, and everybody else by the
    address that was written."""
    rows = list(game.invitations.filter(kind=Invitation.Kind.DENIED).order_by("pk"))
    players = players_by_address(row.email for row in rows)
    had_place = set(game.applications.values_list("player", flat=True))
    refused = {
        (JoinRefused.of(event).player, event.created_at)
        for event in game.events.filter(kind=JoinRefused.kind)
    }
    return list(
        dict.fromkeys(
            one.name
            if (one := players.get(row.email))
            and (one.pk in had_place or (one.pk, row.at) in refused)
            else row.email
            for row in rows
        )
    )


def _number(rows: QuerySet[Any], game: str) -> Coalesce:
    counted = rows.order_by().values(game).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def free_places(game: Game) -> int:
    """Return how many seats of a game that has not started are free."""
    one = with_places(Game.objects.filter(pk=game.pk)).get()
    return max(0, one.places - one.taken)
