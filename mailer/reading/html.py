"""A mail that is HTML only, as text: what the reader sees, with quotes marked by `>`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inscriptis import Inscriptis
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.model.config import ParserConfig
from lxml import etree
from lxml.html import HtmlElement, document_fromstring

from mailer.reading.tables import are_too_wide

_UNSEEN = ("script", "style", "head", "title", "template", "object", "svg", "img", "noscript")
_HIDDEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0[a-z%]*\s*(?:!|;|$))",
    re.IGNORECASE,
)
_DEEPEST = 200
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # no XML has them
_CONFIG = ParserConfig(css=STRICT_CSS_PROFILE, display_links=False, display_images=False)


def html_to_text(html: str) -> str:
    """The visible text of an HTML mail; lines inside a blockquote begin with `> `.

    Text that cannot be read as HTML at all gives an empty string.
    """
    # A declaration with an encoding makes lxml refuse text that is already decoded.
    source = _CONTROLS.sub("", html).strip()
    if source.startswith("<?xml"):
        source = source.partition("?>")[2]
    try:
        tree = document_fromstring(source)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return ""
    if _too_deep(tree) or are_too_wide(tree):
        return "\n".join(text.strip() for text in tree.itertext() if text.strip())
    _drop(tree.iter(*_UNSEEN))
    _drop(tree.iter(etree.Comment, etree.ProcessingInstruction))
    _drop(one for one in tree.iterdescendants() if _is_hidden(one))
    for quote in _outermost_quotes(tree):
        _mark(quote)
    return str(Inscriptis(tree, _CONFIG).get_text())


def _too_deep(tree: HtmlElement) -> bool:
    """Whether the elements nest deeper than a recursive reader could follow."""
    depth = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest > _DEEPEST


def _drop(elements: Iterable[HtmlElement]) -> None:
    for element in list(elements):
        element.drop_tree()


def _is_hidden(element: HtmlElement) -> bool:
    """Whether a reader does not see it, as the first lines that newsletters show in a list."""
    return "hidden" in element.attrib or bool(_HIDDEN.search(element.get("style", "")))


def _outermost_quotes(tree: HtmlElement) -> list[HtmlElement]:
    return [
        quote
        for quote in tree.iter("blockquote")
        if not any(above.tag == "blockquote" for above in quote.iterancestors())
    ]


def _mark(quote: HtmlElement) -> None:
    """Replaces a blockquote by its own text, each line with `> ` in front."""
    tail, quote.tail = quote.tail, None
    text = Inscriptis(quote, _CONFIG).get_text()
    marked = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
    quote.clear()
    quote.tag = "pre"
    quote.text = _CONTROLS.sub("", marked)  # &#1; and the like
    quote.tail = tail
