"""Finds struck-out words in an HTML mail: by their element, their style, or a class of the style
sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

_STRUCK = re.compile(r"text-decoration[a-z-]*\s*:[^;]*line-through", re.IGNORECASE)
_STRUCK_TAGS = frozenset(("s", "strike", "del"))
# ".c1" and "span.c1", but not ".c1 a": elements within others need a whole browser.
_CLASS = re.compile(r"\s*\w*\.([\w-]+)\s*")
_LONGEST_RULE = 2000
"""How many characters of a style sheet's rule we read."""


def struck_classes(tree: HtmlElement) -> frozenset[str]:
    """The classes that the mail's style sheet strikes out, as in text copied from a word processor:
    ".c1 {text-decoration: line-through}"."""
    return frozenset(
        name for sheet in tree.iter("style") for name in _classes(sheet.text_content())
    )


def _classes(sheet: str) -> Iterator[str]:
    for rule in sheet.split("}"):
        selectors, _, style = rule[:_LONGEST_RULE].rpartition("{")
        if _STRUCK.search(style):
            named = (_CLASS.fullmatch(one) for one in selectors.split(","))
            yield from (match[1] for match in named if match)


def is_struck(element: HtmlElement, classes: frozenset[str]) -> bool:
    """Whether an element is struck out; `classes` are those that strike out."""
    if element.tag in _STRUCK_TAGS or _STRUCK.search(element.get("style", "")):
        return True
    return not classes.isdisjoint(element.get("class", "").split())
