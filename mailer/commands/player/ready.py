"""READY and WAIT: a power's word on processing before the deadline."""

from __future__ import annotations

from games.errors import WrongState
from games.models import UNFINISHED, Readiness
from games.services.orders import readiness_set
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Call
from mailer.commands.seats import phase_title, seat_and_phase
from mailer.commands.texts.prospects import outlook
from mailer.commands.texts.sentences import decided, zone_of
from mailer.identity.senders import Sender

_READY = "READY is noted: you need no more time."


class Ready(Verb):
    name = "ready"
    usage = "READY"
    summary = "you need no more time: process as soon as all are ready"
    help = (
        "Says that the game need not wait for you, even if some unit of yours has no order. It "
        "takes back an earlier WAIT, and says yes to orders in which we had to guess at a name. "
        "When all powers have ordered or are ready, the phase is decided: after the time that the "
        "game leaves for second thoughts."
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
            "WAIT is noted.",
        )


def _say(word: Readiness.Word, sender: Sender, arrival: Arrival, text: str) -> Receipt:
    seat, phase = seat_and_phase(sender)
    if phase.status not in UNFINISHED:
        raise WrongState(f"That came too late. {decided(phase, zone_of(sender))}")
    readiness_set(seat=seat, phase=phase, word=word, now=arrival.now)
    said = str(word.value).upper()
    return Receipt(
        title=f"Your word for {seat.power.name}, {phase_title(phase)}",
        text=text,
        subject=f"[{seat.power.game.name}] {phase_title(phase)}: {said} noted",
        routine=True,
        outlook=outlook(seat, phase, sender, arrival.now),
    )
