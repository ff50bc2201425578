"""Finding units in a run of words (kind, nation and place, in any order), and the railway or canal
by which one goes, on a map that has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge.text.names import Gazetteer
from judge.text.scan import PlaceScan
from judge.text.vocabulary import (
    ARTICLES,
    FIRST_VERBS,
    HOLD_TOGETHER,
    LETTERS,
    LINKS,
    NOTED_LETTERS,
    TRAINS,
    VERBS,
    WAYS,
)
from judge.text.words import Wording
from judge.text.written import Place, UnitLetter, Written, WrittenUnit

_PLURALS = frozenset(("armies", "fleets"))
_AID_TOGETHER = frozenset(("support", "convoy", "s", "c"))
_BY = frozenset(("via", "by", "through", "with", "on", "using"))
_RIDES = frozenset(("ride", "rides", "take", "takes"))


class UnitScan(PlaceScan):
    """Takes units from a run of words: "A Par", "the French army in Paris", "FBre"."""

    def __init__(self, gazetteer: Gazetteer, wording: Wording, nations: Mapping[str, str]) -> None:
        super().__init__(gazetteer, wording)
        self.nations = nations

    def starts_unit_after_nation(self) -> bool:
        """Tell whether a unit follows the nation's name, which may be a province's name too."""
        follows = self.words[self.at + 1]
        known = self.starts_name(self.at)
        if follows in LETTERS or (follows in FIRST_VERBS and not known):
            return True
        return not known and self.starts_name(self.at + 1)

    def units(self, *, without_letter: bool = False) -> list[WrittenUnit]:
        """Take a unit, or several joined by "and": "A Par and A Mar", "armies in Par and Mar"."""
        first = self.at
        units = [self.unit()]
        plural = not _PLURALS.isdisjoint(self.words[first : self.at])
        named = without_letter or (self.words[self.at] in LINKS and self.names_hold(self.at + 1))
        while self.words[self.at] in LINKS:
            at = self.at + 1 + (self.words[self.at + 1] in ARTICLES)
            if not (self.words[at] in LETTERS or (named and self.starts_name(at))):
                break
            self.at += 1
            unit = self.unit()
            units.append(replace(unit, kind=unit.kind or units[0].kind) if plural else unit)
        return units

    def names_hold(self, at: int) -> bool:
        """Tell whether names joined by "and" stand there, and what they do is done together: "Par
        hold" in "Bur and Par hold", "Eng convoy A Lon - Bel" in "Nth and Eng convoy A Lon - Bel".
        One “convoys”."""
        at += self.words[at] in ARTICLES
        while (found := self.longest_name(at)) and self.words[found[1]] in LINKS:
            at = found[1] + 1
            at += self.words[at] in ARTICLES
        told = self.words[found[1]] if found else ""
        return told in HOLD_TOGETHER or told in _AID_TOGETHER

    def unit(self) -> WrittenUnit:
        """Take a unit. Raises UnreadableOrder, UnknownProvince or AmbiguousName."""
        kind: UnitLetter = ""
        nation: str | None = None
        while True:
            word = self.words[self.at]
            if word in LETTERS:
                kind = LETTERS[word]
                self.at += self.number_of_unit(self.at + 1)
            elif not kind and word in self.nations and self.starts_unit_after_nation():
                nation = self.nations[word]
            elif word not in ARTICLES and not (
                self.is_dislodged() or (kind and self.goes_from(self.at))
            ):
                break
            self.at += 1
        if not kind and (glued := self.glued()):
            return glued
        place = self.place()
        word = self.words[self.at]
        if not kind and (word in NOTED_LETTERS or word_is_letter_of(self.words, self.at)):
            kind = NOTED_LETTERS.get(word) or LETTERS[word]
            self.at += 1
        return WrittenUnit(kind, place, nation)

    def is_dislodged(self) -> bool:
        """Tell whether "dislodged" stands here as a part of a unit's name: "the army dislodged from
        Burgundy", "my dislodged fleet"."""
        follows = self.words[self.at + 1]
        return self.words[self.at] == "dislodged" and (follows in LETTERS or follows in ARTICLES)

    def goes_from(self, at: int) -> bool:
        """Tell whether "goes from" stands there, between a unit's kind and its place."""
        return self.words[at + 1] == "from" and VERBS.get(self.words[at]) == "move"

    def number_of_unit(self, at: int) -> int:
        """Return how many words number the unit there, before its place: "1", "1:" in "Army 1:
        Paris"."""
        if not self.words[at].isdecimal() or self.starts_name(at):
            return 0
        words = 1 + (self.words[at + 1] == ":")
        return words if self.starts_name(at + words) else 0

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


def word_is_letter_of(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a letter after a place belongs to it ("Par A - Bur"), and not to the next
    order."""
    return words[at] in LETTERS and (words[at + 1] in VERBS or words[at + 1] in ("", *LINKS))


class PassageScan(UnitScan):
    """Takes railways and canals from a run of words, and steps over the signs of moves."""

    def ride(self, unit: WrittenUnit, line: str) -> Written:
        """Take where the army goes by rail: "TSR - Vladivostok"."""
        self.skip_moves()
        return Written("ride", unit, to=self.place(), passage=line)

    def rides(self) -> str:
        """Take "TSR", "by train", "rides the TSR" before a destination; return the railway."""
        start = self.at
        self.at += bool(self.gazetteer.railways) and self.words[start] in _RIDES
        line = self.by_rail()
        self.at = self.at if line else start
        return line

    def by_rail(self) -> str:
        """Take "via TSR", "by train", "(TSR)"; return the railway, as we print it."""
        start, railways = self.at, self.gazetteer.railways
        if not railways:
            return ""
        self.at += self.words[start] in _BY
        self.skip(ARTICLES)
        line = self.passage(railways)
        if not line and self.words[self.at] in TRAINS:
            self.at += 1
            line = next(iter(railways.values()))
        self.at = self.at if line else start
        return line

    def through_canal(self) -> None:
        """Step over "through the Suez Canal": there is no other way."""
        start = self.at
        if self.gazetteer.canals and self.words[start] in _BY:
            self.at += 1
            self.skip(ARTICLES)
            if not self.passage(self.gazetteer.canals):
                self.at = start

    def over_canal(self) -> None:
        """Step over "Suez -" in "F Med - Suez - Red": there is no other way."""
        start = self.at
        if (
            self.gazetteer.canals
            and self.passage(self.gazetteer.canals)
            and self.words[self.at] == "-"
        ):
            self.at += 1
        else:
            self.at = start

    def skip_moves(self) -> None:
        """Step over "-", "to the" and the like, but not over the M of "M.Atl."."""
        while (
            self.words[self.at] in ARTICLES
            or self.action_at(self.at) == "move"
            or (self.words[self.at] in WAYS and self.action_at(self.at + 1) == "move")
        ):
            name = self.longest_name(self.at)
            if name and name[1] > self.at + 1:
                break
            self.at += 1
