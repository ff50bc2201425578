"""What the admin pages share: nothing is deleted, history is not edited, times are readable."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.durations import duration_text

if TYPE_CHECKING:
    Page = admin.ModelAdmin[Any]
    Table = admin.TabularInline[Any, Any]
    RowForm = forms.ModelForm[Any]
else:  # Django's own classes take no type parameters at run time
    Page, Table, RowForm = admin.ModelAdmin, admin.TabularInline, forms.ModelForm

NOTHING = "–"


class KeptForEver:
    """Rows that the admin never deletes."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: seats, orders and the log point at each other for ever."""
        return False


class ReadOnly(KeptForEver):
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a service makes these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: what has happened does not change."""
        return False


class ReadOnlyAdmin(ReadOnly, Page):
    """A page for looking only."""


class ReadOnlyInline(ReadOnly, Table):
    """A table for looking only."""

    extra = 0
    can_delete = False
    show_change_link = True


def moment(at: dt.datetime | None) -> str:
    """Write a time for the admin, in UTC as everything there: "Tue 3 Mar 2026 20:00"."""
    return f"{at:%a} {at.day} {at:%b %Y %H:%M}" if at else NOTHING


def countdown(due_at: dt.datetime | None, now: dt.datetime) -> str | SafeString:
    """Write a deadline with the time left; an overdue one stands out."""
    if due_at is None:
        return "no deadline"
    seconds = abs(int((due_at - now).total_seconds()))
    unit = 60 if seconds >= 60 else 1
    away = duration_text(dt.timedelta(seconds=seconds - seconds % unit))
    if due_at > now:
        return f"{moment(due_at)} (in {away})"
    return format_html("{} <strong>({} overdue)</strong>", moment(due_at), away)
