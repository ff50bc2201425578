"""Reading a power's order lines in a position: every line by itself, each with its answer.

A good line is never lost by a bad one (DATC 4.E.3). What cannot be read, could mean two things or
is illegal comes back with one sentence for the player that says what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.answers import Answer, Problem, answer_to, is_local
from judge.legality import illegality
from judge.lexicon import ReadPiece, lexicon_of
from judge.meaning import Interpreter
from judge.orders import Order
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.selection import Line, choose

__all__ = ["Problem", "Reading", "read_lines", "read_orders"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One order of a line: as written, as understood, and what is wrong with it.

    `line` is the index among the lines given. `order` is there whenever the text could be read, for
    an illegal order too. `counts` is False for an order that is not followed; without a problem
    that is one too many (DATC 4.D.3-4.D.6), and `note` says so.
    """

    line: int
    text: str
    order: Order | None
    problem: Problem | None = None
    note: str | None = None
    counts: bool = True


def read_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook = DATC
) -> tuple[Reading, ...]:
    """Read the lines that `power` wrote for this position, top to bottom.

    A line gives no reading when it is empty or a heading ("France:"), and several when it holds
    several orders. Raises KeyError for a power that is not in the variant.
    """
    reader = _Reader(position, power, rules)
    numbered = [(at, answer) for at, line in enumerate(lines) for answer in reader.answers(line)]
    chosen = choose([answer.line for _, answer in numbered], position, rules)
    return tuple(
        _reading(at, answer, line) for (at, answer), line in zip(numbered, chosen, strict=True)
    )


def read_lines(
    position: Position, power: str, entries: Sequence[str | Order], rules: Rulebook = DATC
) -> Sequence[Line]:
    """Return what the judge makes of a power's lines, as text or as values, top to bottom.

    Each line that does not count has its reason. Raises KeyError for an unknown power.
    """
    reader = _Reader(position, power, rules)
    lines: list[Line] = []
    for entry in entries:
        if isinstance(entry, str):
            lines += [answer.line for answer in reader.answers(entry)]
        else:
            illegal = illegality(entry, position, power, rules)
            lines.append(Line(power, str(entry), entry, illegal))
    return choose(lines, position, rules)


def _reading(at: int, answer: Answer, chosen: Line) -> Reading:
    line, text = answer.line, answer.line.text or ""
    if chosen is line or chosen.illegal is None:
        return Reading(at, text, line.order, answer.problem, answer.note, line.counts)
    return Reading(at, text, line.order, None, chosen.illegal.sentence, counts=False)


class _Reader:
    """Answers one power's lines in one position."""

    def __init__(self, position: Position, power: str, rules: Rulebook) -> None:
        if power not in position.variant.by_name:
            raise KeyError(power)
        self.lexicon = lexicon_of(position.variant)
        self.interpreter = Interpreter(position, power, rules, self.lexicon.gazetteer)
        self.board = position.variant.board
        self.power = power
        self.unit_at = position.unit_at
        self.memory = (
            self.lexicon.memory_of(self.board, rules) if position.phase.step == "M" else None
        )

    def answers(self, line: str) -> Iterator[Answer]:
        """Yield the answer to each order of the line."""
        for piece in self.lexicon.pieces(line):
            if piece.sites is None or self.memory is None:
                yield answer_to(piece.written, piece.text, self.interpreter)
            else:
                yield self.remembered(piece, piece.sites)

    def remembered(self, piece: ReadPiece, sites: tuple[int, int]) -> Answer:
        """Return the answer, from memory if the same units stood there before."""
        unit, other = self.unit_at[sites[0]], self.unit_at[sites[1]]
        if unit is None or other is None:
            return answer_to(piece.written, piece.text, self.interpreter)
        key = (
            self.memory,
            self.power,
            unit.kind,
            unit.location.index,
            unit.power,
            other.kind,
            other.location.index,
            other.power,
        )
        answer = piece.answers.get(key)
        if answer is None:
            answer = answer_to(piece.written, piece.text, self.interpreter)
            if is_local(answer.line.order, self.board):
                piece.answers[key] = answer
        return answer
