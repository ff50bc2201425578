"""Lines that speak to somebody: to a power, or to its player by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from games.models import Game, Seat
from games.queries.access.anonymity import names_shown
from games.queries.access.staff_names import own_name
from games.queries.players.seats import powers_by_name
from mailer.reading import courtesies

_SHORTEST_NAME = 3
HELLO = rf"(?:{courtesies.HELLO}(?:\s?,)?\s+(?:to\s+)?)"
"""A greeting with the gap before a name: “Hi ”, “Greetings, ”."""
_RUNS = r"(?:(?:as|our|the|my|dear)\s+)*(?:gm|game\s?master|judge|mod(?:erator)?)(?:\s+here)?"
AFTER_NAME = rf"(?:\s*\((?!{_RUNS}\))[^()]{{1,40}}\))?\s*(?:[,:;!.?–—-]|$)"
"""What ends the words that speak to somebody: "Hi Germany (Dora), ", but not "Hi Dora (GM), ": who
runs the game may have a player's name."""
_WITH_ME = r"\s*(?:and|&)\s+(?:i|me|myself|we|us)\b"
"""The text after powers that somebody speaks of, not to: "Germany, Italy and I want a draw".

After one power and a comma the line speaks to that power: "Italy, and we could meet".
"""
_POSTSCRIPT = r"(?:p\.?\s?p?\.?\s?s\b\.?\s*[:,;–-]?\s*)?"
_HEADS = (
    r"(?:message|reply|answer|[dp]m)\s+(?:to|for)|[dp]m|(?:nachricht|brief)\s+(?:an|für)"
    r"|(?:message|lettre)\s+(?:à|pour)|mensaje\s+(?:a|para)|messaggio\s+(?:a|per)|bericht\s+aan"
)
_LEAD = rf"{_POSTSCRIPT}(?:{HELLO}|(?:to|for|an|pour|para)\b\s*:?\s*|@\s*|(?:{_HEADS})\s+)?"
AND_POWER = rf"(?:(?:\s*[,&/+]\s*(?:and\s+)?|\s+and\s+){HELLO}?)"


def powers_addressed(
    text: str, powers: Sequence[str], names: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], str] | None:
    """The powers that a line speaks to, by their own names or by the `names` of their players, and
    the text after that; None if it speaks to nobody.

    "Hi Germany, ...", "To: France and Italy", "Turkey!".
    """
    if not powers:
        return None
    name = "|".join(map(re.escape, [*powers, *sorted(names, key=len, reverse=True)]))
    named = rf"(?:{name})(?:{AND_POWER}(?:{name}))*"
    pattern = rf"{_LEAD}({named}){AFTER_NAME}"
    match = re.match(pattern, text.strip()[:200], re.IGNORECASE)
    of_them = rf"(?:{named}|(?:{name}){AND_POWER}{named}\s*,){_WITH_ME}"
    if match is None or re.match(of_them, text.strip()[:200], re.IGNORECASE):
        return None
    called = {**names, **{power: power for power in powers}}
    readers = list(dict.fromkeys(called[one] for one in named_in(match[1], [*powers, *names])))
    return readers, text.strip()[match.end() :].strip()


def named_in(text: str, names: Iterable[str]) -> list[str]:
    """The names that stand in a text, in its order, spelt as in `names`.

    We compare them the way the regular expression found them: it takes “ısmail” for “İsmail”,
    lower() does not.
    """
    longest = sorted(names, key=len, reverse=True)
    found = re.findall("|".join(map(re.escape, longest)), text, re.IGNORECASE)
    return [
        next(name for name in longest if re.fullmatch(re.escape(name), one, re.IGNORECASE))
        for one in found
    ]


def names_of_others(seat: Seat | None, powers: Sequence[str]) -> dict[str, str]:
    """The other players by the names people may use for them, each with their power.

    Left out are names that a power, too, or somebody who runs the game has.
    """
    if seat is None or not powers or not names_shown(seat.power.game):
        return {}
    game = seat.power.game
    taken = {power.casefold() for power in powers}
    for words in names_of_staff(game):
        taken |= {" ".join(words), *words[:1]}
    return {
        name: power
        for name, power in powers_by_name(game).items()
        if power != seat.power.name and name.casefold() not in taken and len(name) >= _SHORTEST_NAME
    }


def names_of_staff(game: Game) -> list[list[str]]:
    """The names of those who run the game, each as its words, for comparing."""
    staff = [game.gm, *(row.user for row in game.co_gms.select_related("user"))]
    return [own_name(user).casefold().split() for user in staff if user]
