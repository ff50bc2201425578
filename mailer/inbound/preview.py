"""How a mail would be read, without doing anything in it: for support and for tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import NotRequired, TypedDict

from django.db import DatabaseError
from django.utils import timezone

from games.errors import BadInput, NotFound, WrongState
from games.models import Game
from games.queries import board, lookup
from games.queries.parsing.game_names import game_on_server
from games.queries.players.seats import power_names
from mailer.commands.calls import AMEND, CLEAR, ORDERS, SIGNOFF, STOP, Call
from mailer.commands.orders.greeted import with_greeted
from mailer.commands.orders.in_doubt import Doubted, without_doubted
from mailer.commands.orders.under_condition import decide_conditions
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player import WORDS
from mailer.identity import identify
from mailer.identity.senders import Sender, Stranger
from mailer.inbound.admission import why_doubted, why_dropped, why_held
from mailer.inbound.requests import calls_of, read_with_greetings
from mailer.letter import Ignored, Letter, Line, greetings
from mailer.reading.machine import Kind


class LineRead(TypedDict):
    """An order line, a command, or neither: then `command` is None.

    Only order lines have the fields below `order`.
    """

    line: int
    text: str
    command: str | None
    order: str | None
    problem: NotRequired[str | None]
    suggestions: NotRequired[list[str]]
    note: NotRequired[str | None]


class LineIgnored(TypedDict):
    """A line that we do not read, and why."""

    line: int
    text: str
    why: str


class MailRead(TypedDict):
    """How we would read a mail.

    `machine` says that we would drop it as a program's, `held` why we would ask its owner first,
    and `unread` names the parts that we do not read at all.
    """

    sender: str | None
    machine: bool
    held: str | None
    lines: list[LineRead]
    ignored: list[LineIgnored]
    subject: str
    unread: list[str]


FIRST_VARIANT, FIRST_POWER, FIRST_RULES = "standard", "France", "DATC"


def viewpoint(game: str, power: str) -> Viewpoint:
    """A power's place in a game's open phase; without a game, Spring 1901 of the standard one.

    Raises NotFound when there is no such game or power, WrongState without an open phase.
    """
    if not game:
        variant = board.variant_named(FIRST_VARIANT)
        state = board.first_state(FIRST_VARIANT)
        place = board.position_of(FIRST_VARIANT, state)
        return Viewpoint(place, _power_named(power or FIRST_POWER, variant.powers), FIRST_RULES)
    found = game_on_server(game)
    phase = lookup.open_phase(found)
    if phase is None:
        raise WrongState(f"The game {found.name} has no open phase.")
    return Viewpoint.of(phase, _power_named(power, power_names(found)))


def preview(raw: bytes, view: Viewpoint, game: Game | None = None) -> MailRead:
    """The reading of a mail as plain values, in the words of `manage.py read_mail`; in a game, with
    its players' names.

    It takes the way of every mail (mailer/inbound/one_mail.py), but does nothing.
    """
    letter = read_with_greetings(raw)
    sender = _sender(letter)
    calls = calls_of(letter, sender)
    if game is not None:
        view = with_greeted(view, [*greetings(letter), *letter.lines], game)
    dropped = _is_dropped(letter, calls, sender, view)
    read, passed_over = _read_calls(calls, view)
    return {
        "sender": letter.sender,
        "machine": dropped,
        "held": None if dropped else _why_held(letter, calls, sender),
        "lines": [] if dropped else sorted(_lines(letter, read, view), key=itemgetter("line")),
        "ignored": [
            {"line": line.number, "text": line.text, "why": line.why}
            for line in sorted([*letter.ignored, *passed_over], key=attrgetter("number"))
        ],
        "subject": letter.subject,
        "unread": list(letter.left_out),
    }


def _sender(letter: Letter) -> Sender:
    """The writer; a stranger if there is no database yet, so that people can look at any file."""
    received_at = letter.date or timezone.now()  # as if it had not been long on its way
    try:
        return identify.identify(letter, received_at=received_at)
    except DatabaseError:
        return Stranger(letter.sender or "")


def _is_dropped(letter: Letter, calls: Sequence[Call], sender: Sender, view: Viewpoint) -> bool:
    """Whether we would ignore the mail as a program's."""
    try:
        return bool(why_dropped(letter, calls, sender, view.has_order))
    except DatabaseError:
        return letter.mark is not None and letter.mark.kind is not Kind.SUBJECT


def _read_calls(calls: Sequence[Call], view: Viewpoint) -> tuple[list[Call], list[Ignored]]:
    """The calls with those lines that are read, and the others with the reason."""
    read, passed_over = list[Call](), _never_read(calls)
    for call in calls:
        if call.command not in (ORDERS, AMEND):
            read.append(call)
            continue
        met, unmet, under_condition = _split_by_conditions(call.lines, view)
        own, in_doubt = without_doubted(met, view, call.greeted)
        doubted = [*under_condition, *in_doubt]
        lines, rest = view.split(own)
        read.append(dataclasses.replace(call, lines=tuple(lines)))
        passed_over += [Ignored(one.number, one.text, "its condition is not met") for one in unmet]
        passed_over += [Ignored(one.line.number, one.line.text, one.why) for one in doubted]
        passed_over += [
            Ignored(one.number, one.text, "below lines that are not orders") for one in rest
        ]
    return read, passed_over


def _split_by_conditions(
    lines: Sequence[Line], view: Viewpoint
) -> tuple[Sequence[Line], list[Line], Sequence[Doubted]]:
    try:
        chosen, doubted = decide_conditions(lines, view)
    except BadInput:  # then the server takes none of them and says why
        chosen, doubted = lines, ()
    aside = {one.line.number for one in doubted}
    unmet = [line for line in lines if line not in chosen and line.number not in aside]
    return chosen, unmet, doubted


def _never_read(calls: Sequence[Call]) -> list[Ignored]:
    """The lines that are not read below such a word, or above CLEAR."""
    where = {SIGNOFF: "below SIGNOFF", STOP: "below STOP", CLEAR: "above CLEAR"}
    return [
        Ignored(line.number, line.text, where[call.command])
        for call in calls
        if call.command in where
        for line in call.lines
    ]


def _lines(letter: Letter, calls: Sequence[Call], view: Viewpoint) -> Iterator[LineRead]:
    told = {line.number for call in calls for line in call.lines}
    texts = {line.number: line.text for line in letter.lines}
    for call in calls:
        if call.command in (ORDERS, AMEND):
            yield from _orders(call.lines, view)
        else:
            told.add(call.number)
            yield _command(call.number, texts.get(call.number, letter.subject), call.command)
    for number, text in texts.items():  # AMEND and ORDERS stand among the orders they are about
        if number not in told and (word := text.split()[0].strip(":.!,").lower()) in WORDS:
            yield _command(number, text, WORDS[word].command)


def _command(number: int, text: str, command: str) -> LineRead:
    return {"line": number, "text": text, "command": command, "order": None}


def _orders(lines: Sequence[Line], view: Viewpoint) -> Iterator[LineRead]:
    for reading in view.readings([line.text for line in lines]):
        problem = reading.problem
        unreadable = problem is not None and problem.kind == "unreadable"
        yield {
            "line": lines[reading.line].number,
            "text": reading.text,
            "command": None if unreadable else "order",
            "order": str(reading.order) if reading.order else None,
            "problem": problem.sentence if problem else None,
            "suggestions": list(problem.suggestions) if problem else [],
            "note": reading.note,
        }


def _why_held(letter: Letter, calls: Sequence[Call], sender: Sender) -> str | None:
    """Why we would ask its owner before doing anything in the mail; None if we would not."""
    if why := why_doubted(letter, calls, sender):
        return why
    try:
        return why_held(sender, calls) or None
    except DatabaseError:
        return None


def _power_named(power: str, powers: Sequence[str]) -> str:
    by_name: Mapping[str, str] = {one.lower(): one for one in powers}
    if power.lower() not in by_name:
        raise NotFound(f"There is no power “{power}”. There are {', '.join(powers)}.")
    return by_name[power.lower()]
