"""For the first page of the admin: times in the reader's zone, and the act that a game probably
needs."""

from __future__ import annotations

import datetime as dt
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from games.acts import GAME_ACTS
from games.queries.access.staff_names import staff_name
from games.queries.board import phase_title
from games.queries.reports.next_step import time_until
from games.queries.reports.own_games import GameCard
from games.queries.reports.wording import local_moment

register = template.Library()
register.filter(staff_name)


@register.simple_tag
def due_in(at: dt.datetime, now: dt.datetime, zone: str) -> SafeString:
    """Write how long it is until a deadline, and when it falls by the clocks of a zone."""
    when = local_moment(at, zone)
    if at <= now:
        return format_html("<strong>overdue</strong> since {}", when)
    return format_html("<strong>{}</strong> left, until {}", time_until(at, now), when)


register.filter("phase_title", phase_title)


@register.filter
def age(since: dt.datetime, now: dt.datetime) -> str:
    """Write how long something has been there: "for 3 hours", "since just now"."""
    if now - since < dt.timedelta(minutes=1):
        return "since just now"
    return f"for {timesince(since, now)}"


@register.simple_tag
def likely_act(card: GameCard) -> SafeString:
    """Write one button for what the game needs, if it needs anything."""
    name = next(iter(card.acts), "")
    if not name:
        return mark_safe("")
    is_first = name == card.step.acts[0]
    url = reverse("admin:games_game_act", args=[card.game.pk, name])
    query = f"?{urlencode(card.step.given)}" if is_first and card.step.given else ""
    return format_html(
        '<a class="button primary" href="{}{}">{}<span class="visually-hidden"> ({})</span></a>',
        url,
        query,
        (is_first and card.step.words) or GAME_ACTS[name].title,
        card.game.name,
    )
