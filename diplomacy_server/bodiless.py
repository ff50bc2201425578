"""Answers HEAD requests, such as monitors send, without a body.

Django leaves that to the web server, and some log a warning for each.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

View = Callable[[HttpRequest], HttpResponseBase]


def bodiless(view: View) -> View:
    """Drop the body from answers to HEAD. Their headers stay those of GET (RFC 9110, 9.3.2)."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = view(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            elif isinstance(response, HttpResponse):
                response.content = b""
        return response

    return answered
