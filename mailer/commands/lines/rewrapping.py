"""Puts together lines that a mail program broke between two words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mailer.reading.quotes import Line

_NARROWEST, _WIDEST = 66, 80
"""Where programs break lines: none is longer than the second number, and with the next word each
would reach at least the first."""
_MOST_BROKEN = 12
"""How many lines we put together at most."""
_ENDS_SENTENCE = (*".!?:;…",)


def rejoin_wrapped(lines: Sequence[Line]) -> dict[Line, frozenset[int]]:
    """The lines, each with the numbers of the lines that it was before a mail program broke it
    between two words."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.number):
        if groups and _goes_on(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return {
        replace(group[0], text=" ".join(line.text for line in group)): frozenset(
            line.number for line in group
        )
        for group in groups
    }


def _goes_on(above: Sequence[Line], line: Line) -> bool:
    """Whether a line goes on from those above: the last of them was full and ends no sentence."""
    last, first = above[-1], line.text.split(maxsplit=1)[:1]
    if (
        not (first and last.text)
        or line.bullet
        or line.number != last.number + 1
        or len(above) == _MOST_BROKEN
    ):
        return False
    is_full = len(last.text) <= _WIDEST and len(f"{last.text} {first[0]}") >= _NARROWEST
    return is_full and not last.text.endswith(_ENDS_SENTENCE)
