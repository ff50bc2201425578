"""Whether a line of a mail stands under a condition: between IF and ENDIF."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_MARK = says(r"\W*(?:(?P<in>(?P<opens>if)|els?e?\s*if|else|otherwise)|end\s*if)\b")


def in_block(lines: Sequence[Line], at: int) -> bool:
    """Whether a line stands between an IF and the ENDIF that belongs to it."""
    above = (one for line in reversed(lines[:at]) if (one := _MARK.match(line.text)))
    below = (one for line in lines[at + 1 :] if (one := _MARK.match(line.text)))
    opened, closed = next(above, None), next(below, None)
    return bool(opened and opened["in"] and closed and not closed["opens"])
