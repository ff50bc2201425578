"""/healthz for load balancers and people, /metrics for Prometheus."""

from __future__ import annotations

import logging
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomacy_server.health import metrics, signs
from diplomacy_server.health.findings import fails, judge
from diplomacy_server.signin.addresses import hops

logger = logging.getLogger(__name__)

PLAIN = "text/plain; charset=utf-8"


class Answers:
    """What /healthz answers, for one process. Anybody may ask, so the log has a line for each
    change and not for each question."""

    def __init__(self) -> None:
        self.last = ""

    def answer(self, words: str, sentences: str) -> HttpResponse:
        """Answer with the names of what fails, or "ok" if nothing does; log the answer if it is
        new."""
        changed, self.last = words != self.last, words
        if changed and words:
            logger.error("/healthz answers FAILS: %s. %s", words, sentences)
        elif changed:
            logger.info("/healthz answers ok again")
        if not words:
            return HttpResponse("ok\n", content_type=PLAIN)
        failing = HttpResponse(f"FAILS: {words}\n", status=503, content_type=PLAIN)
        failing._has_been_logged = True  # type: ignore[attr-defined]  # or Django does, each minute
        return failing


answers = Answers()


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Say whether this process answers. It asks nothing else, so that a sick database does not get
    it killed."""
    return HttpResponse("ok\n", content_type=PLAIN)


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the server does its work; otherwise 503, with a word for what fails.

    Anybody may ask, so it names no mailbox and no number.
    """
    try:
        failing = fails(judge(signs.take(timezone.now())))
    except (DatabaseError, InterfaceError) as error:
        return answers.answer("database", f"It does not answer: {type(error).__name__}.")
    words = ", ".join(dict.fromkeys(finding.about for finding in failing))
    return answers.answer(words, " ".join(finding.sentence for finding in failing))


@require_safe
@never_cache
def for_prometheus(request: HttpRequest) -> HttpResponse:
    """Show the figures, but only to the addresses in METRICS_FROM; for all others there is no such
    page."""
    if not all(_may_read(address) for address in hops(request)):
        raise Http404
    page = metrics.text(signs.take(timezone.now()))
    return HttpResponse(page, content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read(address: str) -> bool:
    try:
        asking = ip_address(address)
    except ValueError:
        return False
    return any(asking in ip_network(known, strict=False) for known in settings.METRICS_FROM)
