"""Lines that speak to somebody: to a power, or to its player by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from games.models import Seat
from games.queries.anonymity import names_shown
from games.queries.seats import powers_by_name
from games.queries.staff_names import own_name

_SHORTEST_NAME = 3
HELLO = (
    r"(?:(?:hi|hello|hey|dear|hallo|greetings|good\s+(?:morning|evening|day)|hola|bonjour|salut|ciao"
    r"|liebe[rs]?|cher|chère|querid[oa]|hej|cześć|beste|caro|cara|olá)\s+(?:to\s+)?)"
)
BEHIND_NAME = r"(?:\s*\([^()]{1,40}\))?\s*(?:[,:;!.?–—-]|$)"
"""What ends the words that speak to somebody: "Hi Germany (Dora), "."""
_WITH_ME = r"\s*,?\s*(?:and|&)\s+(?:i|me|myself|we|us)\b"
"""What stands behind powers of which somebody speaks: "Germany, Italy and I want a draw"."""
_LEAD = rf"(?:{HELLO}|(?:to|for|an|pour|para)\b\s*:?\s*|@\s*|message\s+(?:to|for)\s+)?"
AND_POWER = r"(?:\s*[,&/+]\s*(?:and\s+)?|\s+and\s+)"


def addressed(
    text: str, powers: Sequence[str], names: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], str] | None:
    """The powers to whom a line speaks ("Hi Germany, ...", "To: France and Italy", "Turkey!"), by
    themselves or by the `names` of their players, and what it says after naming them; None if it
    speaks to nobody."""
    if not powers:
        return None
    name = "|".join(map(re.escape, [*powers, *sorted(names, key=len, reverse=True)]))
    named = rf"(?:{name})(?:{AND_POWER}(?:{name}))*"
    pattern = rf"{_LEAD}({named}){BEHIND_NAME}"
    match = re.match(pattern, text.strip()[:200], re.IGNORECASE)
    if match is None or re.match(rf"{named}{_WITH_ME}", text.strip()[:200], re.IGNORECASE):
        return None
    by_key = {one.lower(): power for one, power in names.items()}
    by_key |= {power.lower(): power for power in powers}
    found = re.findall(name, match[1], re.IGNORECASE)
    readers = list(dict.fromkeys(by_key[one.lower()] for one in found))
    return readers, text.strip()[match.end() :].strip()


def names_of_others(seat: Seat | None, powers: Sequence[str]) -> dict[str, str]:
    """The other players by the names by which people may speak to them, each with their power; a
    name that is a power's, too, or somebody's who runs the game, is left out."""
    if seat is None or not powers or not names_shown(seat.power.game):
        return {}
    game = seat.power.game
    runs = own_name(game.gm).casefold().split() if game.gm else []
    taken = {*(power.casefold() for power in powers), " ".join(runs), *runs[:1]}
    return {
        name: power
        for name, power in powers_by_name(game).items()
        if power != seat.power.name and name.casefold() not in taken and len(name) >= _SHORTEST_NAME
    }
