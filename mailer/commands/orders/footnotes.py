"""Orders with a footnote that may change them: "A Par - Bur [1]" and "[1] Only if Italy agrees"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mailer.commands.orders.viewpoint import Piece, Reason
from mailer.reading import doubts, phrases, speech
from mailer.reading.quotes import Line

_MAY_CHANGE = (
    "Its note “{}” may change it, so we do not follow it. To order it, send it without the note."
)
_TWO_WAYS = (
    "You order it in two ways, here and in the note “{}”. We do not know which you mean, so we "
    "follow neither. Please send again the one that you mean."
)
_LONGEST_MARK = 20
"""How many letters, dots and blanks at the end of a line we search for the mark of a note."""
_MARKS = r"\(\d{1,2}\)|\[\d{1,2}\]|\*{1,3}|[†‡]"
_NOTE_MARK = re.compile(rf"(?:{_MARKS})(?=[\s.]*$)")
_NOTE = re.compile(rf"\s*(?P<mark>{_MARKS})(?!\*)[\s.:]*(?P<said>.*)")


def footnoted(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """Yield these orders, each with the reason why it is not followed. A note stands below its
    orders, its mark perhaps alone on the line above it."""
    notes, orders = dict[str, str](), dict[tuple[str, str], Piece]()
    next_text = ""
    for piece in reversed(found):
        line = lines[piece.at]
        text = f"{line.bullet}{line.text}"[: phrases.LONGEST_RULED]
        noted = _NOTE.match(text)
        if noted and piece.province:
            orders[noted["mark"], piece.province] = piece
        elif noted and _may_change(said := noted["said"] or next_text):
            notes[noted["mark"]] = said
        if not piece.province:
            next_text = text
        if not piece.province or text.startswith("*"):  # stars around an order only stress it
            continue
        marked = _NOTE_MARK.search(line.text[-_LONGEST_MARK:])
        mark = marked[0] if marked else ""
        if mark in notes:
            yield piece, _MAY_CHANGE.format(notes[mark])
        below = orders.get((mark, piece.province), piece)
        if below.order != piece.order:
            yield from ((one, _TWO_WAYS.format(mark)) for one in (piece, below))


def _may_change(note: str) -> bool:
    if doubts.VOID.fullmatch(note):
        return True
    return bool(doubts.DOUBT.search(note) or speech.MAY_CHANGE_OTHERS.search(note))
