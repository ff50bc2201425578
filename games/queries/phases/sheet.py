"""All that came in a phase, read once, for code that asks several things about it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.models import OrderSet, Phase, Readiness
from games.queries.orders.current_orders import (
    Decisions,
    counting,
    deciding,
    decisions,
    guesses,
    in_turn,
    is_readable,
    lines_by_power,
    stack_of,
)


@dataclass(frozen=True)
class Sheet:
    """All that came in a phase, read with two queries, for code that asks several things about
    it."""

    phase: Phase
    sets: tuple[OrderSet, ...]
    """In the order in which they came; including late ones and those that do not count, unless many
    phases were read at once."""
    words: Mapping[str, Readiness]
    """Who said READY or WAIT."""

    @cached_property
    def not_in(self) -> tuple[str, ...]:
        """The powers with a decision that still lacks an order and who did not say READY."""
        lines, ready = lines_by_power(self._counting), self._ready
        return tuple(
            power
            for power in deciding(self.phase)
            if power not in ready and self._lacks_an_order(power, lines.get(power, ()))
        )

    def _lacks_an_order(self, power: str, lines: Sequence[str]) -> bool:
        return any(order is None for _, order in decisions(self.phase, power, lines))

    def decisions(self, power: str) -> Decisions:
        """Return what the power has to decide, and what it has decided."""
        lines = lines_by_power(one for one in self._counting if one.power.name == power)
        return decisions(self.phase, power, lines.get(power, ()))

    @property
    def silent(self) -> tuple[str, ...]:
        """The powers with a decision that sent nothing: no set that counts, no READY."""
        heard = {one.power.name for one in self._counting} | self._ready
        return tuple(power for power in deciding(self.phase) if power not in heard)

    @property
    def unheard(self) -> tuple[str, ...]:
        """The powers that owe no order and yet have to speak again: nothing came from them since
        the deadline was moved, and the game waits for their word to go on early."""
        since = self.phase.extended_at
        if since is None or not self.phase.game.process_early:
            return ()
        heard = {one.power.name for one in self._counting if one.received_at > since}
        done = heard | self._ready | {*self.not_in}
        return tuple(power for power in deciding(self.phase) if power not in done)

    def to_confirm(self, played: Collection[str]) -> tuple[str, ...]:
        """Return those of the powers that keep the phase open because they still have to confirm an
        order that we guessed at; nothing if the phase is not decided before its deadline anyway, or
        is past it. `played` are the powers whose players the phase waits for."""
        if not self.phase.game.process_early or self.phase.overdue_at is not None:
            return ()
        if not is_readable(self.phase):
            return ()
        by_power: dict[str, list[OrderSet]] = {}
        for one in self._counting:
            by_power.setdefault(one.power.name, []).append(one)
        return tuple(
            power
            for power, sets in sorted(by_power.items())
            if power in played and guesses(self.phase, power, stack_of(sets), self.words.get(power))
        )

    def last_at(self, power: str) -> dt.datetime | None:
        """When something last came from the power."""
        times = [one.received_at for one in self.sets if one.power.name == power]
        return max(times, default=None)

    def late(self, power: str) -> int:
        """How many sets of the power came too late."""
        return sum(one.late and one.power.name == power for one in self.sets)

    @property
    def _counting(self) -> list[OrderSet]:
        return [one for one in self.sets if one.counts]

    @property
    def _ready(self) -> set[str]:
        return {name for name, one in self.words.items() if one.word == Readiness.Word.READY}


def sheet_of(phase: Phase) -> Sheet:
    """Read all that came in the phase."""
    sets = tuple(in_turn(phase.order_sets.select_related("power")))
    words = {one.power.name: one for one in phase.readiness.select_related("power")}
    return Sheet(phase, sets, words)


def sheets_of(phases: Iterable[Phase]) -> dict[int, Sheet]:
    """Read all that counts in many phases, by their keys, in two queries."""
    phases = list(phases)
    sets: dict[int, list[OrderSet]] = {phase.pk: [] for phase in phases}
    words: dict[int, dict[str, Readiness]] = {phase.pk: {} for phase in phases}
    for order_set in counting(OrderSet.objects.filter(phase__in=phases)):
        sets[order_set.phase_id].append(order_set)
    for one in Readiness.objects.filter(phase__in=phases).select_related("power"):
        words[one.phase_id][one.power.name] = one
    return {phase.pk: Sheet(phase, tuple(sets[phase.pk]), words[phase.pk]) for phase in phases}
