"""Who follows a game without playing in it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin.base import OwnGames, ReadOnlyAdmin
from games.admin.lists import GameFilter
from games.models import Observer
from games.queries.reports.wording import utc_moment


class StillFilter(admin.SimpleListFilter):
    """Those who still observe, or those who have stopped."""

    title = "whether they still observe"
    parameter_name = "still"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "still observing"), ("no", "no longer")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Observer]) -> QuerySet[Observer]:
        wanted = {"yes": True, "no": False}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(until__isnull=wanted)


@admin.register(Observer)
class ObserverAdmin(OwnGames, ReadOnlyAdmin):
    """Observers come and go by mail (OBSERVE)."""

    list_display = ["player", "game", "begun", "ended"]
    list_filter = [
        StillFilter,
        ("game", GameFilter),
    ]
    list_select_related = ["player", "game"]
    search_fields = ["game__name"]
    search_help_text = "Part of the name of a game"
    sortable_by = ["id"]
    ordering = ["-id"]

    @admin.display(description="since", ordering="since")
    def begun(self, observer: Observer) -> str:
        return utc_moment(observer.since)

    @admin.display(description="until", ordering="until")
    def ended(self, observer: Observer) -> str:
        return utc_moment(observer.until)
