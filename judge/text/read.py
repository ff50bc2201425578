"""Reading a power's order lines in a position, each by itself and with its answer; or one order
without a position, where the text alone says what it means.

A bad line never costs a good one (DATC 4.E.3). A line that cannot be read, could mean two things or
is illegal comes back with one sentence that tells the player what to write instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.board import Board
from judge.legality.lines import Line
from judge.legality.selection import choose
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Permit, Ride, Support, Waive
from judge.places import Location
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.text.answers import Answer, Problem
from judge.text.names import key_of
from judge.text.namesakes import namesake
from judge.text.reader_cache import line_reader_of
from judge.text.sheets import SheetReader, refuse_no_list
from judge.text.vocabulary import AROUND, ARTICLES, FIRST_VERBS, HEADINGS, LETTERS
from judge.text.written import Place, UnreadableOrder, Written, WrittenUnit, two_meanings
from judge.units import Unit
from judge.variant import Variant
from judge.variants import VariantLike, load_variant

__all__ = ["Problem", "Reading", "read_orders"]
_BEGIN = LETTERS.keys() | FIRST_VERBS.keys() | AROUND | HEADINGS | ARTICLES
"""Words other than names that may begin a line of orders."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One order of a line: as written, as understood, and what is wrong with it."""

    line: int
    """Its index among the given lines."""
    text: str
    order: Order | None
    """The order, whenever the text could be read, even if it is illegal."""
    problem: Problem | None = None
    note: str | None = None
    counts: bool = True
    """False for an order that is not followed; if it has no problem, it is one too many (DATC
    4.D.3-4.D.6), and `note` says so."""
    guessed: bool = False
    """Whether a name in it is misspelt or unclear, and was read in the only way that is legal;
    `note` says how."""


def read_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook = DATC
) -> tuple[Reading, ...]:
    """Read the lines that `power` wrote for this position, top to bottom.

    A line gives no reading when it is empty or a heading ("France:"), and several when it holds
    several orders. Raises PositionError for a power that is not in the variant, and for anything
    but a list of lines.
    """
    reader = SheetReader(position, rules)
    reader.turn_to(power)
    refuse_no_list(power, lines)
    places, answers = reader.answers(lines)
    chosen = choose([answer.line for answer in answers], position, rules)
    told = [_with_namesake(answer, reader) for answer in answers]
    return tuple(map(_reading, places, told, chosen))


def _reading(at: int, answer: Answer, chosen: Line) -> Reading:
    line, text = answer.line, answer.line.text or ""
    if chosen is line or chosen.illegal is None:
        note, guessed = answer.note, answer.guessed
        return Reading(at, text, line.order, answer.problem, note, line.counts, guessed)
    return Reading(at, text, line.order, None, chosen.illegal.sentence, counts=False)


def _with_namesake(answer: Answer, reader: SheetReader) -> Answer:
    """Return the answer with the unit that may have been meant, if the one named is not there."""
    if answer.problem is None or answer.problem.kind != "illegal":
        return answer
    unit = namesake(answer.line.order, reader.position, reader.power)
    if unit is None:
        return answer
    short = reader.lines.gazetteer.abbreviation(unit.at)
    question = f"Did you mean {unit}? Write “{unit.kind} {short}”."
    sentence = f"{answer.problem.sentence} {question}"
    return answer._replace(
        problem=replace(answer.problem, sentence=sentence, suggestions=(str(unit),))
    )


def parse_order(text: str, variant: VariantLike = "standard") -> Order:
    """Return the order that a text gives, on the map of a variant, which may be given by name.

    There is no board to look at: units are as written, without a power and with the coast that is
    named; a retreat is a Move. Raises UnreadableOrder, whose message says what to write instead,
    for text that cannot be read, that leaves out what a unit is to do, that holds several orders,
    or whose names are unclear, and UnknownVariant.
    """
    variant = load_variant(variant)
    reader = line_reader_of(variant)
    pieces = reader.pieces(str(text))
    if len(pieces) != 1:
        raise UnreadableOrder(f"Write one order, for example {reader.gazetteer.example}.", text)
    written = pieces[0].written
    if isinstance(written, UnreadableOrder):
        raise written
    for place in written.places:
        if place.guessed or len(place.provinces) > 1:
            raise two_meanings(reader.gazetteer, place.text, place.provinces)
    return _order(written, variant)


def reads_as_orders(text: str, variant: VariantLike = "standard", *, for_all: bool = False) -> bool:
    """Tell whether a line is nothing but orders for units, wherever they stand.

    "A Par - Bur" and "Par H" are, "A Mar S", "Bur" and "My orders - A Par-Bur" are not. With
    `for_all`, "All hold" and "Waive both" are, too.
    """
    pieces = [piece.written for piece in line_reader_of(load_variant(variant)).pieces(text)]
    return bool(pieces) and all(
        isinstance(one, Written) and one.action and (for_all or one.unit) for one in pieces
    )


def may_be_orders(text: str, variant: VariantLike) -> bool:
    """Tell whether a line begins as an order does, and has a name of the map in it.

    A quick look before `reads_as_orders`, which takes long for prose.
    """
    reader = line_reader_of(load_variant(variant))
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
