"""How an open phase stands for one power once a mail is done: its orders, when the phase is
decided, and what can still be changed."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
from collections.abc import Sequence

from games.models import UNFINISHED, Game, Phase, Readiness, Seat
from games.queries.board import step_of
from games.queries.orders.advance_orders import LaterOrders, orders_kept
from games.queries.orders.current_orders import OrderBook, current_decisions, current_leave
from games.queries.orders.waiting import early_at
from games.queries.phases.phase_now import PhaseNow
from games.queries.players.seats import is_alive
from games.queries.reports.wording import counted, listed, local_moment, time_left
from mailer.commands.base import Arrival
from mailer.commands.receipt import Outlook
from mailer.commands.seats import phase_title
from mailer.commands.texts.sentences import current_text, leave_given, when_decided, zone_of
from mailer.identity.senders import Sender
from mailer.notices.parts.sections import guess_sentence
from mailer.outbound.buttons import TO_CHANGE
from mailer.text import brief, due, join_slashes

HOW_TO_CHANGE = (
    f"{TO_CHANGE}, or with AMEND on a line of its own and only what is new. Your latest set counts."
)


@dataclasses.dataclass(frozen=True)
class _Now:
    """The phase after the mail, and when it is decided early."""

    seat: Seat
    phase: Phase
    early_at: dt.datetime | None
    seen: PhaseNow | None = None

    @classmethod
    def of(cls, seat: Seat, phase: Phase, seen: PhaseNow | None = None) -> _Now:
        """Read the phase again, since commands of the same mail may have had it decided; with
        `seen`, the mail's only command has just read it."""
        if seen:
            return cls(seat, seen.phase, early_at(seen.phase), seen)
        phase = Phase.objects.select_related("game").get(pk=phase.pk)
        return cls(seat, phase, early_at(phase))

    @functools.cached_property
    def book(self) -> OrderBook:
        """What the power has sent."""
        return self.seen.book if self.seen else OrderBook.of_power(self.phase, self.seat.power_id)

    @property
    def has_no_say(self) -> bool:
        """Whether the power has nothing to decide in the phase."""
        return not self.book.decisions(self.seat.power)

    @property
    def word(self) -> Readiness | None:
        """The power's last word on deciding the phase early."""
        power = self.seat.power
        if self.seen:
            return self.seen.powers[power.pk].word
        return self.phase.readiness.filter(power=power).first()

    @property
    def is_paused(self) -> bool:
        return self.phase.game.status == Game.Status.PAUSED

    def is_too_late(self, now: dt.datetime) -> bool:
        """Whether nobody can change anything any more, since the phase is over, or is decided right
        away."""
        is_due = self.early_at is not None and self.early_at <= now and not self.is_paused
        return is_due or self.phase.status not in UNFINISHED


@dataclasses.dataclass(frozen=True)
class Ordering:
    """The seat and phase that somebody orders for, and their mail."""

    seat: Seat
    phase: Phase
    sender: Sender
    arrival: Arrival

    @property
    def due(self) -> str:
        """The time until which orders can come, for a subject; "" if nothing says so."""
        return due_in_subject(self.phase, zone_of(self.sender), self.arrival.now)


def outlook(
    seat: Seat, phase: Phase, sender: Sender, now: dt.datetime, *, owed: bool = False
) -> Outlook:
    """When the phase will be decided, after all commands of the mail; with `owed`, first what has
    no order yet."""

    def words() -> list[str]:
        opened = _Now.of(seat, phase)
        missing = _status(opened, nothing_new=False) if owed and _owes(opened) else []
        return [*missing, *_decision(opened, sender, now)]

    return Outlook(_key(seat, phase), words)


def _owes(opened: _Now) -> bool:
    """Whether the power lacks an order that it can still give."""
    decisions = opened.book.decisions(opened.seat.power)
    return opened.phase.status in UNFINISHED and any(order is None for _, order in decisions)


def order_outlook(
    ordering: Ordering, *, news: str, nothing_new: bool, seen: PhaseNow | None = None
) -> Outlook:
    """The outlook above the receipt of orders, which also has the orders that stand, and below it
    how to change them; `news` goes before it all.

    With `nothing_new` the mail brought no order. `seen` is how the phase stands, if nothing else in
    the mail can change that.
    """
    seat, phase, now = ordering.seat, ordering.phase, ordering.arrival.now
    by_now = functools.cache(lambda: _Now.of(seat, phase, seen))

    def words() -> list[str]:
        first, *rest = _status(by_now(), nothing_new=nothing_new)
        return [f"{news} {first}".strip(), *rest, *_decision(by_now(), ordering.sender, now)]

    def closing() -> list[str]:
        return [] if by_now().has_no_say or by_now().is_too_late(now) else [HOW_TO_CHANGE]

    return Outlook(_key(seat, phase), words, leads=True, closing=closing)


def _key(seat: Seat, phase: Phase) -> str:
    return f"phase {phase.pk} of seat {seat.pk}"


def status(seat: Seat, phase: Phase, sender: Sender, now: dt.datetime) -> list[str]:
    """How many of a power's decisions are made, which are not, and when the phase is decided.

    The receipt of a mail without orders begins with this.
    """
    opened = _Now.of(seat, phase)
    return [*_status(opened, nothing_new=True), *_decision(opened, sender, now)]


def _status(opened: _Now, *, nothing_new: bool) -> list[str]:
    """With `nothing_new`, the first line says that orders sent before still stand, if there are
    any."""
    power, phase = opened.seat.power.name, opened.phase
    current = opened.book.decisions(opened.seat.power)
    missing = [unit for unit, order in current if order is None]
    total, done = len(current), len(current) - len(missing)
    if not total:
        if not is_alive(opened.seat.power):
            return [f"Nothing is left of {power}, so there is nothing to order."]
        return [f"{power} has nothing to decide in {phase_title(phase)}."]
    earlier = "Your earlier orders stand: " if nothing_new and done else ""
    if step_of(phase.name) == "A":
        kind = current[0][0].split()[0].lower()
        all_of = f"its {kind}" if total == 1 else f"all {total} of its {kind}s"
        what = f"{done} of {counted(total, kind)}" if missing else all_of
        return [f"{earlier}{power} has decided on {what}."]
    if not missing:
        if earlier:
            return [f"{earlier}every unit of {power} has one."]
        return [f"{power} has an order for every unit."]
    return [
        f"{earlier}{power} has orders for {done} of {counted(total, 'unit')}.",
        still_without(missing),
    ]


def still_without(missing: list[str]) -> str:
    """The units that have no order yet."""
    return f"Still without an order: {join_slashes(missing)}."


def _decision(opened: _Now, sender: Sender, now: dt.datetime) -> list[str]:
    phase, zone = opened.phase, zone_of(sender)
    if phase.status not in UNFINISHED:
        return [when_decided(phase, zone)]
    game, paused = phase.game, opened.is_paused
    resumes_at = game.resume_at if paused else None
    until = due(phase.due_at, zone, game.timezone, now, paused=paused, resumes_at=resumes_at)
    return [*until, *_early(opened, zone, now)]


_SAID = "You said WAIT, so the phase stays open until its deadline. READY takes that back."
_NOTED = (
    "WAIT is noted for you, because your last mail left your orders in doubt. To end it, send "
    "better orders, or READY alone; otherwise the phase stays open until its deadline."
)


def _early(opened: _Now, zone: str, now: dt.datetime) -> list[str]:
    """Whether the phase is decided before its deadline, and what that depends on."""
    phase, at = opened.phase, opened.early_at
    if opened.is_paused or not (phase.game.process_early or phase.overdue_at):
        return []
    power = opened.seat.power
    word = opened.word
    if word and word.word == Readiness.Word.WAIT:
        return [_NOTED if word.noted else _SAID]
    all_in = "Nobody needs more time" if _owes(opened) else "All orders are in"
    if opened.is_too_late(now):
        return [
            f"{all_in}, so the phase is decided right away, and it is too late to change anything."
        ]
    if guesses := opened.book.guesses(power, word):
        ready = word is not None and word.word == Readiness.Word.READY
        return [guess_sentence(guesses, overdue=phase.overdue_at is not None, ready=ready)]
    if at:
        return [
            f"{all_in}, so the phase is decided {local_moment(at, zone)}, in "
            f"{time_left(at, now)}, unless somebody sends other orders or says WAIT. Until then "
            "you can change yours."
        ]
    return []


def due_in_subject(phase: Phase, timezone: str, now: dt.datetime) -> str:
    """When the phase is due, for a subject; "" if that is uncertain, or past."""
    moves = phase.game.status == Game.Status.PAUSED or phase.status not in UNFINISHED
    return "" if moves or not phase.due_at or phase.due_at <= now else brief(phase.due_at, timezone)


def what_stands(seat: Seat, phase: Phase) -> list[str]:
    """The orders that stand for a power, those missing, and those kept for later phases."""
    current = current_decisions(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    lines = current_text(current, step_of(phase.name)) or [
        f"{seat.power.name} has nothing to decide."
    ]
    lines += leave_given(current_leave(phase, seat.power))
    ask = [still_without(missing)] if 0 < len(missing) < len(current) else []
    return [*lines, "", *kept_for_later(seat), *ask]


def kept_for_later(seat: Seat) -> list[str]:
    """The later phases that we keep orders of the seat for; empty if there are none."""
    return kept_text(orders_kept(seat))


def kept_text(kept: Sequence[LaterOrders]) -> list[str]:
    """The same, for code that knows what we keep."""
    if not kept:
        return []
    titles = [one.phase_title for one in kept]
    return [f"We are keeping orders of yours for {listed(titles)}. PHASE alone shows them."]
