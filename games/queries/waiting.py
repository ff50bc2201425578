"""For whom a phase waits: which powers still owe orders, or a word about them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, OrderSet, Phase, Power, Readiness, Seat
from games.queries.audience import hides_who_decides
from games.queries.current_orders import (
    OrderBook,
    all_standing_lines,
    decisions,
    guesses,
    in_turn,
    lines_by_power,
    position,
    stack_of,
)
from games.queries.phase_now import PhaseNow
from games.timing.pace import early_delay


def powers_not_in(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision that still lacks an order and who did not say READY."""
    return not_in_of(phase, all_standing_lines(phase), _said(phase, Readiness.Word.READY))


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
        phase.pk: not_in_of(phase, lines_by_power(sets[phase.pk]), ready[phase.pk])
        for phase in phases
    }


def not_in_of(
    phase: Phase, lines: Mapping[str, Sequence[str]], ready: Collection[str]
) -> tuple[str, ...]:
    """Return `powers_not_in` for who knows the standing lines and who said READY."""
    return tuple(
        power
        for power in position(phase).powers_to_order()
        if power not in ready
        and any(order is None for _, order in decisions(phase, power, lines.get(power, ())))
    )


def powers_waited_for(phase: Phase) -> tuple[str, ...]:
    """Return the powers for which the game does not go on at the deadline, by its own setting.

    Nothing came from them; nobody waits for a power in civil disorder, and for one that nobody
    plays only in games that wait for a replacement.
    """
    if phase.game.when_missing == Game.WhenMissing.HOLD:
        return ()
    missing = phase.game.powers.filter(name__in=missing_powers(phase), disorder_since=None)
    if phase.game.when_missing != Game.WhenMissing.WAIT:
        missing = missing.filter(_PLAYED)
    return tuple(missing.order_by("name").values_list("name", flat=True))


def is_all_in(phase: Phase, seen: PhaseNow | None = None) -> bool:
    """Say whether every order is in and nobody waits; `seen` is the phase with all orders, if read.

    After the deadline was moved, everybody who has something to decide has to speak again, by
    orders or by READY. An order that was guessed at waits for its player to confirm it, and a power
    that has lost its player for somebody to take it over: both until the deadline.
    """
    seen = seen or PhaseNow.of(phase)
    powers = [one for one in seen.powers.values() if one.power.disorder_since is None]
    waits = any(one.word and one.word.word == Readiness.Word.WAIT for one in powers)
    if waits or not any(one.seat for one in powers):
        return False
    if _silent(phase) & {one.power.name for one in powers}:
        return False
    to_order = position(phase).powers_to_order()
    return not any(
        one.seat is None or _owes(seen.book, one.power, one.word)
        for one in powers
        if one.power.name in to_order
    )


def _owes(book: OrderBook, power: Power, word: Readiness | None) -> bool:
    """Whether the others wait for an order of the power, or for its yes to one we guessed at."""
    if book.guesses(power, word):
        return True
    return word is None and any(order is None for _, order in book.decisions(power))


@dataclasses.dataclass(frozen=True)
class Outstanding:
    """What an open phase waits for before its deadline: powers with something to decide."""

    owing: tuple[str, ...] = ()
    """They still owe an order."""
    to_speak_again: tuple[str, ...] = ()
    """Their orders are complete, but nothing came from them since the deadline was moved."""
    without_player: tuple[str, ...] = ()
    """They have lost their player, whatever they ordered before, and somebody may take over."""
    untold: bool = False
    """In fog of war nobody is told who has to retreat or build: then nothing else stands here."""
    to_confirm: tuple[str, ...] = ()
    """They have still to confirm an order of theirs that we guessed at. Which powers these are is
    for nobody else: others learn how many, by `to_confirm_text`."""


def outstanding(phase: Phase) -> Outstanding:
    """Return what everybody may know of whom the phase waits for. Nobody waits for a power in
    civil disorder."""
    if hides_who_decides(phase):
        return Outstanding(untold=True)
    powers = awaited(phase.game.powers.all()).annotate(played=_PLAYED)
    played = dict(powers.values_list("name", "played"))
    not_in, silent = powers_not_in(phase), _silent(phase) if phase.game.process_early else set()
    deciding = [power for power in position(phase).powers_to_order() if power in played]
    return Outstanding(
        owing=tuple(power for power in deciding if power in not_in),
        to_speak_again=tuple(
            power for power in deciding if played[power] and power in silent - {*not_in}
        ),
        without_player=tuple(power for power in deciding if not played[power]),
        to_confirm=to_confirm_by_phase([phase])[phase.pk],
    )


def waits_for_player(phase: Phase) -> bool:
    """Say whether the phase stays open to its deadline, as far as everybody may know, because a
    power with something to decide has lost its player."""
    if not awaited(phase.game.powers.all()).exclude(_PLAYED).exists():
        return False
    return bool(outstanding(phase).without_player)


def to_confirm_by_phase(phases: Iterable[Phase]) -> dict[int, tuple[str, ...]]:
    """Return the powers that keep a phase open because they have still to confirm an order that we
    guessed at, for many phases by their keys, in two queries.

    None where the phase is not decided before its deadline anyway, or is past it already.
    """
    by_key = {phase.pk: phase for phase in phases}
    early = [one for one in by_key.values() if one.game.process_early and one.overdue_at is None]
    played = Exists(Seat.objects.filter(power=OuterRef("power"), until=None))
    counting = OrderSet.objects.filter(
        played, phase__in=early, counts=True, power__disorder_since=None
    )
    sets: dict[tuple[int, str], list[OrderSet]] = {}
    for order_set in in_turn(counting).select_related("power"):
        sets.setdefault((order_set.phase_id, order_set.power.name), []).append(order_set)
    said = Readiness.objects.filter(phase__in=early).select_related("power")
    words = {(one.phase_id, one.power.name): one for one in said}
    found: dict[int, list[str]] = {pk: [] for pk in by_key}
    for (pk, power), its_sets in sorted(sets.items()):
        if guesses(by_key[pk], power, stack_of(its_sets), words.get((pk, power))):
            found[pk].append(power)
    return {pk: tuple(powers) for pk, powers in found.items()}


def to_confirm_text(powers: Collection[str]) -> str:
    """Return the end of a sentence that begins with "All orders are in": how many of the powers
    have still to confirm an order, and not which; empty without any."""
    if not powers:
        return ""
    if len(powers) == 1:
        return ", and one power has still to confirm how an order was read"
    return f", and {len(powers)} powers have still to confirm how an order was read"


_PLAYED = Exists(Seat.objects.filter(power=OuterRef("pk"), until=None))


def awaited(powers: QuerySet[Power]) -> QuerySet[Power]:
    """Return those of the powers for which the others in their games wait before the deadline.

    That is no power in civil disorder; but one that has lost its player is, until that is declared:
    somebody may take it over.
    """
    return powers.filter(disorder_since=None)


def _silent(phase: Phase) -> set[str]:
    """Return the powers from which nothing was heard since the deadline was last moved."""
    if phase.extended_at is None:
        return set()
    sets = phase.order_sets.filter(counts=True, received_at__gt=phase.extended_at)
    heard = set(sets.values_list("power__name", flat=True))
    return set(position(phase).powers_to_order()) - heard - _said(phase, Readiness.Word.READY)


def _said(phase: Phase, word: Readiness.Word) -> set[str]:
    return set(phase.readiness.filter(word=word).values_list("power__name", flat=True))


def early_at(phase: Phase) -> dt.datetime | None:
    """Return when the open phase is decided before its deadline as things stand, None when it is
    not. A phase that waits for missing orders is decided as soon as they are in."""
    if phase.all_in_at is None:
        return None
    if phase.overdue_at is not None:
        return phase.all_in_at
    at = phase.all_in_at + early_delay(phase)
    return None if phase.due_at is not None and at >= phase.due_at else at


def missing_of(seen: PhaseNow) -> tuple[str, ...]:
    """Return `missing_powers` for who has read the phase with all orders."""
    sent = {one.power_id for one in seen.book.sets if one.counts}
    heard = {one.power.name for key, one in seen.powers.items() if key in sent or one.is_ready}
    to_order = position(seen.phase).powers_to_order()
    return tuple(power for power in to_order if power not in heard)


def missing_powers(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision from whom nothing came: no set that counts, no READY."""
    sent = phase.order_sets.filter(counts=True).order_by().values_list("power__name", flat=True)
    heard = set(sent) | _said(phase, Readiness.Word.READY)
    return tuple(power for power in position(phase).powers_to_order() if power not in heard)
