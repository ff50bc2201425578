"""A phase at its own address: a page, part of a page, a picture, the judge's JSON."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone

from games.models import Phase
from games.queries import board
from games.queries.access.audience import Audience, results_shown
from games.queries.orders.order_lines import OrderLine
from pages.maps import changes_on_page, picture_of, png_of
from pages.results import shown_phase
from pages.story import story_of, version_of
from pages.views.game import game_page
from pages.web import kept_if_named, public_page, render_page


@public_page
def phase(request: HttpRequest, name: str, phase: str) -> HttpResponse:
    """Show a game with one of its phases."""
    story = story_of(name)
    if story.took_back(phase):
        context = {"game": story.game, "title": board.phase_title(phase)}
        return render_page("pages/taken_back.html", context, status=404)
    return game_page(story, story.phase(phase), timezone.now())


@public_page
def part(request: HttpRequest, name: str, phase: str) -> HttpResponse:
    """Return what the slider replaces on a page to show this phase."""
    story = story_of(name)
    row = story.phase(phase)
    shown = shown_phase(row)
    context = {"phase": shown, "game": story.game, "version": version_of(row)}
    answer = {
        "name": shown.name,
        "title": shown.title,
        "list": render_to_string("pages/orders.html", context),
        "map": changes_on_page(story, row),
    }
    return kept_if_named(request, JsonResponse(answer), version_of(row))


@public_page
def svg(request: HttpRequest, name: str, phase: str) -> HttpResponse:
    """Return the whole picture of a phase as SVG."""
    story = story_of(name)
    row = story.phase(phase)
    picture = picture_of(story, row)
    return _picture(request, row, picture.svg() if picture else None, "image/svg+xml")


@public_page
def png(request: HttpRequest, name: str, phase: str) -> HttpResponse:
    """Return the whole picture of a phase as PNG."""
    story = story_of(name)
    row = story.phase(phase)
    return _picture(request, row, png_of(story, row), "image/png")


def _picture(
    request: HttpRequest, row: Phase, drawn: str | bytes | None, kind: str
) -> HttpResponse:
    if drawn is None:
        raise Http404("The board of this game is for its players only.")
    return kept_if_named(request, HttpResponse(drawn, content_type=kind), version_of(row))


@public_page
def as_json(request: HttpRequest, name: str, phase: str) -> HttpResponse:
    """Return a phase that is over in the form that `python -m judge` and `python -m atlas` read and
    write.

    The question has the orders that counted, in the judge's own notation, so whoever asks it again
    gets the same answer.
    """
    story = story_of(name)
    row = story.phase(phase)
    if row.status != Phase.Status.PROCESSED or not row.outcome:
        raise Http404(f"{phase} is not adjudicated yet.")
    response = JsonResponse({"question": _question(row), "answer": _answer(row, row.outcome)})
    return kept_if_named(request, response, version_of(row))


def _question(row: Phase) -> dict[str, Any]:
    orders = {
        power.power: [line.order for line in power.lines if _is_written(line)]
        for power in results_shown(row, Audience.EVERYBODY)
    }
    return {
        "id": f"{row.game.name} {row.name}",
        "variant": row.game.variant,
        "rules": row.game.rules,
        **row.position,
        "orders": {power: lines for power, lines in orders.items() if lines},
    }


def _answer(row: Phase, outcome: board.OutcomeJson) -> dict[str, Any]:
    return {
        "id": f"{row.game.name} {row.name}",
        "orders": [
            {
                "power": power.power,
                "text": line.order if _is_written(line) else None,
                "order": line.order,
                "result": list(line.result),
                "reason": line.reason,
                **({"ends": line.ends} if line.ends else {}),
                **({"automatic": True} if line.automatic else {}),
            }
            for power in results_shown(row, Audience.EVERYBODY)
            for line in power.lines
        ],
        "next": outcome["next"],
        "winner": outcome["winner"],
    }


def _is_written(line: OrderLine) -> bool:
    return line.text is not None and not line.automatic
