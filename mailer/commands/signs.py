"""What the signs of a mail say of its orders: boxes that are ticked or not, quotation marks, and
signs that set a line aside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mailer.commands.pieces import Piece
from mailer.reading import doubts
from mailer.reading.quotes import Line

_NOT_TICKED = "Its box is not ticked, and others are, so this is not followed."
_BETWEEN_MARKS = (
    "It stands between quotation marks, so it is not followed. To order it, write it without them."
)
_SET_ASIDE = "It is set aside by “{}”, and you order the unit otherwise, so this is not followed."
_ASIDE = re.compile(r"\s*(?:(#)(?!\d)|(\().*\)\s*$)")
_MARK = re.compile('["“”„]')


def unticked(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[tuple[Piece, str]]:
    """The orders whose boxes are empty, where others are ticked."""
    if not any(doubts.TICKED.match(line.text) for line in lines):
        return
    for piece in found:
        if piece.province and doubts.UNTICKED.match(lines[piece.at].text):
            yield piece, _NOT_TICKED


def between_marks(found: Sequence[Piece]) -> Iterator[tuple[Piece, str]]:
    """The orders between a line that opens a quotation and the line that closes it."""
    odd = [piece.at for piece in found if len(_MARK.findall(piece.line.text)) % 2]
    if len(odd) % 2:
        return  # a lone one stands for inches, or opens nothing
    for first, last in zip(odd[::2], odd[1::2], strict=True):
        for piece in found:
            if piece.province and first < piece.at < last:
                yield piece, _BETWEEN_MARKS


def set_aside(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[tuple[Piece, str]]:
    """The orders on lines that begin with # or stand in brackets, where another line orders their
    unit otherwise."""
    signs = {at: match for at, line in enumerate(lines) if (match := _ASIDE.match(line.text))}
    plain = {one.province: one.order for one in found if one.province and one.at not in signs}
    for piece in found:
        if piece.at in signs and plain.get(piece.province, piece.order) != piece.order:
            sign = signs[piece.at]
            yield piece, _SET_ASIDE.format("#" if sign[1] else "( )")
