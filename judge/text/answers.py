"""Answers to written orders: what we understand, or why an order cannot be followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from judge.legality.check import Illegal
from judge.legality.lines import Line
from judge.text.interpret import Interpreter
from judge.text.written import AmbiguousName, UnreadableOrder, Written


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an order is not followed: one sentence for the player, and the names they may have
    meant."""

    kind: Literal["unreadable", "ambiguous", "illegal"]
    sentence: str
    suggestions: tuple[str, ...] = ()
    empty: str = ""
    """The province that has no unit to order, if the sentence says so; "" for any other reason."""

    @classmethod
    def of(cls, illegal: Illegal) -> Problem:
        """Return the problem of an order that is illegal, for that reason."""
        return cls("illegal", illegal.sentence, empty=illegal.empty)


class Answer(NamedTuple):
    """An order as we understand it: the line for the judge and, for the player, a problem or a
    note."""

    line: Line
    problem: Problem | None = None
    note: str | None = None
    guessed: bool = False


def answer_to(
    written: Written | UnreadableOrder,
    text: str,
    interpreter: Interpreter,
    provinces: tuple[int, ...] | None = None,
) -> Answer:
    """Return the answer to an order in the interpreter's position.

    `provinces` are those of its places, if all names in the order are clear.
    """
    power = interpreter.power
    try:
        if isinstance(written, UnreadableOrder):
            raise written
        if written.nation not in (None, power):
            sentence = f"This is an order for {written.nation}, and you play {power}."
            return Answer(Line(power, text, None, Illegal(sentence)), Problem("illegal", sentence))
        meaning = (
            interpreter.reading(written, provinces) if provinces else interpreter.meaning(written)
        )
    except UnreadableOrder as wrong:
        kind: Literal["ambiguous", "unreadable"] = "unreadable"
        if isinstance(wrong, AmbiguousName):
            kind = "ambiguous"
        sentence = interpreter.complaint(wrong) + interpreter.instead(wrong)
        problem = Problem(kind, sentence, wrong.suggestions, wrong.empty)
        return Answer(Line(power, text, None, Illegal(sentence)), problem)
    illegal = meaning.illegal
    return Answer(
        Line(power, text, meaning.order, illegal),
        Problem.of(illegal) if illegal else None,
        " ".join(meaning.notes) or None,
        meaning.guessed,
    )
