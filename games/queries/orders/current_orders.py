"""What holds in a phase: which order lines count, and what they leave undecided.

The latest set that counts replaces the earlier ones, unless its player wrote AMEND: then its lines
come above the earlier ones and win, because the first legal order for a unit is followed (DATC
4.D.1, 4.D.3).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games.models import Game, OrderSet, Phase, Power, Readiness, Seat
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.access import sight
from games.queries.access.audience import is_foggy
from games.queries.orders.same_mail import repeated

Stack = tuple[tuple[str, OrderSet], ...]
"""The order lines that hold, top to bottom, each with the set in which it came."""

Decisions = tuple[tuple[str, str | None], ...]
"""One entry per decision of a power: (unit or "Build 1", order or None)."""


@dataclass(frozen=True, slots=True)
class OrderBook:
    """What powers have sent for a phase, the oldest set first, whether it counts or not.

    Code that holds the game's lock reads it once, and adds what is sent now.
    """

    phase: Phase
    sets: list[OrderSet]

    @classmethod
    def of_power(cls, phase: Phase, power: int) -> OrderBook:
        """Read what one power, given by its key, has sent."""
        return cls(phase, _OF_POWER.all(phase=phase.pk, power=power))

    @classmethod
    def of_all(cls, phase: Phase) -> OrderBook:
        """Read what all powers have sent."""
        return cls(phase, _OF_ALL.all(phase=phase.pk))

    def put(self, order_set: OrderSet) -> None:
        """Add a set that was just stored; a mail that was held may be older than others."""
        self.sets[:] = in_order([*self.sets, order_set])

    def repeated(self, power: Power, digest: str) -> OrderSet | None:
        """Return the set in which the power said the same in the same mail (see `same_mail`)."""
        return repeated(self._by(power), digest)

    def decisions(self, power: Power) -> Decisions:
        """Return what the power has to decide, and what it has decided."""
        return decisions(self.phase, power.name, _lines(self.stack(power)))

    def leave(self, power: Power) -> Decisions:
        """Return the leave that the power gives to fleets (see `leave_given`)."""
        return leave_given(self.phase, power.name, _lines(self.stack(power)))

    def guesses(self, power: Power, word: Readiness | None) -> tuple[board.Reading, ...]:
        """Return the orders that count for the power although we only guessed what they mean;
        `word` is its latest READY or WAIT.

        READY, said after such an order came, confirms our reading; so does writing the order out.
        The GM saw what they set before they set it.
        """
        return guesses(self.phase, power.name, self.stack(power), word)

    def stack(self, power: Power) -> Stack:
        """Return the power's order lines that stand."""
        return stack_of(one for one in self._by(power) if one.counts)

    def lines(self, power: Power) -> tuple[str, ...]:
        """Return the power's order lines that stand, as written."""
        return _lines(self.stack(power))

    def newest(self, power: Power) -> OrderSet | None:
        """Return the latest recorded set of the power that counts."""
        counting = [one for one in self._by(power) if one.counts]
        return max(counting, key=lambda one: one.pk, default=None)

    def is_replaced(self, power: Power, since: dt.datetime) -> bool:
        """Whether the power sent something after the given moment that came too late, but will
        count if its game waits for missing orders, or the deadline moves (`deadlines`)."""
        if self.phase.game.when_missing == Game.WhenMissing.HOLD:
            return False
        late = (one for one in self._by(power) if one.late and one.received_at > since)
        return any(not one.lines or any(row["counts"] for row in one.reading) for one in late)

    def _by(self, power: Power) -> list[OrderSet]:
        return [one for one in self.sets if one.power_id == power.pk]


def current_lines(phase: Phase, power: Power) -> tuple[str, ...]:
    """Return the power's order lines that stand, top to bottom, as written."""
    return _lines(OrderBook.of_power(phase, power.pk).stack(power))


def all_current_lines(phase: Phase) -> dict[str, tuple[str, ...]]:
    """Return the current lines of every power that sent any, by the power's name."""
    return lines_by_power(counting(phase.order_sets.all()))


def current_decisions(phase: Phase, power: Power) -> Decisions:
    """Return what the power has to decide in the phase, and what it has decided."""
    return OrderBook.of_power(phase, power.pk).decisions(power)


def current_leave(phase: Phase, power: Power) -> Decisions:
    """Return the leave that the power gives to fleets in the phase (see `leave_given`)."""
    return OrderBook.of_power(phase, power.pk).leave(power)


def unconfirmed_guesses(
    phase: Phase, power: Power, word: Readiness | None
) -> tuple[board.Reading, ...]:
    """Return the power's orders that count by guesses of ours (see `OrderBook.guesses`)."""
    return OrderBook.of_power(phase, power.pk).guesses(power, word)


def unconfirmed_by_seat(seats: Mapping[Seat, Phase]) -> dict[Seat, tuple[board.Reading, ...]]:
    """Return `unconfirmed_guesses` for many seats, each with its game's open phase.

    Two queries in all.
    """
    powers, phases = [seat.power_id for seat in seats], list(seats.values())
    sets: dict[int, list[OrderSet]] = {power: [] for power in powers}
    for one in counting(OrderSet.objects.filter(phase__in=phases, power__in=powers)):
        sets[one.power_id].append(one)
    words = {
        one.power_id: one for one in Readiness.objects.filter(phase__in=phases, power__in=powers)
    }
    return {
        seat: guesses(
            phase, seat.power.name, stack_of(sets[seat.power_id]), words.get(seat.power_id)
        )
        for seat, phase in seats.items()
        if is_readable(phase)
    }


def lines_by_power(sets: Iterable[OrderSet]) -> dict[str, tuple[str, ...]]:
    """Return the current lines of every power whose sets these are, the oldest first."""
    by_power: dict[str, list[OrderSet]] = {}
    for order_set in sets:
        by_power.setdefault(order_set.power.name, []).append(order_set)
    return {power: _lines(stack_of(sets)) for power, sets in by_power.items()}


def _lines(stack: Stack) -> tuple[str, ...]:
    return tuple(line for line, _ in stack)


def stack_of(sets: Iterable[OrderSet]) -> Stack:
    """Return the lines that count from one power's sets, which come oldest first."""
    lines: Stack = ()
    for order_set in sets:
        below = lines if order_set.mode == OrderSet.Mode.AMEND else ()
        lines = (*((line, order_set) for line in order_set.lines), *below)
    return lines


def in_order(sets: Iterable[OrderSet]) -> list[OrderSet]:
    """Return the sets as they came, see `in_turn`."""
    return sorted(sets, key=lambda one: (one.received_at, one.pk))


def in_turn(sets: QuerySet[OrderSet]) -> QuerySet[OrderSet]:
    """Return the sets as they came, without what their senders were told."""
    return sets.defer("reading").order_by("received_at", "id")


def counting(sets: QuerySet[OrderSet]) -> QuerySet[OrderSet]:
    """Return those of the sets that count, as they came, with their powers."""
    return in_turn(sets.filter(counts=True)).select_related("power")


_OF_ALL = Query(lambda: in_turn(OrderSet.objects.filter(phase=Given("phase"))))
_OF_POWER = Query(
    lambda: in_turn(OrderSet.objects.filter(phase=Given("phase"), power=Given("power")))
)


def position(phase: Phase) -> board.Position:
    """Return the position at the start of the phase; processing one asks for it 20 times."""
    known = phase.position_read
    if known is None or known[0] is not phase.position:
        known = phase.position, board.position_of(phase.game.variant, phase.position)
        phase.position_read = known
    found: board.Position = known[1]
    return found


def is_readable(phase: Phase) -> bool:
    """Say whether the judge can read the position; if not, that is a fault of ours."""
    try:
        position(phase)
    except board.JudgeError:
        return False
    return True


def deciding(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision; none if the position cannot be read, because lists and
    queues have to show such a game, too."""
    return position(phase).powers_to_order() if is_readable(phase) else ()


def position_seen(phase: Phase, power: str) -> board.Position:
    """Return the position at the start of the phase, as far as the power may know it."""
    if not is_foggy(phase.game):
        return position(phase)
    variant = phase.game.variant
    return board.position_of(variant, sight.state_seen(variant, phase.position, power))


def duty(phase: Phase, power: str) -> board.Duty:
    """Return what the power has to decide in the phase."""
    return board.duty_of(position(phase), power)


def readings(phase: Phase, power: str, lines: Sequence[str]) -> tuple[board.Reading, ...]:
    """Read order lines as the power wrote them, each by itself."""
    rules = board.rulebook_of(phase.game.rules)
    if phase.game.fog:  # also when it is over: a receipt that is repeated says the same
        return sight.read_orders(phase.game.variant, phase.position, power, lines, rules)
    return board.read_orders(position(phase), power, lines, rules)


def followed_orders(phase: Phase, power: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the orders of these lines that the judge follows, written out, top to bottom."""
    return board.followed(readings(phase, power, lines), duty(phase, power))


def adjudicate_phase(phase: Phase, orders: Mapping[str, Sequence[str]]) -> board.Adjudication:
    """Adjudicate the orders that count in the phase; in fog, as we told the powers that we read
    them."""
    game = phase.game
    return board.adjudicate_orders(
        variant=game.variant,
        rules=game.rules,
        state=phase.position,
        orders={power: followed_orders(phase, power, written) for power, written in orders.items()}
        if game.fog
        else orders,
    )


def is_followed(reading: board.Reading) -> bool:
    """Say whether the judge will take this order: readable, legal, the first for its unit."""
    return reading.order is not None and reading.problem is None and reading.counts


def decisions(phase: Phase, power: str, lines: Sequence[str]) -> Decisions:
    """Return what the power decides by these lines, see `current_decisions`."""
    followed = [one.order for one in readings(phase, power, lines) if is_followed(one)]
    duties = duty(phase, power)
    if duties.step != "A":
        ordered = {board.ordered_unit(order): str(order) for order in followed}
        return tuple((unit, ordered.get(unit)) for unit in duties.units)
    what = "Build" if duties.builds else "Disband"
    texts: list[str | None] = [str(order) for order in followed[: duties.size]]
    texts += [None] * (duties.size - len(texts))
    return tuple((f"{what} {number}", text) for number, text in enumerate(texts, start=1))


def leave_given(phase: Phase, power: str, lines: Sequence[str]) -> Decisions:
    """Return whom the power lets through which canal, as ("SC", order); nobody has to decide
    this."""
    canals = board.canal_keepers(phase.game.variant)
    read = readings(phase, power, lines) if canals else ()
    orders = [one.order for one in read if is_followed(one)]
    given = {board.ordered_unit(order): str(order) for order in orders}
    return tuple((canal, given[canal]) for canal in canals if canal in given)


def guesses(
    phase: Phase, power: str, stack: Stack, word: Readiness | None
) -> tuple[board.Reading, ...]:
    """Return the orders that count by guesses of ours (see `OrderBook.guesses`)."""
    followed = [one for one in readings(phase, power, _lines(stack)) if is_followed(one)]
    sure = {str(one.order) for one in followed if not one.guessed}
    return tuple(
        one
        for one in followed
        if one.guessed and str(one.order) not in sure and _is_newer(stack[one.line][1], word)
    )


def _is_newer(order_set: OrderSet, word: Readiness | None) -> bool:
    return not order_set.by and (word is None or order_set.recorded_at >= word.said_at)
