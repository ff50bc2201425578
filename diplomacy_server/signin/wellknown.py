"""The files that robots and security researchers ask every site for."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

PLAIN = "text/plain; charset=utf-8"
VALID = dt.timedelta(days=180)
ROBOTS = """User-agent: *
Disallow: /admin/
Disallow: /mail/
Disallow: /write/
Disallow: /players/
Disallow: /calendar/
Disallow: /unsubscribe/
"""


@require_safe
@cache_control(max_age=86400)
def robots(request: HttpRequest) -> HttpResponse:
    """Let robots find games, but not people, the admin or the demo's mail."""
    return HttpResponse(ROBOTS, content_type=PLAIN)


@require_safe
@cache_control(max_age=86400)
def security(request: HttpRequest) -> HttpResponse:
    """Answer as RFC 9116 says, for operators who set SECURITY_CONTACT."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + VALID).replace(microsecond=0)
    lines = [
        f"Contact: mailto:{settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
        "Preferred-Languages: en",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type=PLAIN)
