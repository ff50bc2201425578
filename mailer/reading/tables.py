"""Works out how much text a table of an HTML mail becomes with its cells side by side."""

from __future__ import annotations

import dataclasses

from lxml import etree
from lxml.html import HtmlElement

MOST_AREA = 4_000_000
"""In characters. Each line of a table is filled with blanks to the table's full width."""

_INLINE = frozenset(
    (
        *("a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "mark", "q"),
        *("s", "small", "span", "strong", "sub", "sup", "tt", "u", "wbr"),
    )
)


@dataclasses.dataclass
class _Table:
    """The part of a table seen so far: the width of each column, the current column, how many
    lines."""

    columns: list[int] = dataclasses.field(default_factory=lambda: [0])
    at: int = 0
    lines: int = 0

    @property
    def width(self) -> int:
        return sum(self.columns)

    def next_cell(self) -> None:
        self.at += 1
        if self.at >= len(self.columns):
            self.columns.append(0)

    def hold(self, width: int, lines: int) -> None:
        self.columns[self.at] = max(self.columns[self.at], width)
        self.lines += lines


def are_too_wide(tree: HtmlElement) -> bool:
    """Whether some table would become more than MOST_AREA characters of text."""
    tables: list[_Table] = []
    run = breaks = 0
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        is_start, tag = event == "start", element.tag
        if tag not in _INLINE and tables:
            tables[-1].hold(run, 1 + breaks)
            run = breaks = 0
        if tag == "table" and is_start:
            tables.append(_Table())
        elif tag == "table":
            done = tables.pop()
            if done.width * done.lines > MOST_AREA:
                return True
            if tables:
                tables[-1].hold(done.width, done.lines)
        elif tag == "tr" and is_start and tables:
            tables[-1].at = -1
        elif tag in ("td", "th") and is_start and tables:
            tables[-1].next_cell()
        text = (element.text if is_start else element.tail) or ""
        run, breaks = run + len(text), breaks + text.count("\n")
    return False
