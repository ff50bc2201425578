"""Conditions in a mail: which orders count on the present board, and which depend on something that
we cannot decide.

After “If Germany attacks Burgundy:” we know that the orders below are not always wanted, but not
when they are. We follow none of them, and ask their writer.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from games.errors import BadInput
from games.queries import board
from games.queries.parsing.conditional_orders import deeper
from games.queries.parsing.conditions import HOW
from mailer.commands.orders.for_other_phases import phase_of_heading
from mailer.commands.orders.in_doubt import Doubted
from mailer.commands.orders.viewpoint import Viewpoint, pieces
from mailer.reading import doubts, phrases
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_IS_READY = says(r"ready[\s.!]*")
_BELOW = (
    "It stands below “{}”, so we do not follow it. To order it whatever happens, send it alone."
)
_READY_BELOW = (
    "It stands between IF and ENDIF, and READY cannot depend on the board, so it does not count. "
    "Write it below the ENDIF."
)
_INSTEAD = says(r"\W*(?:or )?(?:else|otherwise|failing that|if (?:that fails|not))\W*")
_A_CHOICE = (
    "“{}” leaves the choice to us, and we make none. Send only the orders that you want. To "
    "let the board decide, put a line such as IF Germany OWNS Munich above the first of them, and "
    "ENDIF below the last."
)
_OTHERWISE_BELOW = (
    "Below “{}” you order it otherwise, and we cannot decide that, so we follow neither."
)


def without_ready(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines without any READY between IF and ENDIF, and that READY."""
    ready = [one for one in lines if _IS_READY.fullmatch(one.text)]
    kept = [one for one in lines if one not in ready]
    return kept, [Doubted(one, _READY_BELOW) for one in ready]


def decide_conditions(
    lines: Sequence[Line], view: Viewpoint
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines whose conditions are met, and those that `decidable` casts doubt on.

    Raises BadInput with the reason if nothing above is clearly free of conditions.
    """
    above, doubted = decidable(_of_dislodged(lines, view), view)
    chosen = view.chosen(above)
    if doubted and not chosen:
        raise BadInput(doubted[0].why)
    return chosen, doubted


def decidable(lines: Sequence[Line], view: Viewpoint) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines above the first condition that we cannot decide; and then that condition with the
    orders it casts doubt on: those below it, and those above it for the same units.

    Raises BadInput with the reason if nobody can tell where the condition begins.
    """
    at = _first_undecided(lines, view)
    if at is None:
        return lines, ()
    heading, why = lines[at].text, _why(lines, at, view)
    if not doubts.HEADS_CONDITION.fullmatch(_condition_of(heading, view)):
        raise BadInput(why)  # it is an ENDIF without an IF
    end = _end_of_block(lines, at)
    inside = pieces(lines[at + 1 : end], view)
    below = [one for one in inside if one.province or " " in one.line.text]
    otherwise = {one.province: one.order for one in below if one.province}
    kept = list[Line]()
    doubted = [Doubted(lines[at], why)]
    for piece in pieces([*lines[:at], *lines[end:]], view):
        if piece.order == otherwise.get(piece.province, piece.order):
            kept.append(piece.line)
        else:
            doubted.append(Doubted(piece.line, _OTHERWISE_BELOW.format(heading)))
    doubted += [Doubted(one.line, _BELOW.format(heading)) for one in below]
    if end == len(lines):
        return kept, doubted
    kept_after, more = decidable(kept, view)
    return kept_after, [*doubted, *more]


def _end_of_block(lines: Sequence[Line], at: int) -> int:
    """The index after the ENDIF that closes the IF there; that of the end if no ENDIF does."""
    depth = 0
    for index in range(at, len(lines)):
        depth += deeper(lines[index].text) or 0
        if depth <= 0:
            return index + 1 if index > at else len(lines)
    return len(lines)


def _of_dislodged(lines: Sequence[Line], view: Viewpoint) -> Sequence[Line]:
    """The lines without "If dislodged": in a retreat phase only dislodged units are ordered."""
    if view.position.phase.step != "R":
        return lines
    texts = [(line, doubts.IF_DISLODGED.sub("", line.text)) for line in lines]
    return [dataclasses.replace(line, text=text) for line, text in texts if text]


def _why(lines: Sequence[Line], at: int, view: Viewpoint) -> str:
    if _INSTEAD.fullmatch(lines[at].text) and not any(deeper(one.text) == 1 for one in lines[:at]):
        return _A_CHOICE.format(lines[at].text.strip(" :,.;"))
    if view.readable(lines) == at:
        try:
            view.chosen(lines)
        except BadInput as error:
            return str(error)
    return f"That is not a condition that we can decide. {HOW}"


def _first_undecided(lines: Sequence[Line], view: Viewpoint) -> int | None:
    """The index of the first condition that we cannot decide, None if we can decide all."""
    end = view.readable(lines)
    heading = next(_headings(lines[:end], view), end)
    if heading < end and heading >= _last_order(lines, view):
        heading = end
    at = view.readable(lines[:heading])
    return at if at < len(lines) else None


def _headings(lines: Sequence[Line], view: Viewpoint) -> Iterator[int]:
    """The indexes of lines that say when the orders below are wanted, in words that are no
    condition of ours."""
    is_script, open_now = view.is_conditional(lines), str(view.position.phase)
    for at, line in enumerate(lines):
        text = _condition_of(line.text, view)
        match = doubts.HEADS_CONDITION.fullmatch(text)
        if match is None or (is_script and match["if"] and line.text.startswith(text)):
            continue
        if doubts.OF_NO_MATTER.fullmatch(text):
            continue
        if phase_of_heading(line.text, open_now) not in (open_now, ""):
            continue  # for another phase anyway
        if match["end"] or (_is_short(match["said"] or "") and _stands_above(lines, at)):
            yield at


def _condition_of(heading: str, view: Viewpoint) -> str:
    """A heading from its condition on, also after the power's own name: "if Ben agrees:" of
    "France, if Ben agrees:". Any other line is returned whole."""
    text = heading[: phrases.LONGEST_RULED]
    english = board.powers_in_english(text, view.position.variant.powers)
    own = re.match(rf"\W*{re.escape(view.power)}\b[\s,:(–—-]*", english, re.IGNORECASE)
    rest = doubts.condition_of(english[own.end() :]) if own else ""
    return rest if rest and doubts.HEADS_CONDITION.fullmatch(rest) else doubts.condition_of(text)


def _is_short(said: str) -> bool:
    """Whether a condition is not a sentence of its own, nor has its order after it."""
    return not (looks_like_order(said) or any(stop in said for stop in ",.;?!"))


def _stands_above(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is right above the next."""
    return at + 1 < len(lines) and lines[at + 1].number == lines[at].number + 1


def _last_order(lines: Sequence[Line], view: Viewpoint) -> int:
    """The index of the last order; -1 for none."""
    return max((piece.at for piece in pieces(lines, view) if piece.province), default=-1)
