"""READY and WAIT: a power's word on processing before the deadline."""

from __future__ import annotations

from dataclasses import replace

from games.errors import WrongState
from games.models import UNFINISHED, Game, Readiness
from games.queries.reports.wording import counted
from games.services.ordering.readiness import PhaseMail, readiness_set, ready_take_back, wait_note
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call
from mailer.commands.receipt import Receipt
from mailer.commands.seats import phase_title, seat_and_phase
from mailer.commands.texts.prospects import outlook
from mailer.commands.texts.sentences import after_late, when_decided, zone_of
from mailer.identity.senders import Sender

_NOTED = {
    Readiness.Word.READY: "READY is noted: you need no more time.",
    Readiness.Word.WAIT: "WAIT is noted.",
}
_TAKEN_BACK = (
    "Your earlier READY no longer counts, because {lost}: send {them} again with READY, or READY "
    "alone if the game need not wait for {them}."
)
_KEPT_OPEN = (
    "Your earlier orders stand for every unit, but {lost}. So that the phase is not decided early "
    "without {them}, WAIT is noted for you until you send {them} again, or READY alone if the game "
    "need not wait for {them}."
)
_NOT_COUNTED = (
    "READY does not count, because {lost}: send {them} again with READY, or READY alone if the "
    "game need not wait for {them}."
)
_COPIED = (
    "READY does not count, because this is a copy of a mail whose orders no longer stand: write "
    "READY alone if you need no more time."
)
_ASKED = (
    "READY does not count beside a question about your own units: write READY alone once you need "
    "no more time."
)
_TENTATIVE = (
    "READY does not count, because you write that you may still change your orders: write READY "
    "alone once you need no more time."
)
_ELSEWHEN = (
    "READY does not count below the name of another phase: write READY alone if your orders are "
    "for {phase}."
)
_ELSEWHEN_SINCE = (
    "Your earlier READY no longer counts, because you named another phase: write READY alone if "
    "your orders are for {phase}."
)
_ASKED_SINCE = (
    "Your earlier READY no longer counts, because you ask about your own units: write READY again "
    "once you need no more time."
)


class Ready(PlayerCommand):
    name = "ready"
    aliases = ("nowait",)
    usage = "READY"
    summary = "you need no more time; process as soon as all are ready"
    help = (
        "Says that the game need not wait for you, even if some of your units have no order. It "
        "takes back an earlier WAIT, and says yes to orders in which we had to guess a name. It "
        "does not count in a mail with an order that we do not follow: send the order again with "
        "READY, or READY alone. Nor does it count next to a question about your own units, next to "
        "words that you may still change your orders, or below the name of another phase. Once all "
        "powers have ordered or are ready, the phase is decided, after the time that the game "
        "leaves for second thoughts."
    )
    secured = True
    for_seat = True
    follows_orders = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        before = [one.not_ready for one in arrival.so_far]
        if lost := sum(one.lost for one in before):
            return _refuse_ready(_not_ready(_NOT_COUNTED, lost), sender, arrival)
        if any(one.replaced for one in before):
            return _refuse_ready(_COPIED, sender, arrival)
        if any(one.asked for one in before):
            return _refuse_ready(_ASKED, sender, arrival)
        if any(one.tentative for one in before):
            return _refuse_ready(_TENTATIVE, sender, arrival)
        if any(one.elsewhen for one in before):
            said = _ELSEWHEN.format(phase=phase_title(seat_and_phase(sender)[1]))
            return _refuse_ready(said, sender, arrival)
        return _say(Readiness.Word.READY, sender, arrival)


class Wait(PlayerCommand):
    name = "wait"
    usage = "WAIT"
    summary = "do not process before the deadline"
    help = (
        "Keeps the phase open until its deadline, even if all orders are in. READY takes it back."
    )
    secured = True
    for_seat = True
    follows_orders = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        return _say(Readiness.Word.WAIT, sender, arrival)


def withheld(sent: PhaseMail, lost: int, *, orders: bool, status: bool) -> list[str]:
    """Keep the phase from being decided early without this many lines that we do not follow; return
    a sentence for each thing done.

    Without `orders` among them, nobody waits. With `status` the mail says anyway that WAIT is
    noted, unless the game is paused: then the sentence is "".
    """
    told = []
    if ready_take_back(sent):
        told.append(_not_ready(_TAKEN_BACK, lost))
        sent = replace(sent, seen=None)
    if orders and wait_note(sent):
        said = status and sent.phase.game.status != Game.Status.PAUSED
        told.append("" if said else _not_ready(_KEPT_OPEN, lost))
    return told


def asked_since(sent: PhaseMail) -> list[str]:
    """Take back the READY of somebody who now asks about their own units, and say so."""
    return [_ASKED_SINCE] if ready_take_back(sent) else []


def provisional(sent: PhaseMail) -> list[str]:
    """Keep the phase from being decided early on orders that their writer calls provisional.

    The mail says so anyway when it says how the power stands.
    """
    return [""] if wait_note(sent) else []


def for_this_phase(sent: PhaseMail) -> list[str]:
    """Keep the phase from being decided early on orders below the name of another phase; say so
    unless the mail does anyway."""
    was_ready = ready_take_back(sent)
    wait_note(replace(sent, seen=None) if was_ready else sent)
    return [_ELSEWHEN_SINCE.format(phase=phase_title(sent.phase))] if was_ready else []


def _not_ready(said: str, lost: int) -> str:
    """A sentence about READY in a mail with this many orders that came to nothing."""
    what = f"we do not follow {counted(lost, 'line')} of your orders"
    return said.format(lost=what, them="it" if lost == 1 else "them")


def _refuse_ready(why: str, sender: Sender, arrival: Arrival) -> Receipt:
    """Refuse READY in a mail that has orders we do not follow, or a question about orders: its
    writer wants the orders, or the answer."""
    seat, phase = seat_and_phase(sender)
    title = phase_title(phase)
    return Receipt(
        title=f"Your word for {seat.power.name}, {title}",
        text=why,
        subject=f"[{seat.power.game.name}] {title}: READY does NOT count",
        whole=False,
        outlook=outlook(seat, phase, sender, arrival.now),
    )


def _say(word: Readiness.Word, sender: Sender, arrival: Arrival) -> Receipt:
    seat, phase = seat_and_phase(sender)
    if phase.status not in UNFINISHED:
        when = when_decided(phase, zone_of(sender))
        raise WrongState(f"That came too late. {when}{after_late(phase.game)}")
    before = phase.readiness.filter(power=seat.power).values_list("word", flat=True).first()
    copied = (one.not_ready.copied for one in arrival.so_far)  # it was said when that came
    said_at = next(filter(None, copied), arrival.received_at)
    stands = readiness_set(seat=seat, phase=phase, word=word, now=arrival.now, said_at=said_at)
    said, noted = word.upper(), stands == word
    news = f"{phase_title(phase)}: {said} noted" if noted else f"NOT done: {said}"
    return Receipt(
        title=f"Your word for {seat.power.name}, {phase_title(phase)}",
        text=_note(word, before) if noted else _why_superseded(said, stands),
        subject=f"[{seat.power.game.name}] {news}",
        routine=noted,
        done=noted,
        outlook=outlook(seat, phase, sender, arrival.now, owed=True),
    )


def _note(word: Readiness.Word, before: str | None) -> str:
    """Say that the word counts, and which word it takes back: a mail may have both."""
    back = f" It takes back your {before.upper()}." if before and before != word else ""
    return _NOTED[word] + back


def _why_superseded(said: str, stands: str | None) -> str:
    """Why an earlier word no longer counts beside the newer one."""
    if stands is None:
        return f"The deadline has moved since this mail came, so please say {said} again."
    return f"You have said {stands.upper()} since this mail came, and that stands."
