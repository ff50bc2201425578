"""Units that hold as the one above them does: “A Bud ″”, “F Tri do.”.

Of any other order a ditto mark may repeat the verb alone, or where the unit goes, so we ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mailer.commands.orders.viewpoint import Viewpoint
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_LONGEST = 40
"""How many characters such a line may have."""
_DITTO = says(
    r"(?P<unit>[^\W\d_][\w .'’()/-]{1,28}?)\s*+[:,–-]?\s*"
    r"(?:[\"“”″〃]|['’′]{2}|\b(?:do\.|ditto|dito|idem|(?:the )?same)(?: (?:here|as above))?)"
    r"\s*[.!]*",
)


def with_holds_repeated(lines: Sequence[Line], view: Viewpoint) -> Sequence[Line]:
    """The lines, with a hold in place of a ditto mark right below one."""
    found: list[Line] = []
    for line in lines:
        match = _DITTO.fullmatch(line.text) if len(line.text) <= _LONGEST else None
        hold = f"{match['unit']} holds" if match else ""
        above = found[-1] if found and found[-1].number == line.number - 1 else None
        if hold and above and _is_hold(above.text, view) and _is_hold(hold, view):
            line = replace(line, text=hold)
        found.append(line)
    return found


def _is_hold(text: str, view: Viewpoint) -> bool:
    """Whether a text tells one unit, which can do so, to hold."""
    read = view.readings([text])
    holds = len(read) == 1 and str(read[0].order).endswith(" Holds")
    return holds and not (read[0].problem or read[0].guessed)
