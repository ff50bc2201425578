"""Carries out the calls of a mail for its sender, with a receipt for each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.queries.board import reads_as_order
from mailer.commands.base import MOST_COMMANDS, Arrival, too_many
from mailer.commands.calls import AMEND, ORDERS, SIGNOFF, Call
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.clock.ready import Ready, Wait
from mailer.commands.player.consent.confirm import Confirm, says_both
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.player.ordering.clear import Clear
from mailer.commands.player.ordering.hold import Hold
from mailer.commands.player.ordering.phase_in_mail import among_orders
from mailer.commands.player.ordering.same import Same
from mailer.commands.receipt import NOT_UNDERSTOOD, Claim, Receipt, with_offers, with_outlooks
from mailer.commands.yes_and_no import says_it_is_me, takes_back
from mailer.identity import senders
from mailer.identity.senders import Proof, Sender, about_another
from mailer.inbound.carry_out import (
    as_entries,
    carry_out,
    first_lines,
    not_done_here,
    without_politeness,
)
from mailer.inbound.elsewhere import commands_elsewhere
from mailer.inbound.newcomers import ASK, not_yet, unconfirmed_address, welcome, without_waiting
from mailer.inbound.ordering_subjects import subject_not_followed
from mailer.inbound.requests import meant_calls
from mailer.inbound.taken_back import without_taken_back
from mailer.inbound.wished import with_wish
from mailer.letter import Letter, greetings
from mailer.outbound import addresses
from mailer.outbound.tokens import ForMuster, ForOffer
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.quotes import COURTESY, ORNAMENT, SIGNATURE

HOW_TO_GET_HELP = "To see what you can write, write HELP on a line of its own."
OTHER_LINES = f"We did nothing about the other lines of your mail. {HOW_TO_GET_HELP}"
NOTHING_OF_YOURS = (
    "We found no order and no command in your mail, so nothing has changed. Please write them "
    "above the quoted text, one per line; HELP on a line of its own shows what you can write."
)
BESIDES = "What else you wrote"
_ONCE_MORE = (
    "we did nothing else about these words. If you wanted something more, please write it once "
    "more, as commands or orders in a reply to this mail; HELP on a line of its own shows what you "
    "can write."
)
CONFIRMED_ONLY = f"Your reply confirmed the address, and {_ONCE_MORE}"
ANY_REPLY = f"Your reply said yes, as any reply does, and {_ONCE_MORE}"
ONLY_AN_ANSWER = f"Your reply answered our question, and {_ONCE_MORE}"
CONFIRM_FIRST = "Please confirm your address"
IS_IT_YOURS = "Is this your address?"
CONFIRM_IT = (
    "We are not sure what you mean, so nothing was done. If you are the "
    "player who asked us to add this address, reply with the word CONFIRM on a line of its own. "
    "If not, do nothing."
)
ONLY_KIND = (
    "Thank you for writing. There is no order and no command in your mail, so nothing has changed; "
    "HELP on a line of its own shows what you can write."
)
ONLY_A_SUBJECT = (
    "Your mail has a subject and nothing else. In a subject we read only HELP, STOP and plain "
    "orders, so nothing was done. Please write orders and commands in the mail itself, one per "
    "line."
)
NOT_THE_SUBJECT = (
    "Your mail has a subject and nothing else. We do not read subjects: please write in the mail "
    "itself."
)
NO_SUBJECT = "What its subject says was not followed, either."
ONLY_AN_END = (
    "You wrote “{}”. Here that only says that nothing below it is read, so nothing was done. To "
    "give up your power in a game, write RESIGN; to leave a game that has not started, LEAVE and "
    "its name; to propose its end, VOTE DRAW; to get fewer mails, STOP."
)
NOTHING_AT_ALL = (
    "Your mail had no text that we can read. Please write orders and commands as plain text, one "
    "on a line. To see what you can write, write HELP."
)
_YES_AND_NO = Receipt(
    "Yes or no?",
    "Your mail says both yes and no, so we did neither. Please answer once more, with one of the "
    "two words alone on a line.",
    done=False,
    refused="NOT done: both YES and NO",
)
_OF_A_PHASE = {ORDERS, AMEND, Clear.name, Hold.name, Ready.name, Same.name, Wait.name}
_WENT_BACK = (
    "You answered a mail that this server does not know: most likely it had to go back to an "
    "earlier state since. {}"
)
_WHICH_PHASE = (
    "We cannot tell which phase you meant, so we did not use your orders. STATUS tells which phase "
    "is open; please send your orders for it in reply to this mail."
)
_TO_WHOM = "If it was a letter, nobody got it: send it again below PRESS TO and the powers."
_WHICH_SEAT = (
    "In that state you play no power in {}, so we did not use your orders. If you had taken over a "
    "power there, please ask for it again: LIST on a line of its own shows the open seats."
)


def carry_out_all(
    letter: Letter, calls: Sequence[Call], sender: Sender, arrival: Arrival
) -> list[Receipt]:
    """One receipt for each call, or one that says why there is nothing to do."""
    both = isinstance(sender, senders.SeatHolder | senders.PlayerAtLarge) and says_both(calls)
    calls = _without_answers(calls) if both else calls
    if isinstance(sender, senders.SeatHolder):
        calls = among_orders(calls, sender.seat, sender.phase)
    calls, taken_back = without_taken_back(without_politeness(calls, sender, arrival))
    meant = meant_calls(calls, sender)
    lost = _of_no_known_phase(letter, meant, sender)
    receipts = [*[_YES_AND_NO] * both, *taken_back]
    receipts += [_refuse_lost(sender, lost)] if lost else []
    receipts += _carry_out_each(
        [call for call in meant if call not in lost], letter, sender, arrival
    )
    stray = [call for call in calls if call not in meant and call.command != Confirm.name]
    if isinstance(sender, senders.Stranger) and sender.gm is None:
        stray, waits = without_waiting(stray, sender, receipts)
        receipts += [waits] if waits else []
    if about_rest := _receipt_for_rest(
        stray, letter, sender, arrival.received_at, any_done=bool(receipts)
    ):
        receipts.append(about_rest)
    if isinstance(sender, senders.SeatHolder) or (
        isinstance(sender, senders.PlayerAtLarge) and not lost
    ):
        receipts = with_wish(receipts, letter, calls, sender, arrival)
    return with_offers(receipts)


def _without_answers(calls: Sequence[Call]) -> list[Call]:
    """The calls without those that say yes or no, and without the lines that take a yes back."""
    others = [call for call in calls if call.command not in (Confirm.name, Refuse.name)]
    kept = [
        replace(call, lines=tuple(line for line in call.lines if not takes_back(line.text)))
        if call.command in (ORDERS, AMEND)
        else call
        for call in others
    ]
    return [new for new, old in zip(kept, others, strict=True) if new.lines or not old.lines]


def _of_no_known_phase(letter: Letter, calls: Sequence[Call], sender: Sender) -> list[Call]:
    """The calls for the phase of the mail that the letter answers, if we cannot tell which phase
    that was.

    This happens after a backup has been restored. Phases decided since then are played again, and
    we read orders that answered their results again while an earlier phase is open. If we took them
    for that phase, they would replace its own orders.
    """
    if sender.proof is Proof.TOKEN or not addresses.are_lost(letter.recipients):
        return []
    return [call for call in calls if call.command in _OF_A_PHASE]


def _refuse_lost(sender: Sender, lost: Sequence[Call]) -> Receipt:
    """Say why we do not use an answer to a lost mail.

    We do not know which phase its orders are for, or whom its letter is for, nor, if a takeover is
    lost as well, for which power it speaks.
    """
    game = about_another(sender)
    is_letter = game is None and all(map(_is_talk, lost))
    why = _WHICH_SEAT.format(game.name) if game else _TO_WHOM if is_letter else _WHICH_PHASE
    refused = f"NOT used: your {'mail' if is_letter else 'orders'}"
    return Receipt("Not used", _WENT_BACK.format(why), done=False, refused=refused)


def _carry_out_each(
    meant: Sequence[Call], letter: Letter, sender: Sender, arrival: Arrival
) -> list[Receipt]:
    """Carry out the calls, one after the other; only name those that are too many."""
    receipts = subject_not_followed(letter, meant, sender)
    written = {line.number: line.text for line in letter.lines}
    elsewhere = commands_elsewhere(meant, letter, sender)
    once = _without_repeats(meant[:MOST_COMMANDS], elsewhere)
    in_turn = sorted(once, key=lambda call: COMMANDS[call.command].follows_orders)
    for call in in_turn:
        if why := elsewhere.get(call.number):
            receipts.append(not_done_here(call, why))
            continue
        so_far = replace(arrival, so_far=tuple(receipts), alone=len(meant) == 1)
        receipts.append(carry_out(call, sender, so_far, written.get(call.number, "")))
    receipts = with_outlooks(receipts)
    if left_out := meant[MOST_COMMANDS:]:
        text = too_many(len(meant), left_out[0].written)
        receipts.append(Receipt("Too many commands", text, done=False))
    return receipts


def _without_repeats(calls: Sequence[Call], elsewhere: Mapping[int, str]) -> list[Call]:
    """The calls, without second copies of a text for the same readers, and without a command of
    one line that also stands right above, a slip of the hand.

    A call for another game, by the reasons in `elsewhere`, makes no other call a second copy.
    """
    prose = [COMMANDS[call.command].prose for call in calls]
    said = [
        (call.anywhere(), "" if is_prose else call.word, elsewhere.get(call.number))
        for call, is_prose in zip(calls, prose, strict=True)
    ]
    return [
        call
        for at, call in enumerate(calls)
        if said[at] not in said[0 if prose[at] else max(at - 1, 0) : at]
        or (call.lines and not prose[at])
    ]


def _receipt_for_rest(
    stray: Sequence[Call], letter: Letter, sender: Sender, at: dt.datetime, *, any_done: bool
) -> Receipt | None:
    """The receipt for the rest of a mail; for all of it, if nothing was done."""
    match sender:
        case senders.FurtherAddress() if not any_done:
            return Receipt(IS_IT_YOURS, CONFIRM_IT, done=False, claim=Claim(sender.address))
        case senders.Stranger(gm=None) if not any_done and (
            address := unconfirmed_address(sender.email)
        ):
            return Receipt(
                CONFIRM_FIRST, ASK, done=False, subject=CONFIRM_FIRST, claim=Claim(address)
            )
        case senders.Stranger(gm=None) if not any_done:
            only_subject = letter.subject and not letter.lines and not letter.ignored
            answer = welcome(stray, sender, at, greetings(letter))
            text = f"{NOT_THE_SUBJECT}\n\n{answer.text}" if only_subject else answer.text
            return replace(answer, text=text)
        case senders.Answering(question=ForMuster() | ForOffer()):
            stray = []  # whatever it says, it answers our question, or we ask again
    if not stray:
        return None if any_done else _nothing_to_do(letter)
    match sender:
        case senders.Newcomer() | senders.FurtherAddress():
            why = ANY_REPLY if isinstance(sender, senders.Newcomer) else CONFIRMED_ONLY
            more = [one for call in stray for one in _more_than_a_yes(call)]
            return said_besides(why, more) if more else None
        case senders.Stranger(gm=None):
            return _not_done(stray)
        case _:
            return _not_understood(stray)


def _not_done(stray: Sequence[Call]) -> Receipt:
    """That the other lines of a newcomer's mail did nothing, without repeating a word of them."""
    if waits := not_yet(stray):
        return waits
    if all(map(_is_talk, stray)):
        return Receipt(BESIDES, OTHER_LINES)  # a few words about themselves are no bad news
    return Receipt(NOT_UNDERSTOOD, OTHER_LINES, done=False)


def _is_talk(call: Call) -> bool:
    """Whether lines that are not commands look like nothing but talk between people."""
    return call.command == ORDERS and not any(looks_like_order(line.text) for line in call.lines)


def _nothing_to_do(letter: Letter) -> Receipt:
    ends = [line.text for line in letter.lines if command_of(line.text, WORDS) == SIGNOFF]
    if ends:
        text = ONLY_AN_END.format(ends[0])
        return Receipt(f"Not done: {ends[0]}", text, done=False, subject=f"NOT done: {ends[0]}")
    only_subject = letter.subject and not letter.left_out
    empty = ONLY_A_SUBJECT if only_subject else NOTHING_AT_ALL
    text = NOTHING_OF_YOURS if letter.ignored or letter.lines else empty
    if letter.ignored and all(one.why in (COURTESY, ORNAMENT, SIGNATURE) for one in letter.ignored):
        text = ONLY_KIND
    if text in (NOTHING_OF_YOURS, ONLY_KIND) and letter.subject and reads_as_order(letter.subject):
        text = f"{text} {NO_SUBJECT}"
    return Receipt("Nothing to do", text, whole=False, idle=True)


def _not_understood(calls: Sequence[Call]) -> Receipt:
    """The receipt for other lines of the mail, which we did nothing about."""
    lines = ["We did nothing about these lines:", "", *first_lines(calls), "", HOW_TO_GET_HELP]
    return Receipt(NOT_UNDERSTOOD, "\n".join(lines), done=False)


def _more_than_a_yes(call: Call) -> list[str]:
    """The lines of a call, or its command, without words that only say yes."""
    texts = [line.text for line in call.lines] or [call.written]
    return [text for text in texts if not says_it_is_me(text)]


def said_besides(why: str, texts: Sequence[str]) -> Receipt:
    """The receipt for other words in an answer to our question: most people write a few."""
    return Receipt(BESIDES, "\n".join([why, "", *as_entries(texts)]))
