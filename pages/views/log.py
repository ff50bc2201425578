"""The log of a game, and whether it is intact."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.models.phase import OF_PHASE
from games.queries.access.audience import Audience, shows_board
from games.queries.audit.log_faults import chain_faults
from games.queries.reports.log_text import SHOWN, sentence
from pages.story import game_at
from pages.web import public_page, render_page


@public_page
def log(request: HttpRequest, name: str) -> HttpResponse:
    """Show everything that happened in a game, and whether its log is still whole."""
    game = game_at(name)
    shown = shows_board(game, Audience.EVERYBODY)
    rows = game.events.select_related("phase").defer(*OF_PHASE).order_by("number")
    events = list(rows) if shown else []
    for event in events:
        event.game = game
    entries = [
        (event.number, event.created_at, sentence(event), event.digest[:SHOWN]) for event in events
    ]
    context = {
        "game": game,
        "shows_board": shown,
        "entries": entries[::-1],
        "faults": list(chain_faults(events)),
        "head": events[-1].digest if events else "",
    }
    return render_page("pages/log.html", context)
