"""For the first page of the admin: times in the reader's zone, and the likely act of a game."""

from __future__ import annotations

import datetime as dt

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.acts import GAME_ACTS
from games.queries.next_step import left
from games.queries.own_games import GameCard
from games.queries.wording import local_moment

register = template.Library()


@register.simple_tag
def due_in(at: dt.datetime, now: dt.datetime, zone: str) -> SafeString:
    """Write how long it is to a deadline, and when that is on the clocks of a zone."""
    when = local_moment(at, zone)
    if at <= now:
        return format_html("<strong>overdue</strong> since {}", when)
    return format_html("<strong>{}</strong> left, until {}", left(at, now), when)


@register.simple_tag
def likely_act(card: GameCard) -> SafeString:
    """Write the one button for what the game needs, if anything."""
    for name in card.acts[:1]:
        url = reverse("admin:games_game_act", args=[card.game.pk, name])
        title = GAME_ACTS[name].title
        return format_html(
            '<a class="button primary" href="{}">{}<span class="visually-hidden"> ({})</span></a>',
            url,
            title,
            card.game.name,
        )
    return mark_safe("")
