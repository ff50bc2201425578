"""What all public pages have in common: they only read, are compressed, and are fetched again only
when they change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, set_response_etag
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

import atlas
from games.queries.halts import halt_now

View = Callable[..., HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may load: only our own files, and no script or style inside the page."""
_WITH_A_FORM = POLICY.replace("form-action 'none'", "form-action 'self'")
"""The same for a page whose form reloads it, and sends nothing anywhere else."""

REVALIDATED = "public, no-cache"
"""Browsers keep the page, and ask each time whether it has changed (by its ETag)."""
FOR_EVER = "public, max-age=31536000, immutable"
"""For an address that names its content: other content has another address."""

VERSION = "v"
"""The parameter that names the content of an address."""


def public_page(view: View) -> Callable[..., HttpResponseBase]:
    """Make a view a public page: GET and HEAD, ETag, compressed, with its content policy."""

    @wraps(view)
    def answered(request: HttpRequest, **named: str) -> HttpResponseBase:
        response = view(request, **named)
        response.headers.setdefault("Cache-Control", REVALIDATED)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        if response.status_code == 200:
            set_response_etag(response)
            etag = response.headers["ETag"]
            return get_conditional_response(request, etag=etag, response=response) or response
        return response

    page: Callable[..., HttpResponseBase] = require_safe(gzip_page(answered))
    return page


def render_form(template: str, context: dict[str, Any]) -> HttpResponse:
    """Return a page with a form that asks for this page again, filled in."""
    response = render_page(template, context)
    response.headers["Content-Security-Policy"] = _WITH_A_FORM
    return response


def render_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page. It does not see the request, so it is the same for somebody who is signed in
    as for everybody."""
    common = {
        "judge": settings.JUDGE_ADDRESS,
        "halt": halt_now(),
        "notice": settings.PAGES_NOTICE,
        "site": settings.SITE_URL,
    }
    return HttpResponse(render_to_string(template, {**common, **context}), status=status)


def kept_if_named(request: HttpRequest, response: HttpResponse, version: str) -> HttpResponse:
    """Let browsers keep the answer for ever if the address asked for names this version."""
    if version and request.GET.get(VERSION) == version:
        response.headers["Cache-Control"] = FOR_EVER
    return response


@cache
def edition() -> str:
    """Return a digest of the code that makes pages and pictures.

    It is part of every address that browsers keep for ever, so that what looks different has
    another address.
    """
    folders = [Path(atlas.__file__).parent, Path(__file__).parent]
    files = sorted(path for folder in folders for path in folder.rglob("*") if _is_ours(path))
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _is_ours(path: Path) -> bool:
    return path.is_file() and path.suffix in (".py", ".json", ".html")
