"""All that the tables of games hold about a player, to be given to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet

from games.models import (
    Application,
    Attendance,
    Ballot,
    Conduct,
    DiaryEntry,
    Offer,
    OrdersAhead,
    OrderSet,
    Player,
    Press,
    Proposal,
    Seat,
)

Rows = list[dict[str, Any]]
LEFT_OUT = ("salt", "digest")
"""Columns that keep others from guessing what is sealed, as long as nobody has them."""


@dataclass(frozen=True, slots=True)
class OwnData:
    """The rows by subject, and how many notes of the moderators are not among them."""

    rows: dict[str, Rows]
    notes_left_out: int


def own_data(player: Player, *, notes: bool) -> OwnData:
    """Return by subject what there is about the player: plain values, times as they are.

    What others have written to them is in their mails. Of the file that the moderators keep of them
    all is among it that they were told or said; what was noted for other moderators with `notes`.
    """
    of_seats = {"seat__player": player}
    file = Conduct.objects.filter(player=player).order_by("pk")
    noted = file.filter(kind=Conduct.Kind.NOTE)
    found: dict[str, QuerySet[Any]] = {
        "addresses": player.addresses.order_by("pk"),
        "seats": Seat.objects.filter(player=player).order_by("pk"),
        "applications": Application.objects.filter(player=player).order_by("pk"),
        "absences": player.absences.order_by("pk"),
        "attendance": Attendance.objects.filter(**of_seats).order_by("pk"),
        "orders": OrderSet.objects.filter(**of_seats).order_by("pk"),
        "orders for later phases": OrdersAhead.objects.filter(**of_seats).order_by("pk"),
        "press written": Press.objects.filter(**of_seats).order_by("pk"),
        "diary": DiaryEntry.objects.filter(**of_seats).order_by("pk"),
        "votes": Ballot.objects.filter(**of_seats).order_by("pk"),
        "proposals": Proposal.objects.filter(**of_seats).order_by("pk"),
        "offers": Offer.objects.filter(player=player).order_by("pk"),
        "standby": player.standby.order_by("pk"),
        "observed games": player.observes.order_by("pk"),
        "file of the moderators": file if notes else file.exclude(kind=Conduct.Kind.NOTE),
        "requests for your data": player.data_requests.order_by("pk"),
    }
    said = {name: rows(one, leave=LEFT_OUT) for name, one in found.items()}
    for letter in said["press written"]:
        del letter["number"]  # it counts what others wrote, too
    return OwnData({"player": rows([player]), **said}, 0 if notes else noted.count())


def rows(found: Iterable[Model], *, leave: Collection[str] = ()) -> Rows:
    """Return each row by its columns but those to leave out; what it points at, by what that calls
    itself."""
    return [_row(one, leave) for one in found]


def _row(one: Model, leave: Collection[str]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        if field.name not in leave:
            value = getattr(one, field.name) if field.is_relation else field.value_from_object(one)
            said[field.name] = str(value) if field.is_relation and value is not None else value
    return said
