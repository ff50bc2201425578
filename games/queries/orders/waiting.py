"""The powers that a phase waits for, because their orders, or a word of theirs, are still
missing."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, Phase, Power, Readiness, Seat
from games.queries.access.audience import hides_who_decides
from games.queries.orders.current_orders import OrderBook, deciding, is_readable, position
from games.queries.phases.phase_now import PhaseNow
from games.queries.phases.sheet import Sheet, sheets_of
from games.timing.pace import early_delay


def powers_not_in(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision that still lacks an order and who did not say READY."""
    return not_in_by_phase([phase])[phase.pk]


def not_in_by_phase(phases: Iterable[Phase]) -> dict[int, tuple[str, ...]]:
    """Return `powers_not_in` for many phases by their keys, in two queries."""
    return {pk: sheet.not_in for pk, sheet in sheets_of(phases).items()}


def powers_waited_for(phase: Phase) -> tuple[str, ...]:
    """Return the powers that the game waits for at the deadline, by its own setting.

    They have sent nothing. Nobody waits for a power in civil disorder, and only games that wait for
    a replacement wait for a power that nobody plays.
    """
    if phase.game.when_missing == Game.WhenMissing.HOLD:
        return ()
    missing = phase.game.powers.filter(name__in=missing_powers(phase), disorder_since=None)
    if phase.game.when_missing != Game.WhenMissing.WAIT:
        missing = missing.filter(_PLAYED)
    return tuple(missing.order_by("name").values_list("name", flat=True))


def is_all_in(phase: Phase, seen: PhaseNow | None = None) -> bool:
    """Say whether every order is in and nobody waits; `seen` is the phase with all orders, if the
    caller has read it.

    After the deadline was moved, everybody who has something to decide has to speak again, by
    orders or by READY. An order that we guessed at waits for its player to confirm it, and a power
    that has lost its player waits for somebody to take it over: both until the deadline.
    """
    seen = seen or PhaseNow.of(phase)
    powers = [one for one in seen.powers.values() if one.power.disorder_since is None]
    waits = any(one.word and one.word.word == Readiness.Word.WAIT for one in powers)
    if waits or not is_readable(phase) or not any(one.seat for one in powers):
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
    """Whether the others wait for the power to send an order, or to confirm one that we guessed
    at."""
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
    """In fog of war nobody is told who has to retreat or build; nothing else is filled in then."""
    unreadable: bool = False
    """By a fault of ours the board cannot be read; nothing else is filled in then."""
    to_confirm: tuple[str, ...] = ()
    """They still have to confirm an order of theirs that we guessed at. Nobody else may know which
    powers these are: others learn how many, by `to_confirm_text`."""

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order, or have lost their player."""
        return tuple(sorted({*self.owing, *self.without_player}))


def outstanding(phase: Phase) -> Outstanding:
    """Return whom the phase waits for, as far as everybody may know. Nobody waits for a power in
    civil disorder."""
    return outstanding_by_phase([phase])[phase.pk]


def outstanding_by_phase(phases: Iterable[Phase]) -> dict[int, Outstanding]:
    """Return `outstanding` for many phases by their keys, in three queries."""
    phases = list(phases)
    told = [phase for phase in phases if not hides_who_decides(phase)]
    sheets = sheets_of(told)
    played = _powers_played([phase.game_id for phase in told])
    untold = {phase.pk: Outstanding(untold=True) for phase in phases}
    return untold | {pk: _outstanding(one, played[one.phase.game_id]) for pk, one in sheets.items()}


def _outstanding(sheet: Sheet, played: Mapping[str, bool]) -> Outstanding:
    """`played` says, for each power that the others wait for, whether it has a player."""
    if not is_readable(sheet.phase):
        return Outstanding(unreadable=True)
    to_order = [power for power in deciding(sheet.phase) if power in played]
    return Outstanding(
        owing=tuple(power for power in sheet.not_in if power in played),
        to_speak_again=tuple(power for power in sheet.unheard if played.get(power)),
        without_player=tuple(power for power in to_order if not played[power]),
        to_confirm=sheet.to_confirm({power for power, has_player in played.items() if has_player}),
    )


def _powers_played(games: Iterable[int]) -> dict[int, dict[str, bool]]:
    """Return which powers the others in these games wait for, and whether they have a player."""
    found: dict[int, dict[str, bool]] = {game: {} for game in games}
    powers = (
        powers_awaited(Power.objects.filter(game__in=found))
        .annotate(played=_PLAYED)
        .order_by("name")
    )
    for game, name, has_player in powers.values_list("game", "name", "played"):
        found[game][name] = has_player
    return found


def waits_for_player(phase: Phase) -> bool:
    """Say whether the phase stays open to its deadline, as far as everybody may know, because a
    power with something to decide has lost its player."""
    if not powers_awaited(phase.game.powers.all()).exclude(_PLAYED).exists():
        return False
    return bool(outstanding(phase).without_player)


def to_confirm_text(powers: Collection[str]) -> str:
    """Return the end of a sentence that begins with "All orders are in": how many of the powers
    still have to confirm an order, but not which; empty if none has to."""
    if not powers:
        return ""
    if len(powers) == 1:
        return ", and one power has still to confirm how an order was read"
    return f", and {len(powers)} powers have still to confirm how an order was read"


_PLAYED = Exists(Seat.objects.filter(power=OuterRef("pk"), until=None))


def powers_awaited(powers: QuerySet[Power]) -> QuerySet[Power]:
    """Return those of the powers that the others in their games wait for before the deadline.

    That leaves out powers in civil disorder. It includes a power that has lost its player, until
    civil disorder is declared: somebody may take it over.
    """
    return powers.filter(disorder_since=None)


def _silent(phase: Phase) -> set[str]:
    """The powers that we have not heard from since the deadline was last moved."""
    if phase.extended_at is None:
        return set()
    sets = phase.order_sets.filter(counts=True, received_at__gt=phase.extended_at)
    heard = set(sets.values_list("power__name", flat=True))
    return set(deciding(phase)) - heard - _powers_ready(phase)


def _powers_ready(phase: Phase) -> set[str]:
    ready = phase.readiness.filter(word=Readiness.Word.READY)
    return set(ready.values_list("power__name", flat=True))


def words_said(phase: Phase) -> dict[str, str]:
    """Return the powers that said READY or WAIT, each with that word."""
    return dict(phase.readiness.values_list("power__name", "word"))


def early_at(phase: Phase) -> dt.datetime | None:
    """Return when the open phase will be decided before its deadline as things stand, None if it
    will not.

    A phase that waits for missing orders is decided as soon as they are in.
    """
    if phase.all_in_at is None:
        return None
    if phase.overdue_at is not None:
        return phase.all_in_at
    at = phase.all_in_at + early_delay(phase)
    return None if phase.due_at is not None and at >= phase.due_at else at


def missing_of(seen: PhaseNow) -> tuple[str, ...]:
    """Return `missing_powers` for a caller that has read the phase with all orders."""
    sent = {one.power_id for one in seen.book.sets if one.counts}
    heard = {one.power.name for key, one in seen.powers.items() if key in sent or one.is_ready}
    to_order = position(seen.phase).powers_to_order()
    return tuple(power for power in to_order if power not in heard)


def missing_powers(phase: Phase) -> tuple[str, ...]:
    """Return the powers with a decision that sent nothing: no set that counts, no READY."""
    sent = phase.order_sets.filter(counts=True).order_by().values_list("power__name", flat=True)
    heard = set(sent) | _powers_ready(phase)
    return tuple(power for power in deciding(phase) if power not in heard)
