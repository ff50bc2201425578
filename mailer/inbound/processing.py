"""A mail: read, told who wrote it, carried out, answered; all of it or nothing.

Each attempt is counted before the mail is opened (`mailer/inbound/retries.py`). Mails that wait are
worked on several in a transaction, each in a savepoint; what does not go through there is worked on
once more, in the end by itself.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import time
from collections.abc import Iterator, Mapping, Sequence

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from games.errors import fault
from games.services.addresses import address_works
from games.services.cleaned import EMAIL_LENGTH
from games.services.working import working_on
from mailer.commands.base import Arrival
from mailer.commands.calls import Call
from mailer.commands.gm.mail import to_confirm
from mailer.commands.greeted import read_with_greetings
from mailer.commands.player.signon import signed_on
from mailer.cores import Cores
from mailer.identity import identify
from mailer.identity.senders import Answering, AnsweringGm, Proof, Sender
from mailer.inbound import bounces, complaints, held, retries, turns
from mailer.inbound.admission import why_doubted, why_dropped, why_held, without_refused
from mailer.inbound.closing import Closing
from mailer.inbound.opened import Opened, earlier, only_orders, opened
from mailer.inbound.other_games import not_for
from mailer.inbound.receipts import receipts_of
from mailer.inbound.requests import calls_of, without_prose
from mailer.letter import Letter
from mailer.models import InboundMail
from mailer.outbound import addresses, probe
from mailer.outbound.tokens import ForHeldMail
from mailer.replies import budget
from mailer.replies.questions import ask_address
from mailer.replies.reply import reply

logger = logging.getLogger(__name__)

LONGEST_WAIT = 100
"""Milliseconds for which one of several mails waits for a game that another worker has: about as
long as that has it, so that few have to be undone. With 10, eight workers needed a tenth more."""
State = InboundMail.State
_CORES = Cores()


def process_inbound(*, now: dt.datetime, limit: int) -> int:
    """Works on up to `limit` stored mails, one of each sender and then the next; how many were
    carried through."""
    states: list[State | None] = []
    seen, begun = set[int](), time.monotonic()
    while len(states) < limit:
        with contextlib.nullcontext() if settings.CHECK_DKIM else _CORES.one():  # it asks the DNS
            fresh = [pk for pk in turns.next_turn(now) if pk not in seen][: limit - len(states)]
            states += _each(fresh, now, begun)
        if not fresh:  # others are at what is left
            break
        seen.update(fresh)
    return sum(state not in (None, State.LATER) for state in states)


def _each(mails: Sequence[int], now: dt.datetime, begun: float) -> Iterator[State | None]:
    """Works on those of these mails that nobody else takes; the state of each afterwards."""
    left = list(mails)
    while left and (claims := retries.claimed_first(left, now=now + _since(begun))):
        for pk, state in _carried_out_together(dict(claims), now):
            left.remove(pk)
            yield state
    for pk in turns.left_by_the_dead(left, now=now) if left else ():
        yield process_mail(mail_id=pk, now=now, begun=begun)


def _since(begun: float) -> dt.timedelta:
    """How long a worker is at it, in whole seconds."""
    return dt.timedelta(seconds=int(time.monotonic() - begun))


def _carried_out_together(
    claims: dict[int, bytes], now: dt.datetime
) -> Iterator[tuple[int, State | None]]:
    """Works on claimed mails, together as long as some of them go through, then one by one."""
    while done := _done_together(claims, now):
        yield from done.items()
        claims = {pk: raw for pk, raw in claims.items() if pk not in done}
    for pk, raw in claims.items():
        yield pk, _attempt(pk, raw, now)


def _done_together(claims: Mapping[int, bytes], now: dt.datetime) -> dict[int, State | None]:
    """Works on claimed mails in one transaction; the states of those that went through.

    The disk is flushed once for twenty, and what nobody reads in between is read and written once:
    each takes a third less time than alone. What breaks here, or waits too long for what another
    has locked, is undone by its savepoint; all is, when the transaction itself is lost. Where one
    may have taken an address from its owner, or the like, the next ones are read anew.
    """
    done: dict[int, State | None] = {}
    if len(claims) < 2 or settings.CHECK_DKIM:  # that asks the DNS: not while games are locked
        return done
    try:
        letters = {pk: read_with_greetings(raw) for pk, raw in claims.items()}
        with transaction.atomic():
            _wait_for_nobody_long()
            found, closing = opened(letters, now=now), Closing()
            done.update(dict.fromkeys(letters.keys() - found.keys()))
            for pk, mail in found.items():
                stale = closing.more or State.REPORT in done.values()
                try:
                    with transaction.atomic():
                        mail = opened({pk: letters[pk]}, now=now)[pk] if stale else mail
                        done[pk], left = _carried_through(mail, letters[pk], now)
                    closing.add(left)
                except Exception as error:
                    logger.info("Mail #%s is to be worked on once more: %s", pk, fault(error))
                    if transaction.get_rollback():  # not even its savepoint could be undone
                        raise
            closing.write()
    except Exception as error:
        logger.warning("Mails taken together are worked on one by one: %s", fault(error))
        done.clear()
    return done


def _wait_for_nobody_long() -> None:
    """Has this transaction fail where it would wait longer for a lock: others wait for the locks
    that it has, and it might be for one of theirs."""
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {LONGEST_WAIT}")


def process_mail(*, mail_id: int, now: dt.datetime, begun: float | None = None) -> State | None:
    """Works on one mail; its state afterwards, or None when it broke or another worker has it.

    `begun` is the monotonic clock at `now`. The time that a worker has a mail for itself counts
    from when it took that mail, not from when it took the first of many.
    """
    passed = _since(begun) if begun is not None else dt.timedelta()
    raw = retries.claimed(mail_id=mail_id, now=now + passed)
    return None if raw is None else _attempt(mail_id, raw, now)


def _attempt(mail_id: int, raw: bytes, now: dt.datetime) -> State | None:
    """Works on a mail that is claimed; None when it broke or has been worked on since."""
    with working_on(mail=mail_id):
        try:
            if settings.CHECK_DKIM:  # few do, and what it needs takes a fifth of each start to load
                check = import_string("mailer.inbound.dkim_check.note_signatures")
                check(mail_id=mail_id, now=now)
            letter = read_with_greetings(raw)
            with transaction.atomic():
                found = opened({mail_id: letter}, now=now)
                if not found:
                    return None
                state, left = _carried_through(found[mail_id], letter, now)
                left.write()
            return state
        except Exception as error:
            logger.exception("Mail #%s broke the program", mail_id)
            retries.failed(mail_id=mail_id, error=error, now=now)
            return None


def _carried_through(found: Opened, letter: Letter, now: dt.datetime) -> tuple[State, Closing]:
    """All that there is to do about a mail but for what is returned, which is left to write."""
    closing = Closing()
    with working_on(mail=found.mail.pk):
        _work(found, letter, now, closing)
    return State(found.mail.state), closing


def _work(found: Opened, letter: Letter, now: dt.datetime, closing: Closing) -> None:
    mail = found.mail
    _note_facts(mail, letter)
    if letter.report and (lost := bounces.mail_reported(letter)):
        mail.settle(State.REPORT, note=bounces.take_report(mail, lost, letter.report, now), now=now)
        return
    if letter.complaint and (disliked := complaints.mail_complained_of(letter)):
        note = complaints.take(mail, disliked, letter.complaint, now)
        mail.settle(State.REPORT, note=note, now=now)
        return
    if probed := probe.came_back(letter.message_id) if _is_ours(letter) else None:
        mail.bounce_of = probed
        note = "We wrote it to ourselves, to see how long it takes."
        mail.settle(State.IGNORED, note=note, now=now)
        return
    if why := _not_for_us(found, letter):
        mail.settle(State.IGNORED, note=why, now=now)
        return
    signed_by = mail.signed_by.split()
    sender = identify.identify(
        letter, received_at=mail.received_at, signed_by=signed_by, tokens=found.tokens
    )
    mail.player, mail.proof = sender.player, sender.proof.name.lower()
    calls = calls_of(letter, sender)
    sender = signed_on(sender, calls)
    if why := why_dropped(letter, calls, sender):
        mail.settle(State.IGNORED, note=why, now=now)
        return
    if sender.proof is not Proof.NONE and found.address_fails:
        address_works(email=sender.email, at=mail.received_at)
    if letter.sender is None:
        held.hold(mail, letter, sender, why_held(sender, calls), calls, now)
        return
    worked_on = found.unproved if sender.proof is Proof.NONE else found.proved
    if until := budget.full_until(sender, now, worked_on):  # it holds up no deadline meanwhile
        budget.say_later(mail, sender, now)
        mail.put_off(until, note="Kept for later: too many from this sender in an hour.")
        return
    _work_for(found, letter, sender, calls, now, closing)


def _work_for(
    found: Opened,
    letter: Letter,
    sender: Sender,
    calls: Sequence[Call],
    now: dt.datetime,
    closing: Closing,
) -> None:
    """Holds the mail of a known sender, or carries it out and answers it."""
    mail, doubt = found.mail, why_doubted(letter, sender, calls)
    expected = [] if doubt or sender.gm is None else to_confirm(calls, sender.gm, now)
    if sender.gm and (doubt or expected) and (game := held.game_asked(calls, sender.gm, now)):
        held.hold_for_gm(mail, sender.gm, game, doubt, calls, expected, now)
    elif doubt:
        held.hold(mail, letter, sender, doubt, calls, now)
    elif why := why_held(sender, without_refused(calls, sender, Arrival.of(mail, letter, now))):
        held.hold(mail, letter, sender, why, calls, now)
    else:
        _carry_out(found, letter, sender, calls, now, closing)


def _carry_out(
    found: Opened,
    letter: Letter,
    sender: Sender,
    calls: Sequence[Call],
    now: dt.datetime,
    closing: Closing,
) -> None:
    """Does what a mail asks for, or what a held one asked for which it sets free; answers it."""
    closing.more = not only_orders(sender, calls)
    match sender:
        case Answering(question=ForHeldMail() as question) | AnsweringGm(question=question):
            letter, sender, receipts = held.answered(letter, sender, question, calls, now)
        case _:
            receipts = receipts_of(letter, calls, sender, Arrival.of(found.mail, letter, now))
            receipts += not_for(sender, found.tokens)
            letter = without_prose(letter, calls)
    mail, to = found.mail, found.answered(sender, calls)
    answers = reply(mail=mail, letter=letter, sender=sender, receipts=receipts, now=now, to=to)
    for receipt in receipts:
        if receipt.asks:
            ask_address(mail=mail, address=receipt.asks, now=now)
    note = "" if answers else "Not answered: this address had too many answers today."
    mail.decide(State.DONE, note=note, now=now)
    closing.answers.extend(answers)
    closing.orders.extend(receipt.came_in for receipt in receipts if receipt.came_in)
    closing.done.append(mail)


def _note_facts(mail: InboundMail, letter: Letter) -> None:
    mail.message_id = letter.message_id[:255]
    mail.sender = (letter.sender or "")[:EMAIL_LENGTH]
    mail.subject = letter.subject[:255]
    mail.error = ""


def _not_for_us(found: Opened, letter: Letter) -> str:
    """Why nothing is done with a mail and nobody answers it; empty for an ordinary mail."""
    if letter.mark and letter.mark.is_report:
        return f"A program wrote it: {letter.mark.reason}."
    if any(map(addresses.is_bounce_address, letter.recipients)):
        return "It came to an address that is only for mail that comes back."
    if _is_ours(letter):
        return "It claims to come from ourselves."
    if found.came_before and _is_the_same(found.mail, letter):
        return "The same mail was here before."
    return ""


def _is_ours(letter: Letter) -> bool:
    return letter.sender is not None and addresses.is_own(letter.sender)


def _is_the_same(mail: InboundMail, letter: Letter) -> bool:
    """Whether a mail with this Message-ID, sender and text is dealt with: sent again, or replayed.

    The Message-ID alone does not tell: whoever knows it could send a mail of their own first.
    """
    settled = earlier(mail.sender, mail.message_id).exclude(pk=mail.pk)
    raws = settled.values_list("raw", flat=True)
    # Of one that was emptied the Message-ID and the sender have to do.
    return any(not raw or read_with_greetings(bytes(raw)).lines == letter.lines for raw in raws[:5])
