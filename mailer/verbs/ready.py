"""READY and WAIT: a power's word on processing before the deadline."""

from __future__ import annotations

from games.models import Game, Readiness
from games.services.orders import readiness_set
from mailer.identity import Sender
from mailer.script import Call
from mailer.verbs.base import Arrival, Receipt, Verb
from mailer.verbs.seats import phase_title, seat_and_phase
from mailer.verbs.sentences import due, zone_of

_READY = (
    "READY is noted: the game need not wait for you. You can still send other orders until the "
    "phase is processed."
)


class Ready(Verb):
    name = "ready"
    usage = "READY"
    summary = "you need no more time: process as soon as all are ready"
    help = (
        "Says that the game need not wait for you, even if some unit of yours has no order. It "
        "takes back an earlier WAIT. When all powers have ordered or are ready, the phase is "
        "processed at once."
    )
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        return _say(Readiness.Word.READY, sender, arrival, _READY)


class Wait(Verb):
    name = "wait"
    usage = "WAIT"
    summary = "do not process before the deadline"
    help = (
        "Keeps the phase open until its deadline, even if all orders are in. READY takes it back."
    )
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        return _say(
            Readiness.Word.WAIT,
            sender,
            arrival,
            "WAIT is noted: the phase stays open until its deadline, unless you write READY.",
        )


def _say(word: Readiness.Word, sender: Sender, arrival: Arrival, text: str) -> Receipt:
    seat, phase = seat_and_phase(sender)
    readiness_set(seat=seat, phase=phase, word=word, now=arrival.now)
    phase.refresh_from_db()
    said = str(word.value).upper()
    soon = "All are ready, so the phase is processed right away."
    paused = phase.game.status == Game.Status.PAUSED
    until = due(phase.due_at, zone_of(sender), phase.game.timezone, arrival.now, paused=paused)
    when = soon if phase.all_in_at and not paused else "\n".join(until)
    return Receipt(
        title=f"{said} noted for {seat.power.name}, {phase_title(phase)}",
        text=f"{text}\n{when}",
        subject=f"[{seat.power.game.name}] {phase_title(phase)}: {said} noted",
    )
