"""Edits to a board's borders: those in a question to the JSON Lines door, and those that a game
chooses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from judge.board import Board, BoardError
from judge.errors import UnknownName
from judge.places import Border, Location

EDITS = (
    "army_borders_add",
    "fleet_borders_add",
    "difficult_borders_add",
    "convoyable_coasts_add",
)
MOST_EDITS = 500


def apply_edits(board: Board, edits: Mapping[str, object]) -> Board:
    """Return the board with the edits of the JSON Lines door applied.

    Understood: `army_borders_add`, `fleet_borders_add`, `difficult_borders_add` (pairs of
    places) and `convoyable_coasts_add` (provinces). Raises BoardError for anything else.
    """
    borders = list(board.borders)
    convoyable: set[str] = set()
    for key, value in edits.items():
        if key not in EDITS:
            raise BoardError(f"There is no edit “{key}”; there are {', '.join(EDITS)}.")
        if not isinstance(value, list):
            raise BoardError(f"The edit {key} needs a list.")
        if len(value) > MOST_EDITS:
            raise BoardError(f"The edit {key} has more than {MOST_EDITS} entries.")
        if key in ("army_borders_add", "fleet_borders_add"):
            borders += [_new_border(board, pair, key[0].upper()) for pair in value]
        elif key == "difficult_borders_add":
            for pair in value:
                borders = list(_made_difficult(borders, _new_border(board, pair, "A")))
        else:
            convoyable |= {_coast(board, name) for name in value}
    return board.changed(
        provinces=(replace(p, convoys=p.convoys or p.id in convoyable) for p in board.provinces),
        borders=borders,
    )


def without_borders(board: Board, pairs: Iterable[tuple[str, str]]) -> Board:
    """Return the board without these borders, for both armies and fleets ("ota", "sak")."""
    closed = [{*pair} for pair in pairs]
    if not closed:
        return board
    return board.changed(borders=[b for b in board.borders if {b.one, b.other} not in closed])


def with_borders(board: Board, pairs: Iterable[tuple[str, str]]) -> Board:
    """Return the board with these borders added for armies."""
    new = [Border(one, other, "A") for one, other in pairs]
    return board.changed(borders=[*board.borders, *new]) if new else board


def _new_border(board: Board, pair: object, passable: str) -> Border:
    if not isinstance(pair, list) or len(pair) != 2:
        raise BoardError(f"A border to add needs two places, not {pair!r}.")
    one, other = (_place(board, end) for end in pair)
    for end in (one, other):
        if not board.can_stand("A" if passable == "A" else "F", end):
            unit = "army" if passable == "A" else "fleet"
            raise BoardError(f"No {unit} can stand in {end}, so none can cross a border of it.")
    if one.province == other.province:
        raise BoardError(f"A border joins two provinces, not {one} with itself.")
    return Border(_key(one), _key(other), passable)


def _coast(board: Board, text: object) -> str:
    """Return the id of a province in which a fleet may be told to convoy."""
    province = _place(board, text).province
    if province.kind not in ("coast", "sea"):
        raise BoardError(f"No fleet can stand in {province}, so none can convoy there.")
    return province.id


def _place(board: Board, text: object) -> Location:
    try:
        return board.place(str(text))
    except UnknownName:
        raise BoardError(f"There is no place {text!r} on this map.") from None


def _key(at: Location) -> str:
    return f"{at.province.id}/{at.coast}" if at.coast else at.province.id


def _made_difficult(borders: Iterable[Border], new: Border) -> Iterator[Border]:
    """Yield the borders with the new one, which is difficult for armies and replaces any they
    had."""
    for border in borders:
        if {border.one, border.other} != {new.one, new.other}:
            yield border
        elif "F" in border.passable:
            yield replace(border, passable="F")
    yield replace(new, mark="difficult")
