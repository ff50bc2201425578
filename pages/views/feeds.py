"""Atom feeds: what happened in one game, or in all."""

from __future__ import annotations

import datetime as dt
import re

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from games.events import (
    GameCreated,
    GameFinished,
    GameRolledBack,
    GameStarted,
    PhaseProcessed,
    SeatOpened,
)
from games.models import Event, Game
from games.models.phase import OF_PHASE
from games.queries.access.audience import events_shown
from games.queries.reports.log_text import sentence
from pages.story import game_at
from pages.web import public_page

ENTRIES = 30
AUTHOR = "Diplomacy by mail"
"""Every feed has to name an author (RFC 4287, 4.1.1)."""
BEGINNING = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""The date if nothing has happened yet."""
TOLD = (GameCreated, GameStarted, PhaseProcessed, GameRolledBack, SeatOpened, GameFinished)
"""What people who follow games from outside want to hear about."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that no feed can hold. A reason may contain them if it was pasted: some programs break
lines with them."""


@public_page
def one_game(request: HttpRequest, name: str) -> HttpResponse:
    """Return what happened in one game."""
    game = game_at(name)
    events = events_shown().filter(game=game)
    address = reverse("game", kwargs={"name": game.name})
    return _feed(f"Diplomacy: {game.name}", address, request.path, events)


@public_page
def all_games(request: HttpRequest) -> HttpResponse:
    """Return what happened in all games that everybody may follow. A game by invitation is on no
    list before it starts."""
    title, events = "Diplomacy by mail: all games", events_shown()
    events = events.exclude(game__entry=Game.Entry.INVITED, game__started_at=None)
    return _feed(title, reverse("front"), request.path, events)


class Feed(Atom1Feed):
    """A feed that is the same each time, even with nothing in it."""

    def latest_post_date(self) -> dt.datetime:
        """Return the time of the latest entry."""
        return max((one["updateddate"] for one in self.items), default=BEGINNING)


def _feed(title: str, address: str, own: str, events: QuerySet[Event]) -> HttpResponse:
    feed = Feed(
        title=title,
        link=settings.SITE_URL + address,
        description=None,
        feed_url=settings.SITE_URL + own,
        language="en",
        author_name=AUTHOR,
    )
    newest = events.filter(kind__in=[one.kind for one in TOLD]).select_related("game", "phase")
    for event in newest.defer(*OF_PHASE).order_by("-pk")[:ENTRIES]:
        link = settings.SITE_URL + _address(event)
        said = _NOT_XML.sub(" ", sentence(event))
        feed.add_item(
            title=f"{event.game.name}: {said}",
            link=link,
            description=escape(said),  # feed readers take it for HTML; somebody wrote the reason
            unique_id=f"{settings.SITE_URL}/events/{event.pk}",
            pubdate=event.created_at,
            updateddate=event.created_at,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml")


def _address(event: Event) -> str:
    if event.kind == PhaseProcessed.kind and event.phase:
        return reverse("phase", kwargs={"name": event.game.name, "phase": event.phase.name})
    return reverse("game", kwargs={"name": event.game.name})
