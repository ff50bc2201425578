"""Which commas, semicolons and slashes of a line end an order, and which stand inside one."""

from __future__ import annotations

from itertools import dropwhile, pairwise, takewhile

from judge.text.vocabulary import (
    AGAIN,
    ASIDES,
    CONDITIONS,
    COUNTS,
    COURTESIES,
    DOUBTING,
    EXPECTING,
    FOREIGN_CONDITIONS,
    HOLD_TOGETHER,
    LETTERS,
    SEA_WORDS,
    VERBS,
)

Token = tuple[str, int, int]
"""A word or sign, and where it begins and ends in the text."""
COASTS = {letter + end: f"/{letter}c" for letter in "nsew" for end in ("c", "cs")}
LONGEST_LIST = 200
"""We look at this many words after a comma to see whether it joins units: no board has so many."""
_TELLING = VERBS.keys() | CONDITIONS | FOREIGN_CONDITIONS | DOUBTING | {":", "?"}
"""Words that are not among the units of a list."""
_DONE_TOGETHER = HOLD_TOGETHER | {"support", "convoy", "c"}
"""What several units do; one “supports”."""
_PLURALS = frozenset(("armies", "fleets"))
_OWN = frozenset(("the", "my", "our"))


def separates(tokens: list[Token], at: int) -> bool:
    """Tell whether the sign ends an order; a slash does before the letter of the next unit.

    That unit has to be told something, which is not so in a list of units (A Vienna / F Trieste).
    """
    if tokens[at][0] != "/":
        return tokens[at][0] in (";", ",")
    if at and tokens[at - 1][0] in EXPECTING:
        return False
    after = (tokens[index][0] for index in range(at + 1, len(tokens)))
    letter, *words = [*takewhile(lambda word: word != "/", after), ""]
    return letter in LETTERS and any(word == "-" or word in VERBS for word in words)


def goes_on(tokens: list[Token]) -> bool:
    """Tell whether the words after a comma belong to the order before it: ", via convoy", and ",
    it goes to Trieste" after its unit."""
    words = [token[0] for token in tokens]
    if not words:
        return False
    is_told = words[0] in AGAIN and VERBS.keys() & words[1:]
    return (
        bool(is_told) or words[0] in ("via", "by") or words[1:] == ["by"] or _is_coast_alone(words)
    )


def is_within(piece: list[Token], after: list[Token]) -> bool:
    """Tell whether a comma does not end an order, but joins two seas or two units of it. No more
    than `LONGEST_LIST` words `after` it are looked at."""
    within = (_is_in_route, _hold_together, _aids_too, _are_counted)
    return bool(piece) and any(is_so(piece, after) for is_so in within)


def _hold_together(piece: list[Token], after: list[Token]) -> bool:
    """Tell whether a comma stands between two units that hold: "Holding: A Mun, A Ber", "A Mun, A
    Ber hold", or aid another one: "F Mao, F Lyo convoy A Gas - Tus"."""
    said = (token[0] for token in piece if token[0] not in COURTESIES)
    before = [*dropwhile(_OWN.__contains__, said)]
    if not before or (before[0] not in LETTERS and VERBS.get(before[0]) != "hold"):
        return False
    parts = _parts([token[0] for token in after if token[0] not in COURTESIES])
    if not parts[0]:
        return False
    if VERBS.get(before[0]) == "hold" and len(before) > 1:
        is_headed = before[1] == ":"
        units = [before[1 + is_headed :], parts[0]]
        return all(map(_TELLING.isdisjoint, units)) and (is_headed or parts[0][0] in LETTERS)
    at = next((at for at, part in enumerate(parts) if not _TELLING.isdisjoint(part)), 0)
    last, told = _until_told(parts[at])
    units = [before, *parts[:at], last] if told in _DONE_TOGETHER else [[""]]
    plural = before[0] in _PLURALS
    return all(
        unit and (plural or unit[0] in LETTERS) and _TELLING.isdisjoint(unit) for unit in units
    )


def _aids_too(piece: list[Token], after: list[Token]) -> bool:
    """Tell whether a comma stands before one more unit by which a move is aided: "A Lon - Bel
    convoyed by F Nth, F Eng"."""
    before = [token[0] for token in piece]
    told = next((word for word, by in pairwise(before) if by == "by" and word in VERBS), "")
    unit = _parts([token[0] for token in after])[0]
    is_aid = VERBS.get(told) in ("support", "convoy")
    return is_aid and bool(unit) and unit[0] in LETTERS and _TELLING.isdisjoint(unit)


def _until_told(words: list[str]) -> tuple[list[str], str]:
    """Return the words before what a unit is told, and that, if another unit or nothing follows."""
    at = next((at for at, word in enumerate(words) if word in _TELLING), len(words))
    unit, told = words[:at], [*words[at:], "", ""]
    if told[0] == ":":
        del told[0]
    return unit, told[0] if told[1] in ("", *LETTERS) else ""


def _are_counted(piece: list[Token], after: list[Token]) -> bool:
    """Tell whether a comma stands in a list that says how many it names: "Build 2 armies: Par,
    Bre"."""
    before = [token[0] for token in piece]
    at = next((at for at, word in enumerate(before) if word in ("armies", "fleets")), 0)
    if not at or not (before[at - 1].isdecimal() or COUNTS.get(before[at - 1])):
        return False
    named = [word for word in before[at + 1 :] if word not in (":", "-")]
    follows = [word for word in _parts([token[0] for token in after])[0] if word not in COURTESIES]
    if not named and follows[:1] == [":"]:  # "Two armies, please: Par and Bre"
        del follows[0]
    said = _TELLING | LETTERS.keys()
    return bool(follows) and said.isdisjoint([*named, *follows])


def _parts(words: list[str]) -> list[list[str]]:
    """Return the words between the commas and semicolons."""
    parts = list[list[str]]([[]])
    for word in words:
        if word in (";", ","):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _is_in_route(piece: list[Token], after: list[Token]) -> bool:
    """Tell whether a comma stands between two seas of a route: "via North Sea, English Channel"."""
    before = [token[0] for token in piece]
    if "via" not in before:
        return False
    follows = [*takewhile(lambda word: word not in (";", ","), (token[0] for token in after))]
    seas = before[before.index("via") + 1 :]
    said = LETTERS.keys() | VERBS.keys() | CONDITIONS | COURTESIES | DOUBTING | {":", "?"}
    return (
        bool(seas and follows)
        and seas[0] not in SEA_WORDS
        and said.isdisjoint(follows)
        and tuple(follows[:2]) not in ASIDES
    )


def _is_coast_alone(words: list[str]) -> bool:
    """Tell whether there is a coast, and no order after it: "Spain, north coast"."""
    return words[0] in COASTS.values() and COURTESIES.union((";", ",")).issuperset(words[1:])
