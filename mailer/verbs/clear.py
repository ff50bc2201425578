"""CLEAR: whatever was ordered in this phase is taken back."""

from __future__ import annotations

from games.services.orders import orders_clear
from mailer.identity import Sender
from mailer.script import Call
from mailer.verbs.account import what_stands
from mailer.verbs.base import Arrival, Receipt, Verb
from mailer.verbs.orders import note_mail
from mailer.verbs.seats import phase_title, seat_and_phase


class Clear(Verb):
    name = "clear"
    usage = "CLEAR"
    summary = "take back all your orders for this phase"
    help = (
        "Takes back whatever you have ordered for this phase, as if you had sent nothing. Orders "
        "below it in the same mail are new ones and count."
    )
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        done = orders_clear(
            seat=seat,
            phase=phase,
            received_at=arrival.received_at,
            source=arrival.source,
            now=arrival.now,
        )
        note_mail(seat, phase, arrival)
        title = f"[{seat.power.game.name}] {phase_title(phase)}"
        if not done:
            return Receipt(
                title="Too late",
                text=f"{phase_title(phase)} was over when your mail came. Nothing has changed.",
                done=False,
                subject=f"{title}: too late",
            )
        return Receipt(
            title="Your orders are taken back",
            text="\n".join(
                ["Your orders are taken back.", "", *what_stands(seat, phase, sender, arrival)]
            ),
            subject=f"{title}: your orders are taken back",
        )
