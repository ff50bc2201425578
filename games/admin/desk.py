"""The moderators' desk, and the page of each act about a player. Nothing is done by looking."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from games import log, roles
from games.admin.base import Page, name_of, user_of
from games.admin.players import PLAYER_ACTS, PlayerAct
from games.admin.players.base import Questions
from games.attendance import missed_by, reliability
from games.conduct import barred
from games.desk import desk
from games.errors import GameError, WrongState
from games.models import Player
from games.reliability import reliability_text

MISSES = 20
"""So many of a player's misses his page shows."""

CHANGED = (
    "Somebody else has dealt with this player since this page was shown, so nothing was done. "
    "Please look again at what would happen now."
)


@dataclass
class Acting:
    """One act on one player, asked for by one request."""

    player: Player
    act: PlayerAct
    form: Questions
    by: str
    now: dt.datetime
    forecast: list[str] = field(default_factory=list)

    def rehearse(self) -> None:
        """Say what will happen, and see that it can. Raises GameError; changes nothing."""
        with transaction.atomic():
            self.forecast = list(self.act.foresee(self.player, self.form.cleaned_data, self.now))
            self._do()
            transaction.set_rollback(True)
        self.player.refresh_from_db()

    def carry_out(self, expected: str) -> str:
        """Do it, unless the player's file has changed meanwhile. Raises GameError."""
        with transaction.atomic():
            if stamp(self.player) != expected:
                raise WrongState(CHANGED)
            return self._do()

    def _do(self) -> str:
        return self.act.do(self.player, self.form.cleaned_data, by=self.by, now=self.now)


def stamp(player: Player) -> str:
    """Return a digest of what a page about a player rests on: his file and his running seats."""
    last = player.conduct.order_by("-pk").values_list("pk", "settled_at").first()
    seats = list(player.seats.filter(until=None).order_by("pk").values_list("pk", flat=True))
    entry = [last[0], last[1].isoformat() if last[1] else None] if last else None
    return log.digest([entry, seats, player.merged_into_id])


class ModeratorPages(Page):
    """Adds the desk and a page for each act to the pages of the players."""

    def get_urls(self) -> list[URLPattern]:
        """Put them before the player's own page."""
        seen = self.admin_site.admin_view
        act = "<path:object_id>/act/<slug:act>/"
        return [
            path("desk/", seen(self.desk_view), name="games_player_desk"),
            path(act, seen(self.act_view), name="games_player_act"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Show the player's page with his file, and a button for each act."""
        player, now, user = self.get_object(request, object_id), timezone.now(), user_of(request)
        context = dict(extra_context or {})
        if player is not None and roles.may_moderate(user):
            nameless = roles.games_nameless(user)
            misses = missed_by(player).exclude(seat__power__game__in=nameless)
            context |= {
                "acts": [act for act in PLAYER_ACTS.values() if act.offered(player, now)],
                "file": player.conduct.order_by("-pk"),
                "misses": misses[:MISSES],
                "reliability": reliability_text(reliability(player, now=now)),
                "barred": barred(player, now=now),
                "player": player,
            }
        return super().change_view(request, object_id, form_url, context)

    def desk_view(self, request: HttpRequest) -> HttpResponse:
        """Show what needs a moderator."""
        user, now = user_of(request), timezone.now()
        if not roles.may_moderate(user):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": "Moderators' desk",
            "opts": self.opts,
            "desk": desk(now=now, nameless=roles.games_nameless(user)),
            "now": now,
        }
        return TemplateResponse(request, "admin/games/desk/desk.html", context)

    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """Ask, forecast or do, as far as the request has come."""
        if not roles.may_moderate(user_of(request)):
            raise PermissionDenied
        player, now = self.get_object(request, object_id), timezone.now()
        if player is None or act not in PLAYER_ACTS:
            raise Http404("There is no such player or act.")
        form = _form(request, player, PLAYER_ACTS[act], now)
        acting = Acting(player, PLAYER_ACTS[act], form, name_of(request), now)
        if refusal := roles.refusal_about(user_of(request), player):
            messages.error(request, refusal)
            return self._page(request, acting, stage="refused", status=403)
        if not acting.act.offered(player, now):
            messages.error(request, f"There is nothing of the kind to do about {player.name} now.")
            return self._page(request, acting, stage="refused")
        if "back" in request.POST or not form.is_valid():
            return self._page(request, acting)
        try:
            if "confirmed" in request.POST:
                said = acting.carry_out(request.POST.get("expected", ""))
                messages.success(request, said)
                self.log_change(request, player, said)
                return HttpResponseRedirect(_home(player))
            acting.rehearse()
        except GameError as error:
            messages.error(request, str(error))
            return self._page(request, acting)
        return self._page(request, acting, stage="sure")

    def _page(
        self, request: HttpRequest, acting: Acting, *, stage: str = "ask", status: int = 200
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"{acting.player.name}: {acting.act.label}",
            "opts": self.opts,
            "subject": acting.player,
            "back": _home(acting.player),
            "act": acting.act,
            "form": acting.form,
            "forecast": acting.forecast,
            "why": acting.form.cleaned_data.get("why") if stage == "sure" else "",
            "stage": stage,
            "expected": stamp(acting.player),
        }
        return TemplateResponse(request, "admin/games/player/act.html", context, status=status)


def _home(player: Player) -> str:
    """The page of the player, from which one came."""
    return reverse("admin:games_player_change", args=[player.pk])


def _form(request: HttpRequest, player: Player, act: PlayerAct, now: dt.datetime) -> Questions:
    """The act's questions with what was typed, or what the link to the page proposes."""
    if request.method == "POST":
        return act.questions(request.POST, player=player, now=now)
    return act.questions(player=player, now=now, initial=request.GET.dict())
