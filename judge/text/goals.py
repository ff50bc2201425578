"""Finding in a run of words where a unit goes, and by which seas, or that it stays in its place."""

from __future__ import annotations

from dataclasses import replace

from judge.text.unit_scan import PassageScan
from judge.text.vocabulary import ARTICLES, BY_CONVOY, IN_PLACE, LETTERS, LINKS, SEA_WORDS
from judge.text.written import Place, UnknownProvince, WrittenUnit


class GoalScan(PassageScan):
    """Takes the goal of a move from a run of words."""

    def goal(self, unit: WrittenUnit, signless: bool) -> Place:
        """Take where the unit goes."""
        try:
            return self.place() if signless else self.path()
        except UnknownProvince as unknown:
            unknown.unit = unit
            raise

    def path(self) -> Place:
        """Take a destination, or a path, of which only the end counts (DATC 4.A.6)."""
        self.over_canal()
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
        """Take "via convoy", "by sea" or "via North Sea"; return whether one was there."""
        word, start = self.words[self.at], self.at
        if word not in BY_CONVOY:
            return False
        self.at += 1
        self.skip(ARTICLES)
        if self.words[self.at] in SEA_WORDS and word not in ("convoyed", "vc"):
            self.at += 1
            if self.words[self.at] in ("by", "with", "through"):
                self.at += 1 + (self.words[self.at + 1] in LETTERS)
            self.route()
            return True
        if word in ("via", "through"):
            self.at += self.words[self.at] in LETTERS
            if self.route():
                return True
        if word in ("via", "vc", "convoyed") and self.words[self.at] != "by":
            return True
        self.at = start
        return False

    def route(self) -> bool:
        """Take the seas of a convoy, "North Sea - English Channel" or "North Sea and English
        Channel"; return whether any were there."""
        start = self.at
        if not self.starts_name(start):
            return False
        self.path()
        while self.words[self.at] in LINKS:
            last = self.at
            self.at += 1 + (self.words[self.at + 1] in LETTERS)
            sea = self.place() if self.starts_name(self.at) else None
            if sea is None or (self.words[self.at] and self.words[self.at] not in LINKS):
                self.at = last  # "via NTH and F Lon - ENG" goes on with another order
                break
        return True

    def skip_in_place(self) -> None:
        """Step over what may follow a hold and adds nothing: "its position", "where it is"."""
        if self.words[self.at] == "where" and self.words[self.at + 1] in ("it", "they"):
            self.at += 2 + (self.words[self.at + 2] in ("is", "are", "stands", "stand"))
        self.skip(IN_PLACE)

    def skip_own_place(self, unit: WrittenUnit) -> None:
        """Step over the name of the place in which the unit holds: "remains in Berlin"; another
        one is left over, with the word before it: "remains" and "in Munich"."""
        found = self.longest_name(self.at)
        if found and self.words[self.at - 1] in ("in", "at") and found[0].how == "listed":
            is_own = found[0].provinces == unit.place.provinces
            self.at = found[1] if is_own else self.at - 1
