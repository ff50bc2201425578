"""How the admin calls the settings of a game."""

from __future__ import annotations

from collections.abc import Mapping

from games.services.gm_settings import CHANGEABLE

OTHERS: Mapping[str, str] = {
    "gm": "GM",
    "min_reliability": "least reliability",
    "muster": "length of the muster",
    "first_extra": "extra time for the first phase",
    "press_mode": "press",
    "grey_press": "grey press",
    "anonymous": "anonymous players",
    "observers": "may be observed",
    "gm_sees": "the GM sees",
    "draws": "draws by votes",
    "concessions": "concessions by votes",
    "last_year": "last year",
    "quiet_years": "most years without a capture",
    "most_years": "most years",
}


def label_of(name: str) -> str:
    """Return the label of a setting: "Length of movement phases"."""
    label = CHANGEABLE.get(name) or OTHERS.get(name) or name.replace("_", " ")
    return label[:1].upper() + label[1:]
