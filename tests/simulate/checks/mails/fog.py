"""In fog of war nobody reads of a unit or an order that is out of their sight.

Sight is reckoned here anew, from the rule as players are told it (docs/players.md) and the judge's
board: a power sees the provinces of its units and centres, and those that border on one of them.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from judge import load_variant
from tests.simulate.checks.evidence import Broken, Evidence

State = Mapping[str, Any]
NEWEST = 2
"""So many positions of a game are looked at: what was sighted long ago may be remembered."""
LINES = 150
EXAMPLE = re.compile(r"write for example “[^”]*”")
"""How a refusal shows what to write: always with the same unit, wherever units stand."""


@dataclass
class Veil:
    """What stood on a foggy board of late, and what each power could see of it."""

    variant: str
    units: deque[dict[str, str]] = field(default_factory=lambda: deque(maxlen=NEWEST))
    """Of each position, whose unit stands where: {"A Vienna": "Austria"}."""
    sighted: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    lines: deque[tuple[str, frozenset[str]]] = field(default_factory=lambda: deque(maxlen=LINES))
    """Orders that were adjudicated, each with those who may read it."""


@dataclass
class Fog:
    """All foggy games, until they are over."""

    seen: Evidence
    veils: dict[int, Veil] = field(default_factory=dict)

    def opened(self, phase: sqlite3.Row) -> None:
        """Note what each power sees of the board with which a phase begins."""
        query = "select * from games_game where id = ? and fog"
        for game in self.seen.rows(query, phase["game_id"]):
            veil = self.veils.setdefault(game["id"], Veil(game["variant"]))
            state = json.loads(phase["position"])
            owners = {unit: power for power, units in _units(state).items() for unit in units}
            veil.units.append(owners)
            for power in load_variant(veil.variant).powers:
                sight = sight_of(veil.variant, state, power)
                veil.sighted[power] |= {unit for unit in owners if _place(unit) in sight}

    def processed(self, phase: sqlite3.Row) -> None:
        """Note who may read which orders of a phase."""
        veil = self.veils.get(phase["game_id"])
        if veil is None:
            return
        outcome, before = json.loads(phase["outcome"]), json.loads(phase["position"])
        sights = {
            power: (
                sight_of(veil.variant, before, power),
                sight_of(veil.variant, outcome["next"], power),
            )
            for power in load_variant(veil.variant).powers
        }
        reasons = {
            (one["power"], other["order"])
            for one in outcome["results"]
            for other in outcome["results"]
            if other["order"] and other["order"] in (one["reason"] or "")
        }
        for one in outcome["results"]:
            if line := one["order"]:
                may = {
                    power
                    for power, (at, after) in sights.items()
                    if _in_sight(veil, line, at, after)
                }
                # Who drives one's own units out, or bounces with them, was seen as the phase began.
                may |= {
                    power
                    for power, (at, after) in sights.items()
                    if (power, line) in reasons and _in_sight(veil, line, at, at | after)
                }
                veil.lines.append((line, frozenset(may | {one["power"]})))

    def check(self, reader: str, text: str, what: str, written: str) -> None:
        """Check what somebody is told; `written` is what they wrote themselves. Raises Broken."""
        query = "select id, name from games_game where fog and status != 'finished'"
        for game in self.seen.rows(query):
            mine = {power for who, power, _ in self.seen.seats(game["name"]) if who == reader}
            if not mine or game["id"] not in self.veils or f"[{game['name']}]" not in what:
                continue
            flat = EXAMPLE.sub("", " ".join(text.split()))
            self._check(self.veils[game["id"]], mine, flat, what, written)

    def hides(self, name: str, text: str, what: str) -> None:
        """Check what everybody may read of a game: nothing of its board. Raises Broken."""
        query = "select id from games_game where fog and status != 'finished' and name = ?"
        for game in self.seen.rows(query, name):
            for owners in self.veils[game["id"]].units if game["id"] in self.veils else ():
                for unit in owners:
                    if re.search(rf"(?<!\w){re.escape(unit)}(?![\w(])", text):
                        raise Broken(f"{what} tells everybody of {unit}, in fog of war")

    def _check(self, veil: Veil, mine: set[str], text: str, what: str, written: str) -> None:
        for line, readers in veil.lines:
            if not readers & mine and line in text and line not in written:
                known = {one for one, may in veil.lines if may & mine}
                if line not in known:
                    raise Broken(f"{what} tells {sorted(mine)} of {line!r}, which is out of sight")
        known = set().union(*(veil.sighted[power] for power in mine))
        for owners in veil.units:
            for unit, power in owners.items():
                hidden = power not in mine and unit not in known and unit not in written
                if hidden and re.search(rf"(?<!\w){re.escape(unit)}(?![\w(])", text):
                    raise Broken(f"{what} tells {sorted(mine)} of {unit}, which is out of sight")


def sight_of(variant: str, state: State, power: str) -> frozenset[str]:
    """Return the full names of the provinces that a power sees."""
    held = {_place(unit) for unit in _units(state).get(power, ())}
    held |= set(state["centers"].get(power, ()))
    near = _near(variant)
    return frozenset(held.union(*(near[place] for place in held)))


def _units(state: State) -> dict[str, list[str]]:
    found = {power: list(units) for power, units in state["units"].items()}
    for one in state["dislodged"]:
        found.setdefault(one["power"], []).append(one["unit"])
    return found


def _place(unit: str) -> str:
    return unit[2:].partition("(")[0]


@lru_cache(maxsize=8)
def _near(variant: str) -> Mapping[str, frozenset[str]]:
    board = load_variant(variant).board
    near: dict[str, set[str]] = {province.name: set() for province in board.provinces}
    for start in board.locations:
        for kind in ("A", "F"):
            for to in board.steps(kind, start):
                near[start.province.name].add(to.province.name)
                near[to.province.name].add(start.province.name)
    return {name: frozenset(others) for name, others in near.items()}


def _in_sight(veil: Veil, line: str, before: Iterable[str], after: Iterable[str]) -> bool:
    """Whether an order of another may be read: its units were in sight as the phase began (built
    ones are afterwards), and all else that it names is afterwards."""
    names = sorted(_near(veil.variant), key=len, reverse=True)
    pattern = rf"(?<!\w)([AF] )?({'|'.join(map(re.escape, names))})(?!\w)"
    found = re.findall(pattern, line)
    built = line.startswith("Build ")
    return all(place in (after if built or not unit else before) for unit, place in found)
