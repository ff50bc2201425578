"""Several orders on one line: which of them count if one cannot be read.

If a piece of a line cannot be read, nothing of that line is followed: "A Mar xx A Par - Bur" is
hardly a move of Paris. Only a comma or semicolon between two whole orders separates them: in "A Mun
- Oz, A Par - Bur" Paris moves, in "A Mun, with A Par - Bur" it does not. Between two that begin
with their units a semicolon is enough: "A Mar dances; A Par - Bur".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from judge.text.vocabulary import CONDITIONS, EXPECTING, LETTERS, VERBS
from judge.text.words import Wording
from judge.text.written import AmbiguousName, Part, UnknownProvince, UnreadableOrder, Written


def part_of(
    wording: Wording, number: int, written: Written | UnreadableOrder, before: Wording | None
) -> Part:
    """Return the part of a line that has this wording, the next one after `before`; `written` is
    what was read there."""
    for_all = isinstance(written, Written) and written.unit is None
    readable = isinstance(written, Written | UnknownProvince | AmbiguousName)
    return Part(
        number,
        wording.behind in (",", ";"),
        readable and _is_whole(wording.words),
        not CONDITIONS.isdisjoint(wording.words),
        wording.words[0] in LETTERS and not for_all,
        wording.behind == ";" and (before is None or before.words[-1] not in EXPECTING),
        isinstance(written, Written) and not written.action,
        _is_headed(wording.text, written),
    )


def _is_headed(text: str, written: Written | UnreadableOrder) -> bool:
    """Tell whether what cannot be read stands before a colon: it is about what stands behind."""
    if isinstance(written, Written) or not written.piece:
        return False
    return 0 <= text.find(written.piece) < text.find(":")


def _is_whole(words: tuple[str, ...]) -> bool:
    """Tell whether a unit's letter comes first, then what it does, then a name."""
    if VERBS.get(words[0]) in ("build", "disband"):
        return True
    acts = any(word in VERBS for word in words[1:])
    last = words[-1]
    return words[0] in LETTERS and acts and last not in LETTERS and VERBS.get(last) != "move"


def refused_parts(parts: Iterable[Part], wrong: Set[int]) -> Set[int]:
    """Return the numbers of the parts that are not followed at all.

    `wrong` are the numbers of those in which something cannot be read.
    """
    parts = tuple(parts)
    by_number: Mapping[int, Part] = {part.number: part for part in parts}
    if any(by_number[number].conditional or by_number[number].headed for number in wrong):
        return by_number.keys()
    # "Keep A Mun, F Kie" names units, and does not disband them.
    refused = {*wrong, *(part.number for part in parts if wrong and part.names_only)}
    for number in wrong:
        before, here, following = (by_number.get(at) for at in (number - 1, number, number + 1))
        assert here, "what is wrong stands in one of the parts"
        if before and not ((here.apart and here.whole) or _are_two(before, here)):
            refused.add(number - 1)
        if following and not ((following.apart and here.whole) or _are_two(here, following)):
            refused.add(number + 1)
    return refused


def _are_two(first: Part, second: Part) -> bool:
    """Tell whether these parts are orders to two units, whatever becomes of either."""
    return second.starts_anew and first.for_unit and second.for_unit
