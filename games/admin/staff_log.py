"""The staff's log, for all moderators and operators to read, and to download."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path, reverse

from games.admin.base import ReadOnlyAdmin, note_look, now_of
from games.admin.lists import GameFilter
from games.models import StaffEntry
from games.queries.access import roles
from games.queries.reports.spreadsheet import FIRST, cell
from games.queries.reports.wording import utc_moment

COLUMNS = ("at", "by", "user", "what", "about", "why", "game", "account")
_ACCOUNT = re.compile(r"account (\d{1,9})", re.IGNORECASE)
"""Everything about a player: looks at their page, and what was done with their data."""


class UserFilter(admin.SimpleListFilter):
    """The staff by name: finding out who is in the log means reading all of it."""

    title = "who"
    parameter_name = "user"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        staff = User.objects.filter(is_staff=True).order_by("username")
        return [(str(one.pk), one.get_username()) for one in staff]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(user=value) if value and value.isdecimal() else queryset


@admin.register(StaffEntry)
class StaffEntryAdmin(ReadOnlyAdmin):
    """Who on the staff looked at secrets, and whose data they sent, downloaded or erased."""

    list_display = ["when", "who", "what", "about", "why"]
    list_filter = ["what", UserFilter, "at", ("game", GameFilter)]
    list_select_related = ["user"]
    search_fields = ["about__exact"]
    search_help_text = "Exactly what it was about, like account 12 or mail #34 that came"
    sortable_by = ["when"]
    ordering = ["-id"]
    fields = ["when", "who", "what", "about", "why", "game", "player"]
    readonly_fields = ["when", "who"]

    def has_view_permission(self, request: HttpRequest, obj: StaffEntry | None = None) -> bool:
        """Let moderators and operators read all of it, so that they keep an eye on each other."""
        return roles.may_moderate(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let in whoever may read its pages."""
        return self.has_view_permission(request)

    def title_of(self, row: Model) -> str:
        """Return "Entry in the staff’s log: account 7"."""
        assert isinstance(row, StaffEntry)
        return f"Entry in the staff’s log: {row.about}"

    def get_urls(self) -> list[URLPattern]:
        """Put the file beside the list."""
        view = self.admin_site.admin_view(self.csv_view)
        return [path("csv/", view, name="games_staffentry_csv"), *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, and a link to download it as a file."""
        file = f"{reverse('admin:games_staffentry_csv')}?{request.GET.urlencode()}"
        return super().changelist_view(request, {"file": file, **(extra_context or {})})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[StaffEntry], search_term: str
    ) -> tuple[QuerySet[StaffEntry], bool]:
        """Search the whole subject at once: the admin's own search would look for each word."""
        term = search_term.strip()
        account = _ACCOUNT.fullmatch(term)
        whose = Q(player=account[1]) if account else Q()
        return (queryset.filter(Q(about__iexact=term) | whose) if term else queryset), False

    def csv_view(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Hand out what the list shows, all pages of it, as a table (RFC 4180)."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        newest = StaffEntry.objects.first()
        try:
            shown = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters as error:
            raise BadRequest("These filters make no sense.") from error
        rows = shown.filter(pk__lte=newest.pk if newest else 0)  # without the entry of this look
        narrowed = ", narrowed down" if request.GET else ""
        note_look(request, StaffEntry.What.LOG, f"the staff’s log{narrowed}")
        answer = StreamingHttpResponse(_lines(rows), content_type="text/csv; charset=utf-8")
        name = f"staff-log-{now_of(request):%Y-%m-%d}.csv"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    @admin.display(description="when", ordering="id")
    def when(self, entry: StaffEntry) -> str:
        return utc_moment(entry.at)

    @admin.display(description="who")
    def who(self, entry: StaffEntry) -> str:
        return _who(entry)


def _who(entry: StaffEntry) -> str:
    """Name them by the name that players know, and by their user name if that differs."""
    name = entry.user.get_username() if entry.user else ""
    return f"{entry.by} ({name})" if name and name != entry.by else entry.by


def _lines(entries: QuerySet[StaffEntry]) -> Iterator[str]:
    yield FIRST + _line(COLUMNS)
    for one in entries.select_related("user", "game").iterator(chunk_size=500):
        name = one.user.get_username() if one.user else ""
        game, account = one.game.name if one.game else "", str(one.player_id or "")
        at = one.at.isoformat(timespec="seconds")
        yield _line((at, one.by, name, one.what, one.about, one.why, game, account))


def _line(cells: tuple[str, ...]) -> str:
    written = io.StringIO()
    csv.writer(written).writerow([cell(one) for one in cells])
    return written.getvalue()
