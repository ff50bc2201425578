"""What a letter asks for: its calls, even after a greeting ("hello, status please"), and which of
them its sender can mean."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, assert_never

from games.models import Game
from games.queries.board import reads_as_order
from games.services.secrets_in_text import without_secrets
from mailer.commands import gm
from mailer.commands.base import Arrival
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm.lines.who_asked import with_names
from mailer.commands.gm.mail import below_gm, join_calls, whole_mail
from mailer.commands.lines.which_command import command_of
from mailer.commands.orders.changes import is_change
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.account.stop import Stop
from mailer.commands.player.consent.confirm import SAID_YES, Confirm, says_yes
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.player.gm import Gm
from mailer.commands.player.legacy_commands import of_gms
from mailer.commands.player.messages.answer import answer_call
from mailer.commands.player.messages.moderator import Moderator
from mailer.commands.player.ordering.orders import can_be_orders
from mailer.commands.player.ordering.phase_in_mail import apart
from mailer.commands.player.seats.here import here_calls
from mailer.commands.player.seats.takeover import offer_calls
from mailer.commands.player.views.help import Help
from mailer.commands.script import read_lines, read_script
from mailer.commands.texts.not_understood import begins_as_order
from mailer.commands.yes_and_no import says_it_is_me
from mailer.identity import senders
from mailer.identity.claims import IN_BRACKETS
from mailer.identity.senders import Proof, Sender, seat_meant
from mailer.inbound.signatures import without_signature
from mailer.letter import Ignored, Letter, greetings, prose, read_letter
from mailer.models import InboundMail
from mailer.outbound.tokens import ForModerators, ForMuster, ForOffer, ForPress
from mailer.reading.courtesies import HAS_GREETED
from mailer.reading.headers import LONGEST_SUBJECT
from mailer.reading.kinds_of_line import is_courtesy
from mailer.reading.phrases import LONGEST_RULED, NAMES_ORDERS, SAYS_SUBJECT, TAG
from mailer.reading.quotes import COURTESY, SIGNATURE, Line

OneLine = TypeVar("OneLine", Line, Ignored)
_SAYS_POWER = re.compile(
    r"(?:(?:this|here)\s+is\s+(?P<is>[^\W\d_]{3,20})|(?P<here>[^\W\d_]{3,20})\s+here)"
    r"(?:\s+(?:again|speaking))?\s*[.,!:;–—-]+\s+",
    re.IGNORECASE,
)
"""Words after a greeting by which players say whom they order for: "Germany here."."""
_PLAYERS_WORDS = {word: one for word, one in WORDS.items() if one.command != Gm.name}
_WITHOUT_BODY = {word: one for word, one in WORDS.items() if not (one.has_body or one.prose)}


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """What a mail asks for and who asks, before we do anything about it."""

    mail: InboundMail
    letter: Letter
    sender: Sender
    calls: Sequence[Call]
    now: dt.datetime

    @property
    def arrival(self) -> Arrival:
        """When the mail came and when we work on it, for its commands."""
        return Arrival.of(self.mail, self.letter, self.now)


def read_with_greetings(raw: bytes) -> Letter:
    """Read a mail as `read_letter` does, but split lines that greet and then say what to do, and
    hide the secrets of reply addresses in its text: others may read it, for instance as a
    reason."""
    letter = _without_secrets(read_letter(raw))
    written = [*letter.lines, *greetings(letter)]
    asking = {line.number: rest for line in written if (rest := _after_greeting(line))}
    if not asking:
        return letter
    lines = {line.number: line for line in letter.lines} | asking
    return dataclasses.replace(
        letter,
        lines=tuple(lines[at] for at in sorted(lines)),
        ignored=tuple(one for one in letter.ignored if one.number not in asking),
    )


def _without_secrets(letter: Letter) -> Letter:
    return dataclasses.replace(
        letter,
        lines=tuple(_line_without_secrets(line) for line in letter.lines),
        ignored=tuple(_line_without_secrets(line) for line in letter.ignored),
    )


def _line_without_secrets(line: OneLine) -> OneLine:
    text = without_secrets(line.text)
    return line if text == line.text else dataclasses.replace(line, text=text)


def _after_greeting(line: Line) -> Line | None:
    """The order or command after the greeting of a line; the greeting stays as its bullet."""
    greeting = HAS_GREETED.match(line.text)
    if greeting is None:
        return None
    rest = line.text[greeting.end() :]
    power = _SAYS_POWER.match(rest)
    if power and begins_as_order(after := rest[power.end() :]):
        return Line(line.number, f"{power['is'] or power['here']}: {after}", line.bullet)
    is_name = rest.istitle() and not greeting["pause"]  # "Hello Master"
    heads_orders = greeting["pause"] and rest.endswith(":") and not is_courtesy(rest)
    if (
        (heads_orders and NAMES_ORDERS.search(rest[:LONGEST_RULED]))
        or begins_as_order(rest)
        or (command_of(rest, _WITHOUT_BODY) and not is_name)
    ):
        return Line(line.number, rest, f"{line.bullet}{greeting[0]}")
    return None


def calls_of(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The commands in a letter, without the name with which its writer signs it.

    An answer to press is one call as a whole, because people write in it as they talk. We read it
    like any other mail only if it begins with a command that has lines below it.
    """
    return without_signature(_calls(letter, sender), letter, sender)


def _calls(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    match sender:
        case senders.GameMaster(game=Game() as game, answers=answers):
            if answers is None or _begins_with_command(letter):
                return (with_names(whole_mail(letter, game), letter, sender, game),)
            return (answer_call(letter),)
        case senders.SuspectGm(game=game):
            return (whole_mail(letter, game),)
    calls = _script(letter, sender)
    if calls and COMMANDS[calls[0].command].has_body:
        return calls
    match sender:
        case senders.Answering(question=ForModerators()):
            return (Call(Moderator.name, "", 0, prose(letter)),)
        case senders.SeatHolder(answers=ForPress()):
            return (answer_call(letter),)
        case senders.SeatHolder() if not sender.gm:
            return tuple(one for call in calls for one in _without_gm(call))
        case senders.PlayerAtLarge() if not sender.gm:
            apart = [one for call in calls for one in _without_gm(call)]
            return tuple(of_gms(apart, sender.player))
        case _:
            return calls


def _without_gm(call: Call) -> list[Call]:
    """Order lines without a game master's commands: players who run no game are told so, and such a
    line never counts as an order that came to nothing."""
    if call.command not in (ORDERS, AMEND):
        return [call]
    for_gm = [line for line in call.lines if _is_for_gm(line.text)]
    orders = tuple(line for line in call.lines if line not in for_gm)
    kept = [replace(call, lines=orders)] if orders or not for_gm else []
    return [*(Call(Gm.name, line.text, line.number) for line in for_gm), *kept]


def _is_for_gm(text: str) -> bool:
    """Whether a line is GM and a command, with or without the game's name."""
    first, *rest = text.split()
    after_gm = [word.lower().strip(":!.,") for word in rest[:2]]
    return first.lower().strip(":!.,") == Gm.name and any(word in gm.WORDS for word in after_gm)


def _script(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The commands, line by line; a game master's only if a game master wrote.

    In the subject of a mail that has no other text we read HELP, STOP and orders.
    """
    has_gm = bool(sender.gm) or _begins_with_gm(letter)
    words = WORDS if has_gm else _PLAYERS_WORDS
    alone = not letter.lines and command_of(letter.subject, words)
    if alone == Stop.name or (alone == Help.name and not letter.ignored):
        return read_lines([Line(0, letter.subject)], (), words)
    if ordered := _subject_orders(letter, sender):
        return ordered
    script = [one for call in read_script(letter, words) for one in apart(call)]
    if not has_gm:
        return tuple(script)
    return join_calls([below_gm(one, letter) if one.command == Gm.name else one for one in script])


def _subject_orders(letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The orders, or a change of orders, in the subject of a mail that has no text; nothing if the
    subject says anything else or is about another game.

    Nothing, too, if it may go on where we have cut it, or may have been there before: "Re: A Par -
    Bur" answers an older mail.
    """
    others = [one for one in letter.ignored if one.why not in (SIGNATURE, COURTESY)]
    if (
        others
        or letter.left_out
        or len(letter.subject) >= LONGEST_SUBJECT
        or not all(SAYS_SUBJECT.fullmatch(one.text) for one in letter.lines)
        or not _only_names(IN_BRACKETS.findall(letter.subject), sender)
    ):
        return ()
    subject = TAG.sub("", letter.subject)
    calls = read_lines([Line(1, subject)], (), _WITHOUT_BODY)
    lines = [line for call in calls for line in call.lines]
    is_plain = "?" not in subject and {call.command for call in calls} in ({ORDERS}, {AMEND})
    is_ordered = lines and all(reads_as_order(one.text) for one in lines)
    return calls if is_plain and (is_ordered or is_change(letter.subject)) else ()


def _only_names(games: Sequence[str], sender: Sender) -> bool:
    """Whether the only name here is that of the game that the sender speaks for."""
    seat = seat_meant(sender)
    return seat is None or all(one.lower() == seat.power.game.name.lower() for one in games)


def _begins_with_gm(letter: Letter) -> bool:
    """Whether the commands are for a game master, because GM and a game's name stand above them.

    We tell a player who runs no game so, and take nothing below for a command of their own.
    """
    above, *rest = letter.lines[0].text.split() if letter.lines else [""]
    if above.lower() != Gm.name or len(rest) != 1:
        return False
    return Game.objects.filter(name__iexact=rest[0].strip("[](){}:,.")).exists()


def _begins_with_command(letter: Letter) -> bool:
    """Whether a game master's answer to press begins with GM, WRITE or the like."""
    first = letter.lines[0].text if letter.lines else ""
    command = command_of(first, gm.WORDS) or ""
    has_body = command in gm.COMMANDS and gm.COMMANDS[command].has_body
    return first.lower().startswith("gm ") or has_body


def without_prose(letter: Letter, calls: Sequence[Call]) -> Letter:
    """The letter; greetings that were passed on no longer count as ignored."""
    prose = [call for call in calls if COMMANDS[call.command].prose]
    passed_on = {line.number for call in prose for line in call.lines}
    ignored = tuple(one for one in letter.ignored if one.number not in passed_on)
    return replace(letter, ignored=ignored)


def meant_calls(calls: Sequence[Call], sender: Sender) -> list[Call]:
    """The calls that this sender can mean; words around them cost nobody a good line."""
    match sender:
        case (
            senders.Stranger()
            | senders.FurtherAddress()
            | senders.Suspect()
            | senders.GameMaster(game=None)
        ):
            return [call for call in calls if COMMANDS[call.command].open_to_all]
        case senders.Newcomer():
            return _newcomers_calls(calls)
        case senders.Answering(question=ForMuster()):
            return here_calls(calls)
        case senders.Answering(question=ForOffer()):
            return offer_calls(calls)
        case senders.SeatHolder(proof=Proof.NONE):
            return [call for call in calls if not _is_chatter(call, sender)]
        case senders.PlayerAtLarge() | senders.SeatHolder() | senders.Answering():
            return list(calls)
        case senders.GameMaster() | senders.AnsweringGm() | senders.SuspectGm():
            return list(calls)
        case _:
            assert_never(sender)


def _newcomers_calls(calls: Sequence[Call]) -> list[Call]:
    """Any reply to the question after REGISTER says yes, unless it refuses."""
    named = [call for call in calls if call.command not in (ORDERS, AMEND, Confirm.name)]
    refused = any(call.command in (Refuse.name, Stop.name) for call in named)
    # What else they asked for waits for the word: vacation programs reply, too.
    lines = (line for call in calls if call.command in (ORDERS, AMEND) for line in call.lines)
    agrees = says_yes(calls) or any(says_it_is_me(line.text) for line in lines)
    word = SAID_YES if agrees else ""
    return named if refused else [Call(Confirm.name, word, 0), *named]


def _is_chatter(call: Call, sender: senders.SeatHolder) -> bool:
    """Whether lines that are not commands are no orders either: without proof of who wrote, only
    lines that we can read as orders are."""
    if call.command not in (ORDERS, AMEND) or not call.lines:
        return False
    return not can_be_orders(call, sender.seat, sender.phase)
