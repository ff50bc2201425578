"""How templates write boards: chips of powers, moments, centres gained, links."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from atlas import colours_of, two_letters
from games.queries import board
from pages.mailto import mail_with

register = template.Library()


@register.simple_tag
def chip(power: str, variant: str) -> SafeString:
    """Return a power's mark, like that on its units: two letters on its colour."""
    fill, ink, line, letters = _looks(variant).get(power, ("#ffffff", "#000000", "#57503f", "?"))
    return format_html(
        '<svg class="chip" viewBox="0 0 26 18" aria-hidden="true"><rect x="1" y="1" width="24" '
        'height="16" rx="3" fill="{}" stroke="{}"/><text x="13" y="13.4" fill="{}">{}</text></svg>',
        fill,
        line,
        ink,
        letters,
    )


@register.simple_tag
def further_links() -> Sequence[tuple[str, str]]:
    """Return the addresses and names of the pages that a server shows besides the public ones."""
    links: Sequence[tuple[str, str]] = settings.PAGES_LINKS
    return links


@register.simple_tag
def moment(at: dt.datetime | None, words: str = "") -> SafeString | str:
    """Return a moment in UTC, which a script may show in the reader's own zone."""
    if at is None:
        return words
    utc = at.astimezone(dt.UTC)
    return format_html(
        '<time datetime="{}">{}</time>',
        f"{utc:%Y-%m-%dT%H:%MZ}",
        f"{utc:%a} {utc.day} {utc:%b %Y, %H:%M} UTC",
    )


@register.simple_tag
def join_mail(game: str) -> str:
    """Return the link to a mail that joins a game."""
    return mail_with(f"JOIN {game}")


@register.simple_tag
def takeover_mail(game: str, power: str) -> str:
    """Return the link to a mail that takes over a seat."""
    return mail_with(f"TAKEOVER {game} {power}")


@register.filter
def signed(number: int) -> str:
    """Return `+2`, `−1`, or nothing for no change."""
    if not number:
        return ""
    return f"+{number}" if number > 0 else f"−{-number}"


@lru_cache(maxsize=32)
def _looks(variant: str) -> dict[str, tuple[str, str, str, str]]:
    powers = board.variant_named(variant).powers
    letters, colours = two_letters(powers), colours_of(powers)
    return {
        power: (colours[power].unit, colours[power].ink, colours[power].line, letters[power])
        for power in powers
    }
