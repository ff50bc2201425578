"""The staff's log: who on the staff looked at what, and who gave out or erased whose data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.contrib.auth.models import User

from games.models import Game, Player, StaffEntry
from games.queries.staff_names import name_shown

What = StaffEntry.What
AGAIN_AFTER = dt.timedelta(hours=1)
"""Somebody who looks at the same thing again within this time has one entry for it."""
_AT_WORK: ContextVar[User | None] = ContextVar("at_work", default=None)


@contextmanager
def signed_by(user: User) -> Iterator[None]:
    """Name this user in the entries written meanwhile.

    Acts and looks say who does them by the name that players know, and several of the staff may
    share that: "a moderator", "the GM".
    """
    before = _AT_WORK.set(user)
    try:
        yield
    finally:
        _AT_WORK.reset(before)


def at_work() -> User | None:
    """Return the user whom entries name at present (see `signed_by`)."""
    return _AT_WORK.get()


def entry_write(
    *,
    what: What,
    about: str,
    by: str,
    now: dt.datetime,
    why: str = "",
    user: User | None = None,
    game: Game | None = None,
    player: Player | None = None,
) -> StaffEntry:
    """Write that somebody did this; without a `user`, the one who is at work (`signed_by`).

    `about` names no address, and nobody who plays a power.
    """
    return StaffEntry.objects.create(
        what=what,
        about=about[:200],
        why=why[:200],
        by=by,
        user=user or at_work(),
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
    player: Player | None = None,
) -> None:
    """Write that one of the staff came to a page; once an hour for the same page."""
    seen = StaffEntry.objects.filter(user=user, what=what, about=about, at__gt=now - AGAIN_AFTER)
    if not seen.exists():
        by = name_shown(user)
        entry_write(what=what, about=about, by=by, user=user, player=player, now=now)


def entries_forget(player: Player) -> None:
    """Remove what the log says about an erased player; what was done stays."""
    StaffEntry.objects.filter(player=player).update(why="")
