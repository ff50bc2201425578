"""Accounts for every line of a mail that was not read.

Nearly every mail has a quote below it, and many a signature. An order in it has not been read, and
if somebody meant it they must know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.queries.board import reads_as_order
from mailer.commands.player import WORDS
from mailer.commands.which_command import command_of
from mailer.letter import Ignored, Letter
from mailer.reading import kinds_of_line, phrases, quotes
from mailer.text import counted

_SHOWN_TEXT = 60
_MOST_SHOWN = 3
WRITE_ABOVE = "We do not read quotes and signatures. If you meant this, please write it above them."
_WHERE = {
    quotes.QUOTED: "quoted from another mail",
    quotes.ATTRIBUTION: "quoted from another mail",
    quotes.COURTESY: "a greeting",
    quotes.SIGNATURE: "a signature",
    quotes.FOOTER: "a footer",
}


def left_out(letter: Letter) -> list[str]:
    """What was not read, and why, one entry a line: quotes counted, other lines shown shortly, and
    in front whatever would have been an order or a command in the sender's own words."""
    commanding = list(_commanding(letter))
    others = [one for one in letter.ignored if one not in commanding]
    told = [*_shown(commanding), *_all(others)]
    told += [f"We did not read {thing}." for thing in letter.left_out]
    meant = ["", WRITE_ABOVE] if commanding else []
    return [*(f"- {sentence[:1].upper()}{sentence[1:]}" for sentence in told), *meant]


def _all(ignored: Sequence[Ignored]) -> Iterator[str]:
    quoted = sum(line.why in (quotes.QUOTED, quotes.ATTRIBUTION) for line in ignored)
    if quoted:
        yield f"{counted(quoted, 'line')} quoted from another mail."
    yield from _shown(line for line in ignored if line.why == quotes.COURTESY)
    others = (quotes.SIGNATURE, quotes.FOOTER)
    yield from _shown(line for line in ignored if line.why in others)


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


def _shown(lines: Iterable[Ignored]) -> list[str]:
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
