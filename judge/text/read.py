"""Reading a power's order lines in a position: every line by itself, each with its answer.

A good line is never lost by a bad one (DATC 4.E.3). What cannot be read, could mean two things or
is illegal comes back with one sentence for the player that says what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from judge.errors import PositionError
from judge.legality.check import Illegal, by_the_rules, illegality
from judge.legality.selection import Line, Sheet, choose
from judge.orders import Disband, Hold, Order, UnitOrder
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.shortcuts import Remembered, is_local, is_plain, literal_order
from judge.text.answers import Answer, Problem, answer_to
from judge.text.interpret import Interpreter
from judge.text.namesakes import namesake
from judge.text.reader_cache import ReadPiece, line_reader_of
from judge.text.several import refused_parts
from judge.text.written import UnreadableOrder

__all__ = ["Problem", "Reading", "read_orders", "read_sheet"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One order of a line: as written, as understood, and what is wrong with it.

    `line` is the index among the lines given. `order` is there whenever the text could be read, for
    an illegal order too. `counts` is False for an order that is not followed; without a problem
    that is one too many (DATC 4.D.3-4.D.6), and `note` says so. `guessed`: a name in it is misspelt
    or unclear, and was read in the only way that is legal; `note` says how.
    """

    line: int
    text: str
    order: Order | None
    problem: Problem | None = None
    note: str | None = None
    counts: bool = True
    guessed: bool = False


def read_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook = DATC
) -> tuple[Reading, ...]:
    """Read the lines that `power` wrote for this position, top to bottom.

    A line gives no reading when it is empty or a heading ("France:"), and several when it holds
    several orders. Raises PositionError for a power that is not in the variant.
    """
    reader = _SheetReader(position, power, rules)
    places, answers = reader.read(lines)
    chosen = choose([answer.line for answer in answers], position, rules)
    return tuple(map(_reading, places, map(reader.with_namesake, answers), chosen))


def read_sheet(
    position: Position, power: str, entries: Sequence[str | Order], rules: Rulebook = DATC
) -> Sheet:
    """Return what the judge makes of a power's lines, as text or as values.

    Each line by itself: `judge.legality.selection` decides what a second order to a unit means.
    Raises PositionError for an unknown power.
    """
    refuse_unknown(power, position)
    board, unit_at = position.variant.board, position.layout.unit_at
    moving = position.phase.step == "M"
    orders: list[Order] = []
    refusals: list[Illegal | None] = []
    for entry in entries:
        if isinstance(entry, str):
            _, answers = _SheetReader(position, power, rules).read(entries)
            return Sheet.of_lines(power, [answer.line for answer in answers])
        plain = moving and is_plain(entry, unit_at, board, power)
        refusals.append(None if plain else by_the_rules(entry, position, power, rules))
        orders.append(entry)
    return Sheet(power, (None,) * len(orders), orders, refusals)


def refuse_unknown(power: str, position: Position) -> None:
    """Raise PositionError for a power that is not in the variant."""
    if power not in position.variant.by_name:
        raise PositionError(f"There is no power {power!r} in {position.variant.title}.")


def _reading(at: int, answer: Answer, chosen: Line) -> Reading:
    line, text = answer.line, answer.line.text or ""
    if chosen is line or chosen.illegal is None:
        note, guessed = answer.note, answer.guessed
        return Reading(at, text, line.order, answer.problem, note, line.counts, guessed)
    return Reading(at, text, line.order, None, chosen.illegal.sentence, counts=False)


class _SheetReader:
    """Answers one power's lines in one position."""

    def __init__(self, position: Position, power: str, rules: Rulebook) -> None:
        refuse_unknown(power, position)
        self.position, self.power, self.rules = position, power, rules
        self.lines = line_reader_of(position.variant)
        self.board = position.variant.board
        self.unit_at = position.layout.unit_at
        moving = position.phase.step == "M"
        # On an edited map the same words may mean other orders.
        usual = moving and self.board is self.lines.variant.board
        self.memory = self.lines.answers.of(power, rules) if usual else None

    @cached_property
    def interpreter(self) -> Interpreter:
        """Finds the meaning of orders that are not plain; most powers have none."""
        return Interpreter(self.position, self.power, self.rules, self.lines.gazetteer)

    def read(self, entries: Sequence[str | Order]) -> tuple[list[int], list[Answer]]:
        """Return the indices of the entries that hold orders, and the answer to each order."""
        places: list[int] = []
        answers: list[Answer] = []
        for_all: list[tuple[int, ReadPiece]] = []
        unit_at, remembered = self.unit_at, self.memory or {}
        for at, entry in enumerate(entries):
            if not isinstance(entry, str):
                answers.append(self.of_value(entry))
                places.append(at)
                continue
            known = remembered.get(entry)
            if known is not None:
                answer, local, site, unit, other_site, other = known
                as_before = unit_at[site] is unit and unit_at[other_site] is other
                if as_before and (local or self.is_legal(answer.line)):
                    answers.append(answer)
                    places.append(at)
                    continue
            pieces = self.lines.pieces(entry)
            answered, rest = self.of_line(pieces, entry)
            answers += answered
            places += [at] * len(answered)
            for_all += [(at, piece) for piece in rest]
        return self.completed(places, answers, for_all) if for_all else (places, answers)

    def of_line(
        self, pieces: Sequence[ReadPiece], line: str
    ) -> tuple[list[Answer], list[ReadPiece]]:
        """Return the answers to a line's orders, and those that are for all other units."""
        if len(pieces) == 1:
            [piece] = pieces
            return ([], [piece]) if piece.for_all else ([self.answer(piece, line)], [])
        answers = [None if piece.for_all else self.answer(piece, None) for piece in pieces]
        wrong = {
            piece.part.number: piece.text
            for piece, answer in zip(pieces, answers, strict=True)
            if answer and answer.line.order is None and piece.part
        }
        refused = refused_parts([piece.part for piece in pieces if piece.part], wrong.keys())
        told: list[Answer] = []
        rest: list[ReadPiece] = []
        for piece, answer in zip(pieces, answers, strict=True):
            stands = not piece.part or piece.part.number not in refused
            if answer is None and stands:
                rest.append(piece)
            elif answer is not None and (stands or answer.line.order is None):
                told.append(answer)
            else:
                told.append(self.dragged_down(piece, next(iter(wrong.values()))))
        return told, rest

    def dragged_down(self, piece: ReadPiece, wrong: str) -> Answer:
        """Return the refusal of an order beside one that cannot be read."""
        sentence = (
            f"“{wrong}” on the same line cannot be read, so this is not followed either; "
            "write each order on a line of its own."
        )
        line = Line(self.power, piece.text, None, Illegal(sentence))
        return Answer(line, Problem("unreadable", sentence))

    def completed(
        self, places: list[int], answers: list[Answer], for_all: list[tuple[int, ReadPiece]]
    ) -> tuple[list[int], list[Answer]]:
        """Return the answers with those to lines like "all other units hold" in their places."""
        numbered = list(zip(places, answers, strict=True))
        for at, piece in for_all:
            numbered += [(at, one) for one in self.for_the_rest(piece, numbered)]
        numbered.sort(key=itemgetter(0))
        return [at for at, _ in numbered], [answer for _, answer in numbered]

    def of_value(self, order: Order, text: str = "") -> Answer:
        """Return the answer to an order that needs no reading."""
        illegal = illegality(order, self.position, self.power, self.rules)
        problem = Problem("illegal", illegal.sentence) if illegal else None
        return Answer(Line(self.power, text or None, order, illegal), problem)

    def for_the_rest(
        self, piece: ReadPiece, answers: Sequence[tuple[int, Answer]]
    ) -> Iterator[Answer]:
        """Yield an order for each unit that has no legal one: "all other units hold"."""
        given = (answer.line.order for _, answer in answers if answer.line.counts)
        ordered = {order.unit for order in given if isinstance(order, UnitOrder)}
        left = self.position.orderable(self.power)
        if not isinstance(left, tuple):
            sentence = "In this phase, name each unit: write for example “Disband A Paris”."
            line = Line(self.power, piece.text, None, Illegal(sentence))
            yield Answer(line, Problem("unreadable", sentence))
            return
        for unit in left:
            if unit not in ordered:
                order = Hold(unit) if piece.for_all == "hold" else Disband(unit)
                yield self.of_value(order, piece.text)

    def answer(self, piece: ReadPiece, line: str | None) -> Answer:
        """Return the answer, and remember it if it hangs on the units that it names.

        `line` is the line that has this order and no other.
        """
        written, provinces, memory = piece.written, piece.provinces, self.memory
        if memory is None or provinces is None or isinstance(written, UnreadableOrder):
            return answer_to(written, piece.text, self.interpreter, provinces)
        unit_at, board = self.unit_at, self.board
        order = literal_order(written, provinces, unit_at, board, self.rules)
        own_rules = self.position.variant.own_rules
        if order is not None and is_plain(order, unit_at, board, self.power):
            answer, local = Answer(Line(self.power, piece.text, order)), True
        elif order is None or own_rules:
            answer = answer_to(written, piece.text, self.interpreter, provinces)
            # A rule of the variant may make an order hang on any unit.
            local = not own_rules and is_local(answer.line.order, board)
        else:
            answer, local = self.of_value(order, piece.text), is_local(order, board)
        if line is not None and (local or answer.line.counts):
            site, other = provinces[0], provinces[1 if written.aided else 0]
            known = Remembered(answer, local, site, unit_at[site], other, unit_at[other])
            self.lines.answers.keep(memory, line, known)
        return answer

    def with_namesake(self, answer: Answer) -> Answer:
        """Return the answer with the unit that may have been meant, where one is not there."""
        if answer.problem is None or answer.problem.kind != "illegal":
            return answer
        unit = namesake(answer.line.order, self.position, self.power)
        if unit is None:
            return answer
        short = self.lines.gazetteer.abbreviation(unit.at)
        question = f"Did you mean {unit}? Write “{unit.kind} {short}”."
        sentence = f"{answer.problem.sentence} {question}"
        return answer._replace(problem=Problem("illegal", sentence, (str(unit),)))

    def is_legal(self, line: Line) -> bool:
        """Tell whether a remembered order is legal here too, which may hang on other units."""
        assert line.order is not None, "only orders are remembered"
        return not by_the_rules(line.order, self.position, self.power, self.rules)
