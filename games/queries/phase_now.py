"""An open phase as it stands, read at once: its row, its powers, and what they have sent.

Whoever holds the game's lock reads it once, changes it as they change the rows, and hands it on:
nothing of it can change meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, OuterRef, QuerySet, Subquery

from games.models import Game, Phase, Power, Readiness, Seat
from games.models.prepared import Given, Query
from games.queries.current_orders import OrderBook

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
        of its game."""
        rows = _POWERS.all(phase=phase.pk)
        for name in MOVING if rows else ():
            setattr(phase, name, getattr(rows[0], f"phase_{name}"))
        phase.game = game
        return cls._of(phase, rows, only)

    @classmethod
    def _of(cls, phase: Phase, rows: Sequence[Power], only: int | None) -> PhaseNow:
        powers = {row.pk: _power(row, phase) for row in rows}
        sent = OrderBook.of_all(phase) if only is None else OrderBook.of_power(phase, only)
        return cls(phase, powers, sent)


def _power(row: Power, phase: Phase) -> PowerNow:
    row.game = phase.game
    word, said_at, seat = (getattr(row, name) for name in ("word", "said_at", "seat_now"))
    said = Readiness(phase=phase, power=row, word=word, said_at=said_at) if word else None
    return PowerNow(row, seat, said)


def _powers() -> QuerySet[Power]:
    seats = Seat.objects.filter(power=OuterRef("pk"), until=None).values("pk")
    words = Readiness.objects.filter(phase=Given("phase"), power=OuterRef("pk"))
    return (
        Power.objects.filter(game__phases=Given("phase"))
        .annotate(
            seat_now=Subquery(seats[:1]),
            word=Subquery(words.values("word")[:1]),
            said_at=Subquery(words.values("said_at")[:1]),
            **{f"phase_{name}": F(f"game__phases__{name}") for name in MOVING},
        )
        .order_by("name")
    )


_POWERS = Query(_powers)
