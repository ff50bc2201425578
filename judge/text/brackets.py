"""What stands in brackets, and coasts however they are written, in a line cut into words.

Brackets may hold a part of the order, a coast, the kind of a unit, or a note to be left out.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from judge.text.separators import COASTS, Token
from judge.text.vocabulary import (
    BY_CONVOY,
    CALLING_OFF,
    DOUBTING,
    EXPECTING,
    LETTERS,
    NOTED_LETTERS,
    VERBS,
    corrects,
)

SIDES = {
    side + end: f"/{side[0]}c" for side in ("north", "south", "east", "west") for end in ("", "ern")
}
"""Words of coasts that may also begin the name of another place: "Stp north"."""
_INITIALS = {letter: f"/{letter}c" for letter in "nsew"}
_SHORE = frozenset(("coast", "cst", "coastal", "c", "shore"))
COAST_WORDS = frozenset((*SIDES, *_SHORE, *COASTS))
"""The words of coasts, in full or in short."""
CLOSING = {"(": ")", "[": "]", "{": "}"}
OPENING = {end: start for start, end in CLOSING.items()}


def without_brackets(tokens: list[Token], passages: Container[str]) -> Iterator[Token]:
    """Yield the tokens, coasts recognised and notes in brackets left out.

    `passages` are the names of railways and trains on the map: in brackets they are not a note.
    """
    closers = {sign: _last(tokens, closing) for sign, closing in CLOSING.items()}
    at, before, told = 0, ";", False
    kind: bool | str = False
    while at < len(tokens):
        word, first, last = tokens[at]
        if word in CLOSING and at < closers[word]:
            end = next(i for i in range(at, len(tokens)) if tokens[i][0] == CLOSING[word])
            inside = tokens[at + 1 : end]
            at = end + 1
            coast = _coast(inside, loose=True)
            # "(S)" before a unit is a support, not a south coast: "A Mar (S) A Par - Bur".
            if at < len(tokens) and tokens[at][0] in LETTERS and _is_verb(inside) and not told:
                coast = None
            if coast and coast[1] == len(inside):
                yield coast[0], first, tokens[end][2]
            elif (
                _is_part_of_order(inside, before) or _calls_off(inside) or _text(inside) in passages
            ):
                yield from _with_plain_coasts(inside)
            elif not told and _is_verb(inside):
                yield from inside
                before, told = inside[0][0], True
            elif _is_kind(inside, kind):
                yield from inside  # another kind than before is not a note: "A Bre (fleet)"
                kind = LETTERS[inside[0][0]]
            elif _is_letter_of_name(inside, before, kind):
                yield f"({inside[0][0]})", *inside[0][1:]
            continue
        coast = (
            _coast(tokens[at + 1 : at + 4], loose=True)
            if word == "/"
            else _coast(tokens[at : at + 3])
        )
        if coast:
            at += coast[1] + (word == "/")
            word, last = coast[0], tokens[at - 1][2]
        else:
            at += 1
        if word not in CLOSING and word not in OPENING:
            yield word, first, last
        told = word not in (";", ",") and (told or word in VERBS)
        kind = word not in (";", ",") and (kind or word == "-" or LETTERS.get(word, False))
        before = "" if before in BY_CONVOY else word


def _with_plain_coasts(inside: list[Token]) -> Iterator[Token]:
    """Yield the tokens without the slash before a coast: "F (StP/nc)"."""
    for token, following in pairwise([*inside, ("", 0, 0)]):
        if token[0] != "/" or following[0] not in COASTS.values():
            yield token


def _last(tokens: list[Token], sign: str) -> int:
    return max((at for at, token in enumerate(tokens) if token[0] == sign), default=-1)


def _coast(tokens: list[Token], *, loose: bool = False) -> tuple[str, int] | None:
    """Return the coast that begins the tokens, and how many tokens it has: "/nc", "north coast".

    `loose`, in brackets or after a slash, takes "north", "n" and "n c" as well.
    """
    if not tokens:
        return None
    word = tokens[0][0]
    if word[0] == "/" and len(word) > 1:
        return word, 1
    side = SIDES.get(word) or (_INITIALS.get(word) if loose else None)
    if side is None:
        return None
    joint = 1 + ([token[0] for token in tokens[1:2]] == ["-"])  # "Spain-South-Coast"
    shore = tokens[joint][0] if len(tokens) > joint else ""
    if shore in _SHORE and (loose or shore != "c"):
        return side, joint + 1
    return (side, 1) if loose else None


def _calls_off(inside: list[Token]) -> bool:
    """Tell whether words in brackets call off the order beside them, or make it uncertain:
    "(cancelled)", "(?)", "(if Italy agrees)"; "A Mun (keep)" is not a unit to disband."""
    words = [word for word, _, _ in inside]
    return words == ["keep"] or are_doubting(words)


def are_doubting(words: list[str]) -> bool:
    """Tell whether a note makes an order uncertain, calls it off or corrects it."""
    doubts = any(word in DOUBTING or word == "?" or word.startswith(CALLING_OFF) for word in words)
    return doubts or corrects(words)


def _text(inside: list[Token]) -> str:
    return " ".join(word for word, _, _ in inside)


def _is_verb(inside: list[Token]) -> bool:
    """Tell whether there is nothing but what the unit does, as zines print it: "A Mar (S)"."""
    return len(inside) == 1 and VERBS.get(inside[0][0]) in ("hold", "support", "convoy")


def _is_kind(inside: list[Token], kind: bool | str) -> bool:
    """Tell whether there is nothing but the kind of the unit before it, and not the `kind` that was
    said before: "Brest (fleet)"."""
    if len(inside) != 1 or len(inside[0][0]) == 1 or inside[0][0] not in LETTERS:
        return False
    return kind not in (True, LETTERS[inside[0][0]])


def _is_letter_of_name(inside: list[Token], before: str, kind: bool | str) -> bool:
    """Tell whether there is nothing but the letter of the unit before it: "Brest (F)". After a
    verb or another letter, it may say how an order fared: "A Bur H (F)"."""
    return (
        len(inside) == 1 and f"({inside[0][0]})" in NOTED_LETTERS and not (kind or before in VERBS)
    )


def _is_part_of_order(inside: list[Token], before: str) -> bool:
    """Tell whether words in brackets belong to the order: "(via convoy)", "S (A Mar - Bur)"."""
    words = [token[0] for token in inside]
    if before in EXPECTING:
        return True
    if before in (";", ","):
        return bool(words) and words[0] in LETTERS
    return bool(words) and words[0] in BY_CONVOY
