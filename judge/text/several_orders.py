"""A line with several orders, or with one for all units: each order with its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from judge.legality.check import Illegal, illegality
from judge.legality.lines import Line
from judge.orders import Build, Disband, Hold, Order, UnitOrder, Waive
from judge.position import Position
from judge.rulebook import Rulebook
from judge.text.answers import Answer, Problem
from judge.text.names import Gazetteer
from judge.text.pieces import ReadPiece, refused_parts
from judge.text.written import UnreadableOrder, Written
from judge.units import Unit


def _names_again(pieces: Sequence[ReadPiece]) -> bool:
    """Tell whether an order under a condition is not the only one for its unit on the line."""
    again = [one.provinces[0] for one in pieces if one.provinces]
    asked = [one.written for one in pieces if one.part and one.part.under_if]
    wrong = [one.after for one in asked if isinstance(one, UnreadableOrder)]
    units = [one.unit for one in wrong if one and one.unit]
    return any(index in again for unit in units for index in unit.place.provinces)


class SeveralOrders:
    """Answers such lines of one power in one position.

    `answer` answers each of their orders, and `names` are those of the map.
    """

    def __init__(
        self,
        position: Position,
        power: str,
        rules: Rulebook,
        answer: Callable[[ReadPiece], Answer],
        names: Gazetteer,
    ) -> None:
        self._position, self._power, self._rules, self._answer = position, power, rules, answer
        self._names = names

    def of_line(self, pieces: Sequence[ReadPiece]) -> tuple[list[Answer], list[ReadPiece]]:
        """Return the answers to a line's orders, and the orders that are for all other units."""
        answers = [None if piece.for_all else self._answer(piece) for piece in pieces]
        wrong = {
            piece.part.number: piece.text
            for piece, answer in zip(pieces, answers, strict=True)
            if answer and answer.line.order is None and piece.part
        }
        parts = [piece.part for piece in pieces if piece.part]
        refused = refused_parts(parts, wrong.keys())
        if _names_again(pieces):
            refused = {part.number for part in parts}
        told: list[Answer] = []
        rest: list[ReadPiece] = []
        for piece, answer in zip(pieces, answers, strict=True):
            stands = not piece.part or piece.part.number not in refused
            if answer is None and stands:
                rest.append(piece)
            elif answer is not None and (stands or answer.line.order is None):
                told.append(answer)
            else:
                told.append(self._refuse_neighbour(piece, next(iter(wrong.values()))))
        return told, rest

    def _refuse_neighbour(self, piece: ReadPiece, wrong: str) -> Answer:
        """Return the refusal of an order next to one that cannot be read."""
        sentence = (
            f"“{wrong}” on the same line cannot be read, so this is not followed either; "
            "write each order on a line of its own, and nothing else on it."
        )
        return self._refuse(piece, sentence)

    def _refuse(self, piece: ReadPiece, sentence: str) -> Answer:
        """Return the answer to an order that nobody can make sense of."""
        line = Line(self._power, piece.text, None, Illegal(sentence))
        return Answer(line, Problem("unreadable", sentence))

    def completed(
        self, places: list[int], answers: list[Answer], for_all: list[tuple[int, ReadPiece]]
    ) -> tuple[list[int], list[Answer]]:
        """Return the answers, with those to lines like "all other units hold" in their places."""
        numbered = list(zip(places, answers, strict=True))
        for at, piece in for_all:
            numbered += [(at, one) for one in self._for_the_rest(piece, numbered)]
        numbered.sort(key=itemgetter(0))
        return [at for at, _ in numbered], [answer for _, answer in numbered]

    def _of_value(self, order: Order, text: str) -> Answer:
        """Return the answer to an order that needs no reading."""
        illegal = illegality(order, self._position, self._power, self._rules)
        problem = Problem.of(illegal) if illegal else None
        return Answer(Line(self._power, text or None, order, illegal), problem)

    def _may_name(self, units: Sequence[Unit], word: str) -> bool:
        """Tell whether the word may name a place where one of the units stands."""
        names = self._names.find(word)
        return names is not None and any(unit.at in names.provinces for unit in units)

    def _for_the_rest(
        self, piece: ReadPiece, answers: Sequence[tuple[int, Answer]]
    ) -> Iterator[Answer]:
        """Yield an order for each unit without a legal one: "all other units hold"."""
        assert isinstance(piece.written, Written), "an order for all is one that can be read"
        given = [answer.line.order for _, answer in answers if answer.line.counts]
        ordered = {order.unit for order in given if isinstance(order, UnitOrder)}
        left = self._position.orderable(self._power)
        if piece.for_all == "waive":
            used = sum(isinstance(order, Build | Waive) for order in given)
            builds = left - used if isinstance(left, int) else 0
            waived = self._of_value(Waive(self._power), piece.text)
            yield from [waived] * max(builds, 1)  # one too many is refused with the reason
            return
        if not isinstance(left, tuple):
            like = f"“Disband {self._names.example.unit}”"
            sentence = f"In this phase, name each unit: write for example {like}."
            yield self._refuse(piece, sentence)
            return
        if piece.written.both and (len(left) != 2 or self._may_name(left, "both")):
            yield self._refuse(piece, "“both” is not clear here; write an order for each unit.")
            return
        only = piece.written.only
        if only and only not in [unit.kind for unit in left]:
            kind = "army" if only == "A" else "fleet"
            yield self._refuse(piece, f"{self._power} has no {kind} to order.")
            return
        rest = [unit for unit in left if unit not in ordered and only in ("", unit.kind)]
        if piece.written.number not in (0, len(rest)):
            yield self._refuse(piece, _how_many_are_left(len(rest), only))
            return
        for unit in rest:
            order = Hold(unit) if piece.for_all == "hold" else Disband(unit)
            yield self._of_value(order, piece.text)


def _how_many_are_left(number: int, kind: str) -> str:
    """Say for how many units an order for the others is, if it says another number."""
    one, several = {"A": ("army", "armies"), "F": ("fleet", "fleets")}.get(kind, ("unit", "units"))
    if not number:
        return f"You have no {one} without another order."
    if number == 1:
        return f"You have 1 {one} without another order; write an order for it."
    return f"You have {number} {several} without another order; write an order for each."
