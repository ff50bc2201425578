"""What a written order means in a position when its names may be unclear.

An unclear or misspelt name is accepted if exactly one of its readings is legal.
`judge.text.meaning` finds what each reading says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from judge.legality.check import Illegal
from judge.legality.movement import reach_of
from judge.places import Province
from judge.position import Position
from judge.rulebook import Rulebook
from judge.text.meaning import Meaning, OrderMaker
from judge.text.names import SHORTEST_BEGINNING, Gazetteer, key_of
from judge.text.written import (
    Place,
    UnknownProvince,
    UnnamedUnit,
    UnreadableOrder,
    Written,
    two_meanings,
)
from judge.wording import either

MOST_READINGS = 400
"""How many combinations of unclear names in one order we try; beyond that we ask the player."""


class Interpreter:
    """Finds out what one power's written orders mean in one position."""

    def __init__(
        self, position: Position, power: str, rules: Rulebook, gazetteer: Gazetteer
    ) -> None:
        self.position = position
        self.power = power
        self.rules = rules
        self.gazetteer = gazetteer
        self.board = position.variant.board
        self.step = position.phase.step
        self.unit_at = position.layout.unit_at

    def meaning(self, written: Written) -> Meaning:
        """Return what the order means. Raises UnreadableOrder unless that is exactly one thing."""
        provinces = written.clear_provinces()
        if provinces is not None:
            return self.reading(written, provinces)
        return self.only_legal(written, written.places)

    def only_legal(self, written: Written, places: tuple[Place, ...]) -> Meaning:
        """Choose between the readings of unclear names: one must be legal, and only one."""
        choices = self.choices(written, places)
        if prod(map(len, choices)) > MOST_READINGS:
            raise self.question(places, choices)
        readings = {chosen: self.reading(written, chosen) for chosen in product(*choices)}
        legal = {chosen: one for chosen, one in readings.items() if one.illegal is None}
        if len({str(one.order) for one in legal.values()}) != 1:
            if legal:
                raise self.question(places, [*zip(*legal, strict=True)], possible=True)
            why = next(iter(readings.values())).illegal if len(readings) == 1 else None
            raise self.question(places, choices, why=why)
        chosen, meaning = next(iter(legal.items()))
        for place, index in zip(places, chosen, strict=True):
            if _is_hardly_a_name(place):
                raise self.question((place,), [(index,)])
        notes = tuple(map(self.followed, places, chosen))
        return Meaning(meaning.order, None, (*filter(None, notes), *meaning.notes), any(notes))

    def choices(self, written: Written, places: tuple[Place, ...]) -> list[tuple[int, ...]]:
        """Return the readings of each place; where a unit must stand, only those where one does."""
        choices = [place.provinces for place in places]
        tests = [self.has_own_unit, self.has_unit][: 1 + (written.aided is not None)]
        for at, test in enumerate(tests if self.step != "A" else ()):
            choices[at] = tuple(filter(test, choices[at])) or choices[at]
        return choices

    def has_unit(self, index: int) -> bool:
        """Tell whether a unit stands there."""
        return self.unit_at[index] is not None

    def has_own_unit(self, index: int) -> bool:
        """Tell whether a unit stands there that the power may order."""
        unit = self.unit_at[index]
        if self.step == "R":
            dislodged = self.position.dislodged_in.get(self.board.provinces[index])
            unit = dislodged.unit if dislodged else None
        return unit is not None and unit.power == self.power

    def move_to(self, place: Province) -> str:
        """Return a move there of one of the power's units; "" if none can go there."""
        own = self.position.orderable(self.power)
        if not isinstance(own, tuple):
            return ""
        free = {one.unit: one.retreats for one in self.position.dislodged}
        goes = (
            (one, at)
            for one in own
            for at in self.board.arrivals(one.kind, one.location, place)
            if self.step != "R" or at in free[one]
        )
        return next((f"{one} - {at}" for one, at in goes), "")

    def complaint(self, wrong: UnreadableOrder) -> str:
        """Return what is wrong, with an example that can be an order in this step."""
        is_name = isinstance(wrong, UnknownProvince) and not (wrong.unit or wrong.suggestions)
        if is_name and (own := self.own_like(wrong.piece)):
            return self.unknown(wrong.piece, own).sentence
        if not wrong.example:
            return self.with_letter(wrong)
        if isinstance(wrong, UnnamedUnit) and self.step != "A":
            return wrong.sentence.replace(wrong.example, f"“{self.like(wrong.kind)}”")
        if self.step != "A":
            return wrong.sentence
        return wrong.sentence.replace(wrong.example, f"“{self.winter_example()}”")

    def winter_example(self) -> str:
        """Return a build or disband of the power's own, if it has any to make."""
        example = self.gazetteer.example.unit
        if self.position.adjustment(self.power) < 0:
            units = [str(one) for one in self.position.units_of(self.power)]
            return f"Disband {example if example in units else units[0]}"
        units = [f"A {site.name}" for site in self.position.build_sites(self.power)]
        return f"Build {example if example in units or not units else units[0]}"

    def with_letter(self, wrong: UnreadableOrder) -> str:
        """Return the sentence with the letter of the unit that stands where one was named without:
        "F MAO S A ... - ..."."""
        named = wrong.unit
        places = named.place.provinces if named and not named.kind else ()
        unit = self.unit_at[places[0]] if len(places) == 1 else None
        if named is None or unit is None:
            return wrong.sentence
        text = named.place.text
        return wrong.sentence.replace(f"“A {text} ", f"“{unit.kind} {text} ")

    def like(self, kind: str) -> str:
        """Return one of the power's own units of a kind, or else of any."""
        left = self.position.orderable(self.power)
        units = left if isinstance(left, tuple) else ()
        own = sorted(units, key=lambda unit: (unit.kind != kind, str(unit)))
        return str(own[0] if own else self.gazetteer.example.unit)

    def instead(self, wrong: UnreadableOrder) -> str:
        """Return a sentence on where the power's own unit can go, after an order to an unknown
        place."""
        named = (
            wrong.unit.place.provinces if isinstance(wrong, UnknownProvince) and wrong.unit else ()
        )
        unit = self.unit_at[named[0]] if len(named) == 1 and self.step == "M" else None
        if unit is None or unit.power != self.power:
            return ""
        return f" {reach_of(unit, self.board, who=str(unit))}"

    def followed(self, place: Place, index: int) -> str:
        if len(place.provinces) == 1 and not place.guessed:
            return ""
        name = self.gazetteer.provinces[index].name
        return f"“{place.text}” is taken as {name}, the only possible reading."

    def question(
        self,
        places: tuple[Place, ...],
        choices: Sequence[tuple[int, ...]],
        *,
        possible: bool = False,
        why: Illegal | None = None,
    ) -> UnreadableOrder:
        """Return the question to the player about the least clear name.

        `possible`: the choices make several legal orders. `why` is what is wrong with the only one.
        """
        unclear = [
            (place, tuple(dict.fromkeys(meant)))
            for place, meant in zip(places, choices, strict=True)
            if place.guessed or len(place.provinces) > 1
        ]
        place, meant = next((one for one in unclear if len(one[1]) > 1), unclear[-1])
        if len(meant) > 1 and (possible or not place.guessed):
            return two_meanings(self.gazetteer, place.text, meant)
        own = self.own_like(place.text) if place is places[0] else ()
        if own and own[0] not in meant:
            meant, why = own, None
        return self.unknown(place.text, meant, why)

    def unknown(
        self, text: str, meant: tuple[int, ...], why: Illegal | None = None
    ) -> UnknownProvince:
        """Return the question whether one of these provinces is meant."""
        names = tuple(self.gazetteer.provinces[index].name for index in meant[:3])
        sentence = f"There is no province “{text}”; did you mean {either(names)}?"
        if why:
            sentence += f" {why.sentence}"
        return UnknownProvince(sentence, text, names, why.empty if why else "")

    def own_like(self, text: str) -> tuple[int, ...]:
        """Return the places of the power's own units that begin like the word: "marsay" is rather
        your own Marseilles than somebody's Warsaw."""
        word = key_of(text)[:SHORTEST_BEGINNING]
        if len(word) < SHORTEST_BEGINNING or self.step == "A":
            return ()
        return tuple(i for i in self.gazetteer.beginnings(word) if self.has_own_unit(i))

    def reading(self, written: Written, provinces: Sequence[int]) -> Meaning:
        """Return the order with these provinces in its places."""
        return OrderMaker(self, written, provinces).meaning()


def _is_hardly_a_name(place: Place) -> bool:
    """Tell whether the name is too short to guess: one wrong letter of three ("Tyl", "Pir")."""
    return place.guessed and len(key_of(place.text)) == 3
