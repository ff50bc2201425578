"""Mails to the moderators, who look after games whose players are gone."""

from __future__ import annotations

from django.conf import settings

from games.models import Event
from games.queries.access.roles import masters, plays_in
from games.queries.access.run_by import moderators
from mailer.notices.notice import Notice, about

_QUEUE = "The moderators' queue shows what you can do about it:\n\n{}/admin/games/player/desk/"


def to_moderators(event: Event, *, subject: str, body: str) -> list[Notice]:
    """The same mail for every moderator who neither plays in the game nor runs it."""
    told = masters(event.game, event.created_at)
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/moderator/{user.pk}",
            recipient=user.email,
            subject=about(event.game, subject),
            body=f"{body.rstrip()}\n\n{_QUEUE.format(settings.SITE_URL)}\n",
        )
        for user in moderators()
        if user not in told and not plays_in(user, event.game)
    ]
