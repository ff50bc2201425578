"""What a page of the admin says of itself for the staff's log, while it is made."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from games.models import StaffEntry
from games.queue import Queue


class Look(NamedTuple):
    """What a page shows that is nobody's to read in passing."""

    what: StaffEntry.What
    about: str
    account: int | None = None
    """The number of the player whom it is about."""


def looked(request: HttpRequest, what: StaffEntry.What, about: str) -> None:
    """Have the staff's log say of this request what its page shows; the admin's site writes it."""
    looks_of(request).append(Look(what, about))


def looks_of(request: HttpRequest) -> list[Look]:
    """Return what pages have said of this request."""
    looks: list[Look] = vars(request).setdefault("_looks", [])
    return looks


def queue_looked_at(request: HttpRequest, cases: Queue) -> None:
    """Have the staff's log say so if the moderators' queue shows an address."""
    if cases.shows_addresses:
        looked(request, StaffEntry.What.ADDRESSES, "the moderators’ queue")
