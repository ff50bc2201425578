"""An open phase as it stands, read at once: its row, its powers, and what they have sent.

Whoever holds the game's lock reads it once, changes it as they change the rows, and hands it on:
nothing of it can change meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from games.models import Absence, Game, OrderSet, Phase, Power, Readiness
from games.models.prepared import Given, Query
from games.queries.current_orders import OrderBook, in_order

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
    """The key of its running tenure; None: nobody plays it."""
    word: Readiness | None
    """Whether it is READY, or wants to WAIT."""
    player: int | None = None
    """The key of who plays it."""
    reminders: str | None = None
    """When they want to be reminded, as they wrote it; None: nobody plays it."""
    may_be_away: bool = False
    """Whether they have announced any absence, be it over."""

    @property
    def is_ready(self) -> bool:
        """Whether it said READY last."""
        return self.word is not None and self.word.word == Readiness.Word.READY


@dataclass(frozen=True, slots=True)
class PhaseNow:
    """The phase, its powers by their keys, and what those have sent that `book` is of."""

    phase: Phase
    powers: Mapping[int, PowerNow]
    book: OrderBook

    @classmethod
    def of(cls, phase: Phase, *, only: int | None = None) -> PhaseNow:
        """Read the powers and what they sent; with `only`, a power's key, what that one sent."""
        return cls._of(phase, _POWERS.all(phase=phase.pk), only)

    @classmethod
    def anew(cls, phase: Phase, game: Game, *, only: int | None = None) -> PhaseNow:
        """Read the phase again, too: into this row what may have changed. `game` is the locked row
        of its game; with `only` no other power is read.

        All of it comes in one statement: with one more an order mail took a twentieth more.
        """
        rows = _ANEW.all(phase=phase.pk) if only is None else _ONE.all(phase=phase.pk, power=only)
        for name in MOVING if rows else ():
            setattr(phase, name, getattr(rows[0], f"phase_{name}"))
        phase.game = game
        powers = {row.pk: _power(row, phase) for row in rows}
        sent = [_order_set(row) for row in rows if vars(row)["sent_id"]]
        return cls(phase, powers, OrderBook(phase, in_order(sent)))

    @classmethod
    def _of(cls, phase: Phase, rows: Sequence[Power], only: int | None) -> PhaseNow:
        powers = {row.pk: _power(row, phase) for row in rows}
        sent = OrderBook.of_all(phase) if only is None else OrderBook.of_power(phase, only)
        return cls(phase, powers, sent)


def _order_set(row: Power) -> OrderSet:
    values = [vars(row)[f"sent_{name}"] for name in _OF_A_SET]
    return OrderSet.from_db(connection.alias, _OF_A_SET, values)


def _power(row: Power, phase: Phase) -> PowerNow:
    row.game = phase.game
    read = vars(row)
    word, said_at = read["said_word"], read["said_at"]
    said = Readiness(phase=phase, power=row, word=word, said_at=said_at) if word else None
    return PowerNow(
        power=row,
        seat=read["seat_now"],
        word=said,
        player=read["player_now"],
        reminders=read["reminders"],
        may_be_away=read["may_be_away"],
    )


def _powers() -> QuerySet[Power]:
    away = Absence.objects.filter(player=OuterRef("tenure__player"), withdrawn_at=None)
    return (
        Power.objects.filter(game__phases=Given("phase"))
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
            **{f"phase_{name}": F(f"game__phases__{name}") for name in MOVING},
        )
        .order_by("name")
    )


def _with_sets() -> QuerySet[Power]:
    """Each power once for each set that it sent, and once if it sent none."""
    of_phase = Q(order_sets__phase=Given("phase"))
    powers = _powers().annotate(sent=FilteredRelation("order_sets", condition=of_phase))
    return powers.annotate(**{f"sent_{name}": F(f"sent__{name}") for name in _OF_A_SET})


_OF_A_SET = [one.attname for one in OrderSet._meta.concrete_fields if one.name != "reading"]
_POWERS, _ANEW = Query(_powers), Query(_with_sets)
_ONE = Query(lambda: _with_sets().filter(pk=Given("power")))
