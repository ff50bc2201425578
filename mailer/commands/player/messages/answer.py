"""An answer to press: the reply address says what it answers, and we pass on the whole text."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace

from games.errors import BadInput, NotAllowed
from games.queries.access import disclosure, roles
from games.queries.access.staff_names import actor_in_game
from games.queries.board import reads_as_order
from games.services.messages.announcements import gm_write
from games.services.messages.press import audience_of_answer
from mailer.commands import gm, player
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark
from mailer.commands.lines.which_command import command_of
from mailer.commands.player.messages.orders_in_press import require_no_own_set
from mailer.commands.player.messages.press import (
    command_for_us,
    or_not_sent,
    send,
    without_identity,
)
from mailer.commands.receipt import Receipt
from mailer.commands.seats import seat_of
from mailer.identity.senders import GameMaster, SeatHolder, Sender
from mailer.letter import Letter, prose, text_of
from mailer.notices.messages.press_sent import listed_readers
from mailer.outbound.tokens import ForGmPress, ForPress
from mailer.reading.kinds_of_line import is_courtesy
from mailer.reading.orders_heading import is_heading
from mailer.text import quoted_text

SURE = "sure"
_ASKS_RECEIPT = re.compile(
    r"\W*(?:please|pls|kindly)\s+(?:confirm|acknowledge)(?:\s+(?:receipt|this|these|them))?\W*",
    re.IGNORECASE,
)

_ONLY_PASSED_ON = (
    "That was passed on, too, and nothing else was done about it: we read no orders or commands in "
    "an answer to press. To have it done, send it in a reply to the newest mail about the phase."
)
_ORDERS_ELSEWHERE = (
    "If these are your orders, send them in a reply to the newest mail about the phase. If you "
    "want others to read them, send your text again with the word SURE on its first line."
)
_ONLY_WRITTEN = (
    "That was passed on, too, and nothing else was done about it. To have it done, send it in a "
    "reply to another mail about the game, or after the word GM."
)


class Answer(PlayerCommand):
    name = "answer"
    asked = QuestionMark.ITSELF
    usage = "reply to press"
    summary = "write back; a reply to all goes to everybody who got it"
    help = (
        "Reply to press as to any mail: your text goes to its writer or, if you reply to all, to "
        "everybody who got it. We read no commands in such a reply, unless it begins with one "
        "that has lines below it, such as PRESS, PHASE or WHATIF. If there is nothing but orders "
        "or commands in it, we ask whether you meant them for us: to have others read them, write "
        "the word SURE on the first line."
    )
    prose = True
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        match sender:
            case SeatHolder(answers=ForPress() as answers):
                act = functools.partial(_by_player, answers, call, sender, arrival)
            case GameMaster(answers=ForGmPress() as to_gm):
                act = functools.partial(_by_gm, to_gm, call, sender, arrival)
            case _:
                raise NotAllowed("To answer press, reply to the mail in which it came.")
        return or_not_sent(act, sender)


_NOTHING_BUT_COMMANDS = (
    "We did not pass on your reply to press, because there is nothing in it but “{}”. If you "
    "meant that for us, send it again in a reply to {}. If you want others to read it, send it "
    "again with the word SURE on the first line."
)
_SAID_TO_PEOPLE = frozenset(
    {
        *("confirm", "refuse", "approve", "ready", "wait", "stop"),
        *("hold", "same", "here", "help", "signoff"),
    }
)
"""Commands that are also words between people: “Yes”, “Wait!”, “Stop”."""
_ANSWERS = frozenset(("confirm", "refuse", "approve", "here", "stop"))
"""Commands that answer a letter, and do not go with orders: “Yes! A Ven - Tyr”."""


def _require_text(call: Call) -> None:
    """Raise BadInput for a reply without words of its own."""
    if not any(line.text.strip() for line in call.lines):
        raise BadInput(
            "Your answer has no text, so nobody got anything. Write it above the quoted mail."
        )


def _require_words(call: Call, where: str, is_command: Callable[[str], bool]) -> None:
    """Raise BadInput for a reply of nothing but commands, which might tell others a secret."""
    texts = [line.text for line in call.bare if line.text.strip()]
    if call.argument != SURE and texts and all(map(is_command, texts)):
        raise BadInput(_NOTHING_BUT_COMMANDS.format(texts[0], where))


def _is_for_us(text: str) -> bool:
    """Whether a line is a player's command that changes something, or any command with its word in
    capitals ("LOG marne"), and not just talk."""
    command = None if "?" in text else command_of(text, player.WORDS)
    if command is None or command in _SAID_TO_PEOPLE:
        return False
    return player.COMMANDS[command].secured or text.split()[0].isupper()


def _is_gms(text: str) -> bool:
    """Whether a line is a game master's command, and not a sentence that begins like one."""
    command = command_of(text, gm.WORDS) if text.split()[0].isupper() else None
    return command is not None and command not in _SAID_TO_PEOPLE


def _by_player(answers: ForPress, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    _require_text(call)
    _require_words(call, "the newest mail about the phase", _is_for_us)
    if call.argument != SURE:
        require_no_own_set(call, seat_of(sender), _ORDERS_ELSEWHERE)
    to = audience_of_answer(answers.press, seat_of(sender), to_all=answers.to_all)
    bare = [] if call.argument == SURE else _text(call)
    receipt = send(sender, to, text_of(call.lines), arrival, bare=bare)
    stray = "" if call.argument == SURE else _stray(call)
    note = f"\n\nYou wrote “{stray}” in it. {_ONLY_PASSED_ON}" if stray else ""
    return replace(receipt, text=f"{receipt.text}{note}")


def _text(call: Call) -> list[str]:
    """The lines of a reply, without those that go with orders for us: “My orders:”, READY."""
    return [line.text for line in call.bare if not _goes_with_orders(line.text)]


def _goes_with_orders(text: str) -> bool:
    return bool(
        is_heading(text)
        or _is_command_for_us(text)
        or is_courtesy(text)
        or _ASKS_RECEIPT.fullmatch(text)
    )


def _is_command_for_us(text: str) -> bool:
    command = None if "?" in text else command_of(text, player.WORDS)
    return command is not None and command not in _ANSWERS


def _stray(call: Call) -> str:
    """A line that may have been meant for us: an order at the end, or a command in capitals; "" if
    there is no such line."""
    texts = [line.text for line in call.lines if line.text.strip()]
    order = texts[-1] if texts and reads_as_order(texts[-1]) else ""
    return command_for_us(call.lines) or order


def _by_gm(answers: ForGmPress, call: Call, master: GameMaster, arrival: Arrival) -> Receipt:
    """The game master's answer, to the power that wrote to them."""
    _require_words(call, "another mail about the game, or after the word GM", _is_gms)
    press = answers.press
    if refusal := roles.refusal(master.user, press.game, "write", now=arrival.now):
        raise NotAllowed(refusal)
    if press.seat is None or press.grey:
        raise NotAllowed("We know nobody this could go to.")
    learns = disclosure.learns_writer(master.user, press)
    sent = gm_write(
        game=press.game,
        to=[press.seat.power.name if learns else press.sender],
        text=without_identity(text_of(call.lines), master),
        by=actor_in_game(master.user, press.game, now=arrival.now),
        now=arrival.now,
    )
    readers = listed_readers(sent)
    commands = [line.text for line in call.lines if line.text.strip() and _is_gms(line.text)]
    stray = "" if call.argument == SURE else next(iter(commands), "")
    note = f"\n\nYou wrote “{stray}” in it. {_ONLY_WRITTEN}" if stray else ""
    return Receipt(
        title="Your press",
        text=f"Passed on to {readers}:\n\n{quoted_text(sent.text)}{note}",
        subject=f"[{press.game.name}] Passed on to {readers}",
    )


def answer_call(letter: Letter) -> Call:
    """The whole text of an answer to press as one call."""
    lines = prose(letter)
    first = letter.lines[0] if letter.lines else None  # a greeting may stand above it
    sure = first is not None and first.text.strip(" .!").lower() == SURE
    said = tuple(line for line in lines if not (sure and line == first))
    number = lines[0].number if lines else 0
    return Call(Answer.name, SURE if sure else "", number, said, bare=tuple(letter.lines))
