"""Accounts for every line of a mail that we did not read.

Nearly every mail has a quote below it, and many have a signature. We have not read any orders in
these, and if somebody meant one they must know. A quote that a program put there, without an order,
needs no mention.
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
"""How many characters of a line we show."""
_MOST_SHOWN = 3
"""How many of the lines left out we show."""
_MOST_READ = 100
"""How many of them we try to read as orders, which takes long; the rest are only counted among the
others, whatever they look like."""
HEADING = "What we left out of your mail:"
WRITE_ABOVE = "We do not read quotes and signatures. If you meant this, please write it above them."
_QUOTES = (quotes.QUOTED, quotes.ATTRIBUTION)
_WHERE = {
    quotes.QUOTED: "quoted from another mail",
    quotes.ATTRIBUTION: "quoted from another mail",
    quotes.COURTESY: "a greeting or heading",
    quotes.SIGNATURE: "a signature",
    quotes.FOOTER: "a footer",
}


def left_out(letter: Letter) -> list[str]:
    """What we did not read, and why: one sentence if nobody will miss it.

    Otherwise an entry a line; first come those that would have been an order or a command in the
    sender's own words.
    """
    commanding = list(_commanding(letter))
    unread = [f"We did not read {thing}." for thing in letter.left_out]
    in_short = not (commanding or unread)
    unsaid = [*commanding, *(_quote_below(letter) if in_short else ())]
    others = _counts([one for one in letter.ignored if one not in unsaid])
    if in_short:
        return [f"Left out of your mail: {listed(others)}."] if others else []
    told = [*_first_lines(commanding), *(f"{one}." for one in others), *unread]
    meant = ["", WRITE_ABOVE] if commanding else []
    return [HEADING, "", *(f"- {one[:1].upper()}{one[1:]}" for one in told), *meant]


def _quote_below(letter: Letter) -> list[Ignored]:
    """The lines of a quote that nobody will miss.

    A program put it below the sender's own words, with a heading, or with our marker in it, and a
    sign before each line. Between lines without signs, as Outlook quotes, there may be an answer.
    """
    quote = [one for one in letter.ignored if one.why in _QUOTES]
    own = max((line.number for line in letter.lines), default=0)
    is_below = 0 < own < min((one.number for one in quote), default=0)
    quoted = [one.text for one in quote if one.why == quotes.QUOTED]
    is_marked = all(text.startswith((">", quotes.FOR_PROGRAMS)) for text in quoted)
    is_headed = len(quoted) < len(quote) or any(map(_has_marker, quoted))
    return quote if is_below and quoted and is_marked and is_headed else []


def _has_marker(text: str) -> bool:
    return phrases.MARKER.search(text[: phrases.LONGEST_RULED]) is not None


def _counts(ignored: Sequence[Ignored]) -> list[str]:
    """`3 quoted lines`, `a signature (“Ana”)`: the lines left out for each reason."""
    quoted = sum(line.why in _QUOTES for line in ignored)
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
    """The lines that would have been an order or a command among the sender's own words.

    Not those that stand there, too, nor those of a mail of ours: none of its lines is an order, but
    a mail program may have broken one in two.
    """
    own = {line.text.lower() for line in letter.lines}
    ours, read = False, 0
    for line in letter.ignored:
        is_marked = line.text.startswith(">")
        ours |= is_marked and _has_marker(line.text)
        text = line.text.lstrip("> |").strip()
        if line.why == quotes.COURTESY or (ours and is_marked) or text.lower() in own:
            continue
        short = text[: phrases.LONGEST_RULED]
        is_like = read < _MOST_READ and kinds_of_line.looks_like_order(short)
        read += is_like
        if (is_like and reads_as_order(short)) or _is_command(text):
            yield line


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
