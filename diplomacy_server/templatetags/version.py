"""`{% version %}` in a template: the version of the server that runs."""

from __future__ import annotations

from django import template

from diplomacy_server.version import VERSION

register = template.Library()


@register.simple_tag
def version() -> str:
    """Return the version, for example "0.2.0"."""
    return VERSION
