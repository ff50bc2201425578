"""The front page: games looking for players, being played or over; seats that are open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from games.queries.reports.listing import (
    ListPage,
    finished_games,
    forming_games,
    running_games,
    seats_to_take,
)
from games.queries.tournaments import tournament
from pages.maps import start_address
from pages.opening import opening_on_page
from pages.web import public_page, render_page

PAGE = 50
"""How many games of each kind a page lists."""


@public_page
def front(request: HttpRequest) -> HttpResponse:
    """Show the games; `?running=2&finished=3` pages through long lists."""
    lists: dict[str, ListPage[Any]] = {
        "forming": forming_games(_number(request, "forming"), PAGE),
        "seats": seats_to_take(_number(request, "seats"), PAGE),
        "running": running_games(_number(request, "running"), PAGE),
        "finished": finished_games(_number(request, "finished"), PAGE),
    }
    rest = {name: _rest(lists, name) for name in lists}
    context = {
        **lists,
        "rest": rest,
        "any_tournament": tournament.are_any(),
        "opening": opening_on_page(),
        "preview": start_address("standard"),
    }
    return render_page("pages/front.html", context)


def _rest(lists: Mapping[str, ListPage[Any]], name: str) -> str:
    """Return the end of an address that keeps the other lists on their pages."""
    others = {other: page.number for other, page in lists.items() if other != name}
    return "".join(f"&{other}={number}" for other, number in others.items() if number > 1)


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "1")
    return int(text) if text.isdecimal() and len(text) < 6 else 1
