"""What a request for a staff page carries: who asks, when, and what the page reports for the
staff's log while it is made."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from games.models import StaffEntry
from games.queue import Queue


def user_of(request: HttpRequest) -> User:
    """Return the user, on pages that only users who are signed in can open."""
    assert isinstance(request.user, User), "nobody else is let in"
    return request.user


def now_of(request: HttpRequest) -> dt.datetime:
    """Return when the request came in: everything it asks for uses this reading of the clock."""
    came_at: dt.datetime = vars(request).setdefault("_came_at", timezone.now())
    return came_at


def pressed_while_signed_out(request: HttpRequest) -> HttpResponseRedirect:
    """Lead home somebody whom signing in has brought back to the address of a button."""
    messages.warning(
        request, "You had been signed out, so nothing was done. Please press the button again."
    )
    return HttpResponseRedirect(reverse("admin:index"))


class Look(NamedTuple):
    """What a page shows that nobody should read in passing."""

    what: StaffEntry.What
    about: str
    account: int | None = None
    """The number of the player it is about."""


def note_look(request: HttpRequest, what: StaffEntry.What, about: str) -> None:
    """Have the staff's log note what this request's page shows; the admin's site writes the
    entry."""
    looks_of(request).append(Look(what, about))


def looks_of(request: HttpRequest) -> list[Look]:
    """Return what pages have reported in this request."""
    looks: list[Look] = vars(request).setdefault("_looks", [])
    return looks


def queue_looked_at(request: HttpRequest, cases: Queue) -> None:
    """Have the staff's log note it if the moderators' queue shows an address."""
    if cases.shows_addresses:
        note_look(request, StaffEntry.What.ADDRESSES, "the moderators’ queue")
