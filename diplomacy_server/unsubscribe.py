"""The page behind List-Unsubscribe: one click ends this kind of mail, and no other."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from mailer.models import Bulk
from mailer.outbound.ended_by_link import State, click, link_of
from pages.mailto import mail_with

HOW_BACK = {
    Bulk.OBSERVER: "OBSERVE {game}",
    Bulk.REMINDER: "SET REMINDERS DEFAULT",
    Bulk.OFFER: "STANDBY",
}
"""The command that starts these mails again."""


@csrf_exempt  # programs click, without a cookie (RFC 8058); the link itself is the secret
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, because mail scanners open every link; end it on POST, however often one
    comes."""
    link = link_of(token)
    if link is None:
        raise Http404
    now = timezone.now()
    done = request.method == "POST" and click(link, now=now)
    state = link.state(now)
    spent = state in (State.USED, State.OLD)
    line = "STOP" if spent else HOW_BACK[link.bulk].format(game=link.game.name)
    context = {
        "what": link.what,
        "line": line,
        "link": mail_with(line),
        "judge": settings.JUDGE_ADDRESS,
        "state": "done" if done else "already" if state is State.DONE else state.value,
    }
    return render(request, "unsubscribe.html", context, status=410 if spent else 200)
