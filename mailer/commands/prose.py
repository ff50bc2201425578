"""The lines of a letter that are text for people: press, notes, letters to a moderator."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.letter import Letter
from mailer.reading.quotes import COURTESY, Line


def prose(letter: Letter) -> tuple[Line, ...]:
    """The lines of a letter with its greetings: text for people to read."""
    return between([*letter.lines, *greetings(letter)], 0, None)


def greetings(letter: Letter) -> list[Line]:
    """The lines of a letter that are said to people, and no order or command."""
    return [Line(one.number, one.text) for one in letter.ignored if one.why == COURTESY]


def between(lines: Sequence[Line], above: int, below: int | None) -> tuple[Line, ...]:
    """The lines between two line numbers, in their order."""
    found = [
        line for line in lines if line.number > above and (below is None or line.number < below)
    ]
    return tuple(sorted(found, key=lambda line: line.number))


def text_of(lines: Sequence[Line]) -> str:
    """The lines as one text; where a line is missing in between, there is a blank one."""
    text: list[str] = []
    last = lines[0].number if lines else 0
    for line in lines:
        if line.number > last + 1:
            text.append("")
        text.append(f"{line.bullet}{line.text}")
        last = line.number
    return "\n".join(text)
