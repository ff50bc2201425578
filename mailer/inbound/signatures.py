"""Signatures: a name and the lines that offices put below it. They are no order, and no part of a
letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.queries.access.staff_names import staff_name
from games.queries.board import reads_as_order
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import WORDS
from mailer.commands.player.account.register import Register
from mailer.commands.player.gm import Gm
from mailer.commands.player.messages.answer import Answer
from mailer.commands.player.messages.broadcast import Broadcast
from mailer.commands.player.messages.press import Press
from mailer.identity.senders import SeatHolder, Sender
from mailer.letter import Letter, greetings
from mailer.reading.courtesies import CLOSING
from mailer.reading.kinds_of_line import can_be_name, looks_like_order
from mailer.reading.phrases import CONTACT, ENDS_PRESS
from mailer.reading.quotes import Line

MOST_NAMES = 5
LONGEST_BLOCK = 6
"""How many lines a name and an office's lines below it may have."""
_WORD = re.compile(r"[^\W\d_]+")
_PASSED_ON = (Answer.name, Press.name, Broadcast.name)


def without_signature(calls: tuple[Call, ...], letter: Letter, sender: Sender) -> tuple[Call, ...]:
    """The calls of a letter without its signature.

    In letters to others a name stays, but not together with contact details.
    """
    greeted = any(
        line.number < own.number for own in letter.lines[:1] for line in greetings(letter)
    )
    signature = _signature(letter.lines, sender, calls, first=0 if greeted else 1)
    for line in reversed(signature):
        calls = tuple(one for call in calls for one in _without_signature(call, line))
    numbers = {line.number for line in signature}
    calls = tuple(
        replace(call, bare=tuple(line for line in call.bare if line.number not in numbers))
        for call in calls
    )
    if any(CONTACT.search(line.text) for line in signature):
        calls = tuple(_without_card(call, signature) for call in calls)
    return calls


def _without_card(call: Call, card: Sequence[Line]) -> Call:
    """A letter to others without these lines."""
    if call.command not in _PASSED_ON:
        return call
    numbers = {line.number for line in card}
    lines, bare = (
        tuple(line for line in lines if line.number not in numbers)
        for lines in (call.lines, call.bare)
    )
    return replace(call, lines=lines, bare=bare)


def _signature(
    own: Sequence[Line], sender: Sender, calls: Sequence[Call], *, first: int
) -> list[Line]:
    """The lines that say who wrote: names at the end, or a name below a blank line with everything
    after it, if that is the end.

    No line above the `first` belongs to it.
    """
    end = len(own)
    while end > first and _signs(own[end - 1].text, sender, calls):
        end -= 1
    names = [at for at in _below_a_gap(own[:end]) if _signs(own[at].text, sender, calls)]
    block = next((at for at in names if _is_office(own[at + 1 : end])), end)
    return [*(own[at] for at in names if at < block), *own[block:]]


def _below_a_gap(own: Sequence[Line]) -> Iterator[int]:
    """The lines that stand below a blank one, and so may begin a signature."""
    for at in range(1, len(own)):
        if own[at].number > own[at - 1].number + 1 and len(own[at].text) > 1:
            yield at


def _is_office(lines: Sequence[Line]) -> bool:
    """Whether lines can be what offices put below a name: no order, command or sentence."""
    return len(lines) < LONGEST_BLOCK and not any(
        looks_like_order(line.text)
        or reads_as_order(line.text)
        or command_of(line.text, WORDS)
        or ENDS_PRESS.fullmatch(line.text)
        or not (can_be_name(line.text) or CONTACT.search(line.text))
        for line in lines
    )


def _signs(text: str, sender: Sender, calls: Sequence[Call]) -> bool:
    """Whether a line only says who wrote it: "Bob", "- Bob (Germany)", "Thanks, Bob"."""
    closing = CLOSING.match(text[:200])
    rest = (text[closing.end() :] if closing else text).casefold()
    words = _WORD.findall(rest.replace(".", ""))
    if not 0 < len(words) <= MOST_NAMES or not _names(sender, calls).issuperset(words):
        return False
    return not reads_as_order(text)  # last, because a line that is no order is read on every map


def _names(sender: Sender, calls: Sequence[Call]) -> frozenset[str]:
    """The words that a sender may sign with: name, address, power, and the initials of a name."""
    users = [staff_name(sender.gm.user)] if sender.gm else []
    players = [sender.player.name] if sender.player else []
    registers = [call.argument for call in calls if call.command == Register.name]
    whole = [*users, *players, *registers]
    power = [sender.seat.power.name] if isinstance(sender, SeatHolder) else []
    said = [*whole, *power, sender.email.partition("@")[0]]
    words = {word for one in said for word in _WORD.findall(one.casefold())}
    initials = {"".join(word[0] for word in _WORD.findall(one.casefold())) for one in whole}
    return frozenset({*words, *initials, *(one[:1] for one in initials)} - {""})


def _without_signature(call: Call, last: Line) -> list[Call]:
    """The call without the line; no call at all if that is all it had."""
    lines = tuple(line for line in call.lines if line.number != last.number)
    if call.command == Gm.name:
        within = tuple(one for each in call.calls for one in _without_signature(each, last))
        return [replace(call, calls=within)]
    if call.command not in (ORDERS, AMEND) or len(lines) == len(call.lines):
        return [call]
    is_written = call.command == AMEND or call.number != last.number  # as a word of its own
    return [replace(call, lines=lines)] if lines or is_written else []
