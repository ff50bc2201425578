"""The calls of a mail carried out for its sender, each with its receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from games.errors import GameError
from games.models import Game, Player, Seat
from games.queries import lookup
from mailer.commands import gm
from mailer.commands.base import MOST_COMMANDS, REGISTER_FIRST, too_many
from mailer.commands.calls import (
    AMEND,
    ORDERS,
    SIGNOFF,
    Call,
    Takes,
    prose,
    read_lines,
    read_script,
    verb_of,
)
from mailer.commands.gm.mail import below_gm, whole_mail
from mailer.commands.player import VERBS, WORDS, Arrival, Receipt
from mailer.commands.player.answer import answer_call
from mailer.commands.player.confirm import Confirm, says_yes
from mailer.commands.player.gm import Gm
from mailer.commands.player.help import Help
from mailer.commands.player.here import here_calls
from mailer.commands.player.moderator import Moderator
from mailer.commands.player.orders import can_be_orders
from mailer.commands.player.refuse import Refuse
from mailer.commands.player.takeover import offer_calls
from mailer.commands.receipt import with_offers, with_outlooks
from mailer.identity.identify import running_seats
from mailer.identity.senders import (
    Answering,
    AnsweringGm,
    FurtherAddress,
    GameMaster,
    Newcomer,
    PlayerAtLarge,
    Proof,
    Registered,
    SeatHolder,
    Sender,
    Stranger,
    Suspect,
    SuspectGm,
)
from mailer.inbound.carrying_out import can_be_done, carried_out, listed, shown
from mailer.inbound.offers import with_wish
from mailer.letter import Letter
from mailer.outbound.tokens import ForHeldMail, ForModerators, ForMuster, ForOffer, ForPress
from mailer.reading.quotes import Line
from mailer.text import counted

NO_ANSWER_OF_OURS = "it did not answer a mail of ours, so anybody could have sent it in your name"
GRAVE = "it cannot simply be undone, so we ask you first whether you are sure"
HOW_TO_GET_HELP = "To see what you can write, write HELP on a line of its own."
OTHER_LINES = f"We did nothing about the other lines of your mail. {HOW_TO_GET_HELP}"
WELCOME = (
    "This server plays the board game Diplomacy by mail.\n"
    "\n"
    f"{REGISTER_FIRST}\n"
    "\n"
    "If you play here under another address, please write from that one. LIST shows the games, "
    "HELP everything you can write."
)
NOTHING_OF_YOURS = (
    "We found nothing in your mail but a quote, a greeting or a signature. Please write orders "
    "and commands above the quoted text, one on a line."
)
_ONCE_MORE = (
    "we did nothing else about these words. If you wanted something more, please write it once "
    "more, as commands or orders in a reply to this mail; HELP on a line of its own shows what you "
    "can write."
)
ANY_REPLY = f"Your reply said yes, as any reply does, and {_ONCE_MORE}"
ONLY_AN_ANSWER = f"Your reply answered our question, and {_ONCE_MORE}"
IS_IT_YOURS = "Is this your address?"
CONFIRM_IT = (
    "We are not sure what you mean, so nothing was done. If you are the "
    "player who asked us to add this address, reply with the word CONFIRM on a line of its own. "
    "If not, do nothing."
)
ONLY_A_SUBJECT = (
    "Your mail has a subject and nothing else. We do not read subjects, so nothing was done. "
    "Please write orders and commands in the mail itself, one on a line."
)
NOTHING_AT_ALL = (
    "Your mail had no text that we can read. Please write orders and commands as plain text, one "
    "on a line. To see what you can write, write HELP."
)


_PLAYERS_WORDS = {word: one for word, one in WORDS.items() if one.verb != Gm.name}


def calls_of(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The commands in a letter. An answer to press is one as a whole, for people write there as
    they talk; only if it begins with PRESS or BROADCAST it is read as every mail is."""
    match sender:
        case GameMaster(game=Game(), answers=answers):
            commands = answers is None or _begins_with_command(letter)
            return (whole_mail(letter) if commands else answer_call(letter),)
        case SuspectGm():
            return (whole_mail(letter),)
    calls = _script(letter, sender)
    if calls and VERBS[calls[0].verb].has_body:
        return calls
    match sender:
        case Answering(question=ForModerators()):
            return (Call(Moderator.name, "", 0, prose(letter)),)
        case SeatHolder(answers=ForPress()):
            return (answer_call(letter),)
        case SeatHolder() | PlayerAtLarge() if not sender.gm:
            return tuple(one for call in calls for one in _without_gm(call))
        case _:
            return calls


def _without_gm(call: Call) -> list[Call]:
    """Order lines without those that are commands of a game master: players who run no game
    are told so, and the line never counts as an order that came to nothing."""
    if call.verb not in (ORDERS, AMEND):
        return [call]
    for_gm = [line for line in call.lines if _is_for_gm(line.text)]
    orders = tuple(line for line in call.lines if line not in for_gm)
    kept = [replace(call, lines=orders)] if orders or not for_gm else []
    return [*(Call(Gm.name, line.text, line.number) for line in for_gm), *kept]


def _is_for_gm(text: str) -> bool:
    """Whether a line is GM and a command, the game's name before it or not."""
    first, *rest = text.split()
    said = [word.lower().strip(":!.,") for word in rest[:2]]
    return first.lower().strip(":!.,") == Gm.name and any(word in gm.WORDS for word in said)


def _script(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The commands, line by line; those of game masters only from one of them. Of a mail that has
    nothing but a subject, HELP is read there."""
    words = WORDS if sender.gm else _PLAYERS_WORDS
    if not (letter.lines or letter.ignored) and verb_of(letter.subject, words) == Help.name:
        return read_lines([Line(0, letter.subject)], (), words)
    script = read_script(letter, words)
    return tuple(below_gm(one, letter) if one.verb == Gm.name else one for one in script)


def _begins_with_command(letter: Letter) -> bool:
    """Whether a game master's answer to press begins with GM, WRITE or the like."""
    first = letter.lines[0].text if letter.lines else ""
    verb = verb_of(first, gm.WORDS) or ""
    has_body = verb in gm.COMMANDS and gm.COMMANDS[verb].has_body
    return first.lower().startswith("gm ") or has_body


def without_prose(letter: Letter, calls: Sequence[Call]) -> Letter:
    """The letter, its greetings no longer among what was ignored if they were passed on."""
    prose = [call for call in calls if VERBS[call.verb].prose]
    passed_on = {line.number for call in prose for line in call.lines}
    ignored = tuple(one for one in letter.ignored if one.number not in passed_on)
    return replace(letter, ignored=ignored)


def kinds(calls: Sequence[Call]) -> list[str]:
    """What a mail asks for, each once, in words that quote nothing of it."""
    said = (
        counted(len(call.lines), "order line")
        if call.verb in (ORDERS, AMEND) and call.lines
        else f"the command {call.verb.upper()}"
        for call in calls
    )
    return list(dict.fromkeys(said))


def why_held(sender: Sender, calls: Sequence[Call]) -> str:
    """Why these calls wait until their owner has confirmed them; empty when they need not."""
    match sender:
        case Suspect() | SuspectGm():
            return sender.why
        case PlayerAtLarge() | SeatHolder():
            return _question_before(sender, calls, sender.doubt or NO_ANSWER_OF_OURS)
        case Answering(question=ForHeldMail()):
            return ""
        case Newcomer() | Answering():
            return _question_before(sender, calls, "")
        case Stranger() | FurtherAddress() | GameMaster() | AnsweringGm():
            return ""
        case _:
            assert_never(sender)


def _question_before(sender: Registered, calls: Sequence[Call], unproved: str) -> str:
    """Why a player is asked before these calls; `unproved` says why who they are is not sure."""
    if are_grave(calls):
        return "" if sender.proof is Proof.CONFIRMED else GRAVE
    return unproved if _needs_proof(sender, calls) else ""


def without_refused(calls: Sequence[Call], sender: Sender, arrival: Arrival) -> list[Call]:
    """The calls but for grave ones that cannot be done: to say so takes no question."""
    return [
        call
        for number, call in enumerate(calls)
        if not are_grave([call])
        or number >= MOST_COMMANDS  # to try takes as long as to do
        or can_be_done(call, sender, arrival)
    ]


def are_grave(calls: Sequence[Call]) -> bool:
    """Whether one of them cannot simply be undone, so that only the word CONFIRM will do."""
    return any(VERBS[call.verb].grave for call in calls)


def seat_at_stake(calls: Sequence[Call], sender: Sender) -> Seat | None:
    """The seat that the first grave call gives up; None where none can be told."""
    grave = next((call for call in calls if VERBS[call.verb].grave), None)
    try:
        return VERBS[grave.verb].seat_at_stake(grave, sender) if grave else None
    except GameError:
        return None


def is_a_yes(calls: Sequence[Call], asked_about: Sequence[Call]) -> bool:
    """Whether a reply says yes to a question about these calls: by the word, or by saying what
    cannot be undone once more."""
    grave = {call.verb for call in asked_about if VERBS[call.verb].grave}
    return says_yes(calls) or not grave.isdisjoint(call.verb for call in calls)


def are_for_a_seat(calls: Sequence[Call]) -> bool:
    """Whether one of them is for the power that its sender plays."""
    return any(VERBS[call.verb].for_seat for call in calls)


def _needs_proof(sender: Registered, calls: Sequence[Call]) -> bool:
    """Whether a From line is all there is while the mail asks for what only its owner may do."""
    if sender.proof is not Proof.NONE:
        return False
    return any(_is_secured(call, sender) for call in _meant(calls, sender))


def _is_secured(call: Call, sender: Registered) -> bool:
    """Whether carrying it out takes proof; what is for a seat fails anyway without one."""
    verb = VERBS[call.verb]
    if verb.takes is Takes.SOMETHING and not call.argument:
        return False  # it is only explained
    return verb.secured and (isinstance(sender, SeatHolder) or not verb.for_seat)


def receipts_of(
    letter: Letter, calls: Sequence[Call], sender: Sender, arrival: Arrival
) -> list[Receipt]:
    """One receipt for each call, or one that says why there is nothing to do."""
    meant = _meant(calls, sender)
    receipts = _done(meant, letter, sender, arrival)
    stray = [call for call in calls if call not in meant and call.verb != Confirm.name]
    if said := _said_of(stray, letter, sender, any_done=bool(receipts)):
        receipts.append(said)
    if isinstance(sender, SeatHolder | PlayerAtLarge):
        receipts = with_wish(receipts, letter, calls, sender, arrival)
    return with_offers(receipts)


def _done(meant: Sequence[Call], letter: Letter, sender: Sender, arrival: Arrival) -> list[Receipt]:
    """Carry out the calls, one after the other; those that are too many are only named."""
    receipts: list[Receipt] = []
    written = {line.number: line.text for line in letter.lines}
    for call in meant[:MOST_COMMANDS]:
        so_far = replace(arrival, so_far=tuple(receipts))
        receipts.append(carried_out(call, sender, so_far, written.get(call.number, "")))
    receipts = with_outlooks(receipts)
    if left_out := meant[MOST_COMMANDS:]:
        said = too_many(len(meant), left_out[0].word or left_out[0].verb)
        receipts.append(Receipt("Too many commands", said, done=False))
    return receipts


def _said_of(
    stray: Sequence[Call], letter: Letter, sender: Sender, *, any_done: bool
) -> Receipt | None:
    """What there is to say of the rest of a mail; all of it, where nothing was done."""
    match sender:
        case FurtherAddress() if not any_done:
            return Receipt(IS_IT_YOURS, CONFIRM_IT, done=False, address=sender.address)
        case Stranger(gm=None) if not any_done:
            return Receipt("Welcome", WELCOME, done=False, subject="Welcome")
        case Answering(question=ForMuster() | ForOffer()):
            stray = []  # whatever it says, it answers our question, or we ask again
    if not stray:
        return None if any_done else _nothing_to_do(letter)
    match sender:
        case Newcomer() | FurtherAddress():
            texts = [line.text for call in stray for line in call.lines]
            return said_besides(ANY_REPLY, texts)
        case Stranger(gm=None):
            return Receipt("Not understood", OTHER_LINES, done=False)
        case _:
            return _not_understood(stray)


def _nothing_to_do(letter: Letter) -> Receipt:
    only_subject = letter.subject and not letter.left_out
    empty = ONLY_A_SUBJECT if only_subject else NOTHING_AT_ALL
    said = NOTHING_OF_YOURS if letter.ignored else empty
    return Receipt("Nothing to do", said, whole=False, idle=True)


def _meant(calls: Sequence[Call], sender: Sender) -> list[Call]:
    """The calls this sender can mean; words around them cost nobody a good line."""
    match sender:
        case Stranger() | FurtherAddress() | Suspect() | GameMaster(game=None):
            return [call for call in calls if VERBS[call.verb].open_to_all]
        case Newcomer():
            return _meant_by_newcomer(calls)
        case Answering(question=ForMuster()):
            return here_calls(calls)
        case Answering(question=ForOffer()):
            return offer_calls(calls)
        case SeatHolder(proof=Proof.NONE):
            return [call for call in calls if not _is_chatter(call, sender)]
        case PlayerAtLarge() | SeatHolder() | Answering():
            return list(calls)
        case GameMaster() | AnsweringGm() | SuspectGm():
            return list(calls)
        case _:
            assert_never(sender)


def _meant_by_newcomer(calls: Sequence[Call]) -> list[Call]:
    """Any reply to the question after REGISTER says yes, unless it refuses."""
    named = [call for call in calls if call.verb not in (ORDERS, AMEND, Confirm.name)]
    refused = any(call.verb == Refuse.name for call in named)
    return named if refused else [Call(Confirm.name, "", 0), *named]


def _is_chatter(call: Call, sender: SeatHolder) -> bool:
    """Whether lines that are no commands are no orders either: without proof of who wrote, only
    what can be read as an order is one."""
    if call.verb not in (ORDERS, AMEND) or not call.lines:
        return False
    return not can_be_orders(call, sender.seat, sender.phase)


def _not_understood(calls: Sequence[Call]) -> Receipt:
    """What the mail said besides, and that nothing was done about it."""
    lines = ["We did nothing about these lines:", "", *shown(calls), "", HOW_TO_GET_HELP]
    return Receipt("Not understood", "\n".join(lines), done=False)


def said_besides(why: str, texts: Sequence[str]) -> Receipt:
    """What else stood in an answer to a question of ours: most people write some words."""
    return Receipt("What else you wrote", "\n".join([why, "", *listed(texts)]))


def more_than_an_answer(letter: Letter, held: Letter, player: Player | None) -> list[str]:
    """The lines of an answer to our question that order or command something, other than yes, no
    and what the held mail says."""
    known = {line.text.lower() for line in held.lines}
    seats = running_seats(player) if player else []
    return [
        line.text
        for line in letter.lines
        if line.text.lower() not in known
        and (
            verb_of(line.text, WORDS) not in (None, Confirm.name, Refuse.name, SIGNOFF)
            or verb_of(line.text, gm.WORDS) not in (None, SIGNOFF)
            or any(_is_order_of(line, seat) for seat in seats)
        )
    ]


def _is_order_of(line: Line, seat: Seat) -> bool:
    phase = lookup.open_phase(seat.power.game)
    return phase is not None and can_be_orders(Call(ORDERS, "", 0, (line,)), seat, phase)
