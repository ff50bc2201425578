"""Keeps answers that say nothing about caching out of caches: pages of the staff, and refusals."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers

View = Callable[[HttpRequest], HttpResponseBase]


def uncached(view: View) -> View:
    """Forbid caching of each answer that says nothing about it.

    Without a word from us, caches follow rules of thumb, and may show a 404 long after its page
    exists (RFC 9111, 4.2.2).
    """

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = view(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answered
