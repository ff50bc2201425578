"""Refuses requests with a NUL in them: no browser sends one, and PostgreSQL cannot store it.

Forms refuse it by themselves. But a list's filter and a session's key are looked up just as they
came, and would end in an error of ours.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse


class NoNulMiddleware:
    """Answers such a request with the page that says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer any other request. Raises BadRequest."""
        asked = request.META.get("QUERY_STRING", "")
        if "%00" in asked or any("\0" in one for one in (asked, *request.COOKIES.values())):
            raise BadRequest("There is a NUL in it.")
        return self.get_response(request)
