"""All that the tables of games hold about a player, to give to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Field, Model, Prefetch, QuerySet, prefetch_related_objects

from games.models import (
    AdvanceOrders,
    Application,
    Attendance,
    Ballot,
    Conduct,
    DiaryEntry,
    Event,
    Invitation,
    Offer,
    OrderSet,
    Phase,
    Player,
    Power,
    Press,
    Proposal,
    Seat,
)
from games.queries.lookup import emails_confirmed

Rows = list[dict[str, Any]]
LEFT_OUT = ("id", "salt", "digest")
"""Keys, which tell how many such rows others have, and columns that protect sealed orders from
guessing, as long as nobody has them."""


@dataclass(frozen=True, slots=True)
class OwnData:
    """The rows by subject, and how many of the moderators' notes are left out."""

    rows: dict[str, Rows]
    notes_left_out: int


def own_data(player: Player, *, notes: bool) -> OwnData:
    """Return, by subject, everything about the player: plain values, and times unchanged.

    What others have written to them is in their mails. The moderators' file on them is included as
    far as they were told it or said it; notes for other moderators only with `notes`.
    """
    file = Conduct.objects.filter(player=player).order_by("pk")
    noted = file.filter(kind__in=Conduct.NOT_FOR_PLAYER)
    found = {
        **_tables(player),
        "file of the moderators": file if notes else file.exclude(kind__in=Conduct.NOT_FOR_PLAYER),
        "requests for your data": player.data_requests.order_by("pk"),
    }
    said = {name: rows(one, leave=LEFT_OUT) for name, one in found.items()}
    for letter in said["press written"]:
        del letter["number"]  # it counts what others wrote, too
    about = {"player": rows([player], leave=LEFT_OUT), **said}
    return OwnData(about, 0 if notes else noted.count())


def _tables(player: Player) -> dict[str, QuerySet[Any]]:
    """The rows of the player, or of a seat of theirs, by subject."""
    of_seats = {"seat__player": player}
    asked = Invitation.objects.filter(
        kind=Invitation.Kind.ASKED, email__in=emails_confirmed(player)
    )
    return {
        # Those that they only named would show which are somebody else's; the mails name them all.
        "addresses": player.addresses.filter(confirmed_at__isnull=False).order_by("pk"),
        "seats": Seat.objects.filter(player=player).order_by("pk"),
        "applications": Application.objects.filter(player=player).order_by("pk"),
        "wishes to join": asked.order_by("pk"),
        "absences": player.absences.order_by("pk"),
        "attendance": Attendance.objects.filter(**of_seats).order_by("pk"),
        "orders": OrderSet.objects.filter(**of_seats).order_by("pk"),
        "orders for later phases": AdvanceOrders.objects.filter(**of_seats).order_by("pk"),
        "press written": Press.objects.filter(**of_seats).order_by("pk"),
        "diary": DiaryEntry.objects.filter(**of_seats).order_by("pk"),
        "votes": Ballot.objects.filter(**of_seats).order_by("pk"),
        "proposals": Proposal.objects.filter(**of_seats).order_by("pk"),
        "offers": Offer.objects.filter(player=player).order_by("pk"),
        "standby": player.standby.order_by("pk"),
        "observed games": player.observes.order_by("pk"),
    }


Named = Mapping[type[Model], tuple[str, ...]]
NAMED: Named = {
    Event: ("kind", "game__name"),
    Phase: ("name", "game__name"),
    Power: ("name", "game__name"),
    Proposal: ("number", "game__name"),
    Seat: ("power__name", "player__name"),
}
"""The columns that a row needs for its own description, if many rows point at some of these;
nothing else of them is read."""


def rows(found: Iterable[Model], *, leave: Collection[str] = (), named: Named = NAMED) -> Rows:
    """Return each row by its columns, except those to leave out; instead of a row that it points
    at, that row's description. What all of them point at is read at once."""
    found = list(found)
    for field in _fields(found[0], leave) if found else ():
        if field.is_relation:
            called = _named_rows(field.related_model, named)
            prefetch_related_objects(found, Prefetch(field.name, called))
    return [_row(one, leave) for one in found]


def _fields(one: Model, leave: Collection[str]) -> list[Field[Any, Any]]:
    return [field for field in one._meta.concrete_fields if field.name not in leave]


def _named_rows(model: Any, named: Named) -> QuerySet[Any]:
    columns = named.get(model, ())
    joined = [column.rpartition("__")[0] for column in columns if "__" in column]
    found: QuerySet[Any] = model._base_manager.only(*columns)
    return found.select_related(*joined) if joined else found


def _row(one: Model, leave: Collection[str]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for field in _fields(one, leave):
        value = getattr(one, field.name) if field.is_relation else field.value_from_object(one)
        said[field.name] = str(value) if field.is_relation and value is not None else value
    return said
