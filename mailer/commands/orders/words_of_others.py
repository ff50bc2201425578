"""Moves that somebody else wants, with orders below: “Germany proposes:”, “Ben says:”, or a mail
copied from them. Their reader may not want these as orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from games.errors import BadInput
from games.queries import board
from mailer.commands.orders.greeted import LONGEST_HEADING, in_english, is_said_by, others
from mailer.commands.orders.told_to_others import right_below
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import phrases
from mailer.reading.patterns import says

_PROPOSES = (
    r"(?:propos|suggest|want|ask|wrote|writes|said|says|told|tells|sent|recommend|plan|request|advis"
    r"|demand|expect|offer)\w*"
)
_OF_THEIRS = (
    r"(?!.*\b(?:i|we|as)\b)[^.!?:]{1,40}\b(?:(?:propose|suggest|recommend|advise)[sd]|wants\s+(?:me|us)"
    r"|schlägt\b.{0,20}\bvor|propone|propõe|proponuje|stelt\b.{0,20}\bvoor"
    r"|['’]s\s+(?:proposal|suggestion|offer|advice))\b[^.!?:]{0,40}:"
)
_SAYS_SO = (
    r"(?!.*\b(?:i|we|as)\b)[^.!?:,]{1,40}\b(?:wants|says|said|asks|asked|thinks|wrote)"
    r"(?: (?:me|us|this|that|you|to|do|the|following)){0,4}\s*:"
)
"""Words for what only somebody else does, whoever it is: “Ben suggests:”, “My ally wants me to do
so:”."""
_OF_SOMEBODY = (
    "“{}” may only introduce somebody else's words, so we do not follow this. To order it, send it "
    "alone."
)
_QUOTES = says(_OF_THEIRS, _SAYS_SO)
_CONCLUDES = r".*,\s*(?:so|hence|therefore|thus)(?:\s+(?:i|my|here|these)\b[^:]*)?\s*:"
"""What follows “Germany says Italy is weak, so:” is what the writer does, not Germany."""
_TELLS = r"(?:tell|told|telling|promised?|informe?d?|let|wrote\s+to|said\s+to|lied\s+to|assured?)"
_IS_PLAIN = r"(?!.*\b(?:not|never|nobody|without|orders?)\b|.*n['’]t\b)"
_FROM = re.compile(r"\W*(?:from|von|de|da|van|od|från|fra|от)\s*:", re.IGNORECASE)


def heads_words_of_others(text: str) -> bool:
    """Whether a line says that somebody else wants what stands below: “Ben says:”."""
    return len(text) <= LONGEST_HEADING and _QUOTES.fullmatch(text) is not None


def told_by_others(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders right below words like "Germany proposes:" or "Tell Germany that I will:", each
    with the reason not to follow it."""
    names = "|".join(map(re.escape, [*others(view), "he", "she", "they", "you", "ally", "allies"]))
    readers = "|".join(map(re.escape, others(view)))
    told = says(
        rf"{_IS_PLAIN}[^.!?]{{0,20}}\b{_TELLS} (?:{readers})\b[^.!?]{{0,40}}:",
        rf"(?!.*\b(?:and i|we|here)\b|{_CONCLUDES})[^.!?]{{0,30}}\b(?:{names})"
        rf"\b.{{0,30}}\b{_PROPOSES}[^.!?:]{{0,40}}:",
        _OF_THEIRS,
        rf"(?!\W*{re.escape(view.power)}\b|{_CONCLUDES}){_SAYS_SO}",
    )
    for piece in found:
        text = piece.line.text
        if piece.province:
            continue
        if is_said_by(text, [view.power], view):
            if text.endswith(":") and text.count(" ") <= 1:
                yield piece, ""  # "Carla:" above her own orders
            continue
        if told.fullmatch(in_english(text, view)) or is_said_by(text, others(view), view):
            for below in right_below(piece.line, found):
                yield below, _OF_SOMEBODY.format(piece.line.text)


def told_by_sender(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders below "From: Germany", "To: France", copied from somebody else's mail.

    The header alone, without a reason, if its player wrote it above their own orders.
    """
    header = [piece for piece in found if phrases.HEADER_LINE.fullmatch(piece.line.text)]
    writers = [piece for piece in header if _FROM.match(piece.line.text)]
    if len(header) < 2 or not writers:
        return
    yield from ((piece, "") for piece in header)
    writer = writers[0].line.text
    if not _is_own(writer.partition(":")[2].strip(), view):
        for piece in found:
            if piece.province and piece.at > writers[0].at:
                yield piece, _OF_SOMEBODY.format(writer)


def _is_own(name: str, view: Viewpoint) -> bool:
    try:
        return board.power_named(view.position.variant.name, name) == view.power
    except BadInput:
        return name.lower() in ("me", "myself")
