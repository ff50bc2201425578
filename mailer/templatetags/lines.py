"""Lines and groups of lines in a mail, put together at once, because a result has a hundred of
them.

A loop in a template looks up every line by name, which took a fifth of a phase's time.
"""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from games.queries.reports.wording import opening

register = template.Library()
register.filter(opening)


Group = str | Sequence[str]
"""A line, or several."""


@register.filter
def lines(groups: Sequence[Group]) -> str:
    """The groups, one below the other."""
    return "\n".join(map(_whole, groups))


@register.filter
def paragraphs(groups: Sequence[Group]) -> str:
    """The groups, with a blank line between each two."""
    return "\n\n".join(map(_whole, groups))


def _whole(group: Group) -> str:
    return group if isinstance(group, str) else "\n".join(group)
