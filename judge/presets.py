"""The rulebooks by name: where each differs from the preferences of DATC 3.2, issue by issue."""

from __future__ import annotations

from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, str]] = {
    "DATC": {},
    "1971": {
        "4.A.1": "a",
        "4.A.2": "1971",
        "4.A.3": "1971",
        "4.A.5": "a",
        "4.A.7": "a",
        "4.D.8": "1971/1982",
    },
    "1982": {
        "4.A.2": "1982",
        "4.A.3": "1982",
        "4.A.5": "a",
        "4.A.7": "a",
        "4.D.8": "1971/1982",
    },
    "2000": {"4.A.2": "2000", "4.A.3": "2000", "4.A.5": "a", "4.A.7": "a", "4.D.8": "2000"},
    "2023": {"4.A.2": "2000", "4.A.3": "2000", "4.A.7": "a"},
    "2025EE": {"4.A.2": "2000", "4.A.7": "a"},
    "DPTG": {
        "4.A.1": "DPTG",
        "4.A.2": "DPTG",
        "4.A.3": "DPTG",
        "4.A.4": "DPTG",
        "4.B.4": "DPTG",
        "4.D.8": "DPTG",
        "4.E.1": "DPTG",
        "6.E.7": "DPTG",
    },
}
"""Per rulebook, by DATC issue: its choices. The DATC quotes the texts of 1971, 1982, 2000, 2023 and
2025 (expert edition); the Diplomacy Player's Technical Guide (DPTG) has rules of its own."""

SETTLED_ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "4.D.1": {
        "a": "all sets of orders are combined",
        "b": (
            "all sets of orders are combined, unless the latest evidently replaces the earlier ones"
        ),
        "c": "the latest set counts, unless earlier ones must evidently be taken into account",
        "d": "only the latest set counts",
    },
    "4.D.2": {
        "a": "with several sets in no known order all units hold",
        "b": "with several sets in no known order all of them are combined",
    },
    "4.E.2": {"terms": "results are told in the words of DATC 3.2"},
    "4.E.4": {
        "a": "orders may be given until further notice; whoever collects orders repeats them",
        "b": "orders are for one phase",
    },
    "4.E.5": {
        "a": "a power announces who orders its unit; whoever collects orders passes them on as its",
        "b": "a power's set may leave a unit to another; whoever collects orders puts it in",
        "c": "a power orders its own units only",
    },
    "4.E.6": {"removal": "a unit that should not exist is removed when it is found"},
}
"""Issues of chapter 4 that are settled before a position, with one order set for each power, comes
to the judge, or that leave no choice. A rulebook may name them, with these choices; they change
nothing here."""
