"""What happens on the board and in letters: orders, results, press, the end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from games.events.facts import SECRET, Facts, InPhase, OfPower


@dataclass(frozen=True, kw_only=True)
class OrdersMissing(InPhase):
    kind = "orders_missing"
    sentence = "{title}: the server reminded {powers}."
    sentence_by = "{title}: {by} reminded {powers}."

    powers: tuple[str, ...]
    due_at: dt.datetime
    by: str = ""
    """Who reminded them, if it was not the clock."""


@dataclass(frozen=True, kw_only=True)
class OrdersOverdue(InPhase):
    kind = "orders_overdue"
    sentence = "{title}: the deadline passed without orders from {powers}."

    powers: tuple[str, ...]
    waits_for: str
    """`Game.when_missing`: whom the game waits for."""
    unaware: tuple[str, ...] = field(default=(), metadata=SECRET)
    """Those of the powers whose players could not know of the phase in time."""


@dataclass(frozen=True, kw_only=True)
class OrdersSet(OfPower):
    kind = "orders_set"
    sentence = "{title}: {by} set orders for {power}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class OrdersLookedAt(InPhase):
    kind = "orders_looked_at"
    sentence = "{title}: {by} looked at {what} of {powers}. {why}"

    what: tuple[str, ...]
    powers: tuple[str, ...]
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PhaseProcessed(InPhase):
    kind = "phase_processed"
    sentence = "{title}: the phase was processed.{without_orders}"
    sentence_by = "{title}: {by} had the phase processed.{without_orders} {why}"

    next: str | None
    """The next phase's name, None if the game is over."""
    missing: tuple[str, ...]
    """The powers that sent nothing."""
    eliminated: tuple[str, ...]
    winner: str | None
    position_sha256: str
    orders_sha256: str
    outcome_sha256: str
    why: str = ""
    by: str = ""
    seals: Mapping[str, str] = field(default_factory=dict)
    """The seal of each power's orders (`games.proofs`), by the power's name."""
    result_sha256: str = ""
    """The digest of what everybody may know of the result."""


@dataclass(frozen=True, kw_only=True)
class GameRolledBack(InPhase):
    kind = "game_rolled_back"
    sentence = "{by} took the game back to {title}{orders_kept}. Undone: {undone}. {why}"
    sentence_again: ClassVar[str] = "{by} began {title} again{orders_kept}. {why}"

    undone: tuple[str, ...]
    """The names of the phases that were undone."""
    was_over: bool
    why: str
    by: str
    orders_kept: bool = False
    """Whether the orders sent for those phases count again."""

    @property
    def is_fresh_start(self) -> bool:
        """Whether only the open phase begins again, so that nothing decided is undone."""
        return self.undone == (self.phase,) and not self.was_over

    def template(self, *, by: bool) -> str:
        """Return the sentence, which speaks of undoing only if something is undone."""
        return self.sentence_again if self.is_fresh_start else super().template(by=by)


@dataclass(frozen=True, kw_only=True)
class GameFinished(Facts):
    kind = "game_finished"
    sentence = "The game ended: {how}. {why}"

    phase: str | None
    how: str
    """The result as a sentence without its full stop."""
    ending: str
    """`Game.Ending`."""
    winners: tuple[str, ...]
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PressSent(Facts):
    kind = "press_sent"
    sentence = "{by} wrote to {to}."

    press: int
    """The press's number in the game."""
    by: str
    """Its writer, as far as everybody may know."""
    to: str
    """Its readers, as far as everybody may know."""
    sha256: str = field(metadata=SECRET)
    """The digest of writer, readers and text."""
