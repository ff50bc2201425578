"""Tournaments: a list of all, and the table of each, also as a file for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from games.errors import NotFound
from games.models import Game
from games.queries.endings.ending import result_sentence
from games.queries.reports.spreadsheet import FIRST, cell
from games.queries.tournaments.tournament import Tournament, tournament_named, tournaments
from pages.views.game import status_words
from pages.web import public_page, render_page

PAGE = 100


@public_page
def all_tournaments(request: HttpRequest) -> HttpResponse:
    """Show all tournaments, the newest first."""
    page = Paginator(tournaments(), PAGE).get_page(request.GET.get("page"))
    return render_page("pages/tournaments.html", {"page": page})


@public_page
def tournament(request: HttpRequest, name: str) -> HttpResponse:
    """Show how everybody stands in one tournament, and its games."""
    one = _tournament(name)
    context = {
        "name": one.name,
        "ranks": one.ranks,
        "games": [(game, _status(game)) for game in one.games],
        "systems": one.systems,
    }
    return render_page("pages/tournament.html", context)


@public_page
def as_csv(request: HttpRequest, name: str) -> HttpResponse:
    """Return the table as a file: a line for each player, with what each game brought them."""
    one, written = _tournament(name), io.StringIO()
    csv.writer(written).writerows(_lines(one))
    answer = HttpResponse(FIRST + written.getvalue(), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{one.name}.csv"'
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def _tournament(name: str) -> Tournament:
    try:
        return tournament_named(name)
    except NotFound as error:
        raise Http404(str(error)) from error


def _lines(one: Tournament) -> Iterator[list[str]]:
    """Yield the cells of each line, the headings first; each game has three."""
    most = max((len(rank.played) for rank in one.ranks), default=0)
    numbers = range(1, most + 1)
    each = [f"{what} {number}" for number in numbers for what in ("Game", "Power", "Points")]
    yield ["Place", "Player", "Points", "Games", *each]
    for rank in one.ranks:
        games = [text for it in rank.played for text in (it.game, it.power, it.number)]
        yield [
            *(str(rank.place), cell(rank.player.name), rank.number, str(len(rank.played))),
            *games,
        ]


def _status(game: Game) -> str:
    """Say in what state a game is: "is looking for players", "France has won with 18 centres"."""
    return result_sentence(game) or status_words(game)
