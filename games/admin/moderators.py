"""What needs a moderator, and the page of a player with a button for each act about them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from games.acts import PLAYER_ACTS
from games.admin.acting import ActPages
from games.admin.base import user_of
from games.bans import barred
from games.queries import roles
from games.queries.attendance import missed_by, reliability
from games.queries.moderation import desk
from games.queries.reliability import reliability_text

MISSES = 20
"""So many of a player's misses their page shows."""


class ModeratorPages(ActPages):
    """Adds what needs a moderator, and a page for each act, to the pages of the players."""

    acts = PLAYER_ACTS

    def get_urls(self) -> list[URLPattern]:
        """Put what needs a moderator before the players' own pages."""
        view = self.admin_site.admin_view(self.desk_view)
        return [path("desk/", view, name="games_player_desk"), *super().get_urls()]

    def may_come(self, request: HttpRequest, subject: Any) -> bool:
        """Refuse all but moderators, who else may look at the player."""
        return roles.may_moderate(user_of(request))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Show the player's page with their file, and a button for each act."""
        player, now, user = self.get_object(request, object_id), timezone.now(), user_of(request)
        context = dict(extra_context or {})
        if player is not None and roles.may_moderate(user):
            nameless = roles.games_nameless(user)
            misses = missed_by(player).exclude(seat__power__game__in=nameless)
            context |= {
                "acts": [act for act in PLAYER_ACTS.values() if not act.why_not(player, now)],
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
