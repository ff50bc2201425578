"""The admin's first page: what needs its visitor, according to their role.

A GM finds their games, a moderator the queue, an operator the server's health; somebody with
several roles finds all of these. The header of every page counts what needs them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypedDict

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from diplomacy_server.health import signs
from diplomacy_server.health.findings import Finding, Level, judge
from diplomacy_server.look_log import View, notes_looks
from diplomacy_server.own_name import own_name
from diplomacy_server.signin.form import SignInForm
from diplomacy_server.signin.second_factor import OFF
from games.errors import BadInput, GameError
from games.models import Game, Halt
from games.queries.access import roles
from games.queries.access.staff_names import name_as_moderator
from games.queries.halts import halt_now
from games.queries.moderators.cases import waiting
from games.queries.reports.own_games import SHOWN, GameCard, game_cards, zone_of
from games.queries.reports.wording import listed
from games.queue import Queue, queue
from games.services.clock.halts import games_to_go_on, server_halt, server_resume
from games.services.moderation.care import RESTS
from games.staff_request import pressed_while_signed_out, queue_looked_at, user_of

STOP, GO = "STOP", "GO ON"
"""What to type to make the server stand still, and to let it go on."""


class Count(NamedTuple):
    """How many things need somebody, and where they are."""

    number: int
    words: str
    url: str


class StaffSite(admin.AdminSite):
    """The admin, with a home for each role."""

    login_form = SignInForm

    # The first page leads everywhere. A list of tables beside every page would take up its width,
    # and cost people who use the keyboard twenty steps.
    enable_nav_sidebar = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001
        """Have the staff's log say who opens a page that shows secrets."""
        return super().admin_view(notes_looks(view), cacheable)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add what the header of every page counts."""
        context = super().each_context(request)
        if context["has_permission"]:
            context["counts"] = counts(user_of(request), timezone.now())
            context["second_step"] = settings.SECOND_FACTOR != OFF
        return context

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """List the tables, on the pages that show them. Django asks for the list on all other
        pages, too, where it would only cost twenty addresses and as many questions of rights."""
        return SimpleLazyObject(partial(super().get_app_list, request, app_label))

    def get_urls(self) -> list[Any]:
        """Add the page that halts the server, and the one for everybody's own name."""
        return [
            path("halt/", self.admin_view(self.halt), name="halt"),
            path("your-name/", self.admin_view(own_name), name="own_name"),
            *super().get_urls(),
        ]

    def halt(self, request: HttpRequest) -> HttpResponse:
        """Halt the server, or let it go on, once somebody has typed the word for it."""
        user, now = user_of(request), timezone.now()
        if not roles.may_moderate(user):
            raise PermissionDenied
        if request.method != "POST":
            return pressed_while_signed_out(request)
        try:
            messages.success(request, _switch(request.POST, user, now))
        except GameError as error:
            messages.error(request, str(error))
        return HttpResponseRedirect(reverse("admin:index"))

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show what needs this visitor."""
        now = timezone.now()
        shown = home(user_of(request), now)
        if shown["queue"]:
            queue_looked_at(request, shown["queue"])
        return super().index(request, {**shown, **(extra_context or {})})


def counts(user: User, now: dt.datetime) -> list[Count]:
    """Count what needs this user now: their games, and cases in the moderators' queue."""
    found = list(_counts(user, now))
    return [one for one in found if one.number]


def _counts(user: User, now: dt.datetime) -> Iterator[Count]:
    games, cases = waiting(user, now)
    index = reverse("admin:index")
    yield Count(games, "game needs you" if games == 1 else "games need you", f"{index}#games")
    words = "case for a moderator" if cases == 1 else "cases for a moderator"
    yield Count(cases, words, reverse("admin:games_player_queue"))


class Home(TypedDict):
    """What the first page shows."""

    cards: tuple[GameCard, ...]
    """The games that the visitor runs, but no more than SHOWN."""
    going_on: int
    """How many of their games are not over."""
    not_shown: int
    is_gm: bool
    over: int
    """How many of their games are over."""
    zone: str
    """Their time zone, "" if we do not know it."""
    queue: Queue | None
    """The moderators' queue, for those who may see it."""
    rests: Mapping[int, str]
    """For how many days a case may rest, and when it is back."""
    back: str
    troubled: list[Finding]
    """What an operator has to look at, the worst first."""
    fine: list[Finding]
    halt: Halt | None
    now: dt.datetime


def home(user: User, now: dt.datetime) -> Home:
    """Return what the first page shows to this user."""
    own = roles.own_games(user, now=now)
    played = set(roles.games_played(user).values_list("pk", flat=True))
    zone = zone_of(user)
    cards = game_cards(own, now=now, played=played, zone=zone)
    is_gm = bool(cards) or user.has_perm("games.add_game")
    going_on = own.exclude(status=Game.Status.FINISHED)
    in_all = going_on.count() if len(cards) == SHOWN else len(cards)
    cases: Queue | None = queue(user, now) if roles.may_moderate(user) else None
    tiles = _tiles(judge(signs.take(now))) if roles.is_operator(user) else []
    return {
        "cards": cards,
        "going_on": in_all,
        "not_shown": in_all - len(cards),
        "is_gm": is_gm,
        "over": own.filter(status=Game.Status.FINISHED).count() if is_gm else 0,
        "zone": zone,
        "queue": cases,
        "rests": RESTS,
        "back": "home",
        "troubled": [one for one in tiles if one.level != Level.FINE],
        "fine": [one for one in tiles if one.level == Level.FINE],
        "halt": halt_now(),
        "now": now,
    }


def _switch(typed: QueryDict, user: User, now: dt.datetime) -> str:
    """Do what they typed, note it among the latest acts, and say so. Raises GameError."""
    word, by = typed.get("word", "").strip().upper(), name_as_moderator(user)
    if word == STOP:
        halt = server_halt(why=typed.get("why", ""), by=by, now=now)
        _note(user, halt, f"The server stands still: {halt.why}")
        return "The server stands still. Everybody who plays is told."
    if word == GO:
        _note(user, server_resume(by=by, now=now), "The server goes on.")
        if left := games_to_go_on(now=now):
            return _goes_on_without(left)
        return "The server goes on. Everybody who plays is told."
    raise BadInput(f"Please type {STOP} to let the server stand still, {GO} to let it go on.")


def _goes_on_without(games: Collection[int]) -> str:
    """Say that these games broke as they were about to go on."""
    names = Game.objects.filter(pk__in=games).order_by("name").values_list("name", flat=True)
    return (
        f"The server goes on in a moment. A fault of ours still keeps {listed(list(names))} from "
        "going on: we try again, and then leave that to whoever runs the server."
    )


def _note(user: User, halt: Halt, said: str) -> None:
    """Enter it among the staff's latest acts."""
    halts = Halt.objects.filter(pk=halt.pk)
    LogEntry.objects.log_actions(user.pk, halts, CHANGE, said, single_object=True)


def _tiles(findings: list[Finding]) -> list[Finding]:
    """Sort the worst first."""
    order = [Level.FAILS, Level.LOOK, Level.FINE]
    return sorted(findings, key=lambda one: order.index(one.level))
