"""Conditions of orders: what the board is asked when the phase of the orders opens.

    I HOLD Burgundy                   a unit of the asking power stands there (A or F may be said)
    Germany DOES NOT HOLD A Munich    so may nobody, anybody or another power, and not
    Russia OWNS Rumania               who owns the supply centre
    A Vienna IS DISLODGED             an own unit was driven out of there (retreat phases)

They are joined by AND, OR, NOT and brackets; AND binds closer than OR, as in njudge.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from games.errors import BadInput
from games.queries import board

Condition = Callable[[board.Position], bool]

LONGEST = 1000
"""In characters: no condition needs more, and patterns take long over more."""
MOST_NESTED = 20
"""How many opening brackets and NOTs a condition may have: a few, as people write them, and not
enough to exhaust the stack."""

HOW = (
    "Write it like one of these: IF I HOLD Burgundy / IF Germany OWNS Munich / "
    "IF NOBODY HOLDS Belgium / IF A Vienna IS DISLODGED."
)
_COAST = re.compile(r"\s*\([nsew]\.?c\.?\)", re.IGNORECASE)
_TOKEN = re.compile(r"[()]|[^\s()]+")
_JOINS = ("and", "or", "not", "(", ")")
_UNIT = r"(?:(?P<kind>a|f|army|fleet)\s+)?(?P<place>.+?)"
_DISLODGED = re.compile(
    rf"(?:my\s+)?{_UNIT}\s+(?:(?:is|was|gets)\s+)?(?P<word>dislodged)", re.IGNORECASE
)
_WHO = re.compile(
    r"(?P<who>.+?)\s+(?:(?P<no>do|does)\s+not\s+)?(?:(?P<holds>holds?)|owns?)\s+" + _UNIT,
    re.IGNORECASE,
)
_MYSELF = {"i", "we", "me"}
_NOBODY = {"nobody", "no one", "noone", "none"}
_ANYBODY = {"anybody", "anyone", "somebody", "someone"}


def read_condition(text: str, *, variant: str, power: str, step: board.Step) -> Condition:
    """Read the condition of a power's orders for a phase of that step. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(f"A condition is too long: {LONGEST} characters are possible.")
    tokens = _TOKEN.findall(_COAST.sub("", text))
    if sum(token.lower() in ("(", "not") for token in tokens) > MOST_NESTED:
        raise BadInput(f"A condition has too many brackets or NOTs: {MOST_NESTED} are possible.")
    return _Reader(tokens, variant, power, step).read(text)


class _Reader:
    """One condition read token by token, from what binds least to what binds most."""

    def __init__(self, tokens: list[str], variant: str, power: str, step: board.Step) -> None:
        self.tokens = tokens
        self.variant, self.power, self.step = variant, power, step

    def read(self, text: str) -> Condition:
        found = self.either()
        if self.tokens:
            raise BadInput(f"The brackets in “{text}” do not match. {HOW}")
        return found

    def either(self) -> Condition:
        parts = [self.both()]
        while self._next("or"):
            parts.append(self.both())
        return lambda position: any(part(position) for part in parts)

    def both(self) -> Condition:
        parts = [self.single()]
        while self._next("and"):
            parts.append(self.single())
        return lambda position: all(part(position) for part in parts)

    def single(self) -> Condition:
        if self._next("not"):
            denied = self.single()
            return lambda position: not denied(position)
        if self._next("("):
            inner = self.either()
            if not self._next(")"):
                raise BadInput(f"A closing bracket is missing in your condition. {HOW}")
            return inner
        words: list[str] = []
        while self.tokens and (self._is_negation(words) or self.tokens[0].lower() not in _JOINS):
            words.append(self.tokens.pop(0))
        return self.fact(" ".join(words))

    def fact(self, text: str) -> Condition:
        if match := _DISLODGED.fullmatch(text):
            return self._dislodged(match)
        match = _WHO.fullmatch(text)
        if match is None:
            said = f"“{text}” is not a condition." if text else "A condition is missing."
            raise BadInput(f"{said} {HOW}")
        place = board.province_named(self.variant, match["place"])
        found = self._holds(match, place) if match["holds"] else self._owns(match, place)
        return (lambda position: not found(position)) if match["no"] else found

    def _dislodged(self, match: re.Match[str]) -> Condition:
        if self.step != "R":
            raise BadInput(
                "Units are dislodged in retreat phases only. For another phase ask who holds the "
                "province, for example: IF I HOLD Vienna."
            )
        place, power = board.province_named(self.variant, match["place"]), self.power
        kind = _kind(match)
        return lambda position: any(
            kind in ("", unit.kind) and unit.location.province.name == place
            for unit in (one.unit for one in position.dislodged_of(power))
        )

    def _holds(self, match: re.Match[str], place: str) -> Condition:
        fits, kind = self._who(match["who"]), _kind(match)

        def holds(position: board.Position) -> bool:
            holders = [
                unit.power
                for unit in position.units
                if unit.location.province.name == place and kind in ("", unit.kind)
            ]
            return fits(holders[0] if holders else None)

        return holds

    def _owns(self, match: re.Match[str], place: str) -> Condition:
        fits = self._who(match["who"])
        if place not in board.center_names(self.variant):
            raise BadInput(
                f"{place} is not a supply centre, so nobody can own it. Ask who holds it, for "
                f"example: IF I HOLD {place}."
            )
        return lambda position: fits(
            next((who for at, who in position.centers.items() if at.name == place), None)
        )

    def _who(self, text: str) -> Callable[[str | None], bool]:
        word = text.lower()
        if word in _NOBODY:
            return lambda power: power is None
        if word in _ANYBODY:
            return lambda power: power is not None
        meant = self.power if word in _MYSELF else board.power_named(self.variant, text)
        return lambda power: power == meant

    def _is_negation(self, words: list[str]) -> bool:
        """Whether the NOT that comes next belongs to a DOES."""
        said = words[-1].lower() if words else ""
        return said in ("do", "does") and self.tokens[0].lower() == "not"

    def _next(self, word: str) -> bool:
        if self.tokens and self.tokens[0].lower() == word:
            self.tokens.pop(0)
            return True
        return False


def _kind(match: re.Match[str]) -> str:
    return (match["kind"] or "")[:1].upper()
