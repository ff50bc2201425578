"""A game of 34 people. So many are never all there: some fall silent for days without a word, miss
deadlines until their powers are in civil disorder, and lose them to others, or come back."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import CROWD, DOMAIN, NAMES, SPARE
from tests.simulate.tables import board_of, powers_of

HELD = 0.025
"""How often a seed has such a game, and no other."""
BOARD = {"variant": "chaos", "variant_options": "", "fog": False, "last_year": None}
DAY = dt.timedelta(days=1)
SETTINGS: dict[str, Any] = {
    "movement_length": 2 * DAY,
    "retreat_length": DAY,
    "adjustment_length": DAY,
    "when_missing": "hold",
    "disorder_after": 2,
    "entry": "open",
}
SILENT = 12
"""So many fall silent,"""
WITHIN, LONGEST = 20.0, 12.0
"""within so many days, for so many at most; two phases are missed in four."""


def is_crowded(seed: int) -> bool:
    """Say whether a seed has such a game."""
    return random.Random(f"{seed}/crowd").random() < HELD


def boards_of(seed: int, games: int) -> dict[str, dict[str, Any]]:
    """Return what is played in each game of a seed, which has so many unless it is crowded."""
    if is_crowded(seed):
        return {"verdun1": board_of(seed, 1) | BOARD}
    return {f"verdun{number}": board_of(seed, number) for number in range(1, games + 1)}


def settings_of(seed: int) -> dict[str, Any]:
    """Return the settings that a crowd needs."""
    return SETTINGS if is_crowded(seed) else {}


def names_for(variants: Iterable[str]) -> tuple[str, ...]:
    """Return who plays these games, and who stands by; those who stand by come last."""
    if max(len(powers_of(variant)) for variant in variants) <= len(NAMES):
        return NAMES
    return (*[name for name in NAMES if name not in SPARE], *CROWD, *SPARE)


@dataclass
class Crowd:
    """Those who play, and are away for a while."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier

    def plan(self) -> None:
        """Have some fall silent one day, and come back on another."""
        for name in self.chance.sample(CROWD, SILENT):
            address = f"{name.lower()}@{DOMAIN}"
            after = self.chance.random() * WITHIN * DAY
            self.agenda.after(after.total_seconds(), partial(self._fall_silent, address))

    def _fall_silent(self, address: str) -> None:
        self.carrier.unread[address] = []
        until = self.chance.uniform(1, LONGEST) * DAY
        self.agenda.after(until.total_seconds(), partial(self.carrier.come_back, address))
