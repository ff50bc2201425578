"""Which game somebody means: by its name, or by the address of its page."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.db.models import QuerySet

from games.errors import NotFound
from games.models import Game
from games.queries.lookup import games_open
from games.queries.reports.wording import nearest

_MOST_COMPARED = 500
"""How many games' names an unknown name is compared with."""
_MOST_NAMED = 10
"""How many games we name to somebody who wrote an unknown name."""


def game_by_name(name: str) -> Game:
    """Return the game of that name, in upper or lower case. Raises NotFound with the open games'
    names."""
    return _game_named(name, _looking_for_players)


def game_on_server(name: str) -> Game:
    """Find a game as `game_by_name` does, for somebody who runs the server: NotFound names games
    whether they are looking for players or not."""
    return _game_named(name, _are_here)


def _game_named(name: str, others: Callable[[], str]) -> Game:
    name = name_on_page(name.strip())
    game = Game.objects.select_related("gm").filter(name__iexact=name).first()
    if game is None:
        _require_nothing_after(name)
        near = _near(name)
        instead = f"Did you mean {near}?" if near else others()
        raise NotFound(f"There is no game “{name}”. {instead}", wrote=name, near=near)
    return game


def name_on_page(text: str) -> str:
    """Return the name in the address of a game's page, or of one below it; other text unchanged.
    Raises NotFound for a page of another server: its games are not ours."""
    _, found, page = _parted(text)
    if not found:
        return text
    if is_elsewhere(text):
        ours = settings.SITE_URL
        raise NotFound(f"“{text}” is a page of another server. Ours begin with {ours}/games/")
    return re.split("[/?#]", page)[0]


def is_elsewhere(text: str) -> bool:
    """Whether a word is the address of a game's page on another server."""
    site, _, _ = _parted(text)
    return bool(site) and _host(site) != _host(settings.SITE_URL)


def _parted(text: str) -> tuple[str, str, str]:
    return text.strip("<>()\"'“”„").rpartition("/games/")


def _host(site: str) -> str:
    return site.rpartition("//")[2].lower().removeprefix("www.")


def _require_nothing_after(name: str) -> None:
    """Raise NotFound if a text begins with a game's name, and says more."""
    first, _, rest = name.partition(" ")
    first = first.strip(",.;:?!")
    game = Game.objects.filter(name__iexact=first).first() if rest else None
    if game:
        raise NotFound(
            f"We cannot tell what “{rest}” after the name of {game.name} means. If you mean that "
            "game, please write nothing after its name."
        )


def _near(name: str) -> str:
    """Return the name of the game that may have been meant, "" if no name is much like it."""
    alike = Game.objects.filter(name__istartswith=name[:1]).order_by("-pk")
    return nearest(name, alike.values_list("name", flat=True)[:_MOST_COMPARED]) or ""


def _looking_for_players() -> str:
    names, more = _newest(games_open())
    if not names:
        return "No game is looking for players now."
    see_more = " Write LIST to see more." if more else ""
    return f"These games are looking for players: {names}.{see_more}"


def _are_here() -> str:
    names, more = _newest(Game.objects.all())
    return f"The {'newest ' * more}games are {names}." if names else "This server has no games yet."


def _newest(games: QuerySet[Game]) -> tuple[str, bool]:
    """Return the names of the newest of them, and whether there are more."""
    names = list(games.order_by("-pk").values_list("name", flat=True)[: _MOST_NAMED + 1])
    return ", ".join(sorted(names[:_MOST_NAMED])), len(names) > _MOST_NAMED
