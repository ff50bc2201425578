"""Tournaments: which there are, and the table of each."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from games.errors import NotFound
from games.models import Game
from games.queries.ending import result_sentence
from games.queries.tournament import tournament_named, tournaments
from pages.views.game import status_words
from pages.web import public_page, rendered

PAGE = 100


@public_page
def all_tournaments(request: HttpRequest) -> HttpResponse:
    """Show which tournaments there are, the newest first."""
    page = Paginator(tournaments(), PAGE).get_page(request.GET.get("page"))
    return rendered("pages/tournaments.html", {"page": page})


@public_page
def tournament(request: HttpRequest, name: str) -> HttpResponse:
    """Show how everybody stands in one, and its games."""
    try:
        one = tournament_named(name)
    except NotFound as error:
        raise Http404(str(error)) from error
    context = {
        "name": one.name,
        "ranks": one.ranks,
        "games": [(game, _said(game)) for game in one.games],
        "systems": one.systems,
    }
    return rendered("pages/tournament.html", context)


def _said(game: Game) -> str:
    """Say how a game stands: "takes players", "France has won with 18 centres"."""
    return result_sentence(game) or status_words(game)
