"""Phases and order sets: history, which keeps the orders of open phases secret.

Somebody with a reason to see them looks at them on a page of its own (`games.admin.looks`).
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.admin.base import OthersGames, OwnGames, ReadOnlyAdmin, ReadOnlyInline, now_of, user_of
from games.admin.lists import GameFilter
from games.admin.looks import LookPage
from games.models import OrderSet, Phase, Readiness
from games.models.phase import BOARDS, OF_PHASE, UNFINISHED
from games.queries.access import disclosure, roles
from games.queries.board import phase_title
from games.queries.reports.wording import utc_moment

HIDDEN = "hidden until the phase is processed"
HIDDEN_FROM_THEM = "hidden until the game is over"


class OrderSetInline(ReadOnlyInline):
    """Which sets came in the phase; their own pages have the orders."""

    model = OrderSet
    fields = ["power", "mode", "counts", "late", "received_at", "recorded_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderSet]:
        shown = super().get_queryset(request).select_related("power__game", "phase")
        return shown.defer("lines", "reading", *OF_PHASE)


class ReadinessInline(ReadOnlyInline):
    """Who said READY or WAIT."""

    model = Readiness
    fields = ["power", "word", "said_at"]
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Readiness]:
        shown = super().get_queryset(request).select_related("power__game", "phase")
        return shown.defer(*OF_PHASE)


@admin.register(Phase)
class PhaseAdmin(OwnGames, LookPage, ReadOnlyAdmin):
    """Every phase of every game, with its orders and results once it is processed."""

    list_display = ["name", "game", "status", "opened", "due", "processed", "attempts", "error"]
    list_filter = ["status", ("game", GameFilter)]
    list_select_related = ["game"]
    search_fields = ["game__name"]
    search_help_text = "Part of the name of a game"
    sortable_by = ["opened"]
    ordering = ["-opened_at"]
    facts = [
        "game",
        "title",
        "status",
        "opened",
        "due",
        "all_in_at",
        "processed",
    ]
    technical = ["orders_sha256", "engine", "attempts", "retry_at", "error"]
    readonly_fields = ["title", "opened", "due", "processed", "results", "hidden"]
    inlines = [OrderSetInline, ReadinessInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Phase]:
        """Leave the boards in the database: a page reads its own."""
        rows: QuerySet[Phase] = super().get_queryset(request)
        return rows.defer(*BOARDS)

    def get_fields(self, request: HttpRequest, obj: Phase | None = None) -> Any:
        """Show the results, or say that there are none to see yet; how they were worked out is
        below."""
        shown = obj is not None and disclosure.may_see_results(
            user_of(request), obj, now=now_of(request)
        )
        return [*self.facts, "results" if shown else "hidden", *self.technical]

    def get_inlines(self, request: HttpRequest, obj: Phase | None) -> Any:
        """Hide from people who play when others sent orders, and what they said."""
        played = roles.games_played(user_of(request))
        if obj is not None and played.filter(pk=obj.game_id).exists():
            return []
        return super().get_inlines(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *given: Any, **more: Any
    ) -> HttpResponse:
        """Offer a look to somebody who may ask for one."""
        phase, user, now = more["obj"], user_of(request), now_of(request)
        context["may_look"] = disclosure.may_look(
            user, phase.game, now=now
        ) and not disclosure.may_see_orders(user, phase, now=now)
        return super().render_change_form(request, context, *given, **more)

    @admin.display(description="phase")
    def title(self, phase: Phase) -> str:
        return phase_title(phase.name)

    @admin.display(description="opened", ordering="opened_at")
    def opened(self, phase: Phase) -> str:
        return utc_moment(phase.opened_at)

    @admin.display(description="deadline", ordering="due_at")
    def due(self, phase: Phase) -> str:
        return utc_moment(phase.due_at)

    @admin.display(description="processed", ordering="processed_at")
    def processed(self, phase: Phase) -> str:
        return utc_moment(phase.processed_at)

    @admin.display(description="orders and results")
    def results(self, phase: Phase) -> str | SafeString:
        results = phase.outcome["results"] if phase.outcome else []
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
                for one in results
            ),
        )

    @admin.display(description="orders and results")
    def hidden(self, phase: Phase) -> str:
        return _placeholder(phase)


@admin.register(OrderSet)
class OrderSetAdmin(OthersGames, ReadOnlyAdmin):
    """Every mail's orders, kept for ever, and readable once their phase is adjudicated."""

    path_to_game = "phase__game"
    list_display = ["id", "game", "phase_name", "power_name", "mode", "stands", "received"]
    list_filter = ["counts", "late", "mode", ("phase__game", GameFilter)]
    list_select_related = ["phase__game", "power__game"]
    search_fields = ["phase__game__name"]
    search_help_text = "Part of the name of a game"
    sortable_by = ["id"]
    ordering = ["-id"]
    facts = [
        "phase",
        "power",
        "seat",
        "by",
        "mode",
        "stands",
        "received_at",
        "recorded_at",
        "source",
    ]
    readonly_fields = ["stands", "orders", "hidden"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderSet]:
        """Leave the orders themselves in the database until the page shows them."""
        rows: QuerySet[OrderSet] = super().get_queryset(request)
        return rows.defer("lines", "reading", *OF_PHASE)

    def get_fields(self, request: HttpRequest, obj: OrderSet | None = None) -> Any:
        """Show the orders, or say that they are hidden."""
        shown = obj is not None and disclosure.may_see_orders(
            user_of(request), obj.phase, now=now_of(request)
        )
        return [*self.facts, "orders" if shown else "hidden"]

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
        return utc_moment(order_set.received_at)

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
        return _placeholder(order_set.phase)


def _placeholder(phase: Phase) -> str:
    return HIDDEN if phase.status in UNFINISHED else HIDDEN_FROM_THEM
