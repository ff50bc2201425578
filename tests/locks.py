"""The order of locks, watched while something is done: players come before games.

What gives somebody a seat locks the player, then the game; whoever did it the other way round could
wait for another in a circle, until the database undoes one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

_LOCKS = re.compile(
    r'SELECT .* FROM "games_(player|game)" .*FOR (?:NO KEY )?UPDATE(?!.*SKIP LOCKED)', re.DOTALL
)


@contextmanager
def locks_in_order() -> Iterator[None]:
    """Fail at a lock on a player that comes after the first on a game, unless one on players came
    before. What runs in here is one transaction. SQLite has a single lock."""
    taken: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := _LOCKS.match(sql):
            assert (found[1], taken[:1]) != ("player", ["game"]), f"after its game: {sql}"
            taken.append(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield
