"""Orders set apart from the others by boxes, brackets, quotation marks or programmers' comment
signs. We follow none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mailer.commands.orders.differences import EITHER_SIGN, is_signed
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import doubts, phrases
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.quotes import Line

_NOT_TICKED = "Its box is not ticked, and others are, so we do not follow this."
_BETWEEN_MARKS = (
    "It stands between quotation marks, so we do not follow it. To order it, write it without them."
)
_SET_ASIDE = "It is set aside by “{}”, and you order the unit otherwise, so we do not follow this."
_COMMENTED_OUT = "It stands after “{}”, which sets it aside, so we do not follow it."
_REPLACED = "It stands after “-”, which takes it out: the unit follows its order after “+” instead."
_ASIDE = re.compile(r"\s*(?:(#)(?!\d)|(\().*\)\s*$)")
_LEFT_OUT = "//"
"""Signs before a single line that programmers leave out."""
_DENIED = re.compile(r"\s*[!¬~](?=\s?[^\W\d_])")
_DENIED_WITHIN = re.compile("[!¬][-–—=>]|[≠↛⇏]|[-–—=>→]\u0338")
"""Signs that say “not” before an order, or before where its unit goes."""
_SAYS_NOT = (
    "“{}” in it may mean “not”, so we do not follow it. To order it, write it without that sign."
)
_MARK = re.compile('["“”„]')


def marked_off(lines: Sequence[Line], found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """Yield these orders, each with the reason not to follow it."""
    yield from _unticked(lines, found)
    yield from _set_aside(lines, found)
    yield from (_either_sign if _is_winter(view) else _replaced)(lines, found)
    yield from _commented_out(lines, found)
    yield from _between_marks(found)
    yield from _denied(lines, found)


def _unticked(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders with empty boxes, if others are ticked."""
    if not any(doubts.TICKED.match(line.text) for line in lines):
        return
    for piece in found:
        if piece.province and doubts.UNTICKED.match(lines[piece.at].text):
            yield piece, _NOT_TICKED


def _replaced(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders after a minus whose unit has another after a plus, as programmers write what they
    change, or may have one, where not all after a plus can be read."""
    added = [piece for piece in found if lines[piece.at].text.startswith("+")]
    units = {piece.province for piece in added} - {""}
    is_clear = all(piece.order for piece in added)
    for piece in found:
        line = lines[piece.at]
        if piece.province and re.match(r"-(?!-)", f"{line.bullet}{line.text}"):
            if piece.province in units:
                yield piece, _REPLACED
            elif not is_clear:
                yield piece, EITHER_SIGN


def _is_winter(view: Viewpoint) -> bool:
    return view.position.phase.step == "A"


def _either_sign(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The builds or disbands after “-” and “+”, which may take some of them out: there “-” is also
    short for a disband, and “+” for a build."""
    if is_signed([lines[one.at] for one in found if one.provinces]):
        yield from ((one, EITHER_SIGN) for one in found if one.provinces)


def _between_marks(found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders between a line that opens a quotation and the line that closes it."""
    odd = [piece.at for piece in found if len(_MARK.findall(piece.line.text)) % 2]
    if len(odd) % 2:
        return  # a lone mark stands for inches, or opens nothing
    for first, last in zip(odd[::2], odd[1::2], strict=True):
        for piece in found:
            if piece.province and first < piece.at < last:
                yield piece, _BETWEEN_MARKS


def _commented_out(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders that programmers' signs comment out; the lines of the signs themselves have no
    reason."""
    signs, begins = dict[int, str](), ""
    for at, line in enumerate(lines):
        begins = begins or next((one for one in phrases.COMMENTS if _begins(line.text, one)), "")
        if line.text.startswith(_LEFT_OUT) and not begins:
            signs[at] = _LEFT_OUT
        if begins:
            signs[at] = begins
            begins = "" if phrases.COMMENTS[begins] in line.text else begins
    for piece in found:
        if sign := signs.get(piece.at):
            is_order = piece.province or looks_like_order(piece.line.text)
            yield piece, _COMMENTED_OUT.format(sign) if is_order else ""


def _denied(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders with a sign that says “not”: “!A Par - Bur”, “A Par ≠ Bur”."""
    ordered = [lines[piece.at].text for piece in found if piece.province]
    is_bullet = len(ordered) > 1 and all(map(_DENIED.match, ordered))
    for piece in found:
        text = lines[piece.at].text[: phrases.LONGEST_RULED]
        begins = None if is_bullet else _DENIED.match(text)
        if piece.province and (match := begins or _DENIED_WITHIN.search(text)):
            yield piece, _SAYS_NOT.format(match[0].strip())


def _begins(text: str, sign: str) -> bool:
    return text.startswith(sign) or text.endswith(sign)


def _set_aside(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders on lines that begin with # or stand in brackets, if another line gives their unit
    a different order."""
    signs = {at: match for at, line in enumerate(lines) if (match := _ASIDE.match(line.text))}
    plain = {one.province: one.order for one in found if one.province and one.at not in signs}
    for piece in found:
        if piece.at in signs and plain.get(piece.province, piece.order) != piece.order:
            sign = signs[piece.at]
            yield piece, _SET_ASIDE.format("#" if sign[1] else "( )")
