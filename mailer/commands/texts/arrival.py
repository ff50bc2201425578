"""When the orders of a mail came, what they replace, and what to do if they came too late."""

from __future__ import annotations

import datetime as dt

from games.models import UNFINISHED, Game, Phase, Seat
from games.queries.orders.current_orders import followed_orders
from games.queries.reports.wording import counted, local_moment
from games.services.ordering.order_receipts import OrderReceipt
from mailer.commands.seats import phase_title
from mailer.commands.texts.pushed_out import pushed_out
from mailer.commands.texts.sentences import is_over, when_decided, zone_of
from mailer.identity.senders import Sender

_USED_LATE = (
    "Your mail reached us in time for {phase}, {came}, but we could use it only after the phase "
    "had been decided. That happens when a mailbox is slow to show a mail, or when a mail waits "
    "for your YES. {decided} Your orders are kept but change nothing. To ask whether the phase can "
    "be played again, write {ask} on a line of its own, and your text below it."
)

REPLACED = (
    " You wrote again after the deadline: if it moves, or the game waits for missing orders, what "
    "you wrote then counts instead."
)
"""Below orders that came in time, if we read them after something that came too late."""
_REPLACED_SINCE = (
    " Not all of its orders still stand; if you want them back, send them in a new mail."
)
LONG_ON_ITS_WAY = dt.timedelta(minutes=15)
"""Two clocks may differ by less than that."""
_WRITTEN_BEFORE = (
    "By its date you wrote this mail on {written}, before the orders of {since}, which stood until "
    "now. The mail that comes last counts, so it {does} them. If you want those instead, send them "
    "again."
)


def written_before(receipt: OrderReceipt, written_at: dt.datetime | None, zone: str) -> str:
    """That a mail replaces orders which its player may have written later; "" if it does not.

    The Date of a mail decides nothing: one of two devices may have a wrong clock, and a correction
    sent from it is meant.
    """
    since = receipt.since
    if written_at is None or since is None or not receipt.counts or receipt.duplicate:
        return ""
    if not written_at + LONG_ON_ITS_WAY < since < receipt.received_at:
        return ""
    if receipt.before == (*receipt.current, *receipt.leave):
        return ""
    return _WRITTEN_BEFORE.format(
        written=local_moment(written_at, zone),
        since=local_moment(since, zone),
        does="changes" if receipt.amend else "replaces",
    )


def was_in_time(receipt: OrderReceipt, phase: Phase) -> bool:
    """Whether a mail came before its phase was decided, but we could use it only afterwards."""
    if phase.processed_at is None or receipt.received_at >= phase.processed_at:
        return False
    last = phase.due_at + phase.game.transit_grace if phase.due_at else phase.processed_at
    return receipt.received_at <= last


def arrival(receipt: OrderReceipt, phase: Phase, sender: Sender) -> list[str]:
    """When an order set came, and what it changes about the power's earlier orders; one
    paragraph."""
    came = local_moment(receipt.received_at, zone_of(sender))
    if receipt.late and was_in_time(receipt, phase):
        return [
            _USED_LATE.format(
                phase=receipt.phase_title,
                came=came,
                decided=when_decided(phase, zone_of(sender)),
                ask="PRESS TO GM" if phase.game.gm_id else "MODERATOR",
            )
        ]
    if receipt.late:
        came += _seconds_late(receipt, phase)
        unless = " unless the deadline moves or the game waits for missing orders"
        kept = "Your orders are kept but change nothing"
        kept += f"{unless}." if phase.status in UNFINISHED else "."
        return [
            f"Your orders came too late for {receipt.phase_title}. Your mail reached us {came}. "
            f"{when_decided(phase, zone_of(sender))} {kept}"
        ]
    return [_came_in_time(receipt, came) + (REPLACED if receipt.replaced else "")]


def _came_in_time(receipt: OrderReceipt, came: str) -> str:
    """When orders came that were in time, and what they change about earlier ones."""
    if receipt.duplicate:
        since = "" if _stands_whole(receipt) else _REPLACED_SINCE
        return f"We have this mail already; it came {came}. Nothing has changed.{since}"
    if not receipt.counts:
        return f"Your mail came {came}. Whatever you sent before still stands."
    if not _stands(receipt):
        how = "Orders of yours that came after them stand in their place."
    elif not any(order for _, order in receipt.before):
        how = "They are the first that you have sent for this phase."
    elif pushed_out(receipt):
        how = "They come before your earlier orders, which stay as far as there is room for them."
    elif receipt.amend:
        how = "They change your earlier orders for the units they name; the others stay."
    else:
        how = "They replace whatever you sent before for this phase."
    return f"Your orders came {came}. {how}"


def _seconds_late(receipt: OrderReceipt, phase: Phase) -> str:
    """How many seconds a mail came too late, if both times would read the same; otherwise
    nothing."""
    closed_at = min(filter(None, (phase.due_at, phase.processed_at)), default=receipt.received_at)
    seconds = int((receipt.received_at - closed_at).total_seconds())
    return f", {counted(seconds, 'second')} too late" if 0 < seconds < 60 else ""


def _stands(receipt: OrderReceipt) -> bool:
    """Whether any order of the set stands: a held mail may be read when newer ones are in."""
    current = {order for _, order in (*receipt.current, *receipt.leave)}
    return any(line.counts and line.order in current for line in receipt.lines)


def _stands_whole(receipt: OrderReceipt) -> bool:
    """Whether all orders of the set stand."""
    current = {order for _, order in (*receipt.current, *receipt.leave)}
    return all(line.order in current for line in receipt.lines if line.counts)


def fits_open_phase(receipt: OrderReceipt, phase: Phase, current: Phase | None) -> bool:
    """Whether orders that came too late, none of which we could follow, are for the phase that is
    open now: their player answered an old mail."""
    if current is None or current.pk == phase.pk or any(line.is_used for line in receipt.lines):
        return False
    texts = [line.text for line in receipt.lines]
    return bool(followed_orders(current, receipt.power, texts))


def after_late(seat: Seat, phase: Phase, current: Phase | None, *, fits: bool) -> list[str]:
    """What to do now, for orders that came too late: `current` is the phase open by now, and `fits`
    says whether they may be meant for it."""
    if current is None:
        return [is_over(seat.power.game)]
    if current.pk == phase.pk:
        if phase.game.when_missing == Game.WhenMissing.HOLD:
            return ["The phase is about to be processed; its results come by mail."]
        return ["Our next mail says whether the game waits, or the phase has been processed."]
    if fits:
        return [
            f"You answered a mail of that phase, but what you wrote fits {phase_title(current)}, "
            "which is open now. Send it once more, in a reply to this mail, and it counts."
        ]
    return [
        f"The phase is now {phase_title(current)}. To order for it, reply to this mail or to the "
        "newest mail about the game."
    ]
