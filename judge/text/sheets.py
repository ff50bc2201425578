"""Every line of a power by itself, each with its answer, or as sheets for the judge.

Nearly all lines go a short way (`judge.shortcuts`): they were read before, or are in the notation
that the judge prints. What the short ways leave, the grammar reads (`judge.text.reader_cache`) and
the interpreter finds a meaning for (`judge.text.answers`). Lines with several orders have a module
of their own (`judge.text.several_orders`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from judge.errors import PositionError
from judge.legality.check import Illegal, by_the_rules, illegality
from judge.legality.lines import Line, Sheet, new_sheet
from judge.once import once
from judge.orders import Convoy, Order, Support
from judge.position import Position, refuse_no_position
from judge.rulebook import Rulebook, refuse_no_rulebook
from judge.shortcuts import (
    LASTING,
    NOT_PLAIN,
    Canonical,
    Memory,
    Remembered,
    is_local,
    literal_order,
    plainness,
)
from judge.text.answers import Answer, Problem, answer_to
from judge.text.interpret import Interpreter
from judge.text.pieces import ReadPiece
from judge.text.reader_cache import line_reader_of
from judge.text.several_orders import SeveralOrders
from judge.text.written import UnreadableOrder


def read_sheets(
    position: Position, written: Mapping[str, Sequence[str | Order]], rules: Rulebook
) -> list[Sheet]:
    """Return what the judge makes of each power's lines, as text or as values.

    Each line is taken by itself: `judge.legality.selection` decides what a second order to a unit
    means. Raises PositionError for an unknown power or anything but a list of lines, UnknownRule
    for anything but a rulebook.
    """
    if type(written) is not dict:
        refuse_no_mapping(written)
    reader = SheetReader(position, rules)
    by_name, sheets = position.variant.by_name, []
    for power, entries in written.items():
        if power in by_name:
            reader.power = power
        else:
            reader.turn_to(power)
            refuse_twice(reader.power, written, position)
        if type(entries) is not list:
            refuse_no_list(power, entries)
        sheets.append(reader.sheet(entries))
    return sheets


def refuse_no_mapping(written: object) -> None:
    """Raise PositionError for anything but lists by power."""
    if not isinstance(written, Mapping):
        what = type(written).__name__
        raise PositionError(f"The orders must be a dictionary of lists by power, not a {what}.")


def refuse_twice(power: str, written: Mapping[str, object], position: Position) -> None:
    """Raise PositionError if two of the names mean that power: "FRANCE" and "France"."""
    called = position.variant.power_called
    if [called(str(name)) for name in written].count(power) > 1:
        raise PositionError(f"The orders have {power} twice.")


def refuse_no_list(power: str, entries: object) -> None:
    """Raise PositionError for anything but a list of lines; a text would be read letter by
    letter."""
    if isinstance(entries, str):
        raise PositionError(f"The orders of {power} must be a list of lines, not one text.")
    if not isinstance(entries, Sequence):
        what = type(entries).__name__
        raise PositionError(f"The orders of {power} must be a list of lines, not a {what}.")


class SheetReader:
    """Answers the lines of one power after another in one position."""

    def __init__(self, position: Position, rules: Rulebook) -> None:
        if type(rules) is not Rulebook:
            refuse_no_rulebook(rules)
        if type(position) is not Position:
            refuse_no_position(position)
        self.position, self.rules = position, rules
        self.board, self.layout = position.variant.board, position.layout
        self.unit_at = self.layout.unit_at
        self.lines = line_reader_of(position.variant)
        # On an edited map the same words may mean other orders.
        self.usual = position.phase.step == "M" and self.board is self.lines.variant.board
        # Printed notation is not enough where the rules ask for the nationality of a foreign unit
        # (4.C.5, 4.C.6), where they disregard the coast of a supported move (4.B.4), or where more
        # fleets may convoy (4.E.1).
        free = rules.missing_nationality == rules.wrong_nationality == "b"
        free = free and rules.support_coast != "DPTG" != rules.illegal_orders
        self.canonical = self.lines.canonical if free and self.usual else None
        self.power = ""

    @once
    def memories(self) -> dict[str, Memory]:
        """What each power's lines said before, under these rules."""
        return self.lines.answers.of(self.rules) if self.usual else {}

    def turn_to(self, power: str) -> None:
        """Go on with the lines of that power, in upper or lower case. Raises PositionError if the
        variant has no such power."""
        variant = self.position.variant
        if power in variant.by_name:
            self.power = power
        elif called := variant.power_called(str(power)):
            self.power = called
        else:
            raise PositionError(variant.no_power(power))

    def sheet(self, entries: Sequence[str | Order]) -> Sheet:
        """Return what the judge makes of the lines."""
        if entries and not isinstance(entries[0], str):
            return self.of_values(entries)
        if self.canonical is None:
            orders, others = self.plain(entries)
        else:
            orders, others = self.canonical.plain(entries, self.layout, self.power)
        texts: list[Any] = [*entries]
        refusals: list[Illegal | None] = [None] * len(entries)
        refuses = False
        for at in others:
            line = self.of_one_order(entries[at])
            if line is None:
                return self.of_answers(entries)
            texts[at], orders[at], refusals[at] = line.text, line.order, line.illegal
            refuses = refuses or line.illegal is not None
        return new_sheet((self.power, texts, orders, refusals, refuses))

    def plain(self, entries: Sequence[str | Order]) -> tuple[list[Order | None], Sequence[int]]:
        """Return the orders of lines in our notation that are plainly legal, and the indices of
        all other lines."""
        if self.canonical is None:
            return [None] * len(entries), range(len(entries))
        return self.canonical.plain(entries, self.layout, self.power)

    def of_values(self, entries: Sequence[str | Order]) -> Sheet:
        """Return what the judge makes of orders that need no reading."""
        position, power, rules = self.position, self.power, self.rules
        layout, board = self.layout, self.board
        moving = position.phase.step == "M"
        refusals: list[Illegal | None] = []
        for entry in entries:
            if isinstance(entry, str):
                return self.of_answers(entries)
            plain = moving and plainness(entry, layout, board, power)
            refusals.append(None if plain else by_the_rules(entry, position, power, rules))
        orders = cast("Sequence[Order]", entries)
        return Sheet(power, [None] * len(entries), orders, refusals, any(refusals))

    def of_answers(self, entries: Sequence[str | Order]) -> Sheet:
        """Return what the judge makes of entries of any kind; one may hold several orders."""
        _, answers = self.answers(entries)
        return Sheet.of(self.power, [answer.line for answer in answers])

    def answers(self, entries: Sequence[str | Order]) -> tuple[list[int], list[Answer]]:
        """Return the indices of the entries that hold orders, and the answer to each order."""
        places: list[int] = []
        answers: list[Answer] = []
        for_all: list[tuple[int, ReadPiece]] = []
        names = self.lines.gazetteer
        several = SeveralOrders(self.position, self.power, self.rules, self.answer, names)
        orders, _ = self.plain(entries)
        for at, (entry, order) in enumerate(zip(entries, orders, strict=True)):
            if order is not None:
                assert isinstance(entry, str), "only a text is printed"
                answers.append(Answer(Line(self.power, entry, order)))
                places.append(at)
                continue
            known = self.of_one_order(entry)
            if known is not None:
                answers.append(self.told(known))
                places.append(at)
                continue
            assert isinstance(entry, str), "an order that was given as a value is one order"
            answered, rest = several.of_line(self.lines.pieces(entry))
            answers += answered
            places += [at] * len(answered)
            for_all += [(at, piece) for piece in rest]
        return several.completed(places, answers, for_all) if for_all else (places, answers)

    def told(self, known: Remembered) -> Answer:
        """Return what the player is told."""
        if known.answer:
            return known.answer
        return Answer(known, Problem.of(known.illegal) if known.illegal else None)

    def of_one_order(self, entry: str | Order) -> Remembered | None:
        """Return what a line with one order says, or said before; None for a line with several
        orders, with none, or with one for all units."""
        if not isinstance(entry, str):
            return Remembered(self.power, None, entry, self.refusal_of(entry))
        memory: Memory = self.memories.setdefault(self.power, {})
        known = last = memory.get(entry)
        while known is not None:
            if self.is_good(known):
                return known
            known = known.before
        order = self.canonical and self.canonical.order(entry, self.unit_at)
        found = (order and self.to_the_letter(order, entry)) or self.only_order(entry)
        if found and self.usual:
            self.lines.answers.keep(memory, entry, found, last)
        return found

    def is_good(self, known: Remembered) -> bool:
        """Tell whether what we said of a line before can be said again."""
        unit_at = self.unit_at
        if unit_at[known.site] is not known.unit or unit_at[known.other_site] is not known.other:
            return False
        if known.local:
            return True
        assert known.order is not None, "only an order can hang on other units"
        return self.refusal_of(known.order) is None

    def refusal_of(self, order: Order) -> Illegal | None:
        return illegality(order, self.position, self.power, self.rules)

    def to_the_letter(self, order: Canonical, text: str) -> Remembered | None:
        """Return an order to a unit on the board, with its refusal if it is illegal; None if a rule
        of the variant may make another order of it."""
        unit = other = order.unit
        if type(order) is Support:
            other = order.supported
        elif type(order) is Convoy:
            other = order.army
        refusal = None
        plain = plainness(order, self.layout, self.board, self.power)
        local = plain == LASTING
        if plain == NOT_PLAIN:
            if self.position.variant.own_rules:
                return None
            refusal = by_the_rules(order, self.position, self.power, self.rules)
            local = is_local(order, self.board)
        return Remembered(self.power, text, order, refusal, local, unit.at, unit, other.at, other)

    def only_order(self, line: str) -> Remembered | None:
        """Return what the one order of a line says, None unless there is exactly one, for one
        unit."""
        pieces = self.lines.pieces(line)
        if len(pieces) != 1 or pieces[0].for_all:
            return None
        [piece] = pieces
        written, provinces = piece.written, piece.provinces
        if not self.usual or provinces is None or isinstance(written, UnreadableOrder):
            return self.as_answered(piece)
        site, other = provinces[0], provinces[1 if written.aided else 0]
        order = literal_order(written, provinces, self.unit_at, self.board, self.rules)
        letter = order and self.to_the_letter(order, piece.text)
        return letter or self.as_answered(piece, site, other)

    def as_answered(
        self, piece: ReadPiece, site: int | None = None, other: int | None = None
    ) -> Remembered:
        """Return the answer to an order that may mean something else than it says."""
        answer = self.answer(piece)
        line = answer.line
        known = Remembered(line.power, line.text, line.order, line.illegal, answer=answer)
        if site is not None and other is not None:
            # A rule of the variant may make an order depend on any unit.
            own_rules = self.position.variant.own_rules
            known.local = not own_rules and is_local(line.order, self.board)
            known.site, known.unit = site, self.unit_at[site]
            known.other_site, known.other = other, self.unit_at[other]
        return known

    def answer(self, piece: ReadPiece) -> Answer:
        """Return the answer to an order, without any shortcut."""
        interpreter = Interpreter(self.position, self.power, self.rules, self.lines.gazetteer)
        return answer_to(piece.written, piece.text, interpreter, piece.provinces)
