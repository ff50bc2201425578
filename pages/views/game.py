"""A game's page: its newest phase, when it is due, who plays, the centres over the years."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.models import Game, Phase
from games.queries import board
from games.queries.endings.ending import ended_at
from games.queries.orders.current_orders import is_readable
from games.queries.players.seats import BEFORE_START
from games.queries.reports.what_game import starts
from pages.game_sections import (
    agreed_for,
    centres_of,
    clock_of,
    joining_of,
    scores_at_end,
    seats_of,
    slider_of,
)
from pages.mailto import mail_with
from pages.maps import start_address, start_on_page, svg_on_page
from pages.results import shown_phase
from pages.story import Story, story_of, version_of
from pages.views.compose import ordered_now, pages_to_order
from pages.web import public_page, render_page


@public_page
def game(request: HttpRequest, name: str) -> HttpResponse:
    """Show a game with the newest of its phases that are over."""
    story = story_of(name)
    return game_page(story, story.newest, timezone.now())


def game_page(story: Story, phase: Phase | None, now: dt.datetime) -> HttpResponse:
    """Show a game with this phase of it."""
    one = story.game
    story.read_boards(phase, story.now)
    context = {
        "game": one,
        "variant": board.variant_named(one.variant),
        "status": status_words(one),
        "starts": " ".join(starts(one)),
        "ending": _ending(story),
        "shows_board": story.open,
        "clock": clock_of(story, now),
        "to_order": pages_to_order(one, ordered_now(story)),
        "seats": seats_of(one, now),
        "joining": joining_of(one),
        "observe": mail_with(f"OBSERVE {one.name}"),
        "scores": scores_at_end(story),
        "centres": centres_of(story),
        "agreed": agreed_for(one),
    }
    if one.status in BEFORE_START:
        context |= {"start": start_on_page(one.variant), "preview": start_address(one.variant)}
    if phase and is_readable(phase):
        context |= _phase_context(story, phase)
    return render_page("pages/game.html", context)


def _phase_context(story: Story, phase: Phase) -> dict[str, object]:
    """Return what the page needs to show one phase and reach the others."""
    return {
        "phase": shown_phase(phase),
        "version": version_of(phase),
        "picture": svg_on_page(story, phase),
        "slider": slider_of(story, phase),
    }


def _ending(story: Story) -> str:
    is_over = story.game.status == Game.Status.FINISHED
    return ended_at(story.game, story.state) if is_over else ""


def status_words(one: Game) -> str:
    """Say in what state a game is, in words that follow its name: "is being played"."""
    return f"is {one.get_status_display()}"
