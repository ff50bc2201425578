"""What the admin pages share: nothing is deleted, history is not edited, GMs see only their own
games, nobody can filter for secrets, and times are readable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.lists import CappedPaginator, GameFilter, ReadableList
from games.queries.access import roles
from games.queries.reports.wording import NOTHING, local_moment
from games.staff_request import note_look as note_look
from games.staff_request import now_of as now_of
from games.staff_request import user_of as user_of
from games.timing.durations import duration_text, rounded_down

if TYPE_CHECKING:
    Page = admin.ModelAdmin[Any]
    Table = admin.TabularInline[Any, Any]
    RowForm = forms.ModelForm[Any]
else:  # Django's own classes take no type parameters at run time
    Page, Table, RowForm = admin.ModelAdmin, admin.TabularInline, forms.ModelForm


class KeptForEver:
    """Rows that the admin never deletes."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: seats, orders and the log point at each other for ever."""
        return False


class ReadOnly(KeptForEver):
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: only a service makes these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: what has happened does not change."""
        return False


class Findable(Page):
    """Rows found only by their keys, whatever else an address contains, under plain titles."""

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return the row. Django takes an empty `_to_field=` for the name of a field, and
        breaks."""
        return super().get_object(request, object_id, from_field or None)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list under a plain title instead of "Select … to change"."""
        plural = str(self.opts.verbose_name_plural)
        title = f"{plural[:1].upper()}{plural[1:]}"
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *given: Any, **more: Any
    ) -> HttpResponse:
        """Show a row under its own name, because "View phase" does not say which. It has no colons,
        as the acts' forms have none."""
        context["adminform"].form.label_suffix = ""
        if more.get("obj") is not None and context.get("subtitle"):
            context.update(title=self.title_of(more["obj"]), subtitle=None)
        return super().render_change_form(request, context, *given, **more)

    def title_of(self, row: Model) -> str:
        """Return the kind of a row and its name; the name may already begin with the kind, like
        "Player Ana"."""
        kind, name = str(self.opts.verbose_name), str(row)
        said = name if name.lower().startswith(kind) else f"{kind} {name}"
        return f"{said[:1].upper()}{said[1:]}"

    def get_changelist(self, request: HttpRequest, **more: Any) -> type[ReadableList]:
        """Return the kind of list."""
        return ReadableList


class Discreet(Findable):
    """A page whose rows can be filtered only by the filters that its list offers.

    Any other lookup answers yes or no, which gives away word by word what is not shown. We do not
    count how many rows each filter would leave: for that we would have to read all of them, once
    for each filter.
    """

    show_facets = admin.ShowFacets.NEVER
    empty_value_display = NOTHING

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only the list's own filters."""
        every: Iterable[Any] = self.get_list_filter(request)
        own = [getattr(one, "parameter_name", "") for one in every if isinstance(one, type)]
        filters = [one for one in every if not isinstance(one, type)]
        offered = [one if isinstance(one, str) else one[0] for one in filters]
        by_game = [one[0] for one in filters if not isinstance(one, str) and one[1] is GameFilter]
        if lookup in [*own, *(f"{path}__name__iexact" for path in by_game)]:
            return True
        fits = any(lookup == one or lookup.startswith(f"{one}__") for one in offered)
        return fits and super().lookup_allowed(lookup, value, request)


class OwnGames(Discreet):
    """Rows that belong to games: everybody finds those of the games that they may see.

    Lists, pages, histories, searches and rows to choose from all begin with this queryset.
    """

    path_to_game = "game"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out the games of others."""
        user, rows = user_of(request), super().get_queryset(request)
        if roles.is_operator(user) or roles.is_moderator(user):
            return rows
        return rows.filter(
            **{f"{self.path_to_game}__in": roles.games_for(user, now=now_of(request)).values("pk")}
        )


class OthersGames(OwnGames):
    """Rows that people who play in their game find only once the game is over."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out the games in which the visitor plays."""
        played = roles.games_played(user_of(request)).values("pk")
        return super().get_queryset(request).exclude(**{f"{self.path_to_game}__in": played})


class ReadOnlyAdmin(ReadOnly, Discreet):
    """A page only for looking; its list may be long."""

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50

    class Media:
        js = ("games/filter.js",)


class ReadOnlyInline(ReadOnly, Table):
    """A table only for looking."""

    template = "admin/games/rows.html"
    empty_value_display = NOTHING
    extra = 0
    can_delete = False

    @property
    def leads_on(self) -> bool:
        """Whether its rows have pages of their own."""
        return self.admin_site.is_registered(self.model)


def countdown(due_at: dt.datetime | None, now: dt.datetime, zone: str) -> str | SafeString:
    """Write a deadline on the clocks of a zone, with the time left; an overdue one stands out."""
    if due_at is None:
        return "no deadline"
    when = local_moment(due_at, zone)
    away_by = rounded_down(abs(due_at - now))
    if not away_by:
        return f"{when}, now"
    away = duration_text(away_by)
    if due_at > now:
        return f"{when}, in {away}"
    return format_html("{}, <strong>{} overdue</strong>", when, away)
