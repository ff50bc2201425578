"""What the printed rulebooks choose where they differ from the preferences of DATC 3.2."""

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
