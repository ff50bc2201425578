"""Answers to a mail with orders, or with the word ORDERS alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.queries.reports.wording import counted
from games.services.ordering.order_receipts import LineReceipt, OrderReceipt
from games.services.ordering.readiness import PhaseMail
from mailer.commands.lines.fair_share import MOST_LETTERS, MOST_LINES
from mailer.commands.orders.for_other_phases import other_phases
from mailer.commands.orders.viewpoint import NONSENSE
from mailer.commands.player.clock.ready import asked_since, for_this_phase, provisional, withheld
from mailer.commands.player.ordering.wanted import Wanted
from mailer.commands.receipt import Enclosures, NotReady, OrderProof, Receipt
from mailer.commands.seats import phase_title
from mailer.commands.texts.arrival import written_before
from mailer.commands.texts.order_lines import like_orders, lost_orders
from mailer.commands.texts.order_receipt import account, examples, news_of, unread_verdict, verdict
from mailer.commands.texts.prospects import Ordering, order_outlook, outlook, what_stands
from mailer.commands.texts.pushed_out import pushed_out
from mailer.commands.texts.sentences import zone_of
from mailer.models import OrderMail
from mailer.outbound.buttons import CHANGE, Button
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.quotes import Line

_TOO_LONG = (
    f"We read the first {MOST_LINES} lines of orders in a mail, and at most {MOST_LETTERS:,} "
    "letters of them, so we stopped reading yours at the line “{}”. If there were orders below, "
    "please send them in another mail, with AMEND on its first line."
)


def answer_to_orders(
    ordering: Ordering, receipt: OrderReceipt, wanted: Wanted, *, asked: bool, tentative: bool
) -> Receipt:
    """The answer to orders that we have taken.

    `asked` and `tentative` say that the mail asks about its orders, or calls them provisional.
    """
    seat, phase, arrival = ordering.seat, ordering.phase, ordering.arrival
    lines, unread = wanted.lines, wanted.unread
    more: list[str] = []
    if unread:
        is_cut = wanted.too_long
        more += ["", _TOO_LONG.format(unread[0].text) if is_cut else _nonsense(unread, ordering)]
    whole = [] if receipt.counts else lines  # a wish to change orders may be in two parts
    not_followed = lost_orders(receipt, unread, whole)
    named = other_phases([one.text for one in lines], phase.name)
    elsewhen = bool(receipt.counts and named and not receipt.late)
    sent = PhaseMail(seat, phase, arrival.received_at, arrival.now, receipt.seen)
    unused: Sequence[Line | LineReceipt] = [*receipt.unused, *unread, *whole]
    kept = _keep_open(sent, not_followed, unused, elsewhen=elsewhen, asked=asked)
    kept = kept or (provisional(sent) if receipt.counts and tentative else ())
    more += [line for why in kept if why for line in ("", why)]
    receipt = replace(receipt, seen=None) if kept or elsewhen else receipt
    unready = NotReady(not_followed, asked, elsewhen)
    answer = _without_words(receipt, unready, arrival.mail_id, is_read=not unread)

    def said(receipt: OrderReceipt, lines: Sequence[Line], besides: str = "") -> Receipt:
        text = [*account(receipt, lines, seat, phase, ordering.sender), *more]
        news = verdict(receipt, phase, unread, due=ordering.due, besides=besides)
        subject = f"[{receipt.game}] {receipt.phase_title}: {news}"
        whole = replace(answer, text="\n".join(text), subject=subject)
        return whole if receipt.late else _with_prospects(whole, receipt, ordering)

    def beside(told: frozenset[int], news: str) -> Receipt:
        rest = [one for one in receipt.lines if one.number not in told or not _is_talk(one)]
        numbers = {one.number for one in rest}
        left = [one for one in lines if one.number in numbers or one.number not in told]
        return said(replace(receipt, lines=tuple(rest)), left, news)

    return replace(said(receipt, lines), beside=beside)


def _without_words(
    receipt: OrderReceipt, unready: NotReady, mail_id: int, *, is_read: bool
) -> Receipt:
    """The answer apart from what it says; `is_read` when every line could be read."""
    kept = receipt.kept
    return Receipt(
        title=f"Your orders for {receipt.power}, {receipt.phase_title}",
        text="",
        came_in=OrderMail(order_set_id=kept, mail_id=mail_id) if kept else None,
        done=receipt.counts,
        idle=not (receipt.counts or receipt.duplicate),
        not_ready=replace(
            unready,
            replaced=_is_replaced(receipt),
            copied=receipt.received_at if receipt.duplicate else None,
        ),
        whole=is_read and not (receipt.missing or receipt.unused or pushed_out(receipt)),
        routine=True,
    )


def _is_talk(line: LineReceipt) -> bool:
    """Whether the line is no order, and looks like none."""
    return line.kind == "unreadable" and not looks_like_order(line.text)


def _is_replaced(receipt: OrderReceipt) -> bool:
    """Whether these orders came before, and have been replaced or taken back since."""
    since = receipt.since
    return receipt.duplicate and (since is None or since > receipt.received_at)


def answer_to_nonsense(ordering: Ordering, unread: Sequence[Line]) -> Receipt:
    """The answer to a mail without a single order, so that we stopped reading."""
    seat, phase = ordering.seat, ordering.phase
    title, until = phase_title(phase), ordering.due
    stands = ["", f"These orders stand for {seat.power.name} in {title}:", ""]
    return Receipt(
        title="Your orders were not read",
        text="\n".join([_nonsense(unread, ordering), *stands, *what_stands(seat, phase)]),
        done=False,
        not_ready=NotReady(lost=like_orders(unread)),
        subject=f"[{seat.power.game.name}] {title}: {unread_verdict(seat, phase)}"
        + (f"; due {until}" if until else ""),
        idle=True,
        outlook=order_outlook(
            ordering,
            news="We found no orders in your mail, so nothing has changed.",
            nothing_new=True,
        ),
    )


def answer_with_current_orders(ordering: Ordering) -> Receipt:
    """The answer to somebody who orders nothing: the orders that stand."""
    seat, phase = ordering.seat, ordering.phase
    power, title = seat.power.name, phase_title(phase)
    return Receipt(
        title=f"Your current orders for {power}, {title}",
        text="\n".join(what_stands(seat, phase)),
        subject=f"[{seat.power.game.name}] {title}: what stands for {power}",
        routine=True,
        outlook=outlook(seat, phase, ordering.sender, ordering.arrival.now),
        proves=OrderProof(phase, seat.power),
    )


def _keep_open(
    sent: PhaseMail,
    not_followed: int,
    unused: Sequence[Line | LineReceipt],
    *,
    elsewhen: bool,
    asked: bool,
) -> Sequence[str]:
    """Keep the phase from being decided early if the mail leaves something open; return what we say
    about that.

    `unused` are the lines among which this many are not followed.
    """
    if not_followed:
        return withheld(sent, not_followed, orders=like_orders(unused) > 0, status=True)
    if elsewhen:
        return for_this_phase(sent)
    return asked_since(sent) if asked else ()


def _with_prospects(answer: Receipt, receipt: OrderReceipt, ordering: Ordering) -> Receipt:
    """The answer to orders in time, with how the power stands now."""
    seat, phase, arrival = ordering.seat, ordering.phase, ordering.arrival
    seen = receipt.seen if arrival.alone else None
    older = written_before(receipt, arrival.written_at, zone_of(ordering.sender))
    return replace(
        answer,
        enclosed=Enclosures(buttons=_buttons(receipt)),
        proves=OrderProof(phase, seat.power, seen.book if seen else None),
        outlook=order_outlook(
            ordering,
            news=" ".join(filter(None, [news_of(receipt), older])),
            nothing_new=answer.idle,
            seen=seen,
        ),
    )


def _buttons(receipt: OrderReceipt) -> list[Button]:
    """The current orders on a button, to be changed and sent again."""
    orders = [order or f"{what} " for what, order in receipt.current if order or what[1:2] == " "]
    return [Button(CHANGE, "\n".join([*orders, ""]))] if orders else []


def _nonsense(lines: Sequence[Line], ordering: Ordering) -> str:
    return "\n".join(
        [
            f"We stopped reading your mail at the line “{lines[0].text}”, because "
            f"{counted(NONSENSE, 'line')} in a row were not orders. If there were orders below, "
            "please send them alone.",
            "",
            *examples(ordering.seat, ordering.phase),
        ]
    )
