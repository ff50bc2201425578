"""A whole game as one JSON document, phase by phase in the judge's state format, and back.

    {"format": "diplomacy-game 1", "game": {"maker": {"player": 1}, …},
     "players": [{"key": 1, "addresses": […], "absences": […], …}],
     "powers": [{"name": "Austria", …}, …],
     "seats": [{"key": 1, "power": "Austria", "player": 1, …}],
     "applications": […], "invitations": […], "observers": [{"player": 2, …}],
     "co_gms": [{"user": "ida@players.example", …}],
     "phases": [{"number": 1, "name": "S1901M", "position": {…}, "orders": {…}, "outcome": {…},
                 "order_sets": […], "readiness": […], "attendance": […], …}],
     "press": [{"number": 1, "seat": 1, "phase": 1, …}],
     "proposals": [{"number": 1, "seat": 1, "phase": 1, "ballots": [{"seat": 1, …}], …}],
     "events": [{"number": 1, "phase": 1, …}]}

Each row is written with all its plain fields, under their own names, so that a field that is added
later goes along. Rows point at each other by `key`, by a power's name or by a phase's number. The
standby list and what was offered to those on it belong to the server, not to the game: an open seat
goes along as open, and can be offered again there.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Prefetch
from django.utils.duration import duration_iso_string

from games import log
from games.models import (
    Absence,
    Address,
    AdvanceOrders,
    Application,
    Attendance,
    Ballot,
    DiaryEntry,
    Game,
    Observer,
    OrderSet,
    Phase,
    Player,
    Readiness,
    Seat,
)
from games.models.phase import OF_PHASE
from games.queries.checking.record import GAME_FORMAT

LEFT_BEHIND = frozenset(
    {
        *("suspended_until", "banned_at", "muted_until", "mail_paused_at"),
        *("addresses_frozen_at", "calendar_renewals"),
    }
)
"""Decisions about a player on one server hold only there."""

Document = dict[str, Any]


def document(game: Game) -> Document:
    """Return the game as a JSON document. It has everything, open orders included."""
    return {
        "format": GAME_FORMAT,
        "game": {
            **plain(game),
            "gm": game.gm.email if game.gm else None,
            "maker": {"player": game.maker_id},
        },
        "players": _players(game),
        "powers": _rows(game.powers.order_by("name")),
        "seats": _seats(game),
        "applications": _of_players(game.applications.order_by("pk")),
        "invitations": _rows(game.invitations.order_by("pk")),
        "co_gms": [
            {"user": one.user.email, **plain(one)}
            for one in game.co_gms.select_related("user").order_by("pk")
        ],
        "observers": _of_players(game.watchers.order_by("pk")),
        "phases": phase_values(game),
        "press": [
            {"seat": one.seat_id, "phase": one.phase.number if one.phase else None, **plain(one)}
            for one in game.press.select_related("phase").defer(*OF_PHASE).order_by("number")
        ],
        "proposals": _proposals(game),
        "events": event_values(game),
    }


def _players(game: Game) -> list[Document]:
    """Return everybody who has, had or wanted a part in the game, and who made it."""
    theirs = (Seat.objects.filter(power__game=game), game.applications, game.watchers)
    keys = {key for rows in theirs for key in rows.values_list("player", flat=True)}
    if game.maker_id is not None:
        keys.add(game.maker_id)
    players = Player.objects.filter(pk__in=keys).order_by("pk")
    own = (
        Prefetch("addresses", Address.objects.order_by("pk")),
        Prefetch("absences", Absence.objects.order_by("pk")),
    )
    return [_player(one) for one in players.prefetch_related(*own)]


def _player(player: Player) -> Document:
    known = {name: value for name, value in plain(player).items() if name not in LEFT_BEHIND}
    return {
        "key": player.pk,
        **known,
        "addresses": _rows(player.addresses.all()),
        "absences": _rows(player.absences.all()),
    }


def _seats(game: Game) -> list[Document]:
    seats = Seat.objects.filter(power__game=game).select_related("power").order_by("pk")
    kept = (
        Prefetch("advance_orders", AdvanceOrders.objects.order_by("pk")),
        Prefetch("diary", DiaryEntry.objects.order_by("number")),
    )
    return [
        {
            "key": one.pk,
            "power": one.power.name,
            "player": one.player_id,
            **plain(one),
            "orders_ahead": _rows(one.advance_orders.all()),
            "diary": _rows(one.diary.all()),
        }
        for one in seats.prefetch_related(*kept)
    ]


def _proposals(game: Game) -> list[Document]:
    proposals = game.proposals.select_related("phase").defer(*OF_PHASE).order_by("number")
    return [
        {
            "seat": one.seat_id,
            "phase": one.phase.number,
            **plain(one),
            "ballots": [{"seat": vote.seat_id, **plain(vote)} for vote in one.ballots.all()],
        }
        for one in proposals.prefetch_related(Prefetch("ballots", Ballot.objects.order_by("pk")))
    ]


def event_values(game: Game) -> list[Document]:
    """Return the game's log as it stands in the document."""
    return [
        {"phase": one.phase.number if one.phase else None, **plain(one)}
        for one in log.events_of(game)
    ]


def plain(row: models.Model) -> Document:
    """Return the fields of the row that point at no other row, as JSON values."""
    return {field.name: _json(field.value_from_object(row)) for field in plain_fields(type(row))}


def plain_fields(model: type[models.Model]) -> Iterator[models.Field[Any, Any]]:
    """Yield the model's own fields, without its key and without pointers to other rows."""
    for field in model._meta.concrete_fields:
        if not field.primary_key and not field.is_relation:
            yield field


def from_plain(model: type[models.Model], values: Document) -> Document:
    """Return the values of `plain` in the form the model wants, leaving out unknown names.

    Raises ValidationError for a value that the field does not allow.
    """
    return {
        field.name: _read_field(field, values[field.name])
        for field in plain_fields(model)
        if field.name in values
    }


def _read_field(field: models.Field[Any, Any], value: object) -> object:
    # An empty list or object is a value like any other; only forms insist on content.
    if value in ([], {}):
        return field.to_python(value)
    return field.clean(value, None)


def _json(value: object) -> object:
    if isinstance(value, dt.datetime | dt.date):
        return value.isoformat()
    return duration_iso_string(value) if isinstance(value, dt.timedelta) else value


def phase_values(game: Game) -> list[Document]:
    """Return the game's phases, with what was sent in each, from the document."""
    in_each = (
        Prefetch("order_sets", OrderSet.objects.select_related("power").order_by("pk")),
        Prefetch("readiness", Readiness.objects.select_related("power").order_by("pk")),
        Prefetch("attendance", Attendance.objects.order_by("pk")),
    )
    return [_phase(one) for one in game.phases.order_by("number").prefetch_related(*in_each)]


def _phase(phase: Phase) -> Document:
    return {
        **plain(phase),
        "order_sets": [
            {"power": one.power.name, "seat": one.seat_id, **plain(one)}
            for one in phase.order_sets.all()
        ],
        "readiness": [{"power": one.power.name, **plain(one)} for one in phase.readiness.all()],
        "attendance": [{"seat": one.seat_id, **plain(one)} for one in phase.attendance.all()],
    }


def _rows(rows: Iterable[models.Model]) -> list[Document]:
    return [plain(row) for row in rows]


def _of_players(rows: Iterable[Application | Observer]) -> list[Document]:
    return [{"player": one.player_id, **plain(one)} for one in rows]
