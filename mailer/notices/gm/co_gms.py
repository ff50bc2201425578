"""Somebody begins or ceases to run a game beside its GM: we tell them and nobody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User

from games.events import CoGMAdded, CoGMRemoved, GameHandedOver
from games.models import Event
from games.queries.access.roles import masters, plays_in
from mailer.notices.news import News
from mailer.notices.notice import Notice, about, gm_hint
from mailer.outbound import addresses
from mailer.text import MARKER

ADDED = News("You run this game, too")
REMOVED = News("You no longer run this game")
GAVE_UP = News("You no longer run this game", template="game_given_up")


def tell_added(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell a co-GM or deputy what they may do now, and until when."""
    user = _user(CoGMAdded.of(event).user)
    if user is None:
        return []
    place = addresses.gm_address(user=user, game=event.game, now=event.created_at)
    mails = user in masters(event.game, event.created_at)
    body = ADDED.body(event, event.game.timezone, site=settings.SITE_URL, mails=mails)
    hint = gm_hint(event.game, plays=plays_in(user, event.game))
    return [_notice(event, user, ADDED, f"{MARKER}\n\n{body}\n{hint}", reply_to=place)]


def tell_removed(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell somebody that they no longer are one."""
    user = _user(CoGMRemoved.of(event).user)
    return [_notice(event, user, REMOVED, REMOVED.body(event, "UTC"))] if user else []


def gave_up(event: Event) -> Iterable[Notice]:
    """Tell a former GM that their game was handed over, since somebody else may have done it."""
    user = _user(GameHandedOver.of(event).before)
    if user is None or user in masters(event.game, event.created_at):
        return []
    return [_notice(event, user, GAVE_UP, GAVE_UP.body(event, "UTC"))]


def _user(key: int | None) -> User | None:
    users = User.objects.filter(is_active=True).exclude(email="")
    return users.filter(pk=key).first() if key else None


def _notice(event: Event, user: User, news: News, body: str, *, reply_to: str = "") -> Notice:
    return Notice(
        key=f"{event.kind}/{event.pk}/user",
        recipient=user.email,
        subject=about(event.game, news.subject(event)),
        body=body,
        reply_to=reply_to,
    )
