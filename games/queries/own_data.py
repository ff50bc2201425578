"""All that the tables of games hold about a player, to be given to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Model, QuerySet

from games.models import (
    Application,
    Ballot,
    Conduct,
    DiaryEntry,
    Offer,
    OrdersAhead,
    OrderSet,
    Player,
    Press,
    Seat,
)

Rows = list[dict[str, Any]]


def own_data(player: Player) -> dict[str, Rows]:
    """Return by subject what there is about the player: plain values, times as they are.

    What others have written to them is in their mails. Notes of the moderators are about them, and
    are among it.
    """
    of_seats = {"seat__player": player}
    found: dict[str, QuerySet[Any]] = {
        "addresses": player.addresses.order_by("pk"),
        "seats": Seat.objects.filter(player=player).order_by("pk"),
        "applications": Application.objects.filter(player=player).order_by("pk"),
        "absences": player.absences.order_by("pk"),
        "orders": OrderSet.objects.filter(**of_seats).order_by("pk"),
        "orders for later phases": OrdersAhead.objects.filter(**of_seats).order_by("pk"),
        "press written": Press.objects.filter(**of_seats).order_by("pk"),
        "diary": DiaryEntry.objects.filter(**of_seats).order_by("pk"),
        "votes": Ballot.objects.filter(**of_seats).order_by("pk"),
        "offers": Offer.objects.filter(player=player).order_by("pk"),
        "standby": player.standby.order_by("pk"),
        "observed games": player.observes.order_by("pk"),
        "file of the moderators": Conduct.objects.filter(player=player).order_by("pk"),
    }
    return {"player": rows([player]), **{name: rows(one) for name, one in found.items()}}


def rows(found: Iterable[Model]) -> Rows:
    """Return each row by its columns; what it points at, by what that calls itself."""
    return [_row(one) for one in found]


def _row(one: Model) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        value = getattr(one, field.name) if field.is_relation else field.value_from_object(one)
        said[field.name] = str(value) if field.is_relation and value is not None else value
    return said
