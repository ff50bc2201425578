"""The log of a game."""

from __future__ import annotations

from django.contrib import admin

from games.admin.base import ReadOnlyAdmin, moment
from games.models import Event


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """What happened, newest first, and whether it was told."""

    list_display = ["when", "game", "phase_name", "kind", "told"]
    list_filter = ["kind", ("told_at", admin.EmptyFieldListFilter), "game"]
    list_select_related = ["game", "phase"]
    search_fields = ["game__name"]
    ordering = ["-id"]
    fields = ["game", "phase", "kind", "payload", "created_at", "told_at"]

    @admin.display(description="when", ordering="created_at")
    def when(self, event: Event) -> str:
        return moment(event.created_at)

    @admin.display(description="phase")
    def phase_name(self, event: Event) -> str:
        return event.phase.name if event.phase else ""

    @admin.display(description="told", boolean=True)
    def told(self, event: Event) -> bool:
        return event.told_at is not None
