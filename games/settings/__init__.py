"""The settings of a game: `table` has each of them once.

The form of a new game, the act that changes settings, `manage.py create_game`, docs/settings.md,
the game's page and the start mail are all drawn from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import get_type_hints

from games.models import Game
from games.settings.setting import Setting, setting_of
from games.settings.table import GROUPS
from games.settings.table import GameSettings as GameSettings

SETTINGS: Mapping[str, Setting] = {
    name: setting_of(name, group.__doc__ or "", annotation)
    for group in GROUPS
    for name, annotation in get_type_hints(group, include_extras=True).items()
}
"""All settings by their names, which are those of the fields of `Game`, in the order of the
form."""

CHANGEABLE: Mapping[str, Setting] = {name: one for name, one in SETTINGS.items() if one.may_change}
"""The settings that a GM may change in a game that is not over."""


def what_differs(game: Game, *, but: Collection[str] = ()) -> tuple[str, ...]:
    """Say how this game differs from most, as far as no other sentence says it; leave out settings
    named in `but`."""
    return tuple(
        one.about.differs.format(one.words(getattr(game, name)))
        for name, one in SETTINGS.items()
        if one.about.differs and getattr(game, name) != one.default and name not in but
    )
