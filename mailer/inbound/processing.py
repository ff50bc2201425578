"""One mail at a time: read, told who wrote it, carried out, answered; all of it or nothing.

Each attempt is counted before the mail is opened (`mailer/inbound/retries.py`).
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings
from django.db import transaction

from games.errors import GameError
from games.models import Game, Player
from games.services.addresses import address_works
from mailer.commands.calls import Call
from mailer.commands.gm.mail import game_meant, is_stale, named, to_confirm
from mailer.commands.player import Arrival, Receipt
from mailer.commands.player.refuse import Refuse
from mailer.commands.player.signon import signed_on
from mailer.identity import identify
from mailer.identity.senders import (
    Answering,
    AnsweringGm,
    GameMaster,
    Proof,
    SeatHolder,
    Sender,
    Suspect,
)
from mailer.inbound import bounces, dkim_check, limits, programs, retries
from mailer.inbound.dispatch import (
    GRAVE,
    ONLY_AN_ANSWER,
    are_for_a_seat,
    calls_of,
    is_a_yes,
    kinds,
    more_than_an_answer,
    receipts_of,
    said_besides,
    seat_at_stake,
    why_held,
    without_prose,
    without_refused,
)
from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForGmHeldMail, ForHeldMail
from mailer.replies.questions import ask_address, question, question_to_gm
from mailer.replies.reply import reply

logger = logging.getLogger(__name__)

STALE = (
    "The game has changed since we asked you, so nothing was done. If you still want it, please "
    "send the command again: then we tell you what it would do now."
)

State = InboundMail.State
DOUBT = "Was it yours?"
DOUBTFUL = (
    "We are not sure what you mean, so nothing was done. The mail we asked you about still waits. "
    "If it was yours, reply with the word YES on a line of its own. If it was not, reply REFUSE."
)
_FACTS = (
    "player",
    "proof",
    "bounce_of",
    "message_id",
    "sender",
    "subject",
    "error",
)  # never the raw mail again


def process_inbound(*, now: dt.datetime, limit: int) -> int:
    """Works on up to `limit` stored mails, one of each sender and then the next; how many were
    carried through."""
    done, tried, begun = 0, set[int](), time.monotonic()
    while len(tried) < limit:
        turn = retries.next_turn(now, limit=limit - len(tried))
        fresh = [pk for pk in turn if pk not in tried]
        if not fresh:  # others are at what is left
            break
        tried.update(fresh)
        states = [process_mail(mail_id=pk, now=now, begun=begun) for pk in fresh]
        done += sum(state not in (None, State.LATER) for state in states)
    return done


def process_mail(*, mail_id: int, now: dt.datetime, begun: float | None = None) -> State | None:
    """Works on one mail; its state afterwards, or None when it broke or another worker has it.

    `begun` is the monotonic clock at `now`. The time that a worker has a mail for itself counts
    from when it took that mail, not from when it took the first of many.
    """
    passed = 0 if begun is None else int(time.monotonic() - begun)
    if not retries.claimed(mail_id=mail_id, now=now + dt.timedelta(seconds=passed)):
        return None
    try:
        if settings.CHECK_DKIM:
            dkim_check.note_signatures(mail_id=mail_id, now=now)
        with transaction.atomic():
            rows = InboundMail.objects.select_for_update(skip_locked=True)
            mail = next(iter(rows.filter(pk=mail_id, state__in=retries.UNDONE).order_by()), None)
            if mail is None:
                return None
            _work(mail, now)
            return State(mail.state)
    except Exception as error:
        logger.exception("Mail #%s broke the program", mail_id)
        retries.failed(mail_id=mail_id, error=error, now=now)
        return None


def _work(mail: InboundMail, now: dt.datetime) -> None:
    letter = read_letter(bytes(mail.raw))
    _note_facts(mail, letter)
    if lost := bounces.mail_reported(letter):
        _take_report(mail, letter, lost, now)
        return
    if why := _not_for_us(mail, letter):
        _settle(mail, State.IGNORED, now, note=why)
        return
    sender = identify.identify(
        letter, received_at=mail.received_at, signed_by=mail.signed_by.split()
    )
    mail.player, mail.proof = sender.player, sender.proof.name.lower()
    calls = calls_of(letter, sender)
    sender = signed_on(sender, calls)
    if why := programs.why_dropped(letter, calls, sender):
        _settle(mail, State.IGNORED, now, note=why)
        return
    if sender.proof is not Proof.NONE:
        address_works(email=sender.email, at=mail.received_at)
    if letter.sender is None:
        _hold(mail, letter, sender, why_held(sender, calls), calls, now)
        return
    if until := limits.full_until(sender, now):
        _keep_for_later(mail, sender, until, now)
        return
    _work_for(mail, letter, sender, calls, now)


def _work_for(
    mail: InboundMail, letter: Letter, sender: Sender, calls: Sequence[Call], now: dt.datetime
) -> None:
    """Holds the mail of a known sender, or carries it out and answers it."""
    held = programs.why_held(letter, sender, calls)
    expected = [] if held or sender.gm is None else to_confirm(calls, sender.gm, now)
    if sender.gm and (held or expected) and (game := _game_meant(calls, sender.gm)):
        _hold_for_gm(mail, sender.gm, game, held, calls, expected, now)
    elif held:
        _hold(mail, letter, sender, held, calls, now)
    elif why := why_held(sender, without_refused(calls, sender, _arrival(mail, now))):
        _hold(mail, letter, sender, why, calls, now)
    else:
        _carry_out(mail, letter, sender, calls, now)


def _carry_out(
    mail: InboundMail, letter: Letter, sender: Sender, calls: Sequence[Call], now: dt.datetime
) -> None:
    """Does what a mail asks for, or what a held one asked for which it sets free; answers it."""
    match sender:
        case Answering(question=ForHeldMail() as question):
            _answered_question(mail, letter, sender, question, calls, now)
        case AnsweringGm(question=question):
            _answered_question(mail, letter, sender, question, calls, now)
        case _:
            arrival = replace(_arrival(mail, now), answers=letter.references, to=letter.recipients)
            receipts = receipts_of(letter, calls, sender, arrival)
            _answer(mail, without_prose(letter, calls), sender, receipts, now)


def _note_facts(mail: InboundMail, letter: Letter) -> None:
    mail.message_id = letter.message_id[:255]
    mail.sender = (letter.sender or "")[:254]
    mail.subject = letter.subject[:255]
    mail.error = ""


def _take_report(mail: InboundMail, letter: Letter, lost: OutboundMail, now: dt.datetime) -> None:
    assert letter.report, "only a report names a mail of ours"
    note = bounces.take_report(mail, lost, letter.report, now)
    _settle(mail, State.REPORT, now, note=note)


def _keep_for_later(
    mail: InboundMail, sender: Sender, until: dt.datetime, now: dt.datetime
) -> None:
    """Puts a mail off that is one too many for this hour. It holds up no deadline meanwhile."""
    limits.say_later(mail, sender, now)
    mail.state, mail.note = State.LATER, "Kept for later: too many from this sender in an hour."
    mail.attempts, mail.retry_at, mail.working_since = 0, until, None
    mail.save(update_fields=["state", "note", "attempts", "retry_at", "working_since", *_FACTS])


def _not_for_us(mail: InboundMail, letter: Letter) -> str:
    """Why nothing is done with a mail and nobody answers it; empty for an ordinary mail."""
    if letter.mark and letter.mark.is_report:
        return f"A program wrote it: {letter.mark.reason}."
    if bounces.is_for_bounces(letter):
        return "It came to an address that is only for mail that comes back."
    if letter.sender and addresses.is_own(letter.sender):
        return "It claims to come from ourselves."
    if _came_before(mail, letter):
        return "The same mail was here before."
    return ""


def _came_before(mail: InboundMail, letter: Letter) -> bool:
    """Whether a mail with this Message-ID, sender and text is dealt with: sent again, or replayed.

    The Message-ID alone does not tell: whoever knows it could send a mail of their own first.
    """
    if not letter.message_id:
        return False
    earlier = InboundMail.objects.filter(message_id=mail.message_id, sender=mail.sender)
    settled = (
        earlier.exclude(pk=mail.pk).exclude(state__in=retries.UNDONE).values_list("raw", flat=True)
    )
    return any(read_letter(bytes(raw)).lines == letter.lines for raw in settled[:5])


def _hold(
    mail: InboundMail,
    letter: Letter,
    sender: Sender,
    why: str,
    calls: Sequence[Call],
    now: dt.datetime,
) -> None:
    """Keeps a mail back, whose orders then count from when it came, and asks the owner about it."""
    mail.player = owner = sender.owner if isinstance(sender, Suspect) else sender.player
    asked = owner is not None and question(
        mail=mail,
        owner=owner,
        why=why,
        asks=kinds(calls),
        plays=_seat_holder(owner, letter) if are_for_a_seat(calls) else None,
        now=now,
        sure=why == GRAVE,
        gives_up=seat_at_stake(calls, sender) if why == GRAVE else None,
    )
    rest = "its owner was asked" if asked else "nobody was asked"
    _settle(mail, State.HELD, now, note=f"Held because {why}; {rest}.")


def _seat_holder(owner: Player, letter: Letter) -> SeatHolder | None:
    """For which power a held mail would order, if it is its owner's."""
    sender = identify.confirmed(owner, letter)
    return sender if isinstance(sender, SeatHolder) else None


def _game_meant(calls: Sequence[Call], gm: GameMaster) -> Game | None:
    """The game whose game master is asked about a mail; None where it does not say which."""
    try:
        return game_meant(calls[0], gm)
    except GameError:
        return None


def _hold_for_gm(
    mail: InboundMail,
    gm: GameMaster,
    game: Game,
    held: str,
    calls: Sequence[Call],
    expected: Sequence[Receipt],
    now: dt.datetime,
) -> None:
    """Keeps a game master's mail back, and asks them whether what would happen is to happen."""
    asked = question_to_gm(
        mail=mail,
        user=gm.user,
        game=game,
        why=held,
        asks=named(calls) or kinds(calls),
        expected=expected,
        now=now,
    )
    why = held or "it cannot be taken back, or came without proof"
    rest = "the game master was asked" if asked else "nobody was asked"
    _settle(mail, State.HELD, now, note=f"Held because {why}; {rest}.")


def _answered_question(
    mail: InboundMail,
    letter: Letter,
    sender: Answering | AnsweringGm,
    asked: ForHeldMail | ForGmHeldMail,
    calls: Sequence[Call],
    now: dt.datetime,
) -> None:
    """Carries out the held mail that this one sets free, or drops it for good."""
    held = InboundMail.objects.select_for_update().get(pk=asked.mail.pk)
    released = read_letter(bytes(held.raw))
    answered: Sender = sender.afterwards()
    if held.state != State.HELD:
        receipts = [Receipt("Nothing to do", "That question is answered already.")]
    elif any(call.verb == Refuse.name for call in calls):
        receipts = [Receipt("Refused", "Thank you. Nothing of that mail is done.")]
        _settle(held, State.IGNORED, now, note="Its owner says that it is not theirs.")
    elif not is_a_yes(calls, calls_of(released, sender)):
        receipts, answered = [Receipt(DOUBT, DOUBTFUL, done=False)], sender
    elif isinstance(asked, ForGmHeldMail) and is_stale(asked):
        receipts = [Receipt("Nothing was done", STALE, done=False)]
        _settle(held, State.IGNORED, now, note="The game had changed before it was confirmed.")
    else:
        answered = _confirmed(sender, released)
        script = calls_of(released, answered)
        answered = signed_on(answered, script)
        receipts = receipts_of(released, script, answered, _arrival(held, now))
        letter = replace(letter, ignored=released.ignored, left_out=released.left_out)
        _settle(held, State.DONE, now, note="Carried out after its owner confirmed it.")
    more = more_than_an_answer(letter, released, sender.player)
    if more and receipts[0].title != DOUBT:
        receipts = [*receipts, said_besides(ONLY_AN_ANSWER, more)]
    _answer(mail, letter, answered, receipts, now)


def _confirmed(sender: Answering | AnsweringGm, released: Letter) -> Sender:
    if isinstance(sender, AnsweringGm):
        return identify.confirmed_gm(sender, released)
    return identify.confirmed(sender.player, released)


def _arrival(mail: InboundMail, now: dt.datetime) -> Arrival:
    return Arrival(mail.pk, mail.message_id or mail.sha256, mail.received_at, now)


def _answer(
    mail: InboundMail,
    letter: Letter,
    sender: Sender,
    receipts: Sequence[Receipt],
    now: dt.datetime,
) -> None:
    sent = reply(mail=mail, letter=letter, sender=sender, receipts=receipts, now=now)
    for receipt in receipts:
        if receipt.asks:
            ask_address(mail=mail, address=receipt.asks, now=now)
    note = "" if sent else "Not answered: this address had too many answers today."
    _settle(mail, State.DONE, now, note=note)


def _settle(mail: InboundMail, state: State, now: dt.datetime, *, note: str) -> None:
    mail.state, mail.note, mail.processed_at = state, note[:200], now
    mail.working_since = None
    if state == State.IGNORED:
        logger.info("Mail #%s is ignored. %s", mail.pk, mail.note)
    mail.save(update_fields=["state", "note", "processed_at", "working_since", *_FACTS])
