"""Finding in a run of words the railway or canal by which a unit goes, on a map that has one."""

from __future__ import annotations

from judge.text.unit_scan import UnitScan
from judge.text.vocabulary import ARTICLES, TRAINS
from judge.text.written import Written, WrittenUnit

_BY = frozenset(("via", "by", "through", "with", "on", "using"))
_RIDES = frozenset(("ride", "rides", "take", "takes"))


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
        """Step over "-", "to the" and their like, but not over the M of "M.Atl."."""
        while self.words[self.at] in ARTICLES or self.action_at(self.at) == "move":
            name = self.longest_name(self.at)
            if name and name[1] > self.at + 1:
                break
            self.at += 1
