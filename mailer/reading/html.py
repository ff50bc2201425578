"""Turns a mail that is only HTML into the text that its reader sees.

Quotes are marked by `>`, the lines of signatures by a sign of our own (`phrases.SIGNED`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from inscriptis import Inscriptis
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.model.config import ParserConfig
from lxml import etree
from lxml.html import HtmlElement, document_fromstring

from mailer.reading import courtesies, phrases
from mailer.reading.patterns import says
from mailer.reading.struck import is_struck, struck_classes
from mailer.reading.tables import are_too_wide

_UNSEEN = ("script", "style", "head", "title", "template", "object", "svg", "img", "noscript")
_HIDDEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|visibility\s*:\s*collapse|font-size\s*:\s*1px\s*(?:!|;|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,}px"
    r"|(?:font-size|max-height|opacity)\s*:\s*0[a-z%]*\s*(?:!|;|$))",
    re.IGNORECASE,
)
_NO_ROOM = re.compile(r"(?:^|;)\s*(?:height|width)\s*:\s*0[a-z%]*\s*(?:!|;|$)", re.IGNORECASE)
_CLIPPED = re.compile(r"overflow\s*:\s*hidden", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"(?:^|[\s_-])(?:\w*_)?signature(?:$|[\s_-])|AppleMailSignature", re.IGNORECASE
)
_INDENT = re.compile(
    r"border\s*:\s*(?:none|0)|border-(?:left|width)\s*:\s*(?:none|0)", re.IGNORECASE
)
# The arrows that Word makes of "-->" are letters of a symbol font.
_SYMBOL_FONT = re.compile(r"\b(wingdings|symbol)\b", re.IGNORECASE)
_SIGNS_OF = {
    "wingdings": str.maketrans({"à": "→", "è": "→", "ð": "→", "ß": "←", "ç": "←"}),
    "symbol": str.maketrans({"®": "→", "¬": "←"}),
}
# Word sets every line in a paragraph of its own, and no room between them.
_OF_WORD = re.compile(r"(?:^|[\s_])Mso")
_MARGIN = re.compile(r"(?:^|;)\s*margin(-top|-bottom)?\s*:\s*([^\s;!][^;!]*)", re.IGNORECASE)
_MOST_INDENTED = 20
_FARTHEST = 20
"""How many elements we look at for the heading of a quote."""
_LONGEST_BLOCK = 5_000
_HEADS_OWN = says(
    r"(?:(?:here|these) are |please (?:find|see|take) )?(?:my|our) (?:\w+ )?(?:orders|moves)\b"
    r"[^:：]{0,40}[:：]"
)
"""A heading of orders that are the writer's own: “My orders:”."""
_SPECIAL = etree.XPath(
    "//*[@style or @class or @id or @hidden or @face or self::s or self::strike or self::del]"
)
"""Finds elements that may be hidden, struck out, a signature or in a symbol font."""
_HEADING_ROWS = etree.XPath("//tr[th and not(*[not(self::th)])]")
_DEEPEST = 200
# Not allowed in XML.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONFIG = ParserConfig(css=STRICT_CSS_PROFILE, display_links=False, display_images=False)


@dataclasses.dataclass(frozen=True)
class HtmlText:
    """The visible text of an HTML mail, and whether struck-out words were left out."""

    text: str
    has_struck: bool = False


def read_html(html: str) -> HtmlText:
    """The visible text of an HTML mail; lines inside a blockquote begin with `> `.

    The text is empty if nothing can be read as HTML.
    """
    # lxml refuses decoded text that declares an encoding.
    source = _CONTROLS.sub("", html).strip()
    if source.startswith("<?xml"):
        source = source.partition("?>")[2]
    try:
        tree = document_fromstring(source)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return HtmlText("")
    if _too_deep(tree) or are_too_wide(tree):
        return HtmlText("\n".join(text.strip() for text in tree.itertext() if text.strip()))
    struck = struck_classes(tree)
    _drop(tree.iter(*_UNSEEN))
    _drop(tree.iter(etree.Comment, etree.ProcessingInstruction))
    special = _SPECIAL(tree)
    _drop(one for one in special if _is_hidden(one))
    _draw_signs(special)
    has_struck = _strike_out(tree, [one for one in special if is_struck(one, struck)])
    _show_ticks(tree)
    _drop(row for row in _HEADING_ROWS(tree) if _is_heading(row))
    _close_up(tree)
    for quote in _quotes(tree):
        _mark(quote, "> ")
    for signature in _outermost(one for one in special if _is_signature(one)):
        _mark(signature, phrases.SIGNED)
    return HtmlText(str(Inscriptis(tree, _CONFIG).get_text()), has_struck)


def _too_deep(tree: HtmlElement) -> bool:
    """Whether the elements are nested more deeply than a recursive reader can follow."""
    depth = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest > _DEEPEST


def _drop(elements: Iterable[HtmlElement]) -> None:
    for element in list(elements):
        element.drop_tree()


def _is_hidden(element: HtmlElement) -> bool:
    """Whether its reader cannot see it, like the preview text of newsletters."""
    style = element.get("style", "")
    clipped = bool(_NO_ROOM.search(style) and _CLIPPED.search(style))
    return "hidden" in element.attrib or clipped or bool(_HIDDEN.search(style))


def _draw_signs(special: Iterable[HtmlElement]) -> None:
    """Replace letters of symbol fonts by the signs that they show."""
    for element in _outermost(one for one in special if _font_of(one)):
        signs = _SIGNS_OF[_font_of(element)]
        for part in element.iter():
            part.text = (part.text or "").translate(signs)


def _font_of(element: HtmlElement) -> str:
    """The symbol font of an element; empty for any other font."""
    found = _SYMBOL_FONT.search(f"{element.get('style', '')} {element.get('face', '')}")
    return found[1].lower() if found else ""


def _show_ticks(tree: HtmlElement) -> None:
    """Replace the boxes of a list, ticked or not, by signs."""
    for box in tree.iter("input"):
        if box.get("type", "").lower() == "checkbox":
            box.tail = f"{'☑' if 'checked' in box.attrib else '☐'} {box.tail or ''}"


def _close_up(tree: HtmlElement) -> None:
    """Turn paragraphs without space between them into lines, and empty ones into blank lines."""
    for paragraph in tree.iter("p"):
        if not _is_line(paragraph):
            continue
        paragraph.tag = "div"
        text = paragraph.text_content()
        if "\xa0" in text and not text.strip():
            etree.SubElement(paragraph, "br")


def _is_line(paragraph: HtmlElement) -> bool:
    """Whether a paragraph has no room above or below it."""
    top = bottom = "0" if _OF_WORD.search(paragraph.get("class", "")) else ""
    for side, value in _MARGIN.findall(paragraph.get("style", "")):
        values = value.split()
        if side.lower() != "-bottom":
            top = values[0]
        if side.lower() != "-top":
            bottom = values[2] if len(values) > 2 else values[0]
    return top.startswith("0") and bottom.startswith("0")


def _outside_quotes(tree: HtmlElement) -> Iterator[HtmlElement]:
    """The elements that stand in no blockquote."""
    walk = etree.iterwalk(tree, events=("start",))
    for _, element in walk:
        if element.tag == "blockquote":
            walk.skip_subtree()
        else:
            yield element


def _strike_out(tree: HtmlElement, found: Iterable[HtmlElement]) -> bool:
    """Take out struck-out text, and say whether the writer, and not somebody quoted, struck out
    any."""
    struck = _outermost(found)
    among = set(struck)
    own = bool(struck) and any(
        one in among and one.text_content().strip() for one in _outside_quotes(tree)
    )
    _drop(one for one in struck if one.getparent() is not None)
    return own


def _is_heading(row: HtmlElement) -> bool:
    """Whether a row holds only headings, and so no order: "Unit", "From", "to"."""
    return not phrases.UNIT_AND_PLACE.search(row.text_content()[: phrases.LONGEST_RULED])


def _is_signature(element: HtmlElement) -> bool:
    return bool(
        _SIGNATURE.search(element.get("class", "")) or _SIGNATURE.search(element.get("id", ""))
    )


def _quotes(tree: HtmlElement) -> list[HtmlElement]:
    """The blockquotes that quote; others only indent, since mail programs have a button for that.

    A blockquote only indents if it has no border. In a mail without other orders, it also does so
    if nothing shows that it quotes, it is no letter, and no heading of a quote stands above it.
    """
    blocks = _outermost(tree.iter("blockquote"))
    quotes = [block for block in blocks if not _is_indent(block)]
    bare = [block for block in quotes if not block.attrib]
    if len(bare) > _MOST_INDENTED or not bare:
        return quotes
    outside = list(_texts_outside(tree))
    if any(phrases.UNIT_AND_PLACE.search(text[:1000]) for text in outside):
        return quotes
    is_below = any(map(str.strip, outside))
    indents = {one for one in bare if _quotes_nobody(one) and not _is_letter(one, below=is_below)}
    return [block for block in quotes if block not in indents]


def _is_indent(block: HtmlElement) -> bool:
    kind = f"{block.get('class', '')} {block.get('type', '')}".lower()
    if "webkit-indent" in kind:
        return True
    told = "quote" in kind or "cite" in kind or "cite" in block.attrib
    return not told and bool(_INDENT.search(block.get("style", "")))


def _texts_outside(tree: HtmlElement) -> Iterator[str]:
    """The texts that stand in no blockquote."""
    for one in _outside_quotes(tree):
        yield from (text for text in (one.text, *(child.tail for child in one)) if text)


def _quotes_nobody(block: HtmlElement) -> bool:
    """Whether nothing shows that it quotes: no quote in it, no marker of ours, no heading above."""
    if next(block.iterdescendants("blockquote"), None) is not None:
        return False
    above = _text_above(block).rstrip()
    last = above[-phrases.LONGEST_RULED :]
    is_heading = above[-1:] in (":", "：") and not _HEADS_OWN.fullmatch(last.strip())
    ends_so = is_heading or phrases.ORIGINAL.search(last)
    return not ends_so and not phrases.MARKER.search(block.text_content())


def _is_letter(block: HtmlElement, *, below: bool) -> bool:
    """Whether a block may be a pasted letter: it speaks to people and has no order, or it greets
    them `below` other words."""
    text = block.text_content().strip()[:_LONGEST_BLOCK]
    if below and courtesies.HAS_GREETED.match(f"{text[:100]} "):
        return True
    return bool(phrases.TALKS.search(text)) and not phrases.UNIT_AND_PLACE.search(text)


def _text_above(element: HtmlElement | None) -> str:
    """The nearest text not far before an element; "" without one."""
    for _ in range(_FARTHEST):
        if element is None:
            break
        above = element.getprevious()
        for _ in range(_FARTHEST):
            if above is None:
                break
            text = (above.tail or "").strip() or above.text_content().strip()
            if text:
                return str(text)
            above = above.getprevious()
        element = element.getparent()
        if element is not None and (element.text or "").strip():
            return str(element.text)
    return ""


def _outermost(elements: Iterable[HtmlElement]) -> list[HtmlElement]:
    """The elements that stand inside no other of them."""
    found = list(elements)
    known = set(found)
    return [one for one in found if known.isdisjoint(one.iterancestors())]


def _mark(block: HtmlElement, sign: str) -> None:
    """Replace a block by its own text, with the sign in front of each line."""
    tail, block.tail = block.tail, None
    text = Inscriptis(block, _CONFIG).get_text()
    marked = "\n".join(f"{sign}{line}".rstrip() for line in text.strip().splitlines())
    block.clear()
    block.tag = "pre"
    block.text = _CONTROLS.sub("", marked)  # &#1; and the like
    block.tail = tail
