"""What an order line says: words to `Written`, without a look at the board.

The grammar, in order of reading (every part may be surrounded by articles and courtesies):

    order   = [nation [":"]] ( unit action | verb unit [action] | "waive" | "all" verb )
    unit    = [nation] ["A" | "F"] place
    action  = hold | move place {move place} [by convoy] | support unit [hold | move place]
            | convoy unit move place | build | disband
    place   = name [coast]

Orders are taken here; `judge.text.actions`, `judge.text.unit_scan` and `judge.text.scan` take their
parts.

A move may go without its sign ("A PAR BUR"). Several places after the first are a path, of which
only the end counts (DATC 4.A.6). Provinces are indices on the board; a `Place` may hold several
when the name is unclear or misspelt, and whoever knows the position chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from judge.text.actions import ActionScan
from judge.text.names import Gazetteer, key_of
from judge.text.spelling import near_verb
from judge.text.vocabulary import (
    ALL_LEFT,
    ALL_WORDS,
    AROUND,
    ARTICLES,
    ASIDES,
    ASKING,
    CALLING_OFF,
    CONDITIONS,
    COUNTS,
    COURTESIES,
    DOUBTING,
    EVERYBODY,
    EXCEPT,
    FIRST_VERBS,
    FOREIGN_CONDITIONS,
    HEADINGS,
    LETTERS,
    LINKS,
    RANKS,
    SEASONS,
    VERBS,
    Action,
)
from judge.text.words import Wording
from judge.text.written import Piece, UnreadableOrder, Written, WrittenUnit

_SHOWN = 12
"""How many words of a wrong piece we repeat to the player."""

_MOST_WAIVED = 34
_MOST_BUILT = 4
_HEADING = (HEADINGS | ARTICLES | RANKS | {"this"}) - SEASONS
_NO_ORDER = AROUND | {"?"}
_BESIDE_BOTH = COURTESIES | ALL_WORDS | {"them"}
_OFF_THE_BOARD = ("off", "the", "board")
_NO_MORE = {
    (which, builds)
    for which in ("second", "third", "other", "more", "further")
    for builds in ("build", "builds")
}
_BEHIND_VERB = frozenset((":", "units", "builds"))
_OPENING = COURTESIES | {":", "-", "to"}
_BEHIND_NAME = VERBS.keys() | {"", ":"}


class OrderParser:
    """Reads pieces of lines with the names of one map and the powers of one variant."""

    def __init__(self, gazetteer: Gazetteer, nations: Mapping[str, str]) -> None:
        """`nations` maps folded names and adjectives ("french") to powers."""
        self.gazetteer = gazetteer
        self.nations = nations

    def pieces(self, wording: Wording) -> Iterator[Piece]:
        """Yield the orders of a piece of text; never fails."""
        yield from _OrderScan(self.gazetteer, wording, self.nations).pieces()


class _OrderScan(ActionScan):
    """One pass over the words of a piece, from left to right, order after order."""

    def pieces(self) -> Iterator[Piece]:
        if _NO_ORDER.issuperset(self.wording.words) or self.is_aside():
            return
        while self.at < self.end:
            start = self.at
            try:
                orders = self.order()
                self.expect_end(start, orders)
                self.refuse_unclear_lead(start, orders)
            except UnreadableOrder as problem:
                yield Piece(self.wording.written(start, self.end), problem)
                return
            text = self.wording.written(start, self.at)
            for written in orders:
                yield Piece(text, written)
            self.skip(AROUND | LINKS)

    def is_aside(self) -> bool:
        """Tell whether the piece is a clause like ", as agreed with Austria", which changes no
        order: it has no word of one, and none that calls one off."""
        words = self.wording.words
        if self.wording.behind != "," or words[:2] not in ASIDES:
            return False
        meaning = LETTERS.keys() | CONDITIONS | FOREIGN_CONDITIONS | DOUBTING | {"?", "-", ":"}
        return not any(word in meaning or word.startswith(CALLING_OFF) for word in words[2:])

    def refuse_unclear_lead(self, start: int, orders: list[Written]) -> None:
        """Raise UnreadableOrder for words before an order that may call it off ("cancel A Par H").

        Such words may be like a name, but say nothing of what to do.
        """
        unit = orders[0].unit
        says_nothing = unit and unit.place.guessed and not (orders[0].action or unit.kind)
        if says_nothing and self.at < self.end:
            piece = self.wording.written(start, self.at)
            order = self.wording.written(self.at, min(self.end, self.at + _SHOWN))
            sentence = (
                f"We do not understand “{piece}” before “{order}”; if the order is all you want, "
                "write only that."
            )
            raise UnreadableOrder(sentence, piece)

    def order(self) -> list[Written]:
        self.skip_heading()
        if self.heads_support():
            self.at += 2
        self.skip_opening()
        nation = self.label()
        self.skip_opening()
        if passing := self.permission() or self.train_first():
            return [passing._replace(nation=nation)]
        if counted := self.counted():
            return counted
        verb = self.first_verb()
        orders = self.for_all()
        if orders is None and verb:
            self.at += 1
            orders = self.verb_first(verb)
        if orders is None:
            orders = self.unit_first()
        return [written._replace(nation=nation) for written in orders] if nation else orders

    def skip_heading(self) -> None:
        """Step over "My orders:" in front of the first order, and over all but the power of "Orders
        for France:". A phase that they named could not be passed over."""
        at = self.at + (self.words[self.at] in FIRST_VERBS)
        while self.words[at] in _HEADING:
            at += 1
        is_named = at > self.at and self.words[at] in self.nations
        ends = (":", "-") if is_named else (":",)
        words = self.words[self.at : at]
        ranks = not RANKS.isdisjoint(words) or "this order" in " ".join(words)
        if self.words[at + is_named] in ends and (ranks or self.words[self.at] not in FIRST_VERBS):
            self.at = at if is_named else at + 1

    def heads_support(self) -> bool:
        """Tell whether "Supports:" heads an order here that says so once more."""
        verb = VERBS.get(self.words[self.at])
        if verb not in ("support", "convoy") or self.words[self.at + 1] != ":":
            return False
        return verb in map(VERBS.get, self.words[self.at + 3 : self.end])

    def skip_opening(self) -> None:
        """Step over courtesies, "Armies:" and the order's number. Raises UnreadableOrder at a
        question."""
        if self.words[self.at] in ASKING and self.words[self.at + 1] in ("i", "we"):
            piece = self.wording.written(self.at, self.at + 2)
            raise UnreadableOrder(f"“{piece}” asks; write the order without it.", piece)
        while (
            self.words[self.at] in _OPENING
            or (self.words[self.at].isdecimal() and self.at + 1 < self.end)
            or (self.words[self.at] == "now" and self.words[self.at + 1] not in _BEHIND_NAME)
        ):
            self.at += 1
        is_counted = self.words[self.at - 1].isdecimal()
        if self.words[self.at] in ("armies", "fleets") and self.words[self.at + 1] == ":":
            self.at += 0 if is_counted else 2

    def expect_end(self, start: int, orders: list[Written]) -> None:
        """Raise UnreadableOrder unless the end or another order follows."""
        end = self.at
        self.skip(AROUND)
        rest = self.at
        if self.begins_comment(rest):
            self.at = self.end
        if self.at >= self.end or self.starts_order(rest):
            return
        piece = self.wording.written(rest, min(self.end, rest + _SHOWN))
        order = self.wording.written(start, end)
        advice = (
            f"if “{order}” is all you want, write only that."
            if orders[0].action
            else "say what the unit does with “-” for a move, “holds”, “supports” or “convoys”."
        )
        sentence = f"We do not understand “{piece}” after “{order}”; {advice}"
        raise UnreadableOrder(sentence, piece)

    def begins_comment(self, at: int) -> bool:
        """Tell whether "-- then Portugal" stands there: words that belong to no order and do not
        call it off."""
        first = at + 1
        if self.is_behind_bar(at):
            first = at + (self.words[at] == "a")
        elif first >= self.end or self.wording.written(at, first) != "--":
            return False
        words = self.wording.words[first:]
        if words and VERBS.get(words[0]) == "hold" and not self.holds_before(at):
            return False  # "A Par - Bur | hold" may order either
        meaning = LETTERS.keys() | CONDITIONS | FOREIGN_CONDITIONS | DOUBTING | {"?", "-", ":"}
        return not any(word in meaning or word.startswith(CALLING_OFF) for word in words)

    def holds_before(self, at: int) -> bool:
        """Tell whether one of the words before this place is a hold."""
        return any(VERBS.get(word) == "hold" for word in self.words[:at])

    def is_behind_bar(self, at: int) -> bool:
        """Tell whether a bar stands before it, and no name behind: a column of notes."""
        is_article = self.words[at : at + 1] == ("a",)
        if not 0 < at < self.end or self.starts_name(at + is_article):
            return False
        spans = self.wording.spans
        return "|" in self.wording.text[spans[at - 1][1] : spans[at][0]]

    def starts_order(self, at: int) -> bool:
        at += self.words[at] in LINKS
        is_linked = self.words[at - 1] in LINKS or self.words[at - 1] in EXCEPT
        while is_linked and self.words[at] in AROUND:
            at += 1
        is_the_army = len(self.words[at + 1]) > 1 and self.words[at + 1] in LETTERS
        at += (is_linked or is_the_army) and self.words[at] in ARTICLES
        at += self.words[at].isdecimal()
        at += self.words[at] in self.nations
        word = self.words[at]
        if word in LETTERS:
            return self.words[at + 1] not in ("", "-")
        if self.moves_on(at, is_linked=is_linked):
            return True
        if word in EVERYBODY or (word == "the" and self.words[at + 1] in EVERYBODY):
            return True
        return len(word) > 1 and FIRST_VERBS.get(word) in ("build", "disband", "waive")

    def moves_on(self, at: int, *, is_linked: bool) -> bool:
        """Tell whether a place and an arrow stand there: "smy-con" in "con-bul smy-con ank-bla"; or
        behind "and" a place and any verb: "Par to Bur and Bre holds"."""
        found = self.longest_name(at)
        if found is None:
            return False
        return self.words[found[1]] == "-" or (is_linked and self.words[found[1]] in VERBS)

    def label(self) -> str | None:
        """Take a power's name in front of the order, "France:" or "Russian Fleet ..."."""
        letter, colon, kind = self.words[self.at : self.at + 3]
        if letter == kind and colon == ":" and letter in LETTERS:
            self.at += 2  # "A: A Par - Bur": by powers or by kinds of units, it says the same
            return None
        nation = self.nations.get(self.words[self.at]) or self.initial()
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

    def initial(self) -> str | None:
        """Return the only power that begins with a letter in front of "F: A Par - Bur"."""
        letter, colon, kind = self.words[self.at : self.at + 3]
        if len(letter) > 1 or colon != ":" or kind not in LETTERS:
            return None
        found = {name for name in self.nations.values() if key_of(name)[:1] == letter}
        return found.pop() if len(found) == 1 else None

    def counted(self) -> list[Written]:
        """Take "2 fleets: Brest and Marseilles", which builds or disbands them; return nothing for
        anything else."""
        word = self.words[self.at]
        if not self.words[self.at - 1].isdecimal() or word not in ("armies", "fleets"):
            return []
        start = self.at
        self.at += 1
        self.skip(COURTESIES | ARTICLES | {":", "-", "+"})
        if not self.starts_name(self.at):
            self.at = start
            return []
        places = [self.place()]
        while self.words[self.at] in LINKS:
            last = self.at
            self.skip(LINKS)
            if not self.starts_name(self.at):
                self.at = last
                break
            places.append(self.place())
        number = int(self.words[start - 1][:2])
        is_all = AROUND.issuperset(self.words[self.at : self.end])
        if len(places) == 1 and is_all:
            places *= min(number, _MOST_BUILT)  # all but one are refused, with the reason
        elif len(places) != number and is_all:
            piece = self.wording.written(start - 1, self.at)
            names = f"“{piece}” names {len(places)} places; write each unit on a line of its own."
            raise UnreadableOrder(names, piece)
        if len(places) != number:
            self.at = start
            return []
        return [Written("", WrittenUnit(LETTERS[word], place)) for place in places]

    def counted_behind(self, verb: Action) -> list[Written]:
        """Take "2 fleets: Brest and Marseilles" after "build" or "disband"; nothing if that is not
        there."""
        start = self.at
        if verb in ("build", "disband") and self.words[start].isdecimal():
            self.at += 1
            if counted := self.counted():
                return [one._replace(action=verb) for one in counted]
            self.at = start
        return []

    def first_verb(self) -> Action | None:
        """Return the verb that stands in front of its unit, if one does."""
        word = self.words[self.at]
        if word == "no" and self.words[self.at + 1] in ("build", "builds"):
            return "waive"
        if word == "no" and self.words[self.at + 1 : self.at + 3] in _NO_MORE:
            self.at += 1
            return "waive"
        verb = self.action_at(self.at) if word in FIRST_VERBS else None
        if verb is None and self.is_plain(self.at) and not self.starts_place():
            return near_verb(word)
        return verb

    def for_all(self) -> list[Written] | None:
        """Take "all units hold", "hold all", "the rest disbands", "all fleets hold"."""
        start = self.at
        if self.at_both():
            self.at = self.end
            return [Written("disband", both=True)]
        verb = VERBS.get(self.words[start])
        self.at += verb in ("hold", "disband")
        first = self.at
        self.skip(ALL_WORDS)
        said = self.words[first : self.at]
        everybody = not EVERYBODY.isdisjoint(said)
        if everybody and first == start:
            verb = VERBS.get(self.words[self.at])
            self.at += 1
        if everybody and verb in ("hold", "disband"):
            if verb == "hold":
                self.skip_in_place()
                self.skip_except()
            kinds = {LETTERS[word] for word in said if word in ("armies", "fleets")}
            return [Written(verb, only=kinds.pop() if len(kinds) == 1 else "")]
        self.at = start
        return None

    def at_both(self) -> bool:
        """Tell whether exactly "disband both", "both disband" or "both retreat off the board"
        stands there."""
        words = self.wording.words
        if self.words[self.at] == "both" and words[-3:] == _OFF_THE_BOARD:
            between = words[self.at + 1 : -3]
            return all(word in _BESIDE_BOTH or VERBS.get(word) == "move" for word in between)
        told = (words[at] for at in range(self.at, self.end) if words[at] not in _BESIDE_BOTH)
        said = list(islice(told, 3))  # a third says enough: this is asked before each order
        verbs = {VERBS.get(word) for word in said}
        return len(said) == 2 and "both" in said and verbs == {None, "disband"}

    def skip_except(self) -> None:
        """Step over "except" between "all units hold" and the orders of others: "all units" means
        those without another order."""
        if self.words[self.at] in EXCEPT:
            is_named = self.words[self.at + 1] in LETTERS
            self.at += is_named or self.moves_on(self.at + 1, is_linked=True)

    def verb_first(self, verb: Action) -> list[Written]:
        if verb == "waive":
            self.refuse_other_kind()
            return self.waives()
        start = self.at - 1
        if verb == "move" and self.words[self.at] in VERBS:
            return [self.move_from()]
        while self.words[self.at] in _BEHIND_VERB or self.words[self.at].isdecimal():
            if counted := self.counted_behind(verb):
                return counted
            self.at += 1
        if verb in ("build", "disband", "hold"):
            return [Written(verb, unit) for unit in self.units(without_letter=True)]
        unit = self.unit()
        if verb == "move":
            return self.action(unit)
        to = self.aided_to()
        if self.words[self.at] not in ("with", "by", "from"):
            piece = self.wording.written(start, self.at)
            raise UnreadableOrder(f"Write which unit should do it before “{piece}”.", piece)
        self.at += 1
        return [Written(verb, self.unit(), unit, to)]

    def refuse_other_kind(self) -> None:
        """Raise UnreadableOrder for "W Mar - Spa": some other games have a unit W."""
        if self.words[self.at - 1] == "w" and self.moves_on(self.at, is_linked=False):
            piece = self.wording.written(self.at - 1, self.at)
            sentence = f"There is no unit “{piece}” here: write A for an army, F for a fleet."
            raise UnreadableOrder(sentence, piece)

    def move_from(self) -> Written:
        """Take "to Burgundy from Paris" after "move"."""
        self.skip_moves()
        to = self.place()
        if self.words[self.at] != "from":
            raise UnreadableOrder(
                f"This does not say which unit should move to {to.text}.", to.text
            )
        return Written("move", self.unit(), to=to, by_convoy=self.by_convoy())

    def waives(self) -> list[Written]:
        """Take "2 builds", "all builds", "the rest" after "waive", or "builds" after "no"."""
        count, start = 0, self.at
        while (word := self.words[self.at]) in COUNTS or word.isdecimal():
            count = int(word[:2]) if word.isdecimal() else COUNTS[word] or count
            self.at += 1
        said = self.words[start : self.at]
        if self.words[self.at] in LETTERS or self.starts_name(self.at):
            piece = self.wording.written(start - 1, self.end)
            raise UnreadableOrder(
                f"“{piece}” names a unit: to leave a build out, write only “Waive”.", piece
            )
        if not (count or ALL_LEFT.isdisjoint(said)):
            return [Written("waive", all_left=True)]
        return [Written("waive")] * min(count or 1, _MOST_WAIVED)

    def unit_first(self) -> list[Written]:
        start = self.at
        units = self.units()
        last = self.at
        orders = self.action(units[0])
        if units[1:] and orders[0].action == "move":
            together = self.wording.written(start, last)
            raise UnreadableOrder(
                f"“{together}” cannot all go to one province; write an order for each unit.",
                together,
            )
        orders[1:1] = [orders[0]._replace(unit=unit) for unit in units[1:]]
        return orders
