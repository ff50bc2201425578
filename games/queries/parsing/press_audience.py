"""Reads whom press goes to from a line like "France, Germany", "all" or "all but Italy"."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from games.errors import BadInput
from games.queries import board
from games.queries.reports.wording import nearest

EVERYBODY = frozenset({"all", "everybody", "everyone"})
GAME_MASTER = frozenset({"gm", "master", "m"})
MOST_SMALL_INITIALS = 3
_PRONOUNS = frozenset({"me", "us", "him", "her", "them", "you", "it"})
"""Words for people, though "me" could also be England and the game master."""
NO_INITIALS = frozenset(
    (
        *("age", "air", "am", "are", "arm", "art", "at", "ate", "ear", "eat", "era", "far", "fat"),
        *("fig", "fir", "fit", "gem", "get", "if", "mat", "met", "mi", "ram", "rat", "re", "ref"),
        *("rig", "rim", "tag", "tar", "tea", "tie", "tier", "tim"),
    )
)
"""Words whose letters could all be initials. In capitals they are: "PRESS TO TEA"."""
_APART = re.compile(r"[\s,;&+/]+")
_MYSELF = frozenset({"me", "myself", "us"})
_ALL_OF_THEM = frozenset({"others", "other", "else", "players", "powers"})
"""What may follow ALL."""
_BETWEEN_NAMES = frozenset({"", "and", "the", "to"})
_FILLERS = _BETWEEN_NAMES | {"only", "alone"}
_BETWEEN_LEFT_OUT = _BETWEEN_NAMES | {"or", "la", "le"}
_OR_NAMES = frozenset({"nor", "den", "die"})
"""The same, unless a power's name begins so: Norway, or Denmark."""
LEAVING_OUT = (
    r"(?:but(?:\s+(?:not|leave\s+out))?|leaving\s+out|except(?:ing)?(?:\s+for)?|excluding|without"
    r"|other\s+than|apart\s+from"
    r"|save(?:\s+for)?|not|minus|bar(?:ring)?|with\s+the\s+exception\s+of|au(?:ß|ss)er|ohne|bis\s+auf"
    r"|sauf|hormis|excepté|salvo|excepto|exceto|menos|tranne|eccetto|behalve|oprócz|utom|кроме)"
    r"(?:\s+(?:to|for))?"
)
"""What stands before those whom a letter to all others leaves out: "all except for Germany"."""
_LEAVING_OUT = re.compile(rf"\b{LEAVING_OUT}(?=\s|$)", re.IGNORECASE)
_BUT = "but"
_NAME = re.compile(r"[\s,;&+/]*(?P<name>(?:[^\s,;&+/:.!?()\[\]*\"“”'’–—]|['’](?!s\b))+)")
"""The next word of a list of names."""
_TAKES_AWAY = re.compile(
    rf"(?:^|[\s,;])(?:(?:{'|'.join(EVERYBODY)})[!~¬–—-]+|[!~¬^–—-]+)(?=[^\W\d_])", re.IGNORECASE
)
"""Marks before somebody who may be left out: "!Germany", "all-Germany"."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The powers that are named, the GM or not, and whether it is for everybody."""

    powers: tuple[str, ...] = ()
    gm: bool = False
    public: bool = False


def read_audience(text: str, powers: Sequence[str], own: str) -> Audience:
    """Read to whom a power writes. A name may be cut short as long as one power is meant.

    Raises BadInput for a word that names nobody, for the power itself, and for nobody at all.
    """
    if _TAKES_AWAY.search(text):
        raise BadInput(f"To leave somebody out, write TO ALL BUT {_others(powers, own)[0]}.")
    words = [word.strip(".!:'\"()") for word in _APART.split(whole_names(text, powers))]
    named = [word for word in words if word.lower() not in _FILLERS]
    if not named:
        raise BadInput(f"Please write to whom, for example: PRESS TO {_others(powers, own)[0]}")
    if named[0].lower() in EVERYBODY:
        return _all_but(named[1:], powers, own)
    if len(named) == 1 and (initials := by_initials(named[0], powers)):
        return _audience(initials, own, gm="M" in named[0].upper())
    found = [power_meant(word, powers) for word in named if word.lower() not in GAME_MASTER]
    return _audience(found, own, gm=len(found) < len(named))


def _audience(found: Sequence[str], own: str, *, gm: bool) -> Audience:
    if own in found:
        raise BadInput(f"You are {own} yourself. Please name only the others.")
    return Audience(tuple(sorted(set(found))), gm=gm)


def by_initials(word: str, powers: Sequence[str]) -> list[str]:
    """Read "AG" as Austria and Germany, as njudge's players write; "M" is the game master.

    Nothing for a word that begins a name or means people ("me"), or has the initial of no single
    power. In small letters it may be a name with a slip of the pen ("gem"), so it must be short and
    begin like no name.
    """
    if len(word) < 2 or word.lower() in GAME_MASTER | _PRONOUNS or word in NO_INITIALS:
        return []
    word, begins = word.upper(), word if word.isupper() else word[:2].upper()
    if any(power.upper().startswith(begins) for power in powers):
        return []
    if begins != word and len(word) > MOST_SMALL_INITIALS:
        return []
    by_letter = [[power for power in powers if power[0] == letter] for letter in word]
    known = all(len(one) == 1 for one, letter in zip(by_letter, word, strict=True) if letter != "M")
    return [power for one in by_letter for power in one] if known else []


def whole_names(text: str, powers: Sequence[str]) -> str:
    """Return the text with `St_Petersburg` for "St. Petersburg", if that is a power.

    Then the text can be split between names. Only names of several words change, and names in other
    languages: "Frankreich" becomes "France".
    """
    text = board.powers_in_english(text, powers)
    for power in powers:
        if len(words := power.split()) > 1:
            written = r"\b" + r"[\s._]+".join(map(re.escape, words)) + r"\b"
            text = re.sub(written, "_".join(words), text, flags=re.IGNORECASE)
    return text


def _all_but(words: Sequence[str], powers: Sequence[str], own: str) -> Audience:
    others = _others(powers, own)
    said = _LEAVING_OUT.sub(_BUT, " ".join(words)).split()
    but, *names = [word for word in said if word.lower() not in _ALL_OF_THEM] or [""]
    if not but:
        return Audience(others, gm=True, public=True)
    if but != _BUT:
        raise BadInput(f"Please write TO ALL, or TO ALL BUT {others[0]}.")
    names = [name for name in names if name.lower() not in {*_MYSELF, _BUT}]
    if not names:  # perhaps in the next line, and whoever it is must not read it
        raise BadInput(
            f"Please write who is left out, like TO ALL BUT {others[0]}, or only TO ALL."
        )
    left_out, rest = names_first(" ".join(names), lambda word: power_or_none(word, powers))
    if rest:
        power_meant(rest.split()[0], powers)  # raises, since it names no power
    return Audience(tuple(power for power in others if power not in left_out))


def names_first(
    text: str, meant: Callable[[str], str], between: Collection[str] = _BETWEEN_LEFT_OUT | _OR_NAMES
) -> tuple[list[str], str]:
    """The powers with whose names a text begins, and what follows the last of them; `meant` returns
    the power that a word means, "" for none."""
    named, end, at = list[str](), 0, 0
    while match := _NAME.match(text, at):
        word, at = match["name"], match.end()
        power = "" if word.lower() in _BETWEEN_LEFT_OUT else meant(word)
        if not power and word.lower() in between:
            continue
        if not power:
            break
        named.append(power)
        end = at
    return named, text[end:]


def power_or_none(word: str, powers: Sequence[str]) -> str:
    """Return the power of that name, cut short or not; "" for none and for several."""
    try:
        return power_meant(word, powers)
    except BadInput:
        return ""


def _others(powers: Sequence[str], own: str) -> tuple[str, ...]:
    return tuple(sorted(power for power in powers if power != own))


def power_meant(word: str, powers: Sequence[str]) -> str:
    """Return the power of that name, cut short or not. Raises BadInput for none and for several."""
    word = board.powers_in_english(word.replace("_", " "), powers)
    matches = [power for power in powers if power.lower().startswith(word.lower())]
    exact = [power for power in matches if power.lower() == word.lower()]
    if len(exact or matches) == 1:
        return (exact or matches)[0]
    if matches:
        raise BadInput(f"“{word}” may be {' or '.join(matches)}. Please write the name in full.")
    near = nearest(word, powers) or ""
    instead = (
        f"Did you mean {near}?"
        if near
        else f"Write to one or more of {', '.join(powers)}, to GM, or to ALL, alone on the line, "
        "and put your text below it."
    )
    said = f"There is no power “{word}” in this game. {instead}"
    raise BadInput(said, wrote=word, near=near)
