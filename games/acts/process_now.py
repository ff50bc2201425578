"""Adjudicate the open phase whatever the deadline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import WhyIfYouLike
from games.acts.powers import in_disorder
from games.acts.sentences import from_now, title_of, who_is_told
from games.errors import OurFault
from games.events import PhaseProcessed
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.board import phase_title, step_of
from games.queries.lookup import open_phase
from games.queries.orders.current_orders import deciding
from games.queries.orders.waiting import missing_powers, powers_not_in
from games.queries.reports.wording import listed
from games.services.adjudication.phases import phase_process_now
from games.services.told import waits_for_mails

WITHOUT_ORDERS = {
    "M": "units without an order hold",
    "R": "dislodged units without an order are disbanded",
    "A": "missing builds are waived, and missing disbands chosen by the rules",
}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: WhyIfYouLike = ""


class ProcessNow(GameAct[Parameters]):
    name = "process_now"
    title = "Process now"
    help = "Adjudicate the open phase with the orders that are in, whatever the deadline."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    undo = "Only “Roll back” undoes it, and by then everybody has seen the results."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        disorder = set(in_disorder(subject))
        to_order = _but(deciding(phase), disorder)
        owing = _but(powers_not_in(phase), disorder)
        silent = _but(missing_powers(phase), disorder)
        said = [f"{title_of(phase)} is adjudicated at once."]
        if phase.due_at and phase.due_at > now:
            said += [f"Its deadline is {from_now(phase.due_at, subject, now)}."]
        if waits_for_mails(phase):
            said += [
                "It waits because we could not send most of its players our mails about it in "
                "time. We excuse all who miss it for that reason."
            ]
        said += [_how_many_are_in(len(to_order) - len(owing), of=len(to_order))]
        if owing:
            said += [_missing(owing, silent)]
            said += [f"Nobody waits for missing orders: {WITHOUT_ORDERS[step_of(phase.name)]}."]
        if disorder:
            said += [f"In civil disorder: {listed(sorted(disorder))}."]
        return [*said, who_is_told(subject, now)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        event = phase_process_now(game_id=subject.pk, now=now, why=given.why, by=by.name)
        if event is None:
            broken = open_phase(subject)
            raise OurFault(
                f"The game {subject.name} could not be adjudicated. The fault is ours, and the "
                "server's log describes it. Nothing has changed, and no orders are lost. At the "
                "deadline we try again; if that fails, too, we tell whoever runs the server.",
                broke=broken.error if broken else "",
            )
        said = PhaseProcessed.of(event)
        return Done(f"Processed {phase_title(said.phase)} of {subject.name}. {_after(said)}")


def _after(said: PhaseProcessed) -> str:
    if said.next:
        return f"Next is {phase_title(said.next)}."
    return f"{said.winner} has won the game." if said.winner else "The game is over."


def _how_many_are_in(ready: int, of: int) -> str:
    """Say how many of the powers that decide something have sent all their orders."""
    if not ready:
        return "No power has sent all its orders."
    if ready == of:
        return "All orders are in."
    return f"All orders are in from {ready} of {of} powers."


def _missing(owing: list[str], silent: list[str]) -> str:
    """Return who has not ordered every unit, and which of them have sent nothing: two lists, each
    read once."""
    if owing == silent:
        return f"Nothing at all has come from {listed(silent)}."
    but = f" Nothing at all has come from {listed(silent)}." if silent else ""
    return f"Orders are missing from {listed(owing)}.{but}"


def _but(powers: Iterable[str], others: Collection[str]) -> list[str]:
    return [power for power in powers if power not in others]
