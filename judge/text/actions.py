"""Finding in a run of words what a unit should do: hold, move, support, convoy, build, disband."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.text.goals import GoalScan
from judge.text.spelling import near_verb
from judge.text.vocabulary import (
    AGAIN,
    AROUND,
    ARTICLES,
    BEFORE_MOVING,
    FILLERS,
    LETTERS,
    LINKS,
    NOTED_LETTERS,
    PLAINLY,
    SWAPPING,
    VERBS,
    Action,
)
from judge.text.written import AmbiguousName, Place, UnreadableOrder, Written, WrittenUnit

_AFTER_SEA = {word for word, verb in VERBS.items() if verb in ("support", "convoy")} | {"-"}


_HEARD_AS_TO = frozenset(("two", "too"))
"""What a phone writes for "to" when somebody dictates."""
_POINTING = frozenset(("that", "this", "it", "them", "him", "her"))
"""Words for another order or its unit, which a support has to name."""


class ActionScan(GoalScan):
    """Takes what a unit is to do from a run of words."""

    def action(self, unit: WrittenUnit) -> list[Written]:
        """Take what the unit is to do; a bare unit is an action too."""
        self.skip(AROUND | {":"})
        if self.words[self.at] == "to" and self.words[self.at + 1] == "be":
            told = self.words[self.at + 2]
            self.at += 2 * (VERBS.get(told) == "disband" or told == "supported")
        if self.words[self.at] == "supported" and self.words[self.at + 1] == "by":
            return self.supported(unit)
        self.refuse_swap()
        unit = self.with_kind_after(unit)
        if self.words[self.at] in AGAIN | PLAINLY and self.action_at(self.at + 1):
            self.at += 1
        if self.has_s_of_sea(unit.place):
            self.at += 1
        if line := self.rides():
            return [self.ride(unit, line)]
        self.through_canal()
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
            self.skip_in_place()
            self.skip_own_place(unit)
        if verb == "build":
            unit = self.with_kind_built(unit)
        return [Written(verb, unit)]

    def with_kind_built(self, unit: WrittenUnit) -> WrittenUnit:
        """Take the kind after the verb: "Paris builds an army", "Brest: build F Brest"."""
        is_article = self.words[self.at] in ("a", "an")
        self.at += is_article and self.words[self.at + 1] in LETTERS
        if self.words[self.at] not in LETTERS:
            return unit
        unit = replace(unit, kind=LETTERS[self.words[self.at]])
        self.at += 1
        at = self.at + (self.words[self.at] in ("in", "at"))
        found = self.longest_name(at)
        if found and found[0].how == "listed" and found[0].provinces == unit.place.provinces:
            self.at = found[1]
        return unit

    def supported(self, unit: WrittenUnit) -> list[Written]:
        """Take "supported by Paris into Munich" after the unit that is supported."""
        self.at += 2
        by = self.units(without_letter=True)
        to = self.aided_to()
        return [Written("support", one, unit, to) for one in by]

    def with_kind_after(self, unit: WrittenUnit) -> WrittenUnit:
        """Take the kind that stands after the place: "Paris: army", "Paris: A", "Paris army:
        moves"."""
        word, before, after = self.words[self.at], self.words[self.at - 1], self.words[self.at + 1]
        is_apart = before == ":" or after == ":" or after in VERBS
        is_letter = len(word) < 2 and not (before == ":" and self.at + 1 == self.end)
        if unit.kind or not is_apart or is_letter or word not in LETTERS:
            return unit
        self.at += 1
        self.skip({":"})
        return replace(unit, kind=LETTERS[word])

    def has_s_of_sea(self, place: Place) -> bool:
        """Tell whether an S here belongs to the name of a sea: "Nth. S. - Hol", "Nth. S. S Eng"."""
        if self.words[self.at] != "s":
            return False
        names = (self.gazetteer.provinces[index].name for index in place.provinces)
        is_sea = any(name.endswith(" Sea") for name in names)
        follows = self.words[self.at + 1 : self.at + 3]
        holds = VERBS.get(follows[0]) == "hold" and not follows[1]
        return is_sea and (follows[0] in _AFTER_SEA or holds)

    def refuse_swap(self) -> None:
        """Raise UnreadableOrder for "swap A Par and A Bur", which are two orders."""
        if self.words[self.at] in SWAPPING and not self.starts_name(self.at):
            piece = self.wording.written(self.at, self.at + 1)
            sentence = (
                f"“{piece}” is not an order: write one for each of the two units. They can trade "
                "places only if a convoy carries one of them, as in “A London - Norway via convoy”."
            )
            raise UnreadableOrder(sentence, piece)

    def refuse_con(self, unit: WrittenUnit) -> None:
        """Raise UnreadableOrder for "F Aeg con A Smy - Gre", which may be a move or a convoy."""
        word, follows = self.words[self.at : self.at + 2]
        if word == "con" and unit.kind != "A" and LETTERS.get(follows) == "A":
            piece = self.wording.written(self.at, self.at + 1)
            sentence = f"“{piece}” could be a convoy or a province; write “C” or “- {piece}”."
            raise AmbiguousName(sentence, piece)

    def convoyed(self, unit: WrittenUnit) -> list[Written]:
        """Take "to Norway" after "A Lon convoys", or "to Norway from London" after a fleet's
        convoy."""
        orders = self.movement(unit, by_convoy=True)
        if self.words[self.at] != "from":
            return orders
        self.at += 1
        return [Written("convoy", unit, self.unit(), orders[0].to)]

    def verb(self) -> Action | None:
        """Return what the word here asks for, even if it is misspelt."""
        word = self.words[self.at]
        if word == "r" and (self.words[self.at + 1] == "-" or self.starts_name(self.at + 1)):
            self.at += 1
            return "move"
        after = self.at + 1 + (self.words[self.at + 1] in ARTICLES)
        if word in _HEARD_AS_TO and self.starts_name(after):
            self.at += 1
            return "move"
        if word == "off" and self.at + 1 == self.end:
            return "disband"
        verb = VERBS.get(word)
        if verb is None and self.is_plain(self.at) and not self.starts_name(self.at):
            verb = near_verb(word)
            self.at += verb == "move"
        return verb

    def movement(self, unit: WrittenUnit, *, by_convoy: bool = False) -> list[Written]:
        """Take what follows a unit that moves, and the units that are said to support it."""
        start = self.at
        self.skip_moves()
        verb = self.action_at(self.at)
        if verb in ("hold", "disband"):
            initial = self.is_initial(self.at)
            self.at += 1
            if verb == "hold":
                self.skip_in_place()
            return [Written(verb, unit, initial=initial)]
        if verb in ("support", "convoy") and self.aids_after_sign(start):
            self.at += 1
            return [self.aid(verb, unit)]
        signless = self.at == start
        if line := self.passage(self.gazetteer.railways) or self.by_rail():
            return [self.ride(unit, line)]
        to = self.goal(unit, signless)
        self.skip(NOTED_LETTERS.keys())  # "Par to Bur (F)" may say how the order fared
        guessed = not unit.kind and (to.guessed or unit.place.guessed)
        if signless and (guessed or self.words[self.at] == "-"):
            text = f"{unit.place.text} {to.text}"
            raise UnreadableOrder(
                f"“{text}” is not clear; write it like {self.gazetteer.example}.", text
            )
        if line := self.by_rail():
            return [Written("ride", unit, to=to, passage=line)]
        self.through_canal()
        by_convoy = self.by_convoy() or by_convoy
        move = Written("move", unit, to=to, by_convoy=by_convoy)
        return [move, *self.aided_by(move)]

    def is_initial(self, at: int) -> bool:
        """Tell whether a hold here may also begin the name of a place: "F Kie - H"."""
        return self.words[at] == "h" and VERBS.get(self.words[at - 1]) == "move"

    def aids_after_sign(self, sign: int) -> bool:
        """Tell whether an equals sign or a dash stands before an aid here, and a unit after it:
        "Mar = S Par", "A Mar - supports A Par"; or "to" before a verb: "F Eng to support Bel"."""
        if self.words[sign] not in ("-", "to") or self.at != sign + 1:
            return False
        after = self.at + 1
        if self.words[sign] == "to" and self.is_word(self.at) and not self.starts_name(self.at):
            return len(self.words[self.at]) > 1 or self.words[after] in LETTERS
        if self.words[after] in LETTERS:
            return True
        # "F Mao - S Spa" may mean its south coast.
        is_clear = len(self.words[self.at]) > 1 or self.wording.written(sign, self.at) == "="
        return is_clear and self.starts_name(after)

    def aid(self, verb: Action, unit: WrittenUnit) -> Written:
        """Take the unit that is supported or convoyed, and its move."""
        self.skip({":", "/"})
        if self.words[self.at] == "-" and VERBS.get(self.words[self.at + 1]) == "hold":
            self.at += 1
        holds = VERBS.get(self.words[self.at]) == "hold"
        self.at += holds
        start = self.at
        self.skip(FILLERS)
        if self.words[self.at] == "a" and self.words[self.at + 1] in FILLERS:
            self.at += 1
            self.skip(FILLERS)
        moves = not holds and "move" in map(VERBS.get, self.words[start : self.at])
        self.refuse_pointing(verb, unit)
        aided = self.unit()
        to = self.aided_to()
        if to is None and self.words[self.at] == "from":
            to, aided = aided.place, self.unit()
        if to is None and verb == "support" and moves and not aided.kind:
            self.refuse_nobody(unit, aided, start)
        initial = to is None and self.is_initial(self.at - 1)
        if to is None:
            self.skip_in_place()
        if verb == "convoy" and to is None:
            raise UnreadableOrder(
                f"The convoy of {aided.place.text} lacks its destination; write it like "
                f"“{unit.kind or 'F'} {unit.place.text} C A {aided.place.text} - ...”.",
                self.wording.written(max(self.at - 1, 0), self.at),
            )
        return Written(verb, unit, aided, to, initial=initial)

    def refuse_pointing(self, verb: Action, unit: WrittenUnit) -> None:
        """Raise UnreadableOrder for "A Mar supports that move", which points at another order."""
        if self.words[self.at] not in _POINTING or self.starts_name(self.at):
            return
        is_noun = self.words[self.at + 1] in ("move", "attack", "order", "one")
        said = self.wording.written(self.at, self.at + 1 + is_noun)
        does = "S" if verb == "support" else "C"
        like = f"“{unit.kind or 'A'} {unit.place.text} {does} A ... - ...”"
        raise _of(unit, f"“{said}” names no unit; write out which one, as in {like}.", said)

    def refuse_nobody(self, unit: WrittenUnit, goal: WrittenUnit, start: int) -> None:
        """Raise UnreadableOrder for "A Gas supports the attack on Burgundy", which does not say
        whose; nobody wants to support the unit that is attacked."""
        said = self.wording.written(start, self.at)
        example = f"“{unit.kind or 'A'} {unit.place.text} S A ... - {goal.place.text}”"
        raise _of(
            unit, f"“{said}” does not say which unit to support; name it, as in {example}.", said
        )

    def aided_to(self) -> Place | None:
        """Take where the supported or convoyed unit goes; None if it is to hold."""
        at = self.at
        while self.words[at] in BEFORE_MOVING:
            at += 1
        if self.is_word(at) and self.action_at(at) == "move":
            self.at = at
        verb = self.action_at(self.at)
        if not (self.by_convoy() or verb in ("move", "hold") or self.starts_place()):
            return None
        self.skip_moves()
        if self.action_at(self.at) == "hold":
            self.at += 1
            return None
        if self.passage(self.gazetteer.railways):
            self.skip_moves()
        to = self.path()
        if not self.by_rail():
            self.through_canal()
            self.by_convoy()
        return to

    def aided_by(self, move: Written) -> Iterator[Written]:
        """Take "S by A Bur & A Mun" after a move, as zines print it, and "with support from A
        Bur"."""
        while True:
            at = self.at + (self.words[self.at] in LINKS)
            whose: tuple[str, ...] = ("by",)
            if self.words[at] == "with":
                at, whose = at + 1 + (self.words[at + 1] in ("the", "a")), ("by", "from", "of")
            verb = VERBS.get(self.words[at])
            if verb not in ("support", "convoy") or self.words[at + 1] not in whose:
                return
            self.at = at + 2
            for unit in self.units(without_letter=True):
                yield Written(verb, unit, move.unit, move.to)


def _of(unit: WrittenUnit, sentence: str, piece: str) -> UnreadableOrder:
    """Return the complaint about an order of that unit."""
    wrong = UnreadableOrder(sentence, piece)
    wrong.unit = unit
    return wrong
