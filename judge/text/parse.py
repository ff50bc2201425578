"""What an order line says: words to `Written`, without a look at the board.

A piece of a line holds orders one after another, and words around them:

    piece   = {[heading] [opening] [nation [":"]] order [and]} [comment]

`judge.text.order_scan` takes each order. What stands before and after it is stepped over here,
where it changes nothing; anything else is refused, with the order.

A move may go without its sign ("A PAR BUR"). Several places after the first are a path, of which
only the end counts (DATC 4.A.6). Provinces are indices on the board; a `Place` may hold several
when the name is unclear or misspelt, and whoever knows the position chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.text.counting import names_unit
from judge.text.names import Gazetteer, key_of
from judge.text.order_scan import OrderScan
from judge.text.vocabulary import (
    AROUND,
    ARTICLES,
    ASIDES,
    ASKING,
    CALLING_OFF,
    CONDITIONS,
    COURTESIES,
    DOUBTING,
    EVERYBODY,
    EXCEPT,
    FIRST_VERBS,
    FOREIGN_CONDITIONS,
    HEADINGS,
    IFS,
    LETTERS,
    LINKS,
    RANKS,
    SEASONS,
    VERBS,
    corrects,
)
from judge.text.words import Wording
from judge.text.written import Piece, UnreadableOrder, Written

_SHOWN = 12
"""How many words of a wrong piece we repeat to the player."""

_ANNOUNCED = {"this", "i", "we", "make", "do", "give", "here", "are", "is", "as", "follows"}
_HEADING = (HEADINGS | ARTICLES | RANKS | _ANNOUNCED) - SEASONS
_NO_ORDER = AROUND | {"?"}
_OPENING = COURTESIES | {":", "-", "to"}
_BEFORE_UNIT = frozenset(("make", "makes", "making", "both"))
"""What says nothing before a unit that is told something: "Both A Par and A Mar hold"."""
_AFTER_NAME = VERBS.keys() | {"", ":"}
_MEANING = LETTERS.keys() | CONDITIONS | FOREIGN_CONDITIONS | DOUBTING | {"?", "-", ":"}
"""Words that a comment does not have: they belong to an order, or may call it off."""


class OrderParser:
    """Reads pieces of lines with the names of one map and the powers of one variant."""

    def __init__(self, gazetteer: Gazetteer, nations: Mapping[str, str]) -> None:
        """`nations` maps folded names and adjectives ("french") to powers."""
        self.gazetteer = gazetteer
        self.nations = nations

    def pieces(self, wording: Wording) -> Iterator[Piece]:
        """Yield the orders of a piece of text; never fails."""
        yield from _PieceScan(self.gazetteer, wording, self.nations).pieces()


class _PieceScan(OrderScan):
    """One pass over the words of a piece, from left to right, order after order."""

    def pieces(self) -> Iterator[Piece]:
        if _NO_ORDER.issuperset(self.wording.words) or self.is_aside():
            return
        while self.at < self.end:
            start = self.at
            try:
                orders = self.headed_order()
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
        if self.wording.separator != "," or words[:2] not in ASIDES:
            return False
        return not _means_something(words[2:])

    def headed_order(self) -> list[Written]:
        """Take an order, and what stands in front of it."""
        self.skip_heading()
        if self.heads_support():
            self.at += 2
        self.skip_opening()
        nation = self.label()
        self.skip_opening()
        orders = self.order()
        return [written._replace(nation=nation) for written in orders] if nation else orders

    def skip_heading(self) -> None:
        """Step over "My orders:" in front of the first order, and over all but the power of "Orders
        for France:". A phase that they named could not be passed over."""
        if self.words[self.at] in ("is", "are"):
            return  # "Is this my order: A Par H" asks
        at = self.at + (self.words[self.at] in FIRST_VERBS)
        while self.words[at] in _HEADING:
            at += 1
        is_named = at > self.at and self.words[at] in self.nations
        ends = (":", "-") if is_named else (":",)
        words = self.words[self.at : at]
        ranks = not RANKS.isdisjoint(words) or "this order" in " ".join(words)
        if self.words[at + is_named] in ends and (ranks or self.words[self.at] not in FIRST_VERBS):
            self.at = at if is_named else at + 1

    def tells_unit(self) -> bool:
        """Tell whether a unit with its letter follows here, and words that it can be told."""
        is_unit = self.words[self.at + 1] in LETTERS and self.starts_name(self.at + 2)
        return is_unit and any(VERBS.get(word) for word in self.words[self.at + 3 : self.end])

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
            or (self.words[self.at] == "now" and self.says_now())
            or (self.words[self.at] in _BEFORE_UNIT and self.tells_unit())
        ):
            self.at += 1
        is_counted = self.words[self.at - 1].isdecimal()
        if self.words[self.at] in ("armies", "fleets") and self.words[self.at + 1] == ":":
            self.at += 0 if is_counted else 2

    def says_now(self) -> bool:
        """Tell whether "now" is no more than that here: before a verb it is a slip for Norway."""
        return self.words[self.at + 1] not in _AFTER_NAME

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

    def expect_end(self, start: int, orders: list[Written]) -> None:
        """Raise UnreadableOrder unless the end or another order follows."""
        end = self.at
        self.skip(AROUND)
        rest = self.at
        if LINKS.isdisjoint(self.words[end:rest]):
            self.refuse_waived(start, orders)
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
        conditional = self.words[rest] in IFS
        why = (
            f"No order can depend on a condition such as “{piece}”"
            if conditional
            else f"We do not understand “{piece}” after “{order}”"
        )
        sentence = f"{why}; {advice}"
        wrong = UnreadableOrder(sentence, piece)
        wrong.after = orders[-1]
        raise wrong

    def refuse_waived(self, start: int, orders: list[Written]) -> None:
        """Raise UnreadableOrder for "build of A Par waived": it does not build, and a build that is
        left out has no place."""
        is_build = orders[-1].unit and orders[-1].action in ("", "build")
        if is_build and VERBS.get(self.words[self.at]) == "waive":
            raise names_unit(self.wording.written(start, self.end))

    def begins_comment(self, at: int) -> bool:
        """Tell whether "-- then Portugal" stands there: words that belong to no order and do not
        call it off."""
        first = at + 1
        if self.words[at : at + 2] in ASIDES:
            first = at + 2  # "A Par - Bur as agreed with Austria"
        elif self.is_after_bar(at):
            first = at + (self.words[at] == "a")
        elif first >= self.end or self.wording.written(at, first) != "--":
            return False
        words = self.wording.words[first:]
        if words and VERBS.get(words[0]) == "hold" and not self.holds_before(at):
            return False  # "A Par - Bur | hold" may order either
        return not _means_something(words)

    def holds_before(self, at: int) -> bool:
        """Tell whether one of the words before this place is a hold."""
        return any(VERBS.get(word) == "hold" for word in self.words[:at])

    def is_after_bar(self, at: int) -> bool:
        """Tell whether a bar stands before it, and no name after: a column of notes."""
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
        verb = FIRST_VERBS.get(word) if len(word) > 1 else None
        if verb == "move" and is_linked:
            found = self.longest_name(at + 1)
            return found is not None and self.words[found[1]] in ("-", "to")
        return verb in ("build", "disband", "waive")


def _means_something(words: tuple[str, ...]) -> bool:
    """Tell whether words after an order belong to one, or may call it off."""
    return any(word in _MEANING or word.startswith(CALLING_OFF) for word in words) or corrects(
        words
    )
