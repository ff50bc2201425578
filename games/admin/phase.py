"""Phases and order sets: history, with the orders of open phases kept secret."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.admin.base import ReadOnlyAdmin, ReadOnlyInline, moment
from games.board import phase_title
from games.models import OrderSet, Phase, Readiness
from games.permissions import may_view_open_orders

HIDDEN = "hidden until the phase is processed"


class OrderSetInline(ReadOnlyInline):
    """Which sets came in the phase; what they say is on their own page."""

    model = OrderSet
    fields = ["power", "mode", "counts", "late", "received_at", "recorded_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderSet]:
        return super().get_queryset(request).select_related("power__game", "phase")


class ReadinessInline(ReadOnlyInline):
    """Who said READY or WAIT."""

    model = Readiness
    fields = ["power", "word", "said_at"]
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Readiness]:
        return super().get_queryset(request).select_related("power__game", "phase")


@admin.register(Phase)
class PhaseAdmin(ReadOnlyAdmin):
    """Every phase of every game, with its orders and results once it is processed."""

    list_display = ["name", "game", "status", "opened", "due", "processed", "attempts", "error"]
    list_filter = ["status", "game__status", "game"]
    list_select_related = ["game"]
    search_fields = ["name", "game__name"]
    ordering = ["-opened_at"]
    fields = [
        "game",
        "name",
        "title",
        "status",
        "opened",
        "due",
        "all_in_at",
        "processed",
        "results",
        "orders_sha256",
        "engine",
        "attempts",
        "retry_at",
        "error",
    ]
    readonly_fields = ["title", "opened", "due", "processed", "results"]
    inlines = [OrderSetInline, ReadinessInline]

    @admin.display(description="phase")
    def title(self, phase: Phase) -> str:
        return phase_title(phase.name)

    @admin.display(description="opened", ordering="opened_at")
    def opened(self, phase: Phase) -> str:
        return moment(phase.opened_at)

    @admin.display(description="deadline", ordering="due_at")
    def due(self, phase: Phase) -> str:
        return moment(phase.due_at)

    @admin.display(description="processed", ordering="processed_at")
    def processed(self, phase: Phase) -> str:
        return moment(phase.processed_at)

    @admin.display(description="orders and results")
    def results(self, phase: Phase) -> str | SafeString:
        if not phase.outcome:
            return HIDDEN
        return format_html_join(
            "",
            "<div>{}: {} – <strong>{}</strong> {}</div>",
            (
                (
                    one["power"],
                    one["order"] or one["text"],
                    ", ".join(one["result"]),
                    one["reason"] or "",
                )
                for one in phase.outcome["results"]
            ),
        )


@admin.register(OrderSet)
class OrderSetAdmin(ReadOnlyAdmin):
    """Every mail's orders, kept for ever. Those of an open phase need the permission to be seen."""

    list_display = ["id", "game", "phase_name", "power_name", "mode", "stands", "received"]
    list_filter = ["counts", "late", "mode", "phase__status", "phase__game"]
    list_select_related = ["phase__game", "power__game"]
    search_fields = ["phase__game__name", "power__name", "source"]
    ordering = ["-id"]
    facts = [
        "phase",
        "power",
        "seat",
        "mode",
        "counts",
        "late",
        "received_at",
        "recorded_at",
        "source",
    ]
    readonly_fields = ["orders", "hidden"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderSet]:
        """Leave the orders themselves in the database where the user may not see them."""
        sets = super().get_queryset(request)
        if may_view_open_orders(request.user):
            return sets
        return sets.defer("lines", "reading")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse filters on what is secret: a yes or no gives the orders away word by word."""
        secret = lookup.split("__")[0] in {"lines", "reading", "digest"}
        return not secret and super().lookup_allowed(lookup, value, request)

    def get_fields(self, request: HttpRequest, obj: OrderSet | None = None) -> Any:
        """Show the orders, or say that they are hidden."""
        open_ = obj is not None and obj.phase.status != Phase.Status.PROCESSED
        secret = open_ and not may_view_open_orders(request.user)
        return [*self.facts, "hidden" if secret else "orders"]

    @admin.display(description="game", ordering="phase__game__name")
    def game(self, order_set: OrderSet) -> str:
        return order_set.phase.game.name

    @admin.display(description="phase", ordering="phase__number")
    def phase_name(self, order_set: OrderSet) -> str:
        return order_set.phase.name

    @admin.display(description="power", ordering="power__name")
    def power_name(self, order_set: OrderSet) -> str:
        return order_set.power.name

    @admin.display(description="counts", ordering="counts")
    def stands(self, order_set: OrderSet) -> str:
        if order_set.counts:
            return "yes"
        return "no: late" if order_set.late else "no: nothing in it could be followed"

    @admin.display(description="received", ordering="received_at")
    def received(self, order_set: OrderSet) -> str:
        return moment(order_set.received_at)

    @admin.display(description="orders")
    def orders(self, order_set: OrderSet) -> str | SafeString:
        return format_html_join(
            "",
            "<div>{}: <code>{}</code> – {}</div>",
            (
                (one["line"], one["text"], one["order"] or one["problem"])
                for one in order_set.reading
            ),
        )

    @admin.display(description="orders")
    def hidden(self, order_set: OrderSet) -> str:
        return HIDDEN
