"""Finding one order in a run of words, by its verb or by its unit, without what stands around it.

    order   = unit action | verb unit [action] | "waive" | "all" verb
    unit    = [nation] ["A" | "F"] place
    action  = hold | move place {move place} [by convoy] | support unit [hold | move place]
            | convoy unit move place | build | disband
    place   = name [coast]

`judge.text.counting`, `judge.text.actions`, `judge.text.unit_scan` and `judge.text.scan` take its
parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from judge.text.counting import CountScan
from judge.text.spelling import near_verb
from judge.text.vocabulary import (
    ALL_WORDS,
    AROUND,
    ARTICLES,
    COURTESIES,
    EVERYBODY,
    EXCEPT,
    FILLERS,
    FIRST_VERBS,
    HOLD_TOGETHER,
    LETTERS,
    LINKS,
    OFF_THE_BOARD,
    VERBS,
    Action,
)
from judge.text.written import UnreadableOrder, Written, WrittenUnit

_BESIDE_BOTH = COURTESIES | ALL_WORDS | {"them"}
_NO_MORE = {
    (which, builds)
    for which in ("second", "third", "other", "more", "further")
    for builds in ("build", "builds")
}
_EACH_OTHER = ["each", "other"]
_PERMITS = frozenset(("permit", "permits", "allow", "allows", "permission", "for"))
_OF_OTHERS = frozenset(("your", "his", "her", "their"))
"""Words of somebody who speaks of the units of others: "Your remaining units hold"."""
_TOGETHER = frozenset(("all", "both"))
"""What may stand between several units and their hold: "A Mun, A Ber all hold"."""
_AFTER_VERB = frozenset((":", "units", "builds"))


class OrderScan(CountScan):
    """Takes whole orders from a run of words."""

    def order(self) -> list[Written]:
        """Take one order; several where it is for several units, or names who aids a move."""
        self.refuse_swap()
        if passing := self.permission() or self.train_first():
            return [passing]
        if counted := self.counted() or self.waived():
            return counted
        verb = self.first_verb()
        orders = self.for_all()
        if orders is None and verb:
            self.at += 1
            orders = self.verb_first(verb)
        return self.unit_first() if orders is None else orders

    def train_first(self) -> Written | None:
        """Take "TSR A Moscow - Perm", with the railway in front as a canal stands in leave."""
        line = self.passage(self.gazetteer.railways)
        if not line:
            return None
        self.skip({":", "-"})
        return self.ride(self.unit(), line)

    def permission(self) -> Written | None:
        """Take "SC F Mediterranean Sea - Red Sea", which lets a fleet through a canal."""
        start, canals = self.at, self.gazetteer.canals
        canal = self.passage(canals)
        if not canal and canals and self.words[start] in _PERMITS:
            self.at += 1
            canal = next(iter(canals.values()))
        if not canal:
            return None
        self.skip(_PERMITS | FILLERS | ARTICLES | {":", "-"})
        fleet = self.unit()
        to = self.aided_to()
        if to is None:
            text = self.wording.written(start, self.at)
            example = f"“{canal} F {fleet.place.text} - ...”"
            raise UnreadableOrder(f"“{text}” does not say where the fleet goes: {example}.", text)
        self.through_canal()
        return Written("permit", fleet, to=to, passage=canal)

    def first_verb(self) -> Action | None:
        """Return the verb that stands in front of its unit, if one does."""
        word = self.words[self.at]
        if word == "no" and self.words[self.at + 1] in ("build", "builds"):
            return "waive"
        if word == "no" and self.words[self.at + 1 : self.at + 3] in _NO_MORE:
            self.at += 1
            return "waive"
        if self.words[self.at + 1] == "-" and self.stands_for_name(self.at):
            return None
        verb = self.action_at(self.at) if word in FIRST_VERBS else None
        if verb is None and self.is_plain(self.at) and not self.names_place():
            return near_verb(word)
        return verb

    def names_place(self) -> bool:
        """Tell whether a place begins an order here; before a unit that has its letter, a word that
        is only like a name is a slip in a verb ("build")."""
        is_before_unit = self.words[self.at + 1] in LETTERS and self.starts_name(self.at + 2)
        return self.starts_name(self.at) if is_before_unit else self.starts_place()

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
        number = self.number_of_others(first)
        said = self.words[first : self.at]
        everybody = not EVERYBODY.isdisjoint(said) or (bool(said) and self.holds_alike())
        everybody = everybody or number > 0
        everybody = everybody and _OF_OTHERS.isdisjoint(said)
        if everybody and first == start:
            self.skip({":"})
            verb = VERBS.get(self.words[self.at])
            self.at += 1
        if everybody and verb in ("hold", "disband"):
            if verb == "hold":
                self.skip_in_place()
                self.skip_except()
            kinds = {LETTERS[word] for word in said if word in ("armies", "fleets")}
            only = kinds.pop() if len(kinds) == 1 else ""
            return [Written(verb, only=only, number=number)]
        self.at = start
        return None

    def holds_alike(self) -> bool:
        """Tell whether "armies", "fleets" or "units" stand before this place, and a hold here: "My
        armies hold"."""
        kind, told, after = self.words[self.at - 1 : self.at + 2]
        ends = after in ("", *LETTERS, *LINKS, *EXCEPT)
        return kind in ("armies", "fleets", "units") and told in HOLD_TOGETHER and ends

    def at_both(self) -> bool:
        """Tell whether exactly "disband both", "both disband" or "both retreat off the board"
        stands there."""
        if "both" not in self.words:  # nearly always: this is asked before each order
            return False
        words = (self.words[at] for at in range(self.at, self.end))
        told = (word for word in words if word not in _BESIDE_BOTH)
        if self.words[self.end - 1] == OFF_THE_BOARD:
            told = (word for word in told if VERBS.get(word) != "move")
        said = list(islice(told, 3))  # a third says enough
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
        while self.words[self.at] in _AFTER_VERB or self.words[self.at].isdecimal():
            if counted := self.counted_after_verb(verb):
                return counted
            self.at += 1
        self.at += verb == "build" and self.words[self.at] == "me"
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
        return [Written(verb, one, unit, to) for one in self.units(without_letter=True)]

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

    def unit_first(self) -> list[Written]:
        start = self.at
        units = self.units()
        last = self.at
        self.refuse_names_alone(start)
        if mutual := self.each_other(units):
            return mutual
        if units[1:] and self.words[self.at + 1] in HOLD_TOGETHER:
            self.skip(_TOGETHER)
        orders = self.action(units[0])
        if units[1:] and orders[0].action == "move":
            together = self.wording.written(start, last)
            raise UnreadableOrder(
                f"“{together}” cannot all go to one province; write an order for each unit.",
                together,
            )
        orders[1:1] = [orders[0]._replace(unit=unit) for unit in units[1:]]
        return orders

    def refuse_names_alone(self, start: int) -> None:
        """Raise UnreadableOrder for "Eng and Mid", which are two places, and no move from one to
        the other."""
        other = self.words[self.at] in LINKS and self.longest_name(self.at + 1)
        if other and AROUND.issuperset(self.words[other[1] : self.end]):
            piece = self.wording.written(start, other[1])
            raise UnreadableOrder(f"“{piece}” does not say what these units should do.", piece)

    def each_other(self, units: Sequence[WrittenUnit]) -> list[Written]:
        """Take "support each other" after two units; return nothing for anything else."""
        told, *whom = self.words[self.at : self.at + 3]
        if len(units) != len(_EACH_OTHER) or VERBS.get(told) != "support" or whom != _EACH_OTHER:
            return []
        self.at += 1 + len(whom)
        if self.words[self.at] == "to" and self.words[self.at + 1] in HOLD_TOGETHER:
            self.at += 2
        one, other = units
        return [Written("support", one, other), Written("support", other, one)]

    def moves_on(self, at: int, *, is_linked: bool) -> bool:
        """Tell whether a place and an arrow stand there: "smy-con" in "con-bul smy-con ank-bla"; or
        after "and" a place and any verb: "Par to Bur and Bre holds"."""
        found = self.longest_name(at)
        if found is None:
            return False
        return self.words[found[1]] == "-" or (is_linked and self.words[found[1]] in VERBS)
