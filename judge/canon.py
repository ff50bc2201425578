"""Reading the canonical notation: a short way past the grammar for what we have printed ourselves.

Stored orders, other programs and players who copy from their mail write orders exactly as `str`
prints them. Whatever differs by a letter is left to the grammar, which gives the same reading.
"""

from __future__ import annotations

from judge.names import Gazetteer
from judge.written import Place, UnitLetter, Written, WrittenUnit

_LETTERS: tuple[UnitLetter, ...] = ("A", "F")
_HOLDS, _VIA = " Holds", " via Convoy"


class CanonicalReader:
    """Knows every place of one map, and every unit that may stand there, by its printed name."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._places: dict[str, Place] = {}
        for index, province in enumerate(gazetteer.provinces):
            self._places[province.name] = Place(province.name, (index,))
            for coast in province.coasts:
                text = f"{province.name}({coast})"
                self._places[text] = Place(province.name, (index,), coast)
        self._units = {
            f"{letter} {text}": WrittenUnit(letter, place)
            for letter in _LETTERS
            for text, place in self._places.items()
        }

    def read(self, line: str) -> Written | None:
        """Return what a line in canonical notation says, None for any other line."""
        if line.endswith(_HOLDS):
            unit = self._units.get(line.removesuffix(_HOLDS))
            return Written("hold", unit) if unit else None
        head, sign, tail = line.partition(" Supports ")
        if sign:
            return self._support(head, tail)
        head, sign, tail = line.partition(" Convoys ")
        if sign:
            return self._convoy(head, tail)
        head, sign, tail = line.partition(" - ")
        return self._move(head, tail) if sign else None

    def _support(self, head: str, tail: str) -> Written | None:
        supported, sign, end = tail.partition(" - ")
        units = self._units
        unit, aided, to = units.get(head), units.get(supported), self._places.get(end)
        if unit is None or aided is None or (sign and to is None):
            return None
        return Written("support", unit, aided, to)

    def _convoy(self, head: str, tail: str) -> Written | None:
        start, _, end = tail.partition(" - ")
        units = self._units
        unit, army, to = units.get(head), units.get(start), self._places.get(end)
        if unit is None or army is None or to is None:
            return None
        return Written("convoy", unit, army, to)

    def _move(self, head: str, tail: str) -> Written | None:
        unit, to = self._units.get(head), self._places.get(tail.removesuffix(_VIA))
        if unit is None or to is None:
            return None
        return Written("move", unit, to=to, by_convoy=tail.endswith(_VIA))
