"""Calendars that programs subscribe to: a game's for everybody, a player's at a secret address."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from games.queries.reports.calendars import game_calendar, player_calendar, player_with_calendar
from pages.story import game_at
from pages.web import public_page

TYPE = "text/calendar; charset=utf-8"


@public_page
def of_game(request: HttpRequest, name: str) -> HttpResponse:
    """Return when a game is due."""
    return HttpResponse(game_calendar(game_at(name)), content_type=TYPE)


@public_page
def of_player(request: HttpRequest, key: str) -> HttpResponse:
    """Return the deadlines of the player with this secret, and nothing else about them."""
    player = player_with_calendar(key)
    if player is None:
        raise Http404("No calendar is at this address.")
    headers = {"Cache-Control": "private, no-cache", "Referrer-Policy": "no-referrer"}
    return HttpResponse(player_calendar(player), content_type=TYPE, headers=headers)
