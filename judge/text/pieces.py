"""The orders of a line as we read them, and what they say however they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from judge.text.vocabulary import Action
from judge.text.written import Part, Piece, UnreadableOrder, Written


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

    A bare unit is an order only if it is alone: "A Parigi a Borgogna" is a move.
    """
    return bool(pieces) and all(
        isinstance(one.written, Written)
        and (bool(one.written.action) or len(pieces) == 1)
        and (one.provinces is not None or one.for_all or one.written.action == "waive")
        for one in pieces
    )


def meaning_of(pieces: tuple[ReadPiece, ...]) -> Meaning:
    """Return what the orders of a line say: the same for all ways to write them."""
    return tuple(
        (one.provinces or (), one.for_all, *_said(one.written))
        for one in pieces
        if isinstance(one.written, Written)
    )


def _said(written: Written) -> tuple[object, ...]:
    coasts = tuple(place.coast for place in written.places)
    kinds = tuple(unit.kind for unit in (written.unit, written.aided) if unit)
    path = written.to.through if written.to else ()
    waters = tuple(place.provinces for place in path)
    rest = written.nation, waters, written.passage, written.only, written.both
    return written.action, coasts, kinds, written.by_convoy, *rest


def places_of(meaning: Meaning) -> tuple[int, ...]:
    """Return the provinces of all orders of a line, in order."""
    return tuple(index for provinces, *_ in meaning for index in cast(tuple[int, ...], provinces))
