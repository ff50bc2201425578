"""What a browser gets when a page breaks: our fault, or a database that is away for a moment."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from diplomacy_server.discretion import causes
from games.queries.reports.drawing import NotDrawn
from games.services.sick_database import is_of_the_database

NO_PICTURE = "We could not draw this picture just now. Please try again in a minute."
RETRY_AFTER = 60
"""Seconds. A database that restarts is back by then."""


def unavailable_response(request: HttpRequest) -> HttpResponse:
    """Answer 503 when the database does not answer, when it takes no changes, and when a picture
    cannot be drawn, so that crawlers and caches come again; otherwise 500.

    Django calls it while it handles the error. Neither page needs the database.
    """
    error = sys.exc_info()[1]
    if isinstance(error, NotDrawn):
        page, kind = NO_PICTURE, "text/plain"
    elif any(map(is_of_the_database, causes(error))):
        page, kind = render_to_string("503.html"), "text/html"
    else:
        return server_error(request)
    later = {"Retry-After": str(RETRY_AFTER)}
    return HttpResponse(page, status=503, headers=later, content_type=kind)
