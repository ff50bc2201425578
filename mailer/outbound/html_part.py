"""The HTML part of a mail: its text once more, laid out for eyes.

It is made only from the text, the buttons, and the pictures or a note that they are missing. So it
cannot say more than the text, or less, or anything else. It is plain ASCII in short lines, and
needs no encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

from atlas.tokens import COAST
from games.queries.reports.phase_in_short import WORKED
from mailer.outbound import styles
from mailer.outbound.buttons import Button, address, asked_for, beside, was_named
from mailer.outbound.headings import in_small_letters, names_in, title_and_rest, title_at
from mailer.outbound.layout import DUTY_HEADING, tie_units
from mailer.outbound.paragraphs import Paragraph, paragraphs
from mailer.text import GLUE, NUMBERED, WIDTH

_RESULT = re.compile(r"(.+?): ([a-z]+(?:, [a-z]+)*)(\.|(?= by ))( .*|$)")
_FAILURES = frozenset({"fails", "cut", "disrupted", "illegal", "invalid", "dislodged", "destroyed"})
_MACHINES = ":: "
TITLE = "The board"
_TITLE = re.compile(rf"{TITLE} (?:in|as|at) ")
_UNIT = re.compile(r"\b[AF](?: St)? (?=[A-Z])")
_SLASH = re.compile(r"(?<=[^/:])/(?=.)")
_TO = re.compile(rf"-{GLUE}\S+|\be-mails?\b|\b\w{{2,3}}(?:\([a-z]c\))?-\w{{2,3}}\b(?:\([a-z]c\))?")
_ARABIC_OR_HEBREW = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]+"
_FROM_THE_RIGHT = re.compile(rf"{_ARABIC_OR_HEBREW}(?:[ '’-]+{_ARABIC_OR_HEBREW})*")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as the HTML names it: by its Content-ID."""

    content_id: str
    width: int
    height: int
    alt: str
    caption: str
    before: tuple[str, ...]
    """It stands above the first of these headings that exists (TITLE: below the line that says
    which phase a board shows), or else at the end."""
    page: str = ""
    """The address of a larger picture, which a tap opens: on a phone the names in this one are five
    pixels high, and three on a large diagram."""
    link: str = ""
    """The words of the link to it."""


@dataclass(frozen=True, slots=True)
class Page:
    """The parts from which the HTML part is made."""

    subject: str
    body: str
    reply_to: str = ""
    buttons: Sequence[Button] = ()
    images: Sequence[Image] = ()
    no_images: Sequence[str] = ()
    """A text and an address at its end, in place of pictures that could not be drawn."""
    news: bool = False
    """Whether the text begins with a headline."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """The tint of each power of the game, by its name."""
    site: str = ""
    """The beginning of our own pages' addresses: these, and nobody else's, become links."""


def html_part(page: Page) -> str:
    """Return the HTML of a mail, in ASCII."""
    written = "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="supported-color-schemes" content="light dark">',
            f"<title>{escape(page.subject)}</title>\n<style>\n{styles.SHEET}\n</style>\n</head>",
            f'<body class="b" style="{styles.BODY}">',
            '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" '
            f'style="{styles.COLUMN}">\n'
            f'<tr><td class="b" lang="en" dir="ltr" style="{styles.CELL}">',
            *_blocks(page),
            "</td></tr>\n</table>\n</body>\n</html>\n",
        ]
    )
    return written.encode("ascii", "xmlcharrefreplace").decode()


def _blocks(page: Page) -> Iterator[str]:
    parts = list(paragraphs(page.body))
    names = names_in(page.subject, parts)
    places = _places(page.images, parts)
    title = title_at(parts, is_news=page.news)
    panel, buttons = False, [*page.buttons, *asked_for(page.body)]
    has_panel = any(one.lines == (DUTY_HEADING,) for one in parts)
    for at, one in enumerate(parts):
        if panel and one.kind == "heading":
            yield from _panel_end(page, buttons)
            panel, buttons = False, []
        elif one.kind == "heading" and not has_panel:
            asked = [button for button in buttons if was_named(button, parts[:at])]
            yield from _row(page, asked)
            buttons = [button for button in buttons if button not in asked]
        elif one.kind == "hint" and not has_panel:
            yield from _row(page, buttons)
            buttons = []
        yield from (_image(image) for image in places.get(at, ()))
        if one.lines == (DUTY_HEADING,):
            panel = True
            yield f'<div class="p" style="{styles.PANEL}">'
        if at != title:
            block = _block(one, page.colours, names)
        elif page.news:
            block = _headline(one, page.colours)
        else:
            block = _titled(one, page.colours, names)
        yield _link_pages(block, page.site)
        if not has_panel:
            near = beside(one, buttons, parts)
            yield from _row(page, near)
            buttons = [button for button in buttons if button not in near]
    yield from _panel_end(page, buttons) if panel else _row(page, buttons)
    yield from (_image(image) for image in places.get(len(parts), ()))
    if page.no_images:
        yield _note(*page.no_images)


def _note(text: str, address: str) -> str:
    link = f"\n{_address(address)}" if address else ""
    return f'<p class="q" style="{styles.SMALL}">{escape(text)}{link}</p>'


def _panel_end(page: Page, buttons: Sequence[Button]) -> Iterator[str]:
    """The end of the panel that says what to do: its buttons."""
    yield from _row(page, buttons)
    yield "</div>"


def _row(page: Page, buttons: Sequence[Button]) -> Iterator[str]:
    for button in buttons:
        where = address(button, to=page.reply_to, subject=page.subject) if page.reply_to else ""
        if where:
            yield (
                f'<p style="{styles.PARAGRAPH}"><a class="k" href="{escape(where)}"\n'
                f'style="{styles.BUTTON}">{escape(button.label)}</a></p>'
            )


def _places(images: Sequence[Image], parts: Sequence[Paragraph]) -> dict[int, list[Image]]:
    """The pictures by the number of the paragraph that they stand before."""
    headings = {one.lines[0]: at for at, one in enumerate(parts) if one.kind == "heading"}
    titled = (at for at, one in enumerate(parts, 1) if _TITLE.match(one.lines[0]))
    headings.setdefault(TITLE, next(titled, len(parts)))
    places: dict[int, list[Image]] = {}
    for image in images:
        at = next((headings[one] for one in image.before if one in headings), len(parts))
        places.setdefault(at, []).append(image)
    return places


def _image(image: Image) -> str:
    height = round(640 * image.height / image.width)
    picture = (
        f'<img class="l" src="cid:{image.content_id}" width="640" height="{height}"\n'
        f'alt="{escape(image.alt)}"\nstyle="{styles.PICTURE}">'
    )
    opens = f'<a href="{escape(image.page)}">{picture}</a>' if image.page else picture
    return (
        f'<p style="{styles.PARAGRAPH}">{opens}</p>\n'
        f'<p class="q" style="{styles.SMALL}">{escape(image.caption)}{_larger(image)}</p>'
    )


def _larger(image: Image) -> str:
    if not image.page:
        return ""
    return f" Too small?\n{_link(image.page, escape(image.link))}"


def _link(address: str, text: str) -> str:
    """A link with this HTML as its text."""
    return f'<a class="k" href="{escape(address)}"\nstyle="{styles.LINK}">{text}</a>'


def _link_pages(block: str, site: str) -> str:
    """The block with links to our pages: not every mail program adds them to HTML by itself."""
    if not site or f"{site}/" not in block:
        return block
    ours = rf"{re.escape(site)}/(?:[^\s<>&]*[\w/])?"
    return re.sub(ours, lambda found: _address(found[0]), block)


def _address(address: str) -> str:
    """A link that shows its address, which can break after a slash."""
    return _link(address, _SLASH.sub("/<wbr>", escape(address)))


def _headline(one: Paragraph, colours: Mapping[str, str]) -> str:
    """The news of results; the lines below it name the phase and game."""
    first, *others = one.lines
    news, more = title_and_rest(first, clauses=("; ", ": "))
    rest = "<br>\n".join(_line(line, colours) for line in others)
    text = f'\n<p style="{styles.PARAGRAPH}">{_text(more)}</p>' if more else ""
    below = f'\n<p class="q" style="{styles.SMALL}">{rest}</p>' if rest else ""
    return f"{_h1(news)}{text}{below}"


def _titled(one: Paragraph, colours: Mapping[str, str], names: Mapping[str, str]) -> str:
    """The mail's heading: a paragraph that is one already, or the first sentence of the news."""
    first, *others = one.lines
    if one.kind == "heading":
        return f'<h1 style="{styles.TITLE}">{escape(in_small_letters(first, names))}</h1>'
    sentence, rest = title_and_rest(first)
    below = tuple(line for line in (rest, *others) if line)
    text = f"\n{_block(Paragraph('lines', below), colours, names)}" if below else ""
    return f"{_h1(sentence)}{text}"


def _h1(sentence: str) -> str:
    style = styles.HEADLINE if len(sentence) <= styles.SHORT else styles.TITLE
    return f'<h1 style="{style}">{_text(sentence)}</h1>'


def _block(one: Paragraph, colours: Mapping[str, str], names: Mapping[str, str]) -> str:
    if one.kind == "heading":
        style = styles.PANEL_HEADING if one.lines == (DUTY_HEADING,) else styles.HEADING
        return f'<h2 style="{style}">{escape(in_small_letters(one.lines[0], names))}</h2>'
    if one.kind == "quoted":
        text = "<br>\n".join(map(_tied, one.lines))
        return f'<div class="l" dir="auto" style="{styles.QUOTED}">{text}</div>'
    if one.kind in ("marker", "hint") or one.lines[0].startswith(_MACHINES):
        style = styles.MACHINES if one.lines[0].startswith(_MACHINES) else styles.SMALL
        return f'<p class="q" style="{style}">{"<br>".join(map(_text, one.lines))}</p>'
    marks = [_mark(line, colours) for line in one.lines]
    if not any(marks):
        lines = "<br>".join(map(_text, one.lines))
        return f'<p style="{styles.PARAGRAPH}">{lines}</p>'
    styled = [f' style="{mark}"' if mark else "" for mark in marks]
    rows = (
        f"<div{style}>{_line(line, colours)}</div>"
        for line, style in zip(one.lines, styled, strict=True)
    )
    return f'<div style="{styles.PARAGRAPH}">{"".join(rows)}</div>'


def _mark(line: str, colours: Mapping[str, str]) -> str:
    """How far a line hangs, by the bullet or the power's colour at its beginning."""
    if line.startswith("- "):
        return styles.BULLET
    power, _, told = line.partition(": ")
    return styles.CHIP if told and power in colours else ""


def _line(line: str, colours: Mapping[str, str]) -> str:
    """A line: with the colour of the power it is about, or with the result of its order marked."""
    return _with_colour(line, colours.get(line.partition(": ")[0], ""))


@lru_cache(maxsize=1024)  # most lines of a result stand in the mails of all players: 0.4 ms a mail
def _with_colour(line: str, tint: str) -> str:
    power, _, told = line.partition(": ")
    if not tint or not told:
        return _text(line)
    chip = (
        f'<span style="background:{tint};border:1px solid {COAST};'
        'border-radius:3px">&#160;&#160;&#160;</span>&#160;'
    )
    return f"\n{chip}{escape(power)}: {_outcome(told)}"


def _outcome(text: str) -> str:
    result = _RESULT.fullmatch(text)
    words = frozenset(result[2].split(", ")) if result else frozenset()
    if result is None or not words <= WORKED | _FAILURES:
        return _text(text)
    name, style = ("g", styles.GOOD) if words <= WORKED else ("x", styles.BAD)
    marked = f'<span class="{name}" style="{style}">{result[2]}</span>'
    return f"{_text(result[1])}: {marked}{result[3]}{_text(result[4])}"


def _text(line: str) -> str:
    """Words of ours: a name in them that runs from the right leaves the number behind it there."""
    return _FROM_THE_RIGHT.sub(r'<span dir="rtl">\g<0></span>', _tied(line))


def _tied(line: str) -> str:
    """The words, tied together where we would not break them either, for programs that rewrap long
    lines."""
    if len(line) > WIDTH:
        line = tie_units(line)
    whole_units = _UNIT.sub(lambda found: found[0].replace(" ", GLUE), NUMBERED.sub(GLUE, line))
    # Browsers break a line after a hyphen: then the unbreakable blank would begin the next line.
    whole = _TO.sub(r'<span style="white-space:nowrap">\g<0></span>', escape(whole_units))
    return whole.replace(GLUE, "&#160;").replace(". ", ".\n")
