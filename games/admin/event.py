"""The log of a game."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.admin.base import OwnGames, ReadOnlyAdmin, user_of
from games.admin.lists import GameFilter, HappenedFilter
from games.models import Event
from games.models.phase import OF_PHASE
from games.queries.access import roles
from games.queries.access.audience import untold_facts
from games.queries.reports.log_text import sentence
from games.queries.reports.wording import utc_moment

RAW = ("payload", "tell_attempts", "tell_again_at")


class ToldFilter(HappenedFilter):
    """Whether the mailer has told people of it."""

    heading = "mails about it"
    not_yet, happened = "not written yet", "written"


@admin.register(Event)
class EventAdmin(OwnGames, ReadOnlyAdmin):
    """What happened, newest first, and whether it was told.

    Everybody reads the sentence that the players read; only operators see the raw values. Somebody
    who plays in the game reads what any player may, which in fog of war is not everything.
    """

    list_display = ["when", "game", "said", "told"]
    list_filter = [
        "kind",
        ("told_at", ToldFilter),
        ("game", GameFilter),
    ]
    list_select_related = ["game", "phase"]
    search_fields = ["game__name"]
    search_help_text = "Part of the name of a game"
    sortable_by = ["when"]
    ordering = ["-id"]
    readonly_fields = ["said"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Leave the phases' boards in the database: nothing here shows them."""
        rows: QuerySet[Event] = super().get_queryset(request)
        played = roles.games_played(user_of(request))
        return rows.defer(*OF_PHASE).annotate(inside=Q(game__in=played))

    def get_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        """Show the raw values to operators."""
        untold = obj is not None and _untold(obj)
        raw = RAW if roles.is_operator(user_of(request)) and not untold else ()
        return ["game", "phase", "kind", "said", *raw, "created_at", "told_at"]

    @admin.display(description="what happened")
    def said(self, event: Event) -> str:
        return sentence(event, untold=_untold(event))

    @admin.display(description="when", ordering="id")
    def when(self, event: Event) -> str:
        return utc_moment(event.created_at)

    @admin.display(description="phase")
    def phase_name(self, event: Event) -> str:
        return event.phase.name if event.phase else ""

    @admin.display(description="told")
    def told(self, event: Event) -> str:
        return "yes" if event.told_at else "not yet"


def _untold(event: Any) -> frozenset[str]:
    """The facts that the visitor may not read if they play in the game (`inside`)."""
    return untold_facts(event) if event.inside else frozenset()
