"""Reading a power's order lines in a position: each line by itself, each with its answer.

A bad line never costs a good one (DATC 4.E.3). A line that cannot be read, could mean two things or
is illegal comes back with one sentence that tells the player what to write instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.legality.lines import Line
from judge.legality.selection import choose
from judge.orders import Order
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.text.answers import Answer, Problem
from judge.text.namesakes import namesake
from judge.text.sheets import SheetReader, refuse_no_list

__all__ = ["Problem", "Reading", "read_orders"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One order of a line: as written, as understood, and what is wrong with it.

    `line` is the index among the given lines. `order` is there whenever the text could be read,
    even if the order is illegal. `counts` is False for an order that is not followed; if it has no
    problem, it is one too many (DATC 4.D.3-4.D.6), and `note` says so. `guessed`: a name in it is
    misspelt or unclear, and was read in the only way that is legal; `note` says how.
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
