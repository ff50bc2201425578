"""The moderators' queue, and the page of a player with a button for each act about them."""

from __future__ import annotations

import datetime as dt
from typing import Any, TypedDict

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from games.acts import PLAYER_ACTS, PlayerAct
from games.acts.players.base import lately_changed
from games.admin.acting import ActPages
from games.admin.base import now_of, user_of
from games.bans import why_barred
from games.errors import GameError
from games.models import Attendance, Conduct, Player
from games.queries.access import conflicts, roles
from games.queries.halts import halt_now
from games.queries.moderators.doubles import Likeness, likely_doubles
from games.queries.players.attendance import missed_by, reliability
from games.queries.players.reliability import reliability_text
from games.queue import queue
from games.services.moderation.care import RESTS, case_leave, case_rest, case_take
from games.staff_request import pressed_while_signed_out, queue_looked_at

LETTERS = (Conduct.Kind.ASKED, Conduct.Kind.ANSWERED, Conduct.Kind.WRITTEN)
SHOWN = 30
"""How many letters between a player and the moderators the player's page shows, the newest
first."""
MISSES = 20
"""How many of a player's misses their page shows."""


class ModeratorPages(ActPages[Player]):
    """Adds what needs a moderator, and a page for each act, to the pages of the players."""

    acts = PLAYER_ACTS

    def get_urls(self) -> list[URLPattern]:
        """Put what needs a moderator before the players' own pages."""
        wrap = self.admin_site.admin_view
        return [
            path("desk/", wrap(self.queue_view), name="games_player_queue"),
            path("desk/case/", wrap(self.case_view), name="games_player_case"),
            *super().get_urls(),
        ]

    def may_come(self, request: HttpRequest, subject: Player) -> bool:
        """Refuse everybody but moderators, even those who may look at the player."""
        return roles.may_moderate(request.user)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *given: Any, **more: Any
    ) -> HttpResponse:
        """Show the player's page with their file, and a button for each act."""
        player, user = more["obj"], user_of(request)
        if roles.may_moderate(user):
            context |= _file_of(player, user, now_of(request))
        return super().render_change_form(request, context, *given, **more)

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """Show what needs a moderator."""
        user, now = user_of(request), now_of(request)
        if not roles.may_moderate(user):
            raise PermissionDenied
        cases = queue(user, now, everything="all" in request.GET)
        queue_looked_at(request, cases)
        context = {
            **self.admin_site.each_context(request),
            "title": "Moderators’ queue",
            "opts": self.opts,
            "queue": cases,
            "rests": RESTS,
            "halt": halt_now(),
            "back": "queue",
            "now": now,
        }
        return TemplateResponse(request, "admin/games/queue/page.html", context)

    def case_view(self, request: HttpRequest) -> HttpResponse:
        """Note who is on a case, or until when it rests; the case itself does not change."""
        user = user_of(request)
        if not roles.may_moderate(user):
            raise PermissionDenied
        if request.method != "POST":
            return pressed_while_signed_out(request)
        try:
            _note(request)
        except GameError as error:
            messages.error(request, str(error))
        home = request.POST.get("back") != "queue"
        return HttpResponseRedirect(reverse("admin:index" if home else "admin:games_player_queue"))


class PlayerFile(TypedDict):
    """What the template of a player's page shows to moderators."""

    acts: list[PlayerAct[Any]]
    dangers: list[PlayerAct[Any]]
    waiting: list[Conduct]
    """What the player asked and nobody has answered, the oldest first."""
    closed: str
    """Why the file is closed to this reader, "" if it is open."""
    file: list[Conduct]
    letters: list[Conduct]
    misses: QuerySet[Attendance]
    reliability: str
    barred: str
    """Why the player can take no seat, "" if they can."""
    changed: list[str]
    muted: bool
    doubles: list[Likeness]
    player: Player


def _file_of(player: Player, user: User, now: dt.datetime) -> PlayerFile:
    """What a moderator reads about the player; less if the two play together."""
    nameless = roles.games_nameless(user)
    misses = missed_by(player).exclude(seat__power__game__in=nameless)
    closed = conflicts.is_concerned(user, player)
    entries = [] if closed else list(player.conduct.order_by("-pk"))
    acts = [] if closed else _acts(player, now)
    return {
        "acts": [act for act in acts if not act.is_dangerous],
        "dangers": [act for act in acts if act.is_dangerous],
        "waiting": [one for one in reversed(entries) if one.waits],
        "closed": conflicts.refusal_about(user, player) if closed else "",
        "file": entries,
        "letters": [one for one in entries if one.kind in LETTERS][:SHOWN][::-1],
        "misses": misses[:MISSES],
        "reliability": reliability_text(reliability(player, now=now)),
        "barred": why_barred(player, now=now),
        "changed": list(lately_changed(player, now)),
        "muted": player.muted_until is not None and player.muted_until > now,
        "doubles": likely_doubles(player),
        "player": player,
    }


def _acts(player: Player, now: dt.datetime) -> list[PlayerAct[Any]]:
    """What can be done about the player: nothing but ending a ban if they are erased, and nothing
    if the account is part of another."""
    if player.merged_into_id:
        return []
    names = ["lift"] if player.erased_at else list(PLAYER_ACTS)
    return [PLAYER_ACTS[name] for name in names if not PLAYER_ACTS[name].why_not(player, now)]


_DAYS = {str(days): days for days in (0, *RESTS)}
"""What the buttons of a case send."""


def _note(request: HttpRequest) -> None:
    """Do what the button says. Raises BadInput."""
    case, wish, now = request.POST.get("case", ""), request.POST.get("wish", ""), now_of(request)
    if wish == "take":
        case_take(case=case, user=user_of(request), now=now)
    elif wish == "leave":
        case_leave(case=case)
    else:
        case_rest(case=case, days=_DAYS.get(wish, -1), now=now)
