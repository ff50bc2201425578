"""Pictures of a game's board for the people who look after it, redrawn when the board changes."""

from __future__ import annotations

import hashlib

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag

from atlas import Picture, Subject, View, draw
from games.admin.base import Page, now_of, user_of
from games.models import Game, Phase
from games.queries.access import disclosure
from games.queries.access.audience import Audience
from games.queries.reports.drawing import DRAWING
from games.queries.reports.pictures import influence_before, subject_of

SMALL = 560
"""In pixels: twice what a card shows, for sharp screens."""


class MapPages(Page):
    """Adds to the pages of games a small picture of the board, and a large one with the orders of
    the last phase that is over."""

    def get_urls(self) -> list[URLPattern]:
        """Put the pictures below the page of the game."""
        wrap = self.admin_site.admin_view
        return [
            path("<path:object_id>/board.png", wrap(self.board_view), name="games_game_board"),
            path("<path:object_id>/orders.svg", wrap(self.orders_view), name="games_game_orders"),
            *super().get_urls(),
        ]

    def board_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Return the board of today."""
        game = self._game(request, object_id)
        return _answer(request, shown_phase(game), form="png")

    def orders_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Return the orders of the last phase that is over, if the visitor may see them, or else
        the board of today."""
        game = self._game(request, object_id)
        phase = ordered_phase(game)
        if phase is None or not disclosure.may_see_results(
            user_of(request), phase, now=now_of(request)
        ):
            phase = shown_phase(game)
        return _answer(request, phase, form="svg")

    def _game(self, request: HttpRequest, object_id: str) -> Game:
        game: Game | None = self.get_object(request, object_id)
        if game is None:
            raise Http404("There is no such game.")
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        if not disclosure.may_see_board(user_of(request), game):
            raise PermissionDenied("You play in this game, which is in fog of war.")
        return game


def shown_phase(game: Game) -> Phase | None:
    """Return the phase whose board is the newest; None before the start."""
    phases = game.phases.exclude(status=Phase.Status.UNDONE).defer("orders")
    return phases.select_related("game").order_by("-number").first()


def ordered_phase(game: Game) -> Phase | None:
    """Return the last phase that was adjudicated; None before the first is."""
    phases = game.phases.filter(status=Phase.Status.PROCESSED).defer("orders")
    return phases.select_related("game").order_by("-number").first()


def _answer(request: HttpRequest, phase: Phase | None, *, form: str) -> HttpResponse:
    if phase is None:
        raise Http404("There is no board before the start.")
    named = f"{form} {phase.pk} {phase.status} {phase.processed_at}"
    etag = quote_etag(hashlib.sha256(named.encode()).hexdigest())
    unchanged = get_conditional_response(request, etag=etag)
    response: HttpResponse = unchanged or _map_response(phase, form)
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _map_response(phase: Phase, form: str) -> HttpResponse:
    if form == "svg":
        drawn = orders_drawn(phase).svg()
        return HttpResponse(drawn, content_type="image/svg+xml")
    png = DRAWING.png(
        _subject(phase), "board", influence=influence_before(phase, None), width=SMALL
    )
    return HttpResponse(png, content_type="image/png")


def orders_drawn(phase: Phase) -> Picture:
    """Draw the phase: its orders once it is over, before that the board."""
    subject = _subject(phase)
    view: View = "orders" if subject.next else "board"
    return draw(subject, view, influence=influence_before(phase, None))


def _subject(phase: Phase) -> Subject:
    subject = subject_of(phase, Audience.PLAYERS)
    assert subject is not None, "players see their own board"
    return subject
