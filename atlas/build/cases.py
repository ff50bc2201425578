"""Small phases that show each kind of order meeting each fate: for the page of signs, and its
test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Lists = Mapping[str, list[str]]


class Case(NamedTuple):
    """A phase, and the province whose unit it is about."""

    caption: str
    province: str
    units: Lists
    orders: Lists
    phase: str = "S1901M"
    centers: Lists = {}
    dislodged: tuple[Mapping[str, object], ...] = ()


_PARIS = {"France": ["A Paris"]}
_TWO = {"France": ["A Paris", "A Marseilles"]}
_CHANNEL = {"France": ["F English Channel", "A Brest"]}
_CONVOY = {"France": ["F English Channel C A Brest - London", "A Brest - London"]}
_MEET = {"France": ["A Paris - Burgundy"], "Germany": ["A Munich - Burgundy"]}
_GO = "A Paris - Burgundy"
_HELP = ["A Paris - Burgundy", "A Marseilles S A Paris - Burgundy"]
_BEATEN: tuple[Mapping[str, object], ...] = (
    {"power": "Germany", "unit": "A Burgundy", "retreats": ["Munich", "Ruhr"]},
)
_ATTACKER = {"France": ["A Burgundy"]}
_CENTRES = {"France": ["Paris", "Brest", "Marseilles"], "Germany": ["Munich"]}
_WINTER = {"France": ["A Burgundy"], "Germany": ["A Munich", "A Ruhr"]}

MOVEMENT = (
    Case("holds", "par", _PARIS, {"France": ["A Paris H"]}),
    Case("no order", "par", _PARIS, {}),
    Case("illegal order", "par", _PARIS, {"France": ["A Paris - Moscow"]}),
    Case("moves: succeeds", "par", _PARIS, {"France": ["A Paris - Burgundy"]}),
    Case("moves: fails", "par", {**_PARIS, "Germany": ["A Munich"]}, _MEET),
    Case("supports a move: given", "mar", _TWO, {"France": _HELP}),
    Case(
        "supports a hold: given",
        "par",
        {"France": ["A Paris", "A Burgundy"]},
        {"France": ["A Paris S A Burgundy"]},
    ),
    Case(
        "support: cut",
        "mar",
        {**_TWO, "Italy": ["A Piedmont"]},
        {"France": _HELP, "Italy": ["A Piedmont - Marseilles"]},
    ),
    Case(
        "support: invalid",
        "mar",
        _TWO,
        {"France": ["A Paris - Picardy", "A Marseilles S A Paris - Burgundy"]},
    ),
    Case("convoys: available", "eng", _CHANNEL, _CONVOY),
    Case(
        "convoy: invalid",
        "eng",
        _CHANNEL,
        {"France": ["F English Channel C A Brest - London", "A Brest H"]},
    ),
    Case(
        "convoy: disrupted",
        "eng",
        {**_CHANNEL, "England": ["F North Sea", "F Irish Sea"]},
        {
            **_CONVOY,
            "England": ["F North Sea - English Channel", "F Irish Sea S F North Sea - ENG"],
        },
    ),
    Case("dislodged", "bur", {**_TWO, "Germany": ["A Burgundy"]}, {"France": _HELP}),
    Case(
        "destroyed",
        "nap",
        {
            "France": ["F Rome", "F Ionian Sea"],
            "Italy": ["F Naples"],
            "Turkey": ["F Tyrrhenian Sea", "A Apulia"],
        },
        {"Turkey": ["A Apulia - Naples", "F Tyrrhenian Sea S A Apulia - Naples"]},
    ),
)
RETREATS = (
    Case("must retreat", "bur", _ATTACKER, {}, "F1901R", dislodged=_BEATEN),
    Case(
        "retreats",
        "bur",
        _ATTACKER,
        {"Germany": ["A Burgundy - Ruhr"]},
        "F1901R",
        dislodged=_BEATEN,
    ),
    Case(
        "retreat: fails",
        "bur",
        {"France": ["A Burgundy", "A Munich"]},
        {"Germany": ["A Burgundy - Ruhr"], "Austria": ["A Munich - Ruhr"]},
        "F1901R",
        dislodged=(
            {"power": "Germany", "unit": "A Burgundy", "retreats": ["Ruhr"]},
            {"power": "Austria", "unit": "A Munich", "retreats": ["Ruhr"]},
        ),
    ),
    Case(
        "disbands (retreats)",
        "bur",
        _ATTACKER,
        {"Germany": ["A Burgundy D"]},
        "F1901R",
        dislodged=_BEATEN,
    ),
)
ADJUSTMENTS = (
    Case("builds", "bre", _WINTER, {"France": ["Build F Brest"]}, "W1901A", _CENTRES),
    Case("disbands", "ruh", _WINTER, {"Germany": ["Disband A Ruhr"]}, "W1901A", _CENTRES),
    Case("stays", "mun", _WINTER, {"Germany": ["Disband A Ruhr"]}, "W1901A", _CENTRES),
)
CASES = MOVEMENT + RETREATS + ADJUSTMENTS
_FIVE = ("Picardy", "Belgium", "Ruhr", "Munich", "Marseilles")
TOGETHER = (
    Case(
        "two supports",
        "par",
        {"France": ["A Paris", "A Picardy", "A Gascony"]},
        {"France": [_GO, f"A Picardy S {_GO}", f"A Gascony S {_GO}"]},
    ),
    Case(
        "five supports",
        "bur",
        {"France": ["A Paris", *(f"A {name}" for name in _FIVE)]},
        {"France": [_GO, *(f"A {name} S {_GO}" for name in _FIVE)]},
    ),
    Case(
        "a chain of moves",
        "bur",
        {"France": ["A Paris", "A Burgundy", "A Marseilles"]},
        {"France": [_GO, "A Burgundy - Marseilles", "A Marseilles - Piedmont"]},
    ),
    Case(
        "two swap places by convoy",
        "bre",
        {"France": ["A Brest", "A Picardy", "F English Channel"]},
        {
            "France": [
                "A Brest - Picardy via Convoy",
                "F English Channel C A Brest - Picardy",
                "A Picardy - Brest",
            ]
        },
    ),
    Case(
        "a convoy by two fleets",
        "eng",
        {"England": ["A Liverpool", "F Irish Sea", "F English Channel"]},
        {
            "England": [
                "A Liverpool - Picardy",
                "F Irish Sea C A Liverpool - Picardy",
                "F English Channel C A Liverpool - Picardy",
            ]
        },
    ),
    Case(
        "good convoy, army bounced",
        "eng",
        {**_CHANNEL, "England": ["A London"]},
        _CONVOY,
    ),
    Case(
        "a fleet to the north coast",
        "por",
        {"France": ["F Mid-Atlantic Ocean"]},
        {"France": ["F Mid-Atlantic Ocean - Spain(nc)"]},
    ),
    Case(
        "a fleet to the south coast",
        "spa",
        {"France": ["F Mid-Atlantic Ocean"]},
        {"France": ["F Mid-Atlantic Ocean - Spain(sc)"]},
    ),
    Case(
        "a stand-off of three",
        "bur",
        {"France": ["A Paris"], "Germany": ["A Munich"], "Italy": ["A Marseilles"]},
        {
            "France": [_GO],
            "Germany": ["A Munich - Burgundy"],
            "Italy": ["A Marseilles - Burgundy"],
        },
    ),
)
"""Several orders that belong together."""
