"""The admin's first page: what needs whoever comes in, by what they are here for.

A GM finds their games, a moderator the queue, an operator how the server is; who is several of
these finds all of it. How much needs them stands in the header of every page.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from diplomacy_server.health import signs
from diplomacy_server.health.findings import Finding, Level, judge
from diplomacy_server.signin.second_factor import OFF
from games.models import Game
from games.queries import roles
from games.queries.cases import waiting
from games.queries.own_games import game_cards, zone_of
from games.queue import Queue, queue
from games.services.care import RESTS


class Count(NamedTuple):
    """So much needs somebody, and where."""

    number: int
    words: str
    url: str


class StaffSite(admin.AdminSite):
    """The admin, with a home for each role."""

    # The home leads everywhere; a list of tables beside every page takes its width, and twenty
    # steps of whoever goes by keys.
    enable_nav_sidebar = False

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add what the header of every page counts."""
        context = super().each_context(request)
        if context["has_permission"]:
            context["counts"] = counts(_user(request), timezone.now())
            context["second_step"] = settings.SECOND_FACTOR != OFF
        return context

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show what needs whoever comes in."""
        now = timezone.now()
        return super().index(request, {**home(_user(request), now), **(extra_context or {})})


def counts(user: User, now: dt.datetime) -> list[Count]:
    """Say how much needs this user at once: games of theirs, and cases of the moderators' queue."""
    found = list(_counts(user, now))
    return [one for one in found if one.number]


def _counts(user: User, now: dt.datetime) -> Iterator[Count]:
    nameless = roles.games_nameless(user) if roles.may_moderate(user) else None
    games, cases = waiting(now, own=roles.own_games(user), nameless=nameless)
    index = reverse("admin:index")
    yield Count(games, "game needs you" if games == 1 else "games need you", f"{index}#games")
    words = "case for a moderator" if cases == 1 else "cases for a moderator"
    yield Count(cases, words, reverse("admin:games_player_desk"))


def home(user: User, now: dt.datetime) -> dict[str, Any]:
    """Return what the first page shows to this user."""
    own = roles.own_games(user)
    played = set(roles.games_played(user).values_list("pk", flat=True))
    cards = game_cards(own, now=now, played=played)
    cases: Queue | None = queue(user, now) if roles.may_moderate(user) else None
    runs = roles.is_operator(user)
    return {
        "cards": cards,
        "is_gm": bool(cards) or user.has_perm("games.add_game"),
        "over": own.filter(status=Game.Status.FINISHED).count() if cards else 0,
        "zone": zone_of(user),
        "queue": cases,
        "rests": RESTS,
        "back": "home",
        "tiles": _tiles(judge(signs.take(now))) if runs else None,
        "now": now,
    }


def _tiles(findings: list[Finding]) -> list[Finding]:
    """The worst first."""
    order = [Level.FAILS, Level.LOOK, Level.FINE]
    return sorted(findings, key=lambda one: order.index(one.level))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "the admin lets nobody else in"
    return request.user
