"""What an order line says: words to `Written`, without a look at the board.

The grammar, in order of reading (every part may be surrounded by articles and courtesies):

    order   = [nation [":"]] ( unit action | verb unit [action] | "waive" | "all" verb )
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
from dataclasses import replace

from judge.names import Gazetteer
from judge.places import PlaceScan
from judge.spelling import near_word
from judge.vocabulary import (
    ALL_WORDS,
    ARTICLES,
    ASKING,
    BY_CONVOY,
    COUNTS,
    COURTESIES,
    EVERYBODY,
    FILLERS,
    FIRST_VERBS,
    HEADINGS,
    IN_PLACE,
    LETTERS,
    LINKS,
    SEA_WORDS,
    SEASONS,
    SPELT_OUT,
    VERBS,
    Action,
)
from judge.words import Wording
from judge.written import (
    AmbiguousName,
    Piece,
    Place,
    UnitLetter,
    UnknownProvince,
    UnreadableOrder,
    Written,
    WrittenUnit,
)

__all__ = ["AmbiguousName", "OrderParser", "UnknownProvince", "UnreadableOrder"]

_SHOWN = 12
"""Words of a wrong piece that are repeated to the player."""

_MOST_WAIVED = 34
_HEADING = (HEADINGS | ARTICLES) - SEASONS
_OPENING = COURTESIES | {":", "-", "to"}
_AFTER_SEA = {word for word, verb in VERBS.items() if verb in ("support", "convoy")} | {"-"}


class OrderParser:
    """Reads pieces of lines with the names of one map and the powers of one variant."""

    def __init__(self, gazetteer: Gazetteer, nations: Mapping[str, str]) -> None:
        """`nations` maps folded names and adjectives ("french") to powers."""
        self.gazetteer = gazetteer
        self.nations = nations

    def pieces(self, wording: Wording) -> Iterator[Piece]:
        """Yield the orders of a piece of text; never fails."""
        yield from _OrderScan(self.gazetteer, wording, self.nations).pieces()


class _OrderScan(PlaceScan):
    """One pass over the words of a piece, from left to right."""

    def __init__(self, gazetteer: Gazetteer, wording: Wording, nations: Mapping[str, str]) -> None:
        super().__init__(gazetteer, wording)
        self.nations = nations

    # The piece: one order after the other.

    def pieces(self) -> Iterator[Piece]:
        if COURTESIES.issuperset(self.wording.words):
            return
        while self.at < self.end:
            start = self.at
            try:
                orders = self.order()
                self.expect_end(start)
                self.refuse_unclear_lead(start, orders)
            except UnreadableOrder as problem:
                yield Piece(self.wording.written(start, self.end), problem)
                return
            text = self.wording.written(start, self.at)
            for written in orders:
                yield Piece(text, written)
            self.skip(COURTESIES | LINKS)

    def refuse_unclear_lead(self, start: int, orders: list[Written]) -> None:
        """Raise UnreadableOrder for words before an order that may call it off ("cancel A Par H").

        Such words may be like a name, but say nothing of what shall be done.
        """
        unit = orders[0].unit
        says_nothing = unit and unit.place.guessed and not (orders[0].action or unit.kind)
        if says_nothing and self.at < self.end:
            piece = self.wording.written(start, self.at)
            order = self.wording.written(self.at, min(self.end, self.at + _SHOWN))
            sentence = f"“{piece}” before “{order}” is not part of an order; leave it out."
            raise UnreadableOrder(sentence, piece)

    def order(self) -> list[Written]:
        self.skip_heading()
        self.skip_opening()
        nation = self.label()
        self.skip_opening()
        verb = self.first_verb()
        orders = self.for_all()
        if orders is None and verb:
            self.at += 1
            orders = self.verb_first(verb)
        if orders is None:
            orders = self.unit_first()
        return [written._replace(nation=nation) for written in orders] if nation else orders

    def skip_heading(self) -> None:
        """Step over "My orders:" in front of the first order; for which phase they are would have
        to be heeded."""
        at = self.at
        while self.words[at] in _HEADING:
            at += 1
        if self.words[at] == ":" and self.words[self.at] not in FIRST_VERBS:
            self.at = at + 1

    def skip_opening(self) -> None:
        """Step over courtesies and the order's number. Raises UnreadableOrder at a question."""
        if self.words[self.at] in ASKING and self.words[self.at + 1] in ("i", "we"):
            piece = self.wording.written(self.at, self.at + 2)
            raise UnreadableOrder(f"“{piece}” asks; write the order without it.", piece)
        while self.words[self.at] in _OPENING or (
            self.words[self.at].isdecimal() and self.at + 1 < self.end
        ):
            self.at += 1

    def expect_end(self, start: int) -> None:
        """Raise UnreadableOrder when what follows is neither the end nor a further order."""
        self.skip(COURTESIES)
        rest = self.at
        if rest >= self.end or self.starts_order(rest):
            return
        piece = self.wording.written(rest, min(self.end, rest + _SHOWN))
        order = self.wording.written(start, rest)
        sentence = f"“{piece}” after “{order}” is not part of an order; leave it out."
        raise UnreadableOrder(sentence, piece)

    def starts_order(self, at: int) -> bool:
        at += self.words[at] in LINKS
        at += self.words[at].isdecimal()
        at += self.words[at] in self.nations
        word = self.words[at]
        if word in LETTERS:
            return self.words[at + 1] not in ("", "-")
        if word in EVERYBODY or (word == "the" and self.words[at + 1] in EVERYBODY):
            return True
        return len(word) > 1 and FIRST_VERBS.get(word) in ("build", "disband", "waive")

    # The parts of an order.

    def label(self) -> str | None:
        """Take a power's name in front of the order, "France:" or "Russian Fleet ..."."""
        nation = self.nations.get(self.words[self.at])
        if nation is None:
            return None
        follows = self.words[self.at + 1 : self.at + 3]
        if not (
            follows[0] == ":"
            or (follows[0] == "-" and follows[1] in LETTERS)
            or self.starts_unit_after_nation()
        ):
            return None
        self.at += 1
        self.skip({":", "-"})
        return nation

    def starts_unit_after_nation(self) -> bool:
        """Tell whether a unit follows the nation's name, which may be a province's name too."""
        follows = self.words[self.at + 1]
        known = self.starts_name(self.at)
        if follows in LETTERS or (follows in FIRST_VERBS and not known):
            return True
        return not known and self.starts_name(self.at + 1)

    def first_verb(self) -> Action | None:
        """Return the verb that stands in front of its unit, if one does."""
        word = self.words[self.at]
        if word == "no" and self.words[self.at + 1] in ("build", "builds"):
            return "waive"
        verb = FIRST_VERBS.get(word)
        if verb is None and self.is_plain(self.at) and not self.starts_place():
            spelt = near_word(word, SPELT_OUT)
            verb = FIRST_VERBS.get(spelt) if spelt else None
        return verb

    def for_all(self) -> list[Written] | None:
        """Take "all units hold", "hold all", "the rest disbands"."""
        start = self.at
        verb = VERBS.get(self.words[start])
        self.at += verb in ("hold", "disband")
        first = self.at
        self.skip(ALL_WORDS)
        everybody = not EVERYBODY.isdisjoint(self.words[first : self.at])
        if everybody and first == start:
            verb = VERBS.get(self.words[self.at])
            self.at += 1
        if everybody and verb in ("hold", "disband"):
            return [Written(verb)]
        self.at = start
        return None

    def verb_first(self, verb: Action) -> list[Written]:
        if verb == "waive":
            return self.waives()
        start = self.at - 1
        if verb == "move" and self.words[self.at] in VERBS:
            return [self.move_from()]
        while self.words[self.at] == ":" or self.words[self.at].isdecimal():
            self.at += 1
        if verb in ("build", "disband", "hold"):
            return [Written(verb, unit) for unit in self.units(without_letter=True)]
        unit = self.unit()
        if verb == "move":
            return self.action(unit)
        to = self.aided_to()
        if self.words[self.at] not in ("with", "by", "from"):
            piece = self.wording.written(start, self.at)
            raise UnreadableOrder(f"Write the unit that shall do it before “{piece}”.", piece)
        self.at += 1
        return [Written(verb, self.unit(), unit, to)]

    def move_from(self) -> Written:
        """Take "to Burgundy from Paris" after "move"."""
        self.skip_moves()
        to = self.place()
        if self.words[self.at] != "from":
            raise UnreadableOrder(f"It is not said what shall move to {to.text}.", to.text)
        return Written("move", self.unit(), to=to, by_convoy=self.by_convoy())

    def waives(self) -> list[Written]:
        count = 1
        while (word := self.words[self.at]) in COUNTS or word.isdecimal():
            count = int(word[:2]) if word.isdecimal() else COUNTS[word] or count
            self.at += 1
        return [Written("waive")] * min(count, _MOST_WAIVED)

    def unit_first(self) -> list[Written]:
        units = self.units()
        orders = self.action(units[0])
        orders[1:1] = [orders[0]._replace(unit=unit) for unit in units[1:]]
        return orders

    def units(self, *, without_letter: bool = False) -> list[WrittenUnit]:
        """Take a unit, or several with "and" between them."""
        units = [self.unit()]
        while self.words[self.at] in LINKS and (
            self.words[self.at + 1] in LETTERS or (without_letter and self.starts_name(self.at + 1))
        ):
            self.at += 1
            units.append(self.unit())
        return units

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
                break
            self.at += 1
        if not kind and (glued := self.glued()):
            return glued
        place = self.place()
        if not kind and word_is_letter_of(self.words, self.at):
            kind = LETTERS[self.words[self.at]]
            self.at += 1
        return WrittenUnit(kind, place, nation)

    def glued(self) -> WrittenUnit | None:
        """Take a letter written without a blank before its place: "FBre"."""
        word = self.words[self.at]
        names = self.gazetteer.find(word[1:])
        if word[:1] not in LETTERS or self.starts_name(self.at):
            return None
        if names is None or names.how != "listed":
            return None
        self.at += 1
        text = self.wording.written(self.at - 1, self.at)[1:]
        return WrittenUnit(LETTERS[word[0]], self.with_coast(Place(text, names.provinces)))

    def action(self, unit: WrittenUnit) -> list[Written]:
        """Take what the unit shall do; a bare unit is an action too."""
        self.skip(COURTESIES | {":"})
        if self.has_s_of_sea(unit.place):
            self.at += 1
        if self.by_convoy():
            return self.movement(unit, by_convoy=True)
        verb = self.verb()
        if verb is None:
            self.refuse_con(unit)
        if verb == "move" or (verb is None and self.starts_place()):
            return self.movement(unit)
        if verb is None or verb == "waive":
            return [Written("", unit)]
        self.at += 1
        if verb == "convoy" and self.words[self.at] in ("to", "-", "into"):
            return self.convoyed(unit)
        if verb in ("support", "convoy"):
            return [self.aid(verb, unit)]
        if verb == "hold":
            self.skip(IN_PLACE)
        if verb == "build" and self.words[self.at] in LETTERS:
            unit = replace(unit, kind=LETTERS[self.words[self.at]])
            self.at += 1
        return [Written(verb, unit)]

    def has_s_of_sea(self, place: Place) -> bool:
        """Tell whether an S here belongs to the name of a sea: "Nth. S. - Hol", "Nth. S. S Eng"."""
        if self.words[self.at] != "s":
            return False
        names = (self.gazetteer.provinces[index].name for index in place.provinces)
        is_sea = any(name.endswith(" Sea") for name in names)
        follows = self.words[self.at + 1 : self.at + 3]
        holds = VERBS.get(follows[0]) == "hold" and not follows[1]
        return is_sea and (follows[0] in _AFTER_SEA or holds)

    def refuse_con(self, unit: WrittenUnit) -> None:
        """Raise UnreadableOrder for "F Aeg con A Smy - Gre", which may be a move or a convoy."""
        word, follows = self.words[self.at : self.at + 2]
        if word == "con" and unit.kind != "A" and LETTERS.get(follows) == "A":
            piece = self.wording.written(self.at, self.at + 1)
            sentence = f"“{piece}” could be a convoy or a province; write “C” or “- {piece}”."
            raise AmbiguousName(sentence, piece)

    def convoyed(self, unit: WrittenUnit) -> list[Written]:
        """Take "to Norway" after "A Lon convoys", or "to Norway from London" after a fleet's."""
        orders = self.movement(unit, by_convoy=True)
        if self.words[self.at] != "from":
            return orders
        self.at += 1
        return [Written("convoy", unit, self.unit(), orders[0].to)]

    def verb(self) -> Action | None:
        """Return what the word here asks for, also when it is misspelt."""
        word = self.words[self.at]
        if word == "r" and (self.words[self.at + 1] == "-" or self.starts_name(self.at + 1)):
            self.at += 1
            return "move"
        verb = VERBS.get(word)
        if verb is None and self.is_plain(self.at) and not self.starts_name(self.at):
            verb = VERBS.get(near_word(word, SPELT_OUT) or "")
            self.at += verb == "move"
        return verb

    def movement(self, unit: WrittenUnit, *, by_convoy: bool = False) -> list[Written]:
        start = self.at
        self.skip_moves()
        verb = VERBS.get(self.words[self.at])
        if verb in ("hold", "disband"):
            self.at += 1
            return [Written(verb, unit)]
        signless = self.at == start
        to = self.place() if signless else self.path()
        guessed = not unit.kind and (to.guessed or unit.place.guessed)
        if signless and (guessed or self.words[self.at] == "-"):
            text = f"{unit.place.text} {to.text}"
            raise UnreadableOrder(
                f"“{text}” is not clear; write it like “A Paris - Burgundy”.", text
            )
        by_convoy = self.by_convoy() or by_convoy
        move = Written("move", unit, to=to, by_convoy=by_convoy)
        return [move, *self.aided_by(move)]

    def path(self) -> Place:
        """Take a destination, or a path of which only the end counts (DATC 4.A.6)."""
        places = [self.place()]
        while self.words[self.at] == "-":
            sign = self.at
            self.skip_moves()
            if not self.starts_place():
                self.at = sign
                break
            places.append(self.place())
        return replace(places[-1], through=tuple(places[:-1])) if places[1:] else places[0]

    def by_convoy(self) -> bool:
        """Take "via convoy", "by sea" or "via North Sea"; return whether there was one."""
        word, start = self.words[self.at], self.at
        if word not in BY_CONVOY:
            return False
        self.at += 1
        self.skip(ARTICLES)
        if self.words[self.at] in SEA_WORDS and word not in ("convoyed", "vc"):
            self.at += 1
            if self.words[self.at] in ("by", "with", "through"):
                self.at += 1 + (self.words[self.at + 1] in LETTERS)
            if self.starts_name(self.at):
                self.path()
            return True
        if word in ("via", "through"):
            self.at += self.words[self.at] in LETTERS
            if self.starts_name(self.at):
                self.path()
                return True
        if word in ("via", "vc", "convoyed") and self.words[self.at] != "by":
            return True
        self.at = start
        return False

    def aid(self, verb: Action, unit: WrittenUnit) -> Written:
        """Take whom and what the unit supports or convoys."""
        if VERBS.get(self.words[self.at]) == "hold":
            self.at += 1
        self.skip(FILLERS)
        if self.words[self.at] == "a" and self.words[self.at + 1] in FILLERS:
            self.at += 1
            self.skip(FILLERS)
        aided = self.unit()
        to = self.aided_to()
        if to is None and self.words[self.at] == "from":
            to, aided = aided.place, self.unit()
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
        while True:
            at = self.at + (self.words[self.at] in LINKS)
            verb = VERBS.get(self.words[at])
            if verb not in ("support", "convoy") or self.words[at + 1] != "by":
                return
            self.at = at + 2
            for unit in self.units(without_letter=True):
                yield Written(verb, unit, move.unit, move.to)

    def skip_moves(self) -> None:
        while VERBS.get(self.words[self.at]) == "move" or self.words[self.at] in ARTICLES:
            self.at += 1


def word_is_letter_of(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a letter behind a place belongs to it ("Par A - Bur"), not to the next order."""
    return words[at] in LETTERS and (words[at + 1] in VERBS or words[at + 1] in ("", *LINKS))
