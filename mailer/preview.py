"""How a mail would be read, without doing any of it: for support, and for whoever tests us."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import DatabaseError

from games import board, selectors
from games.errors import NotFound, WrongState
from games.models import Game
from mailer import errands, identity
from mailer.letter import Ignored, Letter, Line, read_letter
from mailer.script import AMEND, ORDERS, SIGNOFF, Call, read_script
from mailer.verbs import WORDS

FIRST_VARIANT, FIRST_POWER, FIRST_RULES = "standard", "France", "DATC"


@dataclasses.dataclass(frozen=True)
class Viewpoint:
    """The position in which orders are read, and the power whose they are."""

    position: board.Position
    power: str
    rules: object


def viewpoint(game: str, power: str) -> Viewpoint:
    """A power's place in a game's open phase; without a game, Spring 1901 of the standard one.

    Raises NotFound when there is no such game or power, WrongState without an open phase.
    """
    if not game:
        variant = board.variant_named(FIRST_VARIANT)
        state = board.first_state(FIRST_VARIANT)
        place = board.position_of(FIRST_VARIANT, state)
        return Viewpoint(place, _named(power or FIRST_POWER, variant.powers), FIRST_RULES)
    found = selectors.game_by_name(game)
    phase = selectors.open_phase(found)
    if phase is None:
        raise WrongState(f"The game {found.name} has no open phase.")
    place = board.position_of(found.variant, phase.position)
    return Viewpoint(place, _named(power, _powers(found)), found.rules)


def preview(raw: bytes, view: Viewpoint) -> dict[str, Any]:
    """The reading of a mail as plain values, in the words of `manage.py read_mail`."""
    letter = read_letter(raw)
    calls = read_script(letter, WORDS)
    return {
        "sender": letter.sender,
        "machine": letter.machine is not None,
        "held": _held(letter, calls),
        "lines": sorted(_lines(letter, calls, view), key=lambda line: int(line["line"])),
        "ignored": [
            {"line": line.number, "text": line.text, "why": line.why}
            for line in sorted([*letter.ignored, *_below_signoff(calls)], key=_number)
        ],
        "subject": letter.subject,
        "unread": list(letter.left_out),
    }


def _below_signoff(calls: Sequence[Call]) -> list[Ignored]:
    return [
        Ignored(line.number, line.text, "below SIGNOFF")
        for call in calls
        if call.verb == SIGNOFF
        for line in call.lines
    ]


def _number(line: Ignored) -> int:
    return line.number


def _lines(letter: Letter, calls: Sequence[Call], view: Viewpoint) -> Iterator[dict[str, Any]]:
    told = {line.number for call in calls for line in call.lines}
    texts = {line.number: line.text for line in letter.lines}
    for call in calls:
        if call.verb in (ORDERS, AMEND):
            yield from _orders(call.lines, view)
        else:
            told.add(call.number)
            yield _command(call.number, texts[call.number], call.verb)
    for number, text in texts.items():  # AMEND and ORDERS stand among the orders they are about
        if number not in told and (word := text.split()[0].strip(":.!,").lower()) in WORDS:
            yield _command(number, text, WORDS[word].verb)


def _command(number: int, text: str, verb: str) -> dict[str, Any]:
    return {"line": number, "text": text, "command": verb, "order": None}


def _orders(lines: Sequence[Line], view: Viewpoint) -> Iterator[dict[str, Any]]:
    rules = board.rulebook_of(view.rules)
    texts = [line.text for line in lines]
    for reading in board.read_orders(view.position, view.power, texts, rules):
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


def _held(letter: Letter, calls: Sequence[Call]) -> str | None:
    """Why nothing in the mail would be done before its owner has been asked; None otherwise.

    Nobody is known where there is no database yet: a file can be looked at all the same.
    """
    if letter.machine or letter.sender is None:
        return None
    try:
        return errands.why_held(identity.identify(letter), calls) or None
    except DatabaseError:
        return None


def _powers(game: Game) -> tuple[str, ...]:
    return selectors.game_summary(game).powers


def _named(power: str, powers: Sequence[str]) -> str:
    by_name: Mapping[str, str] = {one.lower(): one for one in powers}
    if power.lower() not in by_name:
        raise NotFound(f"There is no power {power!r}. There are {', '.join(powers)}.")
    return by_name[power.lower()]
