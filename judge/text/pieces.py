"""The orders of a line as we read them, what they say however they are written, and which of them
count if one cannot be read.

If a piece of a line cannot be read, nothing of that line is followed: "A Mar xx A Par - Bur" is
hardly a move of Paris. Only a comma or semicolon between two whole orders separates them: in "A Mun
- Oz, A Par - Bur" Paris moves, in "A Mun, with A Par - Bur" it does not. Between two that begin
with their units a semicolon is enough: "A Mar dances; A Par - Bur". A condition after an order may
be meant for those before it, too, but hardly for the next one: "A Mun - Bur if it is free, A Ber -
Kie" moves Berlin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Literal, cast

from judge.text.vocabulary import CONDITIONS, EXPECTING, LETTERS, VERBS, Action
from judge.text.words import Wording
from judge.text.written import AmbiguousName, Part, Piece, UnknownProvince, UnreadableOrder, Written


@dataclass(slots=True)
class ReadPiece:
    """An order of a line. `provinces` are those of its places (board indices), None if a name is
    unclear, so that nothing can be remembered."""

    text: str
    written: Written | UnreadableOrder
    provinces: tuple[int, ...] | None = None
    for_all: Action | Literal[""] = ""
    """What all units without another order should do, if the piece says so."""
    part: Part | None = None
    """Its place among the orders of its line."""


_OTHERWISE = frozenset(("or", "otherwise", "instead", "except", "but"))
"""Words that make a condition about more than the order before it."""

_JOINS = frozenset(("also", "then", "too"))
"""Words that show that an order goes with the one before it, and is under its condition."""

Meaning = tuple[tuple[object, ...], ...]
"""What the orders of a line say, apart from how they are written."""


def read_piece(piece: Piece) -> ReadPiece:
    """Return a piece as we read it, with what may be remembered of it."""
    written, part = piece.written, piece.part
    if isinstance(written, UnreadableOrder):
        return ReadPiece(piece.text, written, part=part)
    if written.unit is None:
        is_one = written.action == "waive" and not written.all_left
        for_all: Action | Literal[""] = "" if is_one else written.action
        return ReadPiece(piece.text, written, for_all=for_all, part=part)
    return ReadPiece(piece.text, written, written.clear_provinces(), part=part)


def are_clear(pieces: tuple[ReadPiece, ...]) -> bool:
    """Tell whether all orders of a line can be read, and every name in them means one province.

    A bare unit is an order only if it is alone, or after a build: "A Parigi a Borgogna" is a move.
    """
    first = pieces[0].written if pieces else None
    listed = isinstance(first, Written) and first.action in ("build", "disband")
    return bool(pieces) and all(
        isinstance(one.written, Written)
        and (bool(one.written.action) or listed or len(pieces) == 1)
        and (one.provinces is not None or one.for_all or one.written.action == "waive")
        for one in pieces
    )


def meaning_of(pieces: tuple[ReadPiece, ...]) -> Meaning:
    """Return what the orders of a line say: the same for all ways to write them."""
    return tuple(
        (one.provinces or (), one.for_all, *_gist(one.written))
        for one in pieces
        if isinstance(one.written, Written)
    )


def _gist(written: Written) -> tuple[object, ...]:
    coasts = tuple(place.coast for place in written.places)
    kinds = tuple(unit.kind for unit in (written.unit, written.aided) if unit)
    path = written.to.through if written.to else ()
    waters = tuple(place.provinces for place in path)
    rest = written.nation, waters, written.passage, written.only, written.both, written.number
    return written.action, coasts, kinds, written.by_convoy, *rest


def places_of(meaning: Meaning) -> tuple[int, ...]:
    """Return the provinces of all orders of a line, in order."""
    return tuple(index for provinces, *_ in meaning for index in cast(tuple[int, ...], provinces))


def part_of(
    wording: Wording, number: int, written: Written | UnreadableOrder, before: Wording | None
) -> Part:
    """Return the part of a line that has this wording, the next one after `before`; `written` is
    what was read there."""
    for_all = isinstance(written, Written) and written.unit is None
    readable = isinstance(written, Written | UnknownProvince | AmbiguousName)
    under_if = _is_under_if(wording.words, written)
    return Part(
        number,
        wording.separator in (",", ";"),
        readable and _is_whole(wording.words),
        not (under_if or CONDITIONS.isdisjoint(wording.words)),
        wording.words[0] in LETTERS and not for_all and _JOINS.isdisjoint(wording.words),
        wording.separator == ";" and (before is None or before.words[-1] not in EXPECTING),
        isinstance(written, Written) and not written.action,
        _is_headed(wording.text, written),
        under_if,
    )


def _is_under_if(words: tuple[str, ...], written: Written | UnreadableOrder) -> bool:
    """Tell whether a condition stands right after the order of a unit, and nothing else does."""
    if isinstance(written, Written) or written.after is None:
        return False
    begins = written.piece.casefold().startswith(("if ", "unless "))
    return begins and words[0] in LETTERS and _OTHERWISE.isdisjoint(words)


def _is_headed(text: str, written: Written | UnreadableOrder) -> bool:
    """Tell whether what cannot be read stands before a colon: it is about what stands after."""
    if isinstance(written, Written) or not written.piece:
        return False
    return 0 <= text.find(written.piece) < text.find(":")


def _is_whole(words: tuple[str, ...]) -> bool:
    """Tell whether a unit's letter comes first, then what it does, then a name."""
    if VERBS.get(words[0]) in ("build", "disband"):
        return True
    acts = any(word in VERBS for word in words[1:])
    last = words[-1]
    return words[0] in LETTERS and acts and last not in LETTERS and VERBS.get(last) != "move"


def refused_parts(parts: Iterable[Part], wrong: Set[int]) -> Set[int]:
    """Return the numbers of the parts that are not followed at all.

    `wrong` are the numbers of those in which something cannot be read.
    """
    parts = tuple(parts)
    by_number: Mapping[int, Part] = {part.number: part for part in parts}
    if any(by_number[number].conditional or by_number[number].headed for number in wrong):
        return by_number.keys()
    # "Keep A Mun, F Kie" names units, and does not disband them.
    refused = {*wrong, *(part.number for part in parts if wrong and part.names_only)}
    for number in wrong:
        before, here, following = (by_number.get(at) for at in (number - 1, number, number + 1))
        assert here, "what is wrong stands in one of the parts"
        if here.under_if:
            joined = (at for at, part in by_number.items() if at > number and not part.for_unit)
            first = min(joined, default=max(by_number) + 1)
            refused.update(at for at in by_number if at < number or at >= first)
            continue
        if before and not ((here.apart and here.whole) or _are_two(before, here)):
            refused.add(number - 1)
        if following and not ((following.apart and here.whole) or _are_two(here, following)):
            refused.add(number + 1)
    return refused


def _are_two(first: Part, second: Part) -> bool:
    """Tell whether these parts are orders to two units, whatever becomes of either."""
    return second.starts_anew and first.for_unit and second.for_unit
