"""Joins lines and groups of lines of a mail at once, because a result has a hundred of them; and
includes parts that several mails share.

A loop in a template looks up every line by name, which took a fifth of a phase's time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.template.loader import get_template

from games.queries.reports.wording import listed, opening

register = template.Library()
register.filter(opening)
register.filter(listed)


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


class _Shared(Node):
    def __init__(self, nodes: NodeList) -> None:
        self.nodelist = nodes

    def render(self, context: Context) -> str:
        return self.nodelist.render(context)


@register.tag
def share(parser: Parser, token: Token) -> Node:
    """Include another template, as if it were written here: `{% share "mail/result.txt" %}`.

    It does what `include` does, but finds the other template when this one is read, not for each
    mail. The two includes of a result took a third of its 28 µs.
    """
    _, name = token.split_contents()
    found: Any = get_template(name.strip('"'))
    return _Shared(found.template.nodelist)
