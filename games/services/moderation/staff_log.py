"""The staff's log: who on the staff looked at what, and who gave out or erased whose data."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from games.models import Game, Player, StaffEntry
from games.queries.access.staff_names import Actor, name_as_moderator

What = StaffEntry.What
AGAIN_AFTER = dt.timedelta(hours=1)
"""Somebody who looks at the same thing again within this time has one entry for it."""


def entry_write(
    *,
    what: What,
    about: str,
    by: Actor,
    now: dt.datetime,
    why: str = "",
    game: Game | None = None,
    player: Player | None = None,
) -> StaffEntry:
    """Record that somebody did this. `about` names no address, and nobody who plays a power."""
    return StaffEntry.objects.create(
        what=what,
        about=about[:200],
        why=why[:200],
        by=by.name,
        user=by.user,
        game=game,
        player=player,
        at=now,
    )


def look_note(
    *,
    what: What,
    about: str,
    user: User,
    now: dt.datetime,
    player: Player | None,
) -> None:
    """Write that one of the staff came to a page; once an hour for the same page."""
    seen = StaffEntry.objects.filter(user=user, what=what, about=about, at__gt=now - AGAIN_AFTER)
    if not seen.exists():
        by = Actor(name_as_moderator(user), user)
        entry_write(what=what, about=about, by=by, player=player, now=now)


def entries_forget(player: Player) -> None:
    """Remove what the log says about an erased player; what was done stays."""
    StaffEntry.objects.filter(player=player).update(why="")


def entries_unname(user: User) -> None:
    """Say who did what by the name that a closed account has from now on."""
    StaffEntry.objects.filter(user=user).update(by=user.get_username())
