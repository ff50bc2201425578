"""What a page of the admin reports about itself, while it is made, for the staff's log."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from games.models import StaffEntry
from games.queue import Queue


class Look(NamedTuple):
    """What a page shows that nobody should read in passing."""

    what: StaffEntry.What
    about: str
    account: int | None = None
    """The number of the player it is about."""


def looked(request: HttpRequest, what: StaffEntry.What, about: str) -> None:
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
        looked(request, StaffEntry.What.ADDRESSES, "the moderators’ queue")
