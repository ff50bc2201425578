"""Three years of a game, written down beforehand: who orders what in every phase.

One walk goes through all of them, a shorter one through five phases of the first two years.

Only the orders that matter are listed; a unit that is not named holds. What comes of them was
worked out by hand and stands in AFTERWARDS, so that the test does not believe the judge.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

Orders = dict[str, dict[str, list[str]]]

PLAN: Orders = {
    "S1901M": {
        "Austria": ["A Vienna - Galicia", "A Budapest - Serbia", "F Trieste - Albania"],
        "England": [
            "F London - North Sea",
            "F Edinburgh - Norwegian Sea",
            "A Liverpool - Yorkshire",
        ],
        "France": ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"],
        "Germany": ["A Berlin - Kiel", "A Munich - Ruhr", "F Kiel - Denmark"],
        "Italy": ["A Rome - Apulia", "F Naples - Ionian Sea"],
        "Russia": [
            "A Moscow - Ukraine",
            "A Warsaw - Galicia",
            "F Sevastopol - Black Sea",
            "F St Petersburg(sc) - Gulf of Bothnia",
        ],
        "Turkey": [
            "A Constantinople - Bulgaria",
            "A Smyrna - Armenia",
            "F Ankara - Constantinople",
        ],
    },
    "F1901M": {
        "Austria": ["F Albania - Greece"],
        "England": ["A Yorkshire - Norway", "F North Sea Convoys A Yorkshire - Norway"],
        "France": ["A Burgundy - Belgium", "F Mid-Atlantic Ocean - Portugal"],
        "Germany": ["A Kiel - Holland", "A Ruhr - Munich"],
        "Italy": ["A Apulia - Tunis", "F Ionian Sea Convoys A Apulia - Tunis"],
        "Russia": [
            "A Ukraine - Rumania",
            "F Black Sea Supports A Ukraine - Rumania",
            "F Gulf of Bothnia - Sweden",
        ],
        "Turkey": ["A Armenia - Smyrna", "F Constantinople - Aegean Sea"],
    },
    "W1901A": {
        "Austria": ["Build A Budapest", "Build F Trieste"],
        "England": ["Build F London"],
        "France": ["Build A Paris", "Build A Marseilles", "Build F Brest"],
        "Germany": ["Build A Berlin", "Build F Kiel"],
        "Italy": ["Build F Naples"],
        "Russia": ["Build A Moscow", "Build A Sevastopol"],
        "Turkey": ["Build A Constantinople"],
    },
    "S1902M": {
        "Austria": [
            "A Serbia - Bulgaria",
            "F Greece Supports A Serbia - Bulgaria",
            "A Budapest - Serbia",
        ],
        "France": ["A Paris - Picardy"],
        "Turkey": ["A Constantinople - Ankara", "F Aegean Sea - Eastern Mediterranean"],
    },
    "S1902R": {"Turkey": ["A Bulgaria - Constantinople"]},
    "F1902M": {
        "England": ["F North Sea Supports A Belgium - Holland"],
        "France": ["A Belgium - Holland"],
    },
    "F1902R": {"Germany": ["A Holland - Ruhr"]},
    # Turkey says nothing and loses the unit that DATC 4.D.8 takes.
    "W1902A": {
        "Austria": ["Build A Budapest"],
        "France": ["Build A Paris"],
        "Germany": ["Disband F Kiel"],
    },
    # Italy says nothing: its units hold.
    "S1903M": {
        "Austria": ["A Vienna - Galicia"],
        "Russia": ["A Warsaw - Galicia"],
        "France": ["A Paris - Gascony"],
    },
    "F1903M": {"England": ["F London - English Channel"]},
}

PHASES = [*PLAN, "S1904M"]
"""Every phase of the game in its order. W1903A is not played: nobody has anything to decide."""


@dataclass(frozen=True)
class Walk:
    """How far the game is played before France is lifted to victory."""

    last: str
    """The last phase that is played."""
    silent: dict[str, str]
    """Who says nothing in which phase, so that its deadline has to pass."""
    late: tuple[str, str, str]
    """The phase, afterwards, for which a power orders too late, and its order."""
    centres: dict[str, int]
    """How many each power has at the end."""

    @property
    def phases(self) -> list[str]:
        """What is played."""
        return PHASES[: PHASES.index(self.last) + 1]


WHOLE = Walk(
    last="F1903M",
    silent={"W1902A": "Turkey", "S1903M": "Italy"},
    late=("S1903M", "Italy", "A Venice - Piedmont"),
    centres={
        "Austria": 6,
        "England": 4,
        "France": 7,
        "Germany": 4,
        "Italy": 4,
        "Russia": 6,
        "Turkey": 3,
    },
)

SHORT = Walk(
    last="S1902R",
    silent={"S1902M": "England"},
    late=("S1902M", "England", "F London - English Channel"),
    centres={
        "Austria": 5,
        "England": 4,
        "France": 6,
        "Germany": 5,
        "Italy": 4,
        "Russia": 6,
        "Turkey": 4,
    },
)
"""Movements, builds and retreats, a deadline that passes, and orders that come too late."""

# What must be true of the position at the beginning of a phase: power → units that it has.
AFTERWARDS = {
    "F1901M": {
        "Austria": ["A Vienna", "A Serbia", "F Albania"],  # the bounce in Galicia
        "Russia": ["A Ukraine", "A Warsaw", "F Black Sea", "F Gulf of Bothnia"],
    },
    "W1901A": {"Italy": ["A Venice", "A Tunis", "F Ionian Sea"], "France": ["A Belgium"]},
    "S1902M": {"France": ["A Paris", "A Marseilles", "F Brest"], "Turkey": ["A Constantinople"]},
    "S1902R": {"Austria": ["A Bulgaria", "A Serbia", "F Greece"]},
    "F1902M": {"Turkey": ["A Constantinople", "A Ankara", "A Smyrna", "F Eastern Mediterranean"]},
    "F1902R": {"France": ["A Holland"]},
    "W1902A": {"Germany": ["A Ruhr", "A Munich", "A Berlin", "F Kiel", "F Denmark"]},
    "S1903M": {
        "Germany": ["A Ruhr", "A Munich", "A Berlin", "F Denmark"],
        "Turkey": ["A Constantinople", "A Ankara", "A Smyrna"],  # the fleet was farthest from home
    },
    "F1903M": {"Austria": ["A Vienna"], "France": ["A Gascony"]},
    "S1904M": {"England": ["F English Channel"]},
}

SOLO = {
    "phase": "F1904M",
    "units": {
        "France": ["A Burgundy", "A Gascony", "F English Channel"],
        "Germany": ["A Berlin"],
        "Turkey": ["A Constantinople"],
    },
    "centers": {
        "France": [
            *("Paris", "Brest", "Marseilles", "Spain", "Portugal", "Belgium", "Holland"),
            *("London", "Edinburgh", "Liverpool", "Norway", "Denmark", "Kiel", "Venice"),
            *("Rome", "Naples", "Tunis"),
        ],
        "Germany": ["Berlin", "Munich"],
        "Turkey": ["Constantinople", "Ankara", "Smyrna"],
    },
    "dislodged": [],
}
"""France has seventeen centres and walks into an empty Munich."""


ABBREVIATIONS = {
    "Aegean Sea": "aeg",
    "Black Sea": "bla",
    "English Channel": "eng",
    "Gulf of Bothnia": "bot",
    "North Sea": "nth",
    "Norwegian Sea": "nwg",
    "Eastern Mediterranean": "eas",
    "Norway": "nwy",
    "Liverpool": "lvp",
    "St Petersburg": "stp",
}


def orders_for(power: str, phase: str, units: list[str]) -> list[str]:
    """What this power orders: its part of the plan, and "Holds" for every unit not named in it."""
    planned = PLAN[phase].get(power, [])
    if not phase.endswith("M"):
        return planned
    named = {re.split(r" - | Supports | Convoys | Holds", line)[0] for line in planned}
    return planned + [f"{unit} Holds" for unit in units if unit not in named]


def in_handwriting(power: str, order: str) -> str:
    """The order as this power's player is used to write it."""
    if power in ("England", "Germany", "Russia"):
        return abbreviated(order)
    if power == "Turkey":
        return abbreviated(order).lower().replace(" - ", "-")
    return order.upper().replace(" - ", "-") if power == "France" else order


def abbreviated(order: str) -> str:
    """The order with three letters for a province and one for a word."""
    for name, short in ABBREVIATIONS.items():
        order = order.replace(name, short.title())
    for word in ("Supports", "Convoys", "Holds"):
        order = order.replace(f" {word}", f" {word[0]}")
    return re.sub(r"\b(?!Build|Disband)([A-Z][a-z]{2})[a-z]+", r"\1", order)
