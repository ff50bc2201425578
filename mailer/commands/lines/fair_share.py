"""How much of one mail we read as orders: more than anybody orders, and little enough that no mail
keeps the machine from all others."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.reading.quotes import Line

MOST_LINES = 200
MOST_LETTERS = 6000
"""A line that is no order may be read on every map, and takes a tenth of a second for each thousand
letters. The longest set of a big map, with thirty units, has 2,000."""


def fair_share(lines: Sequence[Line]) -> Sequence[Line]:
    """As many of the lines, from the first on, as we read, each whole; at least one."""
    letters = 0
    for at, line in enumerate(lines[:MOST_LINES]):
        letters += len(line.text)
        if at and letters > MOST_LETTERS:
            return lines[:at]
    return lines[:MOST_LINES]
