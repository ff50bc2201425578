"""Wakes the workers as soon as the staff have done something in the admin, as mails do.

Otherwise players would hear of it a tick later, and the staff would look and find nothing changed.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from mailer.workers.nudges import nudge

View = Callable[[HttpRequest], HttpResponseBase]


def nudge_after_acts(view: View) -> View:
    """Nudge the workers once the staff have done something and it is committed. We see that they
    did something when the answer to their form is another page's address."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = view(request)
        is_done = request.method == "POST" and response.status_code == HTTPStatus.FOUND
        if is_done and request.user.is_staff:
            nudge("process", "deadlines", "outbox")
        return response

    return answered
