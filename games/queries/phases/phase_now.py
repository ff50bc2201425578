"""An open phase as it stands, read at once: its row, its powers, and what they have sent.

Code that holds the game's lock reads it once, keeps it up to date as it changes the rows, and hands
it on: nothing else can change it meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from games.models import Absence, Address, Game, OrderSet, Phase, Power, Readiness, Seat
from games.models.prepared import Given, Query, loaded
from games.queries.orders.current_orders import OrderBook, in_order

MOVING = (
    *("status", "opened_at", "due_at", "all_in_at", "extended_at", "second_chance_at"),
    *("overdue_at", "reminded_at", "remind_at"),
)
"""What changes about a phase while it is open. Its position, number and name do not."""


@dataclass(frozen=True, slots=True)
class PowerNow:
    """One power in the phase."""

    power: Power
    seat: int | None
    """The key of its running tenure; None if nobody plays it."""
    word: Readiness | None
    """Whether it is READY, or wants to WAIT."""
    player: int | None
    """The key of who plays it."""
    reminders: str | None
    """When they want to be reminded, as they wrote it; None if nobody plays it."""
    may_be_away: bool
    """Whether they have announced any absence, even one that is over."""
    held: Seat | None
    """The running tenure with its player and their addresses, if these were read as well."""

    @property
    def is_ready(self) -> bool:
        """Whether READY was the last word it said."""
        return self.word is not None and self.word.word == Readiness.Word.READY


@dataclass(frozen=True, slots=True)
class PhaseNow:
    """The phase, its powers by their keys, and what the powers covered by `book` have sent."""

    phase: Phase
    powers: Mapping[int, PowerNow]
    book: OrderBook

    @classmethod
    def of(cls, phase: Phase, *, only: int | None = None) -> PhaseNow:
        """Read the powers and what they sent; with `only`, a power's key, what that power sent."""
        rows = _POWERS.all(game=phase.game_id, phase=phase.pk)
        sent = OrderBook.of_all(phase) if only is None else OrderBook.of_power(phase, only)
        return cls(phase, {row.pk: _power(row, phase) for row in rows}, sent)

    @classmethod
    def with_players(cls, phase: Phase) -> PhaseNow:
        """Read the powers with those who play them, and what they sent, all in one statement."""
        rows = _WITH_PLAYERS.all(game=phase.game_id, phase=phase.pk)
        addresses: dict[int, dict[int, Address]] = {}
        for row in rows:  # one for each set of a power with each address of its player
            if address := vars(row).get("address"):
                addresses.setdefault(row.pk, {})[address.pk] = address
        seen = cls._of_rows(phase, rows)
        for key, one in seen.powers.items():
            if one.held:
                one.held.player.know_addresses(list(addresses.get(key, {}).values()))
        return seen

    @classmethod
    def again(cls, phase: Phase, game: Game, *, only: int | None) -> PhaseNow:
        """Read the phase again, too, and put what may have changed into this row. `game` is the
        locked row of its game; with `only` no other power is read.

        All of it comes in one statement: a second one made an order mail a twentieth slower.
        """
        asked = {"game": game.pk, "phase": phase.pk}
        rows = _AGAIN.all(**asked) if only is None else _ONE.all(**asked, power=only)
        for name in MOVING if rows else ():
            setattr(phase, name, getattr(rows[0], f"phase_{name}"))
        phase.game = game
        return cls._of_rows(phase, rows)

    @classmethod
    def _of_rows(cls, phase: Phase, rows: Sequence[Power]) -> PhaseNow:
        powers = {row.pk: _power(row, phase) for row in rows}
        sent = {key: row for row in rows if (key := vars(row)["sent_id"])}
        sets = in_order(map(_order_set, sent.values()))
        return cls(phase, powers, OrderBook(phase, sets))


def _order_set(row: Power) -> OrderSet:
    read = vars(row)
    return loaded(OrderSet, {name: read[column] for name, column in _OF_A_SET})


def _power(row: Power, phase: Phase) -> PowerNow:
    row.game = phase.game
    read = vars(row)
    said = None
    if word := read["said_word"]:
        at, noted = read["said_at"], read["said_noted"]
        said = Readiness(phase=phase, power=row, word=word, said_at=at, noted=noted)
    return PowerNow(
        power=row,
        seat=read["seat_now"],
        word=said,
        player=read["player_now"],
        reminders=read["reminders"],
        may_be_away=read["may_be_away"],
        held=read.get("tenure"),
    )


def _powers() -> QuerySet[Power]:
    away = Absence.objects.filter(player=OuterRef("tenure__player"), withdrawn_at=None)
    return (
        Power.objects.filter(game=Given("game"))
        .annotate(
            tenure=FilteredRelation("seats", condition=Q(seats__until=None)),
            said=FilteredRelation("readiness", condition=Q(readiness__phase=Given("phase"))),
        )
        .annotate(
            seat_now=F("tenure__pk"),
            player_now=F("tenure__player"),
            reminders=F("tenure__player__reminders"),
            may_be_away=Exists(away),
            said_word=F("said__word"),
            said_at=F("said__said_at"),
            said_noted=F("said__noted"),
        )
        .order_by("name")
    )


def _with_players() -> QuerySet[Power]:
    addresses = "tenure__player__addresses"
    confirmed = Q(**{f"{addresses}__confirmed_at__isnull": False})
    # Any: the types of Django know no relations but those of the models.
    known: Any = _with_sets().annotate(address=FilteredRelation(addresses, condition=confirmed))
    joined: QuerySet[Power] = known.select_related("tenure__player", "address")
    return joined


def _with_phase() -> QuerySet[Power]:
    """Each power with its phase, once for each set that it sent, and once if it sent none."""
    moving = {f"phase_{name}": F(f"game__phases__{name}") for name in MOVING}
    return _with_sets().filter(game__phases=Given("phase")).annotate(**moving)


def _with_sets() -> QuerySet[Power]:
    of_phase = Q(order_sets__phase=Given("phase"))
    powers = _powers().annotate(sent=FilteredRelation("order_sets", condition=of_phase))
    return powers.annotate(**{column: F(f"sent__{name}") for name, column in _OF_A_SET})


_OF_A_SET = [
    (one.attname, f"sent_{one.attname}")
    for one in OrderSet._meta.concrete_fields
    if one.name != "reading"
]
"""Each column of a set but what its sender was told, and its name beside those of the power."""
_POWERS, _WITH_PLAYERS, _AGAIN = Query(_powers), Query(_with_players), Query(_with_phase)
_ONE = Query(lambda: _with_phase().filter(pk=Given("power")))
