"""Finding how many units or builds an order is for: "Build 2 fleets: Brest and Marseilles", "Waive
both", "the other four hold"."""

from __future__ import annotations

from judge.text.actions import ActionScan
from judge.text.vocabulary import (
    ALL_LEFT,
    ALL_WORDS,
    AROUND,
    ARTICLES,
    COUNTS,
    COURTESIES,
    LETTERS,
    LINKS,
    VERBS,
    Action,
)
from judge.text.written import Place, UnreadableOrder, Written, WrittenUnit

_MOST_WAIVED = 34
_MOST_BUILT = 4
_BUILDS = frozenset(("build", "builds"))
_COUNTS_BUILDS = COUNTS.keys() | _BUILDS
_OTHERS = frozenset(("other", "remaining"))
_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("two 2", "three 3", "four 4", "five 5", "six 6", "seven 7", "eight 8", "nine 9"), 2
    )
    for word in words.split()
}


class CountScan(ActionScan):
    """Takes orders that say how many they are for from a run of words."""

    def waives(self) -> list[Written]:
        """Take "2 builds", "all builds", "the rest" after "waive", or "builds" after "no"."""
        count, start = 0, self.at
        while (word := self.words[self.at]) in COUNTS or word.isdecimal():
            count = int(word[:2]) if word.isdecimal() else COUNTS[word] or count
            self.at += 1
        said = self.words[start : self.at]
        if self.words[self.at] in LETTERS or self.starts_name(self.at):
            raise names_unit(self.wording.written(start - 1, self.end))
        if not (count or ALL_LEFT.isdisjoint(said)):
            return [Written("waive", all_left=True)]
        return [Written("waive")] * min(count or 1, _MOST_WAIVED)

    def waived(self) -> list[Written]:
        """Take "both builds waived"; return nothing for anything else."""
        start = self.at
        self.skip(_COUNTS_BUILDS)
        said = self.words[start : self.at]
        self.skip(COURTESIES)
        if _BUILDS.isdisjoint(said) or VERBS.get(self.words[self.at]) != "waive":
            self.at = start
            return []
        self.at += 1
        count = next(filter(None, map(COUNTS.get, said)), 0)
        return [Written("waive", all_left=not (count or ALL_LEFT.isdisjoint(said)))] * (count or 1)

    def counted(self) -> list[Written]:
        """Take "2 fleets: Brest and Marseilles", also without the number, which builds or disbands
        them; return nothing for anything else."""
        word = self.words[self.at]
        if word not in ("armies", "fleets"):
            return []
        start = self.at
        self.at += 1
        self.skip(COURTESIES | ARTICLES | {":", "-", "+"})
        if not self.starts_name(self.at):
            self.at = start
            return []
        places, said = self.listed_places(), self.words[start - 1]
        is_all = AROUND.issuperset(self.words[self.at : self.end])
        number = int(said[:2]) if said.isdecimal() else len(places) if places[1:] else 0
        if number and len(places) == 1 and is_all:
            places *= min(number, _MOST_BUILT)  # all but one are refused, with the reason
        elif number and len(places) != number and is_all:
            piece = self.wording.written(start - 1, self.at)
            names = f"“{piece}” names {len(places)} places; write each unit on a line of its own."
            raise UnreadableOrder(names, piece)
        if len(places) != number or not (is_all or said.isdecimal()):
            self.at = start
            return []
        return [Written("", WrittenUnit(LETTERS[word], place)) for place in places]

    def listed_places(self) -> list[Place]:
        """Take "Brest and Marseilles", as many places as stand there."""
        places = [self.place()]
        while self.words[self.at] in LINKS:
            last = self.at
            self.skip(LINKS)
            if not self.starts_name(self.at):
                self.at = last
                break
            places.append(self.place())
        return places

    def counted_after_verb(self, verb: Action) -> list[Written]:
        """Take "2 fleets: Brest and Marseilles" after "build" or "disband"; nothing if that is not
        there."""
        start = self.at
        if verb in ("build", "disband") and self.words[start].isdecimal():
            self.at += 1
            if counted := self.counted():
                return [one._replace(action=verb) for one in counted]
            self.at = start
        return []

    def number_of_others(self, first: int) -> int:
        """Take "four", "two armies" after "the other" or "the remaining"; 0 for no number."""
        number = _NUMBERS.get(self.words[self.at], 0)
        if not number or _OTHERS.isdisjoint(self.words[first : self.at]):
            return 0
        self.at += 1
        self.skip(ALL_WORDS)
        return number


def names_unit(piece: str) -> UnreadableOrder:
    """Return the complaint about a build that is waived, yet names a unit."""
    sentence = f"“{piece}” names a unit: to leave a build out, write only “Waive”."
    return UnreadableOrder(sentence, piece)
