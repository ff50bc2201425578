"""A mail's text taken apart by its blank lines, indents and soft breaks (`layout`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from mailer.outbound.layout import GM_HINT
from mailer.text import MARKER

_HEADING = re.compile(r"[A-Z][A-Z0-9 ,':()-]{3,}")
_QUOTED = ("  ", "> ")
"""How somebody's words begin in a notice, and in an answer that says what was passed on."""

Kind = Literal["marker", "heading", "lines", "quoted", "hint"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines between two blank lines, each whole again, without its indent."""

    kind: Kind
    lines: tuple[str, ...]


def paragraphs(body: str) -> Iterator[Paragraph]:
    """Yield the paragraphs of a mail's text."""
    for is_text, lines in groupby(_whole_lines(body), bool):
        if is_text:
            yield from _of_one_kind(list(lines))


def _whole_lines(body: str) -> Iterator[str]:
    """The lines, joined again where one was too long; the indent of the first is kept."""
    whole = ""
    for line in body.splitlines():
        whole += line.lstrip() if whole else line
        if not whole.endswith(" "):
            yield whole
            whole = ""
    if whole:
        yield whole.rstrip()


def _of_one_kind(lines: Sequence[str]) -> Iterator[Paragraph]:
    for is_quoted, some in groupby(lines, lambda line: line.startswith(_QUOTED)):
        group = tuple(line.strip() for line in some)
        yield Paragraph("quoted" if is_quoted else _kind(group), group)


def _kind(lines: Sequence[str]) -> Kind:
    if lines[0].startswith(GM_HINT):
        return "hint"
    if len(lines) > 1:
        return "lines"
    if lines[0] == MARKER:
        return "marker"
    return "heading" if _HEADING.fullmatch(lines[0]) else "lines"
