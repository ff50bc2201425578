"""Which pages of the admin show what nobody should read in passing, and what the staff's log says.

A test walks through all pages of the admin and lists those that are not in the table here
(`tests/test_look_log.py`). Only looks show what is secret until a deadline; they write their own
entries, with a reason (`games.services.moderation.looks`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone

from games.models import Player, StaffEntry
from games.services.moderation.staff_log import look_note
from games.staff_request import Look, looks_of, user_of

What = StaffEntry.What
View = TypeVar("View", bound=Callable[..., Any])

SHOW_SECRETS: Mapping[str, tuple[What, str]] = {
    "games_player_changelist": (What.ADDRESSES, "the list of players"),
    "games_player_change": (What.ADDRESSES, "account {object_id}"),
    "games_player_act": (What.ADDRESSES, "account {object_id}"),
    "mailer_inboundmail_changelist": (What.ADDRESSES, "the list of mails that came"),
    "mailer_inboundmail_change": (What.ADDRESSES, "mail #{object_id} that came"),
    "mailer_inboundmail_history": (What.ADDRESSES, "mail #{object_id} that came"),
    "mailer_inboundmail_look": (What.ADDRESSES, "mail #{object_id} that came"),
    "mailer_outboundmail_changelist": (What.ADDRESSES, "the list of our mails"),
    "mailer_outboundmail_change": (What.ADDRESSES, "mail #{object_id} of ours"),
    "mailer_outboundmail_history": (What.ADDRESSES, "mail #{object_id} of ours"),
    "mailer_outboundmail_look": (What.ADDRESSES, "mail #{object_id} of ours"),
}
"""Pages that always show a secret: what it is, and the log's word for it."""


def notes_looks(view: View) -> View:
    """Return the page; if it shows a secret, enter in the staff's log who saw it. Write the entry
    before the page leaves, unless we refuse the page."""

    @functools.wraps(view)
    def seen(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        reader = user_of(request)  # after signing out the request has no user
        answer = view(request, *args, **kwargs)
        if answer.status_code == 200:
            _note(request, reader)
        return answer

    return cast(View, seen)


def _note(request: HttpRequest, user: User) -> None:
    now = timezone.now()
    for one in [*looks_of(request), *_always(request)]:
        player = Player.objects.filter(pk=one.account).first() if one.account else None
        look_note(
            what=one.what,
            about=one.about,
            user=user,
            player=player,
            now=now,
        )


def _always(request: HttpRequest) -> Iterable[Look]:
    """Return what the page always shows, whatever its content."""
    found = request.resolver_match
    name = (found.url_name if found else None) or ""
    if found is None or name not in SHOW_SECRETS:
        return
    what, about = SHOW_SECRETS[name]
    key = str(found.kwargs.get("object_id", ""))
    is_player = name.startswith("games_player_") and key.isdecimal()
    yield Look(what, about.format(object_id=key), int(key) if is_player else None)
