"""Reading one order without a position, where the text alone says what it means."""

from __future__ import annotations

from typing import assert_never

from judge.board import Board
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Permit, Ride, Support, Waive
from judge.places import Location
from judge.text.names import key_of
from judge.text.reader_cache import line_reader_of
from judge.text.vocabulary import ARTICLES, COURTESIES, FIRST_VERBS, HEADINGS, LETTERS
from judge.text.written import Place, UnreadableOrder, Written, WrittenUnit, two_meanings
from judge.units import Unit
from judge.variants import Variant, load_variant

_BEGIN = LETTERS.keys() | FIRST_VERBS.keys() | COURTESIES | HEADINGS | ARTICLES
"""Words other than names that may begin a line of orders."""


def parse_order(text: str, variant: Variant | str = "standard") -> Order:
    """Return the order that a text gives, on the map of a variant, which may be given by name.

    There is no board to look at: units are as written, without a power and with the coast that is
    named; a retreat is a Move. Raises UnreadableOrder, whose message says what to write instead,
    for text that cannot be read, that leaves out what a unit is to do, that holds several orders,
    or whose names are unclear, and UnknownVariant.
    """
    variant = load_variant(variant)
    reader = line_reader_of(variant)
    pieces = reader.pieces(text)
    if len(pieces) != 1:
        raise UnreadableOrder(f"Write one order, for example {reader.gazetteer.example}.", text)
    written = pieces[0].written
    if isinstance(written, UnreadableOrder):
        raise written
    for place in written.places:
        if place.guessed or len(place.provinces) > 1:
            raise two_meanings(reader.gazetteer, place.text, place.provinces)
    return _order(written, variant)


def reads_as_orders(text: str, variant: Variant | str = "standard") -> bool:
    """Tell whether a line is nothing but orders for units, wherever they stand.

    "A Par - Bur" and "Par H" are, "A Mar S", "Bur" and "My orders - A Par-Bur" are not.
    """
    pieces = [piece.written for piece in line_reader_of(load_variant(variant)).pieces(text)]
    return bool(pieces) and all(
        isinstance(one, Written) and one.action and one.unit for one in pieces
    )


def may_be_orders(text: str, variant: Variant) -> bool:
    """Tell whether a line begins as an order does, and has a name of the map in it.

    A quick look before `reads_as_orders`, which takes long for prose.
    """
    reader = line_reader_of(variant)
    find, words = reader.gazetteer.find, [w for w in key_of(text).split() if not w.isdecimal()]
    known = (_BEGIN, reader.nations, reader.gazetteer.railways, reader.gazetteer.canals)
    begins = words and (any(words[0] in one for one in known) or find(words[0]))
    return bool(begins) and any(find(word) for word in words)


def _order(written: Written, variant: Variant) -> Order:
    board = variant.board
    if written.action == "waive":
        return Waive("")
    if written.unit is None or not written.action:
        like = f"“{line_reader_of(variant).gazetteer.example.unit} Holds”"
        raise UnreadableOrder(f"Write what one unit is to do, for example {like}.")
    unit = _unit(written.unit, board)
    to = _location(written.to, board) if written.to else None
    match written.action:
        case "hold":
            return Hold(unit)
        case "disband":
            return Disband(unit)
        case "build":
            return Build("", unit.kind, unit.location)
        case "move":
            assert written.to, "a move has a destination"
            assert to, "and so a place to go to"
            path = tuple(_location(water, board) for water in written.to.through)
            return Move(unit, to, written.by_convoy, path)
        case "support":
            assert written.aided is not None, "a support names a unit"
            return Support(unit, _unit(written.aided, board), to)
        case "convoy":
            assert written.aided, "a convoy names its army"
            assert to, "and where that goes"
            return Convoy(unit, _unit(written.aided, board), to)
        case "ride":
            assert to, "a ride has a destination"
            return Ride(unit, to, written.passage)
        case "permit":
            assert to, "and so has a fleet that is let through"
            return Permit(_canal(written.passage, variant), unit, to)
        case _:
            assert_never(written.action)


def _canal(name: str, variant: Variant) -> Unit:
    stand_ins = (rule.stand_in("") for rule in variant.own_rules)
    return next(one for one in stand_ins if one is not None and one.name == name)


def _unit(written: WrittenUnit, board: Board) -> Unit:
    return Unit(written.kind, _location(written.place, board))


def _location(place: Place, board: Board) -> Location:
    province = board.provinces[place.provinces[0]]
    return board.location(province, place.coast if place.coast in province.coasts else None)
