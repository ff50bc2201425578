"""What stands in a phase: which order lines count, what is still undecided, whether all is in.

The latest set that counts replaces the earlier ones, unless its player wrote AMEND: then its lines
stand above the earlier ones, and because the first legal order for a unit is followed, they win
(DATC 4.D.1, 4.D.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import board
from games.models import Game, OrderSet, Phase, Power, Readiness, Seat


def standing_lines(phase: Phase, power: Power) -> tuple[str, ...]:
    """Return the power's order lines that stand, top to bottom, as written."""
    sets = phase.order_sets.filter(power=power, counts=True).only("phase", "mode", "lines")
    return _stacked(sets.order_by("received_at", "id"))


def all_standing_lines(phase: Phase) -> dict[str, tuple[str, ...]]:
    """Return the standing lines of every power that sent any, by the power's name."""
    sets = phase.order_sets.filter(counts=True).order_by("received_at", "id")
    return _by_power(sets.select_related("power").defer("reading"))


def standing_orders(phase: Phase, power: Power) -> tuple[tuple[str, str | None], ...]:
    """Return one entry per decision of the power: (unit or "Build 1", order or None)."""
    return _decisions(phase, power.name, standing_lines(phase, power))


def powers_not_in(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision that still lacks an order and who did not say READY."""
    return _not_in(phase, all_standing_lines(phase), _said(phase, Readiness.Word.READY))


def not_in_by_phase(phases: Iterable[Phase]) -> dict[int, tuple[str, ...]]:
    """Return `powers_not_in` for many phases by their keys, in two queries."""
    phases = list(phases)
    sets: dict[int, list[OrderSet]] = {phase.pk: [] for phase in phases}
    ready: dict[int, set[str]] = {phase.pk: set() for phase in phases}
    counting = OrderSet.objects.filter(phase__in=phases, counts=True).select_related("power")
    for order_set in counting.order_by("received_at", "id"):
        sets[order_set.phase_id].append(order_set)
    words = Readiness.objects.filter(phase__in=phases, word=Readiness.Word.READY)
    for phase, power in words.values_list("phase", "power__name"):
        ready[phase].add(power)
    return {
        phase.pk: _not_in(phase, _by_power(sets[phase.pk]), ready[phase.pk]) for phase in phases
    }


def _not_in(
    phase: Phase, lines: Mapping[str, Sequence[str]], ready: Collection[str]
) -> tuple[str, ...]:
    return tuple(
        power
        for power in position(phase).powers_to_order()
        if power not in ready
        and any(order is None for _, order in _decisions(phase, power, lines.get(power, ())))
    )


def powers_waited_for(phase: Phase) -> tuple[str, ...]:
    """Return the powers for which the game does not go on at the deadline, by its own setting.

    Nothing came from them; nobody waits for a power in civil disorder, and for one that nobody
    plays only in games that wait for a replacement.
    """
    if phase.game.when_missing == Game.WhenMissing.HOLD:
        return ()
    missing = awaited(phase.game.powers.filter(name__in=missing_powers(phase)))
    return tuple(missing.order_by("name").values_list("name", flat=True))


def is_all_in(phase: Phase) -> bool:
    """Say whether every order is in and nobody waits.

    After the deadline was moved, everybody who has something to decide has to speak again, by
    orders or by READY.
    """
    awaited = powers_awaited(phase)
    blocked = _said(phase, Readiness.Word.WAIT) | set(powers_not_in(phase)) | _silent(phase)
    return bool(awaited) and not blocked & awaited


def powers_awaited(phase: Phase) -> frozenset[str]:
    """Return the powers for whose orders the others wait before the deadline, in or not."""
    return frozenset(awaited(phase.game.powers.all()).values_list("name", flat=True))


def awaited(powers: QuerySet[Power]) -> QuerySet[Power]:
    """Return those of the powers for which the others in their games wait.

    That is neither a power in civil disorder nor one that nobody plays, unless the game waits for
    replacements.
    """
    played = Exists(Seat.objects.filter(power=OuterRef("pk"), until=None))
    waits = Q(game__when_missing=Game.WhenMissing.WAIT)
    return powers.filter(Q(played) | waits, disorder_since=None)


def _silent(phase: Phase) -> set[str]:
    """Return the powers from which nothing was heard since the deadline was last moved."""
    if phase.extended_at is None:
        return set()
    sets = phase.order_sets.filter(counts=True, received_at__gt=phase.extended_at)
    heard = set(sets.values_list("power__name", flat=True))
    return set(position(phase).powers_to_order()) - heard - _said(phase, Readiness.Word.READY)


def _said(phase: Phase, word: Readiness.Word) -> set[str]:
    return set(phase.readiness.filter(word=word).values_list("power__name", flat=True))


def missing_powers(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision from whom nothing came: no set that counts, no READY."""
    sent = phase.order_sets.filter(counts=True).order_by().values_list("power__name", flat=True)
    heard = set(sent) | _said(phase, Readiness.Word.READY)
    return tuple(power for power in position(phase).powers_to_order() if power not in heard)


def _by_power(sets: Iterable[OrderSet]) -> dict[str, tuple[str, ...]]:
    by_power: dict[str, list[OrderSet]] = {}
    for order_set in sets:
        by_power.setdefault(order_set.power.name, []).append(order_set)
    return {power: _stacked(sets) for power, sets in by_power.items()}


def _stacked(sets: Iterable[OrderSet]) -> tuple[str, ...]:
    lines: tuple[str, ...] = ()
    for order_set in sets:
        below = lines if order_set.mode == OrderSet.Mode.AMEND else ()
        lines = (*order_set.lines, *below)
    return lines


def position(phase: Phase) -> board.Position:
    """Return the position the phase began with."""
    return board.position_of(phase.game.variant, phase.position)


def duty(phase: Phase, power: str) -> board.Duty:
    """Return what the power has to decide in the phase."""
    return board.duty_of(position(phase), power)


def readings(phase: Phase, power: str, lines: Sequence[str]) -> tuple[board.Reading, ...]:
    """Read order lines as the power wrote them, each by itself."""
    return board.read_orders(position(phase), power, lines, board.rulebook_of(phase.game.rules))


def is_followed(reading: board.Reading) -> bool:
    """Say whether the judge will take this order: readable, legal, the first for its unit."""
    return reading.order is not None and reading.problem is None and reading.counts


def _decisions(
    phase: Phase, power: str, lines: Sequence[str]
) -> tuple[tuple[str, str | None], ...]:
    followed = [one.order for one in readings(phase, power, lines) if is_followed(one)]
    duties = duty(phase, power)
    if duties.step != "A":
        ordered = {board.ordered_unit(order): str(order) for order in followed}
        return tuple((unit, ordered.get(unit)) for unit in duties.units)
    what = "Build" if duties.builds else "Disband"
    texts: list[str | None] = [str(order) for order in followed[: duties.size]]
    texts += [None] * (duties.size - len(texts))
    return tuple((f"{what} {number}", text) for number, text in enumerate(texts, start=1))
