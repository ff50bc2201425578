"""What an order line says, before anybody looks at the board: text to `Written`.

The grammar, in order of reading (every part may be surrounded by articles and courtesies):

    order   = [nation [":"]] ( unit action | verb unit [action] | waive )
    unit    = [nation] ["A" | "F"] place
    action  = hold | move place {move place} [by convoy] | support unit [hold | move place]
            | convoy unit move place | build | disband
    place   = name [coast]

A move may go without its sign ("A PAR BUR"). Several places after the first are a path, of which
only the end counts (DATC 4.A.6). Provinces are indices on the board; a `Place` may hold several
when the name is unclear or misspelt, and whoever knows the position chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from judge.names import Gazetteer, Names
from judge.spelling import near_names
from judge.vocabulary import (
    ARTICLES,
    BY_CONVOY,
    COURTESIES,
    FILLERS,
    FIRST_VERBS,
    LETTERS,
    LINKS,
    SEA_WORDS,
    VERBS,
    Action,
)
from judge.words import Wording

UnitLetter = Literal["A", "F", ""]

_SHOWN = 12
"""Words of a wrong piece that are repeated to the player."""

_AFTER_SEA = frozenset(
    word for word, verb in VERBS.items() if verb in ("support", "convoy", "hold")
) | {"-"}
_AFTER_WAIVE = {
    "one": 1,
    "two": 2,
    "both": 2,
    "three": 3,
    "build": 0,
    "builds": 0,
    "my": 0,
    "the": 0,
    "a": 0,
    "rest": 0,
}
_ORDER_WORDS = VERBS.keys() | LETTERS.keys() | BY_CONVOY | LINKS | COURTESIES | ARTICLES


class UnreadableOrder(ValueError):
    """No order can be made out. `piece` is the smallest wrong piece, the message a sentence."""

    def __init__(self, sentence: str, piece: str = "", suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.piece = piece
        self.suggestions = suggestions


class UnknownProvince(UnreadableOrder):
    """A name that is nowhere on the map; the suggestions are full names like it."""


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


@dataclass(frozen=True, slots=True)
class WrittenUnit:
    """A unit as written: "A Par" or only "Par"."""

    kind: UnitLetter
    place: Place
    nation: str | None = None
    """The power whose unit it is said to be."""


@dataclass(frozen=True, slots=True)
class Written:
    """An order as written. Which fields are filled depends on the action; "" is a bare unit."""

    action: Action | Literal[""]
    unit: WrittenUnit | None = None
    aided: WrittenUnit | None = None
    """The unit supported or convoyed."""
    to: Place | None = None
    by_convoy: bool = False
    nation: str | None = None
    """The power named in front of the order."""

    @property
    def places(self) -> tuple[Place, ...]:
        """All places of the order, in the order written."""
        units = (unit.place for unit in (self.unit, self.aided) if unit)
        return (*units, self.to) if self.to else tuple(units)


@dataclass(frozen=True, slots=True)
class Piece:
    """One order's text and what it says, or why nothing can be made of it."""

    text: str
    written: Written | UnreadableOrder


class OrderParser:
    """Reads pieces of lines with the names of one map and the powers of one variant."""

    def __init__(self, gazetteer: Gazetteer, nations: Mapping[str, str]) -> None:
        """`nations` maps folded names and adjectives ("french") to powers."""
        self.gazetteer = gazetteer
        self.nations = nations

    def pieces(self, wording: Wording) -> Iterator[Piece]:
        """Yield the orders of a piece of text; never fails."""
        yield from _Scan(self, wording).pieces()


class _Scan:
    """One pass over the words of a piece, from left to right."""

    def __init__(self, parser: OrderParser, wording: Wording) -> None:
        self.gazetteer = parser.gazetteer
        self.nations = parser.nations
        self.wording = wording
        self.words = (*wording.words, "", "", "")
        self.end = len(wording.words)
        self.at = 0

    # The line: one order after the other.

    def pieces(self) -> Iterator[Piece]:
        while self.at < self.end:
            start = self.at
            try:
                orders = self.order()
                self.expect_end(start)
            except UnreadableOrder as problem:
                yield Piece(self.wording.written(start, self.end), problem)
                return
            text = self.wording.written(start, self.at)
            for written in orders:
                yield Piece(text, written)
            self.skip(COURTESIES | LINKS)

    def order(self) -> list[Written]:
        self.skip(COURTESIES)
        nation = self.label()
        self.skip(COURTESIES)
        verb = FIRST_VERBS.get(self.words[self.at])
        if verb and not self.starts_name(self.at):
            self.at += 1
            orders = self.verb_first(verb)
        else:
            orders = self.unit_first()
        if nation:
            orders = [replace(written, nation=nation) for written in orders]
        return orders

    def expect_end(self, start: int) -> None:
        """Raise UnreadableOrder when what follows is neither the end nor a further order."""
        self.skip(COURTESIES)
        rest = self.at
        if rest >= self.end or self.starts_order(rest):
            return
        last = min(self.end, rest + _SHOWN)
        piece = self.wording.written(rest, last)
        order = self.wording.written(start, rest)
        raise UnreadableOrder(
            f"“{piece}” after “{order}” is not part of an order; leave it out.", piece
        )

    def starts_order(self, at: int) -> bool:
        word = self.words[at]
        if word in LINKS:
            word = self.words[at := at + 1]
        if word in self.nations:
            word = self.words[at := at + 1]
        return (word in LETTERS and self.words[at + 1] not in ("", "-")) or (
            word in FIRST_VERBS and len(word) > 1
        )

    # The parts of an order.

    def label(self) -> str | None:
        """Take a power's name in front of the order, "France:" or "Russian Fleet ..."."""
        nation = self.nations.get(self.words[self.at])
        follows = self.words[self.at + 1]
        if nation is None or not (follows == ":" or self.starts_unit_after_nation()):
            return None
        self.at += 1
        self.skip(frozenset((":", "-")))
        return nation

    def starts_unit_after_nation(self) -> bool:
        """Tell whether a unit follows the nation's name, which may be a province's name too."""
        follows = self.words[self.at + 1]
        if follows in LETTERS or (follows in FIRST_VERBS and not self.starts_name(self.at)):
            return True
        name = self.longest_name(self.at)
        return name is None and self.starts_name(self.at + 1)

    def verb_first(self, verb: Action) -> list[Written]:
        if verb == "waive":
            return self.waives()
        start = self.at - 1
        unit = self.unit()
        if verb in ("build", "disband", "hold"):
            return [Written(verb, unit)]
        if verb == "move":
            return self.action(unit)
        to = self.aided_to()
        if self.words[self.at] not in ("with", "by", "from"):
            piece = self.wording.written(start, self.at)
            raise UnreadableOrder(f"Write the unit that shall do it before “{piece}”.", piece)
        self.at += 1
        return [Written(verb, self.unit(), unit, to)]

    def waives(self) -> list[Written]:
        count = 1
        while (word := self.words[self.at]) in _AFTER_WAIVE or word.isdecimal():
            count = int(word[:2]) if word.isdecimal() else _AFTER_WAIVE[word] or count
            self.at += 1
        return [Written("waive")] * count

    def unit_first(self) -> list[Written]:
        units = [self.unit()]
        while self.words[self.at] in LINKS and self.words[self.at + 1] in LETTERS:
            self.at += 1
            units.append(self.unit())
        orders = self.action(units[0])
        orders[1:1] = [replace(orders[0], unit=unit) for unit in units[1:]]
        return orders

    def unit(self) -> WrittenUnit:
        """Take a unit. Raises UnreadableOrder, UnknownProvince or AmbiguousName."""
        kind: UnitLetter = ""
        nation: str | None = None
        while True:
            word = self.words[self.at]
            if word in LETTERS:
                kind = LETTERS[word]
            elif not kind and word in self.nations and self.starts_unit_after_nation():
                nation = self.nations[word]
            elif word not in ARTICLES:
                return WrittenUnit(kind, self.place(), nation)
            self.at += 1

    def action(self, unit: WrittenUnit) -> list[Written]:
        """Take what the unit shall do; a bare unit is an action too."""
        self.skip(COURTESIES)
        word = self.words[self.at]
        if word == "s" and self.words[self.at + 1] in _AFTER_SEA:
            self.at += 1  # "Nth. S. - Hol": the S belongs to the name of a sea.
            word = self.words[self.at]
        if self.by_convoy():
            return self.movement(unit, by_convoy=True)
        verb = VERBS.get(word)
        if word == "r" and self.starts_name(self.at + 1):
            self.at += 1
            return self.movement(unit)
        if verb == "move" or (verb is None and self.starts_place()):
            return self.movement(unit)
        if verb is None or verb == "waive":
            return [Written("", unit)]
        self.at += 1
        if verb in ("support", "convoy"):
            return [self.aid(verb, unit)]
        return [Written(verb, unit)]

    def movement(self, unit: WrittenUnit, *, by_convoy: bool = False) -> list[Written]:
        self.skip_moves()
        if VERBS.get(self.words[self.at]) == "hold":
            self.at += 1
            return [Written("hold", unit)]
        if VERBS.get(self.words[self.at]) == "disband" and self.words[self.at] != "d":
            self.at += 1
            return [Written("disband", unit)]
        to = self.path()
        by_convoy = self.by_convoy() or by_convoy
        move = Written("move", unit, to=to, by_convoy=by_convoy)
        return [move, *self.aided_by(move)]

    def path(self) -> Place:
        """Take a destination, or a path of which only the end counts (DATC 4.A.6)."""
        place = self.place()
        while self.words[self.at] == "-":
            self.skip_moves()
            place = self.place()
        return place

    def by_convoy(self) -> bool:
        """Take "via convoy", "by sea" or "via North Sea"; return whether there was one."""
        word, start = self.words[self.at], self.at
        if word not in BY_CONVOY:
            return False
        self.at += 1
        self.skip(ARTICLES)
        if self.words[self.at] in SEA_WORDS and word not in ("convoyed", "vc"):
            self.at += 1
        elif word in ("via", "through") and self.starts_name(self.at):
            self.path()
        elif word not in ("via", "vc", "convoyed"):
            self.at = start
            return False
        return True

    def aid(self, verb: Action, unit: WrittenUnit) -> Written:
        """Take whom and what the unit supports or convoys."""
        self.skip(FILLERS)
        if self.words[self.at] == "a" and self.words[self.at + 1] in FILLERS:
            self.at += 1
            self.skip(FILLERS)
        aided = self.unit()
        to = self.aided_to()
        if verb == "convoy" and to is None:
            raise UnreadableOrder(
                f"The convoy of {aided.place.text} lacks its destination; write for example "
                "“F North Sea C A London - Norway”.",
                self.wording.written(max(self.at - 1, 0), self.at),
            )
        return Written(verb, unit, aided, to)

    def aided_to(self) -> Place | None:
        word = self.words[self.at]
        if not (self.by_convoy() or VERBS.get(word) in ("move", "hold") or self.starts_place()):
            return None
        self.skip_moves()
        if VERBS.get(self.words[self.at]) == "hold":
            self.at += 1
            return None
        to = self.path()
        self.by_convoy()
        return to

    def aided_by(self, move: Written) -> Iterator[Written]:
        """Take "S by A Bur & A Mun" after a move, as the zines print it."""
        assert move.unit is not None, "a move has a unit"
        while True:
            at = self.at + (self.words[self.at] in LINKS)
            verb = VERBS.get(self.words[at])
            if verb not in ("support", "convoy") or self.words[at + 1] != "by":
                return
            self.at = at + 2
            yield Written(verb, self.unit(), move.unit, move.to)
            while self.words[self.at] in LINKS and self.words[self.at + 1] in LETTERS:
                self.at += 1
                yield Written(verb, self.unit(), move.unit, move.to)

    # Names.

    def place(self) -> Place:
        """Take a name with its coast. Raises UnreadableOrder, UnknownProvince or AmbiguousName."""
        self.skip(ARTICLES)
        first = self.at
        if not self.is_plain(first):
            raise self.missing_name()
        found = self.longest_name(first)
        misspelt = self.misspelt(first) if found is None or self.is_unsure(first, found) else None
        if misspelt is not None:
            return self.with_coast(misspelt)
        if found is None:
            raise self.unknown_name(first)
        names, self.at = found
        text = self.wording.written(first, self.at)
        if names.how == "unclear":
            raise two_meanings(self.gazetteer, text, names.provinces)
        return self.with_coast(Place(text, names.provinces, names.coast))

    def with_coast(self, place: Place) -> Place:
        word = self.words[self.at]
        if word[:1] != "/" or len(word) == 1:
            return place
        self.at += 1
        return replace(place, coast=word[1:])

    def longest_name(self, first: int) -> tuple[Names, int] | None:
        """Return the longest name that begins here, and where it ends.

        A hyphen may join the words of a listed name only ("Mid-Atlantic"), else it means a move.
        """
        found, key, at, joined = None, "", first, False
        for _ in range(self.gazetteer.longest):
            if not self.is_word(at):
                break
            key = f"{key} {self.words[at]}" if key else self.words[at]
            at += 1
            names = self.gazetteer.find(key)
            if names is not None and not (joined and names.how == "beginning"):
                found = names, at
            if self.words[at] == "-":
                at, joined = at + 1, True
        return found

    def is_unsure(self, first: int, found: tuple[Names, int]) -> bool:
        """Tell whether the name may be the beginning of a misspelt longer one ("North See")."""
        names, end = found
        if not self.is_plain(end) or self.starts_name(end):
            return False
        return len(names.provinces) != 1 or self.words[first] in self.gazetteer.first_words

    def misspelt(self, first: int) -> Place | None:
        """Take the longest run of words that is like a name, or nothing."""
        for last in range(self.end_of_words(first), first, -1):
            near = near_names(self.gazetteer, "".join(self.words[first:last]))
            if near and (last > first + 1 or self.longest_name(first) is None):
                self.at = last
                return Place(self.wording.written(first, last), near, guessed=True)
        return None

    def end_of_words(self, first: int) -> int:
        """Return where a run of words ends that may be one misspelt name."""
        end = first + 1
        while end < first + self.gazetteer.longest and (
            self.is_plain(end) or self.words[end] == "of"
        ):
            if self.starts_name(end):
                break
            end += 1
        return end

    def missing_name(self) -> UnreadableOrder:
        before = self.wording.written(max(self.at - 1, 0), min(self.at, self.end))
        where = f"after “{before}”" if before else f"in “{self.wording.text[:80]}”"
        return UnreadableOrder(f"There is no province {where}.", before)

    def unknown_name(self, first: int) -> UnreadableOrder:
        piece = self.wording.written(first, self.end_of_words(first))
        if first == 0:
            return UnreadableOrder(f"“{piece}” is not the beginning of an order.", piece)
        return UnknownProvince(f"There is no province “{piece}”.", piece)

    # The words.

    def is_word(self, at: int) -> bool:
        return self.words[at][:1].isalnum()

    def is_plain(self, at: int) -> bool:
        """Tell whether a word here is none of the words that orders are made of."""
        word = self.words[at]
        return self.is_word(at) and word not in _ORDER_WORDS

    def starts_name(self, at: int) -> bool:
        return self.longest_name(at) is not None

    def starts_place(self) -> bool:
        """Tell whether a place follows, perhaps misspelt."""
        if not self.is_plain(self.at):
            return False
        return self.starts_name(self.at) or bool(near_names(self.gazetteer, self.words[self.at]))

    def skip(self, words: frozenset[str]) -> None:
        while self.words[self.at] in words:
            self.at += 1

    def skip_moves(self) -> None:
        while VERBS.get(self.words[self.at]) == "move" or self.words[self.at] in ARTICLES:
            self.at += 1


def two_meanings(gazetteer: Gazetteer, text: str, provinces: tuple[int, ...]) -> AmbiguousName:
    """Return the refusal of a name that means several provinces, with what to write instead."""
    names = tuple(gazetteer.provinces[index].name for index in provinces)
    shorts = tuple(gazetteer.abbreviation(index) for index in provinces)
    sentence = f"“{text}” could be {either(names)}; write {either(shorts)}."
    return AmbiguousName(sentence, text, names)


def either(words: tuple[str, ...]) -> str:
    """Return "a", "a or b", "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
