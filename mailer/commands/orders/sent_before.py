"""Orders that somebody sent before and passes on, perhaps for a phase other than the open one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from games.errors import BadInput
from games.queries.board import phase_title
from games.queries.parsing.dates import find_days
from mailer.commands.orders.for_other_phases import heads_another
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import phrases, seasons

_DASH = re.compile(r"\s[-–—]")
_OF_ANOTHER_PHASE = (
    "The orders below “{}” were for another phase, and now it is {}. We followed none of them. If "
    "you still want some of them, send those in a new mail."
)
_SEASON = re.compile(rf"\b(?:{seasons.WORDS})\b", re.IGNORECASE)
_STEP = re.compile(r"\b[sfw]\d{4}[mra]\b", re.IGNORECASE)


def sent_for_another_phase(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders below the header of a mail for another phase, by its subject or because it was
    sent before the open phase began, each with the reason.

    The header alone, without a reason, if that mail was for the open phase.
    """
    open_now = str(view.position.phase)
    for piece in found:
        text = piece.line.text[: phrases.LONGEST_RULED]
        named = phrases.SUBJECT_OF_PHASE.match(text)
        if piece.province or not (named or phrases.SENT_LINE.match(text)):
            continue
        old = _is_for_another(_DASH.split(text)[0], open_now) if named else _is_before(text, view)
        why = _OF_ANOTHER_PHASE.format(text, phase_title(open_now)) if old else ""
        yield from ((one, why) for one in found if old and one.province and one.at > piece.at)
        yield piece, why


def _is_before(text: str, view: Viewpoint) -> bool:
    """Whether a mail was sent before the open phase began; its day may be that of another time
    zone.

    People who date orders "1 April 1901" write the year of the game, and mean no mail.
    """
    if view.since is None:
        return False
    with suppress(BadInput):
        days = find_days(text, view.since)
        if days is None or days[1].year == view.position.phase.year:
            return False
        return days[1] < view.since - dt.timedelta(days=1)
    return False


def _is_for_another(text: str, open_now: str) -> bool:
    """Whether a subject names another phase, or another step of the season, than the open one."""
    steps = [one.upper() for one in _STEP.findall(text)]
    if steps:
        return open_now not in steps
    if (is_another := heads_another(text, open_now)) is not None:
        return is_another
    named = {seasons.letter_of(one) for one in _SEASON.findall(text)}
    return bool(named) and open_now[0] not in named
