"""An order as somebody wrote it, before anybody looks at the board; and why a text is not an
order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from judge.errors import JudgeError
from judge.text.names import Gazetteer
from judge.text.vocabulary import Action
from judge.wording import either

UnitLetter = Literal["A", "F", ""]


class UnreadableOrder(JudgeError):
    """No order can be made out. `piece` is the smallest wrong piece, the message a sentence.

    `empty` is the province that has no unit, if the sentence says so, and `example` the order at
    its end, which shows how one is written. `after` is the order before the piece, if there is one,
    and `unit` the unit it is for, if known.
    """

    def __init__(
        self,
        sentence: str,
        piece: str = "",
        suggestions: tuple[str, ...] = (),
        empty: str = "",
        example: str = "",
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.piece = piece
        self.suggestions = suggestions
        self.empty = empty
        self.example = example
        self.after: Written | None = None
        self.unit: WrittenUnit | None = None


class UnknownProvince(UnreadableOrder):
    """A name that is nowhere on the map; the suggestions are full names that look like it. `unit`
    was ordered to go there."""


class UnnamedUnit(UnreadableOrder):
    """A unit without the place where it stands: "the fleet goes to Spain"."""

    def __init__(self, piece: str, kind: UnitLetter, like: str) -> None:
        example = f"“{like}”"
        sentence = f"“{piece}” alone names no unit: write where it stands, too, like {example}."
        super().__init__(sentence, piece, example=example)
        self.kind = kind


class AmbiguousName(UnreadableOrder):
    """A name with two meanings; the suggestions are the full names it could stand for."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place as written: the provinces it may mean (board indices) and the coast that was named.

    `guessed`: the name is misspelt or cut short, so that only the board can tell what is meant.
    """

    text: str
    provinces: tuple[int, ...]
    coast: str | None = None
    guessed: bool = False
    through: tuple[Place, ...] = ()
    """The places before this one on a path that was written (4.A.6)."""


@dataclass(frozen=True, slots=True)
class WrittenUnit:
    """A unit as written: "A Par", or only "Par"."""

    kind: UnitLetter
    place: Place
    nation: str | None = None
    """The power whose unit it is said to be."""


class Written(NamedTuple):
    """An order as written. Which fields are filled depends on the action; "" is a bare unit.

    A hold or disband without a unit is for all units, perhaps of one kind, that have no other
    order.
    """

    action: Action | Literal[""]
    unit: WrittenUnit | None = None
    aided: WrittenUnit | None = None
    """The unit supported or convoyed."""
    to: Place | None = None
    by_convoy: bool = False
    nation: str | None = None
    """The power named in front of the order."""
    passage: str = ""
    """The railway it goes by, or the canal it is about, as we print it ("TSR")."""
    only: UnitLetter = ""
    """The kind of unit that an order for all is for: "all fleets hold"."""
    both: bool = False
    """An order for all says that there are two of them: "disband both"."""
    number: int = 0
    """How many others an order for all says there are: "the other four hold"; 0 for any number."""
    all_left: bool = False
    """All builds are waived that nothing else uses."""
    initial: bool = False
    """It says where to go by one letter, which means a hold, too: "F Kie - H"."""

    @property
    def places(self) -> tuple[Place, ...]:
        """All places of the order, in the order written."""
        units = [unit.place for unit in (self.unit, self.aided) if unit]
        return (*units, self.to) if self.to else tuple(units)

    def clear_provinces(self) -> tuple[int, ...] | None:
        """Return the province that each place means, None if the board must settle one."""
        provinces: list[int] = []
        for place in self.places:
            if place.guessed or len(place.provinces) != 1:
                return None
            provinces += place.provinces
        return tuple(provinces)


class Part(NamedTuple):
    """The part of a line in which an order stands."""

    number: int
    apart: bool
    """A comma or semicolon stands between this part and the one before."""
    whole: bool
    """It says which unit does what, and to what: a whole order, even if a name is unknown."""
    conditional: bool
    """It has a word that may take back what stands beside it ("unless", "not")."""
    for_unit: bool
    """It begins with one unit, and no "also" joins it to another: an attempt at an order, even if
    it cannot be read."""
    starts_anew: bool
    """A semicolon stands before it, and no verb that expects more ("A Mar S; A Par - Bur")."""
    names_only: bool
    """It is a unit with nothing to do; in winter that unit is to be built or disbanded."""
    headed: bool
    """It begins with words that cannot be read and a colon: "Option 1 would be: A Par - Pic"."""
    under_if: bool
    """Its condition stands right after its order: "A Mun - Bur if Burgundy is free"."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one order and what it says, or why nobody can make sense of it."""

    text: str
    written: Written | UnreadableOrder
    part: Part | None = None
    """Its place among several orders of a line."""


def two_meanings(gazetteer: Gazetteer, text: str, provinces: tuple[int, ...]) -> AmbiguousName:
    """Return the refusal of a name that means several provinces, with what to write instead."""
    names = tuple(gazetteer.provinces[index].name for index in provinces)
    shorts = tuple(gazetteer.abbreviation(index) for index in provinces)
    sentence = f"“{text}” could be {either(names)}; write {either(shorts)}."
    return AmbiguousName(sentence, text, names)
