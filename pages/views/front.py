"""The front page: games that take players, that are played, that are over; seats that are open."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.queries.listing import finished_games, forming_games, running_games
from games.queries.seats import open_seats
from pages.web import public_page, rendered

PAGE = 50
"""So many games of a kind a page lists."""


@public_page
def front(request: HttpRequest) -> HttpResponse:
    """Show the games there are; `?running=2&finished=3` goes through long lists."""
    return rendered(
        "pages/front.html",
        {
            "forming": forming_games(),
            "seats": open_seats(),
            "running": running_games(_number(request, "running"), PAGE),
            "finished": finished_games(_number(request, "finished"), PAGE),
        },
    )


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "1")
    return int(text) if text.isdecimal() and len(text) < 6 else 1
