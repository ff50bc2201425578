"""Which games a seed has: how many, and with which settings."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

from judge import load_variant, preset_names

BOARDS: tuple[tuple[int, str, str, bool], ...] = (
    (6, "standard", "", False),
    (3, "standard", "", True),
    (2, "france_austria", "builds=owned", False),
    (2, "hundred", "", True),
    (1, "germany_italy", "builds=owned", True),
    (1, "ancient_med", "", False),
    (1, "milan", "start=winter", False),
    (1, "1900", "", False),
    (1, "pure", "", False),
    (1, "colonial", "", False),
)
"""How often each is played: a variant, what is chosen for it, and whether in fog of war."""
SCORED = ("draw-size", "draw-size", "sum-of-squares", "dptg", "njudge", "carnage")
MINUTE = dt.timedelta(minutes=1)
HOUR = dt.timedelta(hours=1)


def games_of(seed: int) -> int:
    """Return how many games the same people play at once in this seed."""
    return random.Random(f"{seed}/games").choice([1, 1, 1, 2, 3])


def board_of(seed: int, number: int) -> dict[str, Any]:
    """Return on which board, by which rules and in which light a game of a seed is played."""
    chance = random.Random(f"{seed}/board/{number}")
    [(_, variant, options, fog)] = chance.choices(BOARDS, [weight for weight, *_ in BOARDS])
    rules = chance.choice(["DATC", "DATC", *preset_names()])
    return {
        "variant": variant,
        "variant_options": options,
        "fog": fog,
        "rules": rules,
        "scoring": chance.choice(SCORED),
        "last_year": _last_year(chance, variant),
    }


def _last_year(chance: random.Random, variant: str) -> int | None:
    """In some seeds games end after a few years: others last longer than a seed."""
    years = chance.choice((0, 0, 0, 0, 1, 2, 3))
    return load_variant(variant).first_phase.year + years if years else None


def powers_of(variant: str) -> tuple[str, ...]:
    """Return who plays on a board."""
    return load_variant(variant).powers


def settings_of(chance: random.Random) -> dict[str, Any]:
    """Return the settings of a seed's games."""
    length = chance.choice([4, 12, 24, 48]) * HOUR
    return {
        "movement_length": length,
        "retreat_length": length / 2,
        "adjustment_length": length / 2,
        "process_early": chance.random() < 0.5,
        "early_delay": chance.choice([0, 10, 30]) * MINUTE,
        "transit_grace": chance.choice([0, 0, 15]) * MINUTE,
        "when_missing": chance.choice(["hold"] * 7 + ["extend", "wait", "gm"]),
        "disorder_after": chance.choice([0, 2, 3]),
        "reminders": chance.choice(["off", "24h 4h", "2h"]),
        "player_extensions": chance.choice([0, 0, 2]),
        "anonymous": chance.random() < 0.3,
        "secret_votes": chance.random() < 0.5,
        "diaries": chance.choice(["none", "private"]),
        "gm_sees": chance.choice(["nothing", "nothing", "orders"]),
        "entry": chance.choice(["open", "open", "open", "approval"]),
    }


def endings_of(chance: random.Random) -> dict[str, Any]:
    """Return how a seed's games may end, and whom they wait for."""
    return {
        "draws": chance.choice(["survivors", "survivors", "subset", "none"]),
        "concessions": chance.random() < 0.8,
        "quiet_years": chance.choice([0, 0, 0, 2]),
        "most_years": chance.choice([0, 0, 0, 3]),
        "waits_for_absent": chance.random() < 0.7,
        "first_extra": chance.choice([0, 0, 6]) * HOUR,
        "takeover_time": chance.choice([None, None, HOUR, 36 * HOUR]),
        "min_reliability": chance.choice([0, 0, 0, 60]),
    }


def press_of(chance: random.Random) -> dict[str, Any]:
    """Return which press a seed's games have, and whether others may watch."""
    mode = chance.choice(["both"] * 8 + ["private", "public", "none"])
    return {
        "press_mode": mode,
        "grey_press": mode != "none" and chance.random() < 0.5,
        "fake_press": mode != "none" and chance.random() < 0.5,
        "observers": chance.random() < 0.8,
    }
