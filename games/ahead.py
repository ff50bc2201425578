"""Orders for later phases, as they are written: lines, some of them under a condition.

    IF I HOLD Burgundy AND Germany OWNS Munich
    A Burgundy - Munich
    ELSE IF ANYBODY HOLDS Burgundy
    A Paris Holds
    ELSE
    A Paris - Burgundy
    ENDIF

Blocks may stand within blocks. What holds is asked once, of the position the phase opens with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from games import board
from games.conditions import Condition, read_condition
from games.errors import BadInput

Line = tuple[int, str]
"""The line's number in the mail, and its text."""

FARTHEST_YEARS = 5
MOST_LINES = 100

_IF = re.compile(r"(?P<other>else\s*|el)?if\b\s*(?P<asked>.*?)\s*(?:\bthen\b)?[\s:,;.]*", re.I)
_ELSE = re.compile(r"else[\s:.]*", re.I)
_ENDIF = re.compile(r"end\s*if[\s:.]*", re.I)


@dataclass
class _Choice:
    """An IF with its branches: each a condition (None: ELSE) and what stands below it."""

    number: int
    branches: list[tuple[Condition | None, list[Line | _Choice]]] = field(default_factory=list)


@dataclass(frozen=True)
class Script:
    """Order lines with their conditions, read and ready to be asked.

    `orders` are all order lines, whatever their conditions.
    """

    orders: tuple[Line, ...]
    _block: list[Line | _Choice]

    def chosen(self, position: board.Position) -> tuple[Line, ...]:
        """Return the lines that count in this position, top to bottom."""
        return tuple(_chosen(self._block, position))


def read_lines(lines: Sequence[Line], *, variant: str, power: str, step: board.Step) -> Script:
    """Read a power's order lines for a phase of that step.

    Raises BadInput with a sentence that names the line when a condition cannot be understood, or
    an IF, ELSE or ENDIF has no partner, or there are too many lines.
    """
    if len(lines) > MOST_LINES:
        raise BadInput(f"Please send at most {MOST_LINES} lines for one phase.")
    top: list[Line | _Choice] = []
    blocks, open_ifs, orders = [top], list[_Choice](), list[Line]()
    for number, text in lines:
        said = text.strip()
        if match := _IF.fullmatch(said):
            condition = read_condition(match["asked"], variant=variant, power=power, step=step)
            if match["other"]:
                _branch(open_ifs, blocks, condition, said)
                continue
            choice = _Choice(number, [(condition, [])])
            blocks[-1].append(choice)
            open_ifs.append(choice)
            blocks.append(choice.branches[0][1])
        elif _ELSE.fullmatch(said):
            _branch(open_ifs, blocks, None, said)
        elif _ENDIF.fullmatch(said):
            if not open_ifs:
                raise BadInput("An ENDIF stands there without an IF above it.")
            open_ifs.pop()
            blocks.pop()
        elif said:
            orders.append((number, said))
            blocks[-1].append((number, said))
    if open_ifs:
        raise BadInput(f"The IF in line {open_ifs[-1].number} has no ENDIF. Please write one.")
    return Script(tuple(orders), top)


def _branch(
    open_ifs: list[_Choice],
    blocks: list[list[Line | _Choice]],
    condition: Condition | None,
    said: str,
) -> None:
    """Begin another branch of the innermost IF."""
    if not open_ifs or open_ifs[-1].branches[-1][0] is None:
        raise BadInput(f'"{said}" stands there without an IF above it that it belongs to.')
    open_ifs[-1].branches.append((condition, []))
    blocks[-1] = open_ifs[-1].branches[-1][1]


def _chosen(block: Sequence[Line | _Choice], position: board.Position) -> list[Line]:
    lines: list[Line] = []
    for one in block:
        if isinstance(one, _Choice):
            fits = (below for asked, below in one.branches if asked is None or asked(position))
            lines += _chosen(next(fits, []), position)
        else:
            lines.append(one)
    return lines


def check_distance(name: str, now: str) -> None:
    """See that a phase is yet to come and not too far off. Raises BadInput."""
    title = board.phase_title(name)
    if not board.is_before(now, name):
        raise BadInput(f"{title} is over already: now it is {board.phase_title(now)}.")
    if board.year_of(name) - board.year_of(now) > FARTHEST_YEARS:
        raise BadInput(f"{title} is too far off: orders are kept {FARTHEST_YEARS} years ahead.")
