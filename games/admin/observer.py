"""Who follows a game without playing in it."""

from __future__ import annotations

from django.contrib import admin

from games.admin.base import OwnGames, ReadOnlyAdmin
from games.admin.lists import GameFilter
from games.models import Observer
from games.queries.wording import utc_moment


@admin.register(Observer)
class ObserverAdmin(OwnGames, ReadOnlyAdmin):
    """Observers come and go by mail (OBSERVE)."""

    list_display = ["player", "game", "begun", "ended"]
    list_filter = [
        ("until", admin.EmptyFieldListFilter),
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
