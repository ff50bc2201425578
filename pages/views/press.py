"""The press to everybody."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from games.models import Game
from games.queries import board
from games.queries.access.audience import Audience, press_shown
from games.queries.reports.press_words import press_sentence
from pages.story import story_of
from pages.web import public_page, render_page

PAGE = 100


@public_page
def press(request: HttpRequest, name: str) -> HttpResponse:
    """Show a game's press to everybody, the newest first."""
    story = story_of(name)
    found = press_shown(story.game, Audience.EVERYBODY).order_by("-number")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    rows = [(one, board.phase_title(one.phase.name) if one.phase else "") for one in page]
    context = {
        "game": story.game,
        "page": page,
        "rows": rows,
        "shows_board": story.open,
        "press": press_sentence(story.game),
        "has_private": story.game.press_mode in (Game.PressMode.PRIVATE, Game.PressMode.BOTH),
    }
    return render_page("pages/press.html", context)
