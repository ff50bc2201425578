"""Accounts for every line of a mail that was not read.

Nearly every mail has a quote below it, and many a signature. An order in it has not been read, and
if somebody meant it they must know.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.queries.board import reads_as_order
from games.queries.reports.wording import counted, listed
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import WORDS
from mailer.letter import Ignored, Letter
from mailer.reading import kinds_of_line, phrases, quotes

_WORD = re.compile(r"\w")
_SHOWN_TEXT = 60
"""Characters of a line that are shown."""
_MOST_SHOWN = 3
"""How many lines that were left out are shown."""
HEADING = "What we left out of your mail:"
WRITE_ABOVE = "We do not read quotes and signatures. If you meant this, please write it above them."
_WHERE = {
    quotes.QUOTED: "quoted from another mail",
    quotes.ATTRIBUTION: "quoted from another mail",
    quotes.COURTESY: "a greeting or heading",
    quotes.SIGNATURE: "a signature",
    quotes.FOOTER: "a footer",
}


def left_out(letter: Letter) -> list[str]:
    """What was not read, and why: one sentence if nobody will miss it.

    Otherwise an entry a line; in front stands whatever would have been an order or a command in the
    sender's own words.
    """
    commanding = list(_commanding(letter))
    others = _counts([one for one in letter.ignored if one not in commanding])
    unread = [f"We did not read {thing}." for thing in letter.left_out]
    if not (commanding or unread):
        return [f"Left out of your mail: {listed(others)}."] if others else []
    told = [*_first_lines(commanding), *(f"{one}." for one in others), *unread]
    meant = ["", WRITE_ABOVE] if commanding else []
    return [HEADING, "", *(f"- {one[:1].upper()}{one[1:]}" for one in told), *meant]


def _counts(ignored: Sequence[Ignored]) -> list[str]:
    """`3 quoted lines`, `a signature (“Ana”)`: the lines left out for each reason."""
    quoted = sum(line.why in (quotes.QUOTED, quotes.ATTRIBUTION) for line in ignored)
    told = [counted(quoted, "quoted line")] if quoted else []
    for why in (quotes.COURTESY, quotes.SIGNATURE, quotes.FOOTER):
        texts = [line.text for line in ignored if line.why == why and _WORD.search(line.text)]
        if texts:
            shown = [f"“{_short(text)}”" for text in texts[:_MOST_SHOWN]]
            more = len(texts) - len(shown)
            shown += [counted(more, "more line")] if more else []
            told.append(f"{_WHERE[why]} ({listed(shown)})")
    return told


def _commanding(letter: Letter) -> Iterator[Ignored]:
    """The lines that would have been an order or a command where the sender's own words stand.

    Not those that stand there, too, nor those of a mail of ours: none of its lines is an order, but
    a mail program may have broken one in two.
    """
    own = {line.text.lower() for line in letter.lines}
    ours = False
    for line in letter.ignored:
        is_marked = line.text.startswith(">")
        ours |= is_marked and bool(phrases.MARKER.search(line.text[: phrases.LONGEST_RULED]))
        text = line.text.lstrip("> |").strip()
        if line.why == quotes.COURTESY or (ours and is_marked) or text.lower() in own:
            continue
        if _is_order(text) or _is_command(text):
            yield line


def _is_order(text: str) -> bool:
    short = text[: phrases.LONGEST_RULED]
    return kinds_of_line.looks_like_order(short) and reads_as_order(short)


def _is_command(text: str) -> bool:
    """Whether a line is a command; a signature may have one of their words in it: Press Officer."""
    first, *rest = text.split(maxsplit=1) or [""]
    return (first.isupper() or not rest) and command_of(text, WORDS) is not None


def _first_lines(lines: Iterable[Ignored]) -> list[str]:
    """The first lines left out for each reason, with a count of the others."""
    lines = list(lines)
    shown = [f"“{_short(line.text)}”: {_why(line)}." for line in lines[:_MOST_SHOWN]]
    more = Counter(map(_why, lines[_MOST_SHOWN:]))
    return shown + [f"{counted(number, 'more line')}: {why}." for why, number in more.items()]


def _why(line: Ignored) -> str:
    return _WHERE.get(line.why, line.why)


def _short(text: str) -> str:
    text = text.lstrip("> ")
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…"
