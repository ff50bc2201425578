"""Orders for later phases, as they are written: lines, some of them under a condition.

    IF I HOLD Burgundy AND Germany OWNS Munich
    A Burgundy - Munich
    ELSE IF ANYBODY HOLDS Burgundy
    A Paris Holds
    ELSE
    A Paris - Burgundy
    ENDIF
    WAIT

Blocks may be nested. Conditions are checked once, against the position with which the phase opens.
READY and WAIT are about the phase itself, and may have a condition, too. SAME means the orders of
the last movement phase before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from games.errors import BadInput
from games.queries import board
from games.queries.parsing.conditions import Condition, read_condition

Line = tuple[int, str]
"""The line's number in the mail, and its text."""

WINTERS_AHEAD = 6
"""How far ahead, in years, a script may order."""
MOST_LINES = 100

_IF = re.compile(r"(?P<other>else\s*|el)?if\b(?P<asked>.*)", re.I)
_THEN = re.compile(r"\bthen$", re.I)
_ELSE = re.compile(r"else[\s:.]*", re.I)
_ENDIF = re.compile(r"end\s*if[\s:.]*", re.I)
_SAME = re.compile(r"same[\s:,;.!]*", re.I)
_WORD = re.compile(r"(?P<word>ready|wait)[\s:,;.!]*", re.I)


@dataclass(frozen=True)
class _Branch:
    """A line IF, ELSE IF or ELSE (which has no condition), and what is below it."""

    said: str
    asked: Condition | None
    below: list[Line | _Choice] = field(default_factory=list)


@dataclass(frozen=True)
class _Choice:
    """An IF with its branches, of which the first that fits is taken."""

    number: int
    branches: list[_Branch]


@dataclass(frozen=True)
class Answer:
    """How a line IF or ELSE IF turned out: the line as written, and whether it was met."""

    said: str
    met: bool


@dataclass(frozen=True)
class Script:
    """Order lines with their conditions, read and ready to check.

    `orders` are all order lines, `words` all lines READY and WAIT, whatever their conditions.
    """

    orders: tuple[Line, ...]
    words: tuple[Line, ...]
    _block: list[Line | _Choice]

    def chosen(self, position: board.Position) -> tuple[Line, ...]:
        """Return the order lines that count in this position, top to bottom."""
        return tuple(one for one in _lines_chosen(self._block, position) if word_of(one[1]) is None)

    def word(self, position: board.Position) -> str | None:
        """Return READY or WAIT, whichever counts last in this position; None if neither does."""
        said = [word_of(text) for _, text in _lines_chosen(self._block, position)]
        return next((word for word in reversed(said) if word), None)

    def answers(self, position: board.Position) -> tuple[Answer, ...]:
        """Return the outcome of the conditions that had to be checked in this position."""
        return tuple(_answers(self._block, position))


def word_of(text: str) -> str | None:
    """Return READY or WAIT when the line is that word; None for any other line."""
    match = _WORD.fullmatch(text.strip())
    return match["word"].upper() if match else None


def is_same(text: str, step: board.Step) -> bool:
    """Say whether the line is SAME, in a step in which that has a meaning."""
    return step == "M" and bool(_SAME.fullmatch(text.strip()))


def deeper(text: str) -> int | None:
    """Say how much deeper in conditions the lines below this one stand: 1 for IF, 0 for ELSE IF and
    ELSE, -1 for ENDIF, None for any other line."""
    said = text.strip()
    if match := _IF.fullmatch(said):
        return 0 if match["other"] else 1
    if _ENDIF.fullmatch(said):
        return -1
    return 0 if _ELSE.fullmatch(said) else None


def require_few(lines: Sequence[object]) -> None:
    """Raise BadInput for more lines than anybody needs for a phase: each condition among them is
    tried."""
    if len(lines) > MOST_LINES:
        raise BadInput(f"Please send at most {MOST_LINES} lines for one phase.")


def read_lines(lines: Sequence[Line], *, variant: str, power: str, step: board.Step) -> Script:
    """Read a power's order lines for a phase of that step.

    Raises BadInput with a sentence that names the line when a condition cannot be understood, or
    an IF, ELSE or ENDIF has no partner, or there are too many lines.
    """
    require_few(lines)
    read = partial(read_condition, variant=variant, power=power, step=step)
    top: list[Line | _Choice] = []
    open_ifs, plain = list[_Choice](), list[Line]()
    for number, text in lines:
        said = text.strip()
        block = open_ifs[-1].branches[-1].below if open_ifs else top
        if (match := _IF.fullmatch(said)) and not match["other"]:
            open_ifs.append(_Choice(number, [_Branch(said, read(_condition_text(match)))]))
            block.append(open_ifs[-1])
        elif match or _ELSE.fullmatch(said):
            _branch(open_ifs, _Branch(said, read(_condition_text(match)) if match else None))
        elif _ENDIF.fullmatch(said):
            if not open_ifs:
                raise BadInput("An ENDIF needs an IF above it.")
            open_ifs.pop()
        elif said:
            plain.append((number, said))
            block.append((number, said))
    if open_ifs:
        raise BadInput(f"The IF in line {open_ifs[-1].number} has no ENDIF. Please write one.")
    return Script(
        orders=tuple(line for line in plain if word_of(line[1]) is None),
        words=tuple(line for line in plain if word_of(line[1])),
        _block=top,
    )


def are_conditional(lines: Sequence[Line], *, variant: str, power: str, step: board.Step) -> bool:
    """Say whether some of the lines have a condition, or are meant to.

    A mere "if" is not enough: it takes a condition that can be read, or an ELSE or ENDIF.
    """
    said = [text.strip() for _, text in lines]
    if any(_ELSE.fullmatch(text) or _ENDIF.fullmatch(text) for text in said):
        return True
    asked = [_condition_text(match) for match in map(_IF.fullmatch, said) if match]
    return any(_is_condition(text, variant, power, step) for text in asked)


def _condition_text(match: re.Match[str]) -> str:
    """The text between IF and the end of its line, without a THEN and full stops."""
    return _THEN.sub("", match["asked"].rstrip(" \t:,;.")).strip()


def _is_condition(text: str, variant: str, power: str, step: board.Step) -> bool:
    try:
        read_condition(text, variant=variant, power=power, step=step)
    except BadInput:
        return False
    return True


def _branch(open_ifs: Sequence[_Choice], another: _Branch) -> None:
    """Begin another branch of the innermost IF."""
    if not open_ifs or open_ifs[-1].branches[-1].asked is None:
        raise BadInput(f"“{another.said}” needs an IF above it.")
    open_ifs[-1].branches.append(another)


def _lines_chosen(block: Sequence[Line | _Choice], position: board.Position) -> list[Line]:
    lines: list[Line] = []
    for one in block:
        if isinstance(one, _Choice):
            taken = _branch_taken(one, position)
            lines += _lines_chosen(taken.below, position) if taken else []
        else:
            lines.append(one)
    return lines


def _answers(block: Sequence[Line | _Choice], position: board.Position) -> Iterator[Answer]:
    for choice in block:
        if not isinstance(choice, _Choice):
            continue
        taken = _branch_taken(choice, position)
        for branch in choice.branches:
            if branch.asked is not None:
                yield Answer(branch.said, branch is taken)
            if branch is taken:
                yield from _answers(branch.below, position)
                break


def _branch_taken(choice: _Choice, position: board.Position) -> _Branch | None:
    """The first branch that fits; None if none does and there is no ELSE."""
    fits = (one for one in choice.branches if one.asked is None or one.asked(position))
    return next(fits, None)


def check_distance(name: str, now: str, variant: str) -> None:
    """Make sure that a phase is still to come, and not too far off. Raises BadInput."""
    title = board.phase_title(name)
    if not board.is_before(now, name):
        raise BadInput(f"{title} is already over: now it is {board.phase_title(now)}.")
    coming = board.phases_after(variant, now, winters=WINTERS_AHEAD)
    if board.is_before(coming[-1], name):
        last = board.phase_title(coming[-1])
        raise BadInput(f"{title} is too far off: orders are kept for phases up to {last}.")
    if name not in coming:
        alike = [one for one in coming if (one[0], one[-1]) == (name[0], name[-1])]
        meant = next((one for one in alike if board.is_before(name, one)), alike[-1])
        raise BadInput(
            f"This game has no {title}. Write PHASE {meant} for {board.phase_title(meant)}."
        )
