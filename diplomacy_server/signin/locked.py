"""The answer to somebody who tried too many passwords (django-axes asks for it)."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def lockout_response(request: HttpRequest, *_: object) -> HttpResponse:
    """Say what to do instead and, for programs, after how many seconds to try again: each attempt
    before that begins the wait again."""
    answer = render(request, "admin/locked.html", status=429)
    answer.headers["Retry-After"] = str(int(settings.AXES_COOLOFF_TIME.total_seconds()))
    return answer
