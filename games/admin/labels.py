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


HELP: Mapping[str, str] = {
    "name": "Players write it in mails. Letters, digits, - and _ only.",
    "variant": "The map and its powers",
    "gm": "Who looks after the game and may act on it",
    "timezone": "The zone of the clocks and days off, like Europe/Berlin",
    "press_mode": "Who may write to whom; to the GM everybody may write",
}
"""What the form of a new game says where the setting itself says nothing."""


def label_of(name: str) -> str:
    """Return the label of a setting: "Length of movement phases"."""
    label = CHANGEABLE.get(name) or OTHERS.get(name) or name.replace("_", " ")
    return label[:1].upper() + label[1:]
