"""For long lists in the admin: on a phone each row becomes a card, on which each value has a
label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.template.defaultfilters import capfirst
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

CELL = "<td"
NOTHING = (">–</td>", ">-</td>")
"""The end tag that marks an empty cell."""


@register.filter
def labelled(cells: Iterable[str], headers: Iterable[Mapping[str, Any]]) -> list[SafeString]:
    """Return a row's cells, each with the heading of its column as `data-label`, which the style
    shows if there is no room for a table.

    A cell under a picture gets no label. Empty cells are marked, so that a card can leave them out.
    """
    pairs = zip(cells, headers, strict=False)
    return [_label_cell(cell, str(header["text"])) for cell, header in pairs]


def _label_cell(cell: str, heading: str) -> SafeString:
    if not cell.startswith(CELL) or "<" in heading:
        return mark_safe(cell)
    label = f'data-label="{escape(capfirst(heading))}"'
    marks = f"{label} data-nothing" if cell.endswith(NOTHING) else label
    return mark_safe(f"{CELL} {marks}{cell.removeprefix(CELL)}")
