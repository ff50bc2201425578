"""Six games that people play often: a name, a sentence, and the settings that make it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Preset:
    """A choice on the form of a new game; what it leaves out is as in every game."""

    title: str
    sentence: str
    settings: Mapping[str, object] = field(default_factory=dict)


TWICE_A_WEEK = {
    "movement_length": 2 * DAY,
    "movement_clock": "Tue Fri 20:00",
    "retreat_clock": "daily 20:00",
    "adjustment_clock": "daily 20:00",
    "retreat_length": 12 * HOUR,
    "adjustment_length": 12 * HOUR,
    "first_extra": 2 * DAY,
    "muster": 2 * DAY,
    "reminders": "24h 4h",
}

PRESETS: Mapping[str, Preset] = {
    "steady": Preset(
        "Twice a week",
        "Orders on Tuesday and Friday evening, with a muster before the start.",
        TWICE_A_WEEK,
    ),
    "weekly": Preset(
        "Once a week",
        "Orders on Sunday evening: time for long letters.",
        {
            "movement_length": 4 * DAY,
            "movement_clock": "Sun 20:00",
            "retreat_clock": "daily 20:00",
            "adjustment_clock": "daily 20:00",
            "retreat_length": DAY,
            "adjustment_length": DAY,
            "first_extra": 3 * DAY,
            "muster": 3 * DAY,
            "player_extensions": 1,
            "reminders": "48h 12h",
        },
    ),
    "daily": Preset(
        "Every working day",
        "Orders every evening from Monday to Friday, for people who are here every day.",
        {
            "movement_length": 18 * HOUR,
            "movement_clock": "Mon-Fri 20:00",
            "retreat_clock": "Mon-Fri 20:00",
            "adjustment_clock": "Mon-Fri 20:00",
            "retreat_length": 2 * HOUR,
            "adjustment_length": 2 * HOUR,
            "days_off": "Sat Sun",
            "first_extra": DAY,
            "muster": DAY,
            "reminders": "4h",
        },
    ),
    "gunboat": Preset(
        "No press, no names",
        "Nobody writes to anybody, and nobody knows who plays what before the end.",
        {
            "press_mode": "none",
            "anonymous": True,
            "movement_length": DAY,
            "retreat_length": 12 * HOUR,
            "adjustment_length": 12 * HOUR,
            "muster": DAY,
            "reminders": "6h",
        },
    ),
    "fog": Preset(
        "Fog of war",
        "Everybody sees only what is next to their own units and centres, and nobody else may "
        "watch.",
        {**TWICE_A_WEEK, "fog": True, "observers": False},
    ),
    "evening": Preset(
        "One evening",
        "Phases of minutes, for seven people who sit down together at the same hour.",
        {
            "movement_length": 20 * MINUTE,
            "retreat_length": 5 * MINUTE,
            "adjustment_length": 5 * MINUTE,
            "early_delay": dt.timedelta(0),
            "extension_length": 10 * MINUTE,
            "reminders": "off",
            "last_year": 1907,
        },
    ),
}
