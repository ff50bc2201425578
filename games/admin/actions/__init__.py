"""What a GM can do to a game: one class in one file each, found here, confirmed first."""

from __future__ import annotations

from collections.abc import Mapping

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, Questions
from games.registry import one_of_each

__all__ = ["ACTIONS", "Action", "Done", "Group", "Questions", "Typed"]


ACTIONS: Mapping[str, Action] = {one.name: one for one in one_of_each(__name__, __path__, Action)}
"""Every act by its name."""
