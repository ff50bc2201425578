"""How an open phase stands for one power, when everything in a mail is done: its orders, when the
phase is decided, and what can still be changed."""

from __future__ import annotations

import datetime as dt
import functools

from games.board import step_of
from games.models import UNFINISHED, Game, Phase, Readiness, Seat
from games.queries import lookup
from games.queries.current_orders import early_at, unconfirmed
from mailer.commands.receipt import Outlook
from mailer.commands.seats import phase_title
from mailer.commands.texts.sentences import decided, due, zone_of
from mailer.inbound.senders import Sender
from mailer.notices.sections import guessed, slashed
from mailer.text import moment, time_left

HOW_TO_CHANGE = (
    "To change something, reply with your orders again, or with AMEND on a line of its own and "
    "only what is new. Your latest set counts."
)


def outlook(seat: Seat, phase: Phase, sender: Sender, now: dt.datetime) -> Outlook:
    """When the phase is decided, as it stands after all commands of the mail."""
    return Outlook(_key(seat, phase), functools.partial(_decision, seat, phase, sender, now))


def order_outlook(
    seat: Seat, phase: Phase, sender: Sender, now: dt.datetime, *, news: str, is_asked: bool = False
) -> Outlook:
    """The same above the receipt of orders, with the orders that stand; `news` goes before it all.

    With `is_asked` nothing was ordered, so that it need not be told how to change it.
    """

    def words() -> list[str]:
        first, *rest = status(seat, phase)
        return [f"{news} {first}".strip(), *rest, *_decision(seat, phase, sender, now)]

    def closing() -> list[str]:
        return [] if is_asked or _is_too_late(_now_read(phase), now) else [HOW_TO_CHANGE]

    return Outlook(_key(seat, phase), words, leads=True, closing=closing)


def _key(seat: Seat, phase: Phase) -> str:
    return f"phase {phase.pk} of seat {seat.pk}"


def _now_read(phase: Phase) -> Phase:
    """The phase now: commands of the same mail may have had it decided."""
    return Phase.objects.select_related("game").get(pk=phase.pk)


def status(seat: Seat, phase: Phase) -> list[str]:
    """How many of a power's decisions are made, and which are not: how a receipt begins."""
    power, current = seat.power.name, lookup.standing_orders(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    total, done = len(current), len(current) - len(missing)
    if not total:
        return [f"{power} has nothing to decide in {phase_title(phase)}."]
    if step_of(phase.name) == "A":
        return [f"{power} has chosen {done} of {total} {current[0][0].split()[0].lower()}s."]
    if not missing:
        return [f"{power} has an order for every unit."]
    return [f"{power} has orders for {done} of {total} units.", still_without(missing)]


def still_without(missing: list[str]) -> str:
    """Which units have no order yet."""
    return f"Still without an order: {slashed(missing)}."


def _decision(seat: Seat, phase: Phase, sender: Sender, now: dt.datetime) -> list[str]:
    phase = _now_read(phase)
    zone, game = zone_of(sender), phase.game
    if phase.status not in UNFINISHED:
        return [decided(phase, zone)]
    until = due(phase.due_at, zone, game.timezone, now, paused=_is_paused(phase))
    return [*until, *_early(seat, phase, zone, now)]


def _is_paused(phase: Phase) -> bool:
    return phase.game.status == Game.Status.PAUSED


def _is_too_late(phase: Phase, now: dt.datetime) -> bool:
    """Whether nothing can be changed any more, as the phase is over or decided right away."""
    at = early_at(phase)
    is_due = at is not None and at <= now and not _is_paused(phase)
    return is_due or phase.status not in UNFINISHED


def _early(seat: Seat, phase: Phase, zone: str, now: dt.datetime) -> list[str]:
    """Whether the phase is decided before its deadline, and on what that hangs."""
    title = phase_title(phase)
    if _is_paused(phase) or not (phase.game.process_early or phase.overdue_at):
        return []
    word = phase.readiness.filter(power=seat.power).first()
    if word and word.word == Readiness.Word.WAIT:
        return [f"You said WAIT, so {title} stays open until its deadline. READY takes that back."]
    if _is_too_late(phase, now):
        return [
            f"All orders are in, so {title} is decided right away, and nothing can be changed any "
            "more."
        ]
    if guesses := unconfirmed(phase, seat.power, word):
        return [guessed(guesses)]
    if at := early_at(phase):
        return [
            f"All orders are in, so {title} is decided {moment(at, zone)}, in "
            f"{time_left(at, now)}, unless somebody sends other orders or says WAIT. Until then "
            "you can change yours."
        ]
    return []
