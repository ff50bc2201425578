"""Provinces, powers and units by the names that people write: "par", "Gulf of Lyon", "German"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.errors import UnknownName
from judge.places import Province
from judge.text.names import key_of
from judge.text.power_names import powers_in_english
from judge.text.reader_cache import line_reader_of
from judge.units import Unit
from judge.variant import Variant
from judge.variants import VariantLike, load_variant
from judge.wording import either, in_words

_KINDS = {"a": "A", "army": "A", "f": "F", "fleet": "F"}
_COAST = re.compile(r"[(/]")
"""Where a coast begins: "Spain(nc)", "spa/nc"."""


def province_named(variant: VariantLike, text: str) -> Province:
    """Return the province that a name means, in any spelling and with or without a coast. The
    variant may be named, too. Raises UnknownName and UnknownVariant."""
    variant = load_variant(variant)
    text = str(text)  # a number names no province either, and gets the same sentence
    found = line_reader_of(variant).gazetteer.find(key_of(_COAST.split(text)[0]))
    if found is None:
        raise UnknownName(
            f"There is no province “{text}”; write its full name or its abbreviation."
        )
    meant = [variant.board.provinces[index] for index in found.provinces]
    if len(meant) != 1:
        names = either([province.name for province in meant])
        raise UnknownName(f"“{text}” may be {names}. Please write the name in full.")
    return meant[0]


def power_named(variant: VariantLike, text: str) -> str:
    """Return the power that a name means: "germany", "Ger", "German" or "Deutschland". The variant
    may be named, too. Raises UnknownName and UnknownVariant."""
    variant, text = load_variant(variant), str(text)
    power = line_reader_of(variant).nations.get(key_of(powers_in_english(text, variant.powers)))
    if power is None:
        known = in_words(variant.powers)
        raise UnknownName(f"There is no power “{text}”. The powers are {known}.")
    return power


def unit_named(variant: Variant, units: Iterable[Unit], text: str) -> Unit:
    """Return the unit that a name means: "A Paris", "army par" or "Paris". Raises UnknownName
    for no such unit."""
    text = str(text)
    letter, _, place = text.strip().partition(" ")
    kind = _KINDS.get(letter.casefold(), "") if place else ""
    province = province_named(variant, place if kind else text)
    there = [unit for unit in units if unit.location.province == province]
    for unit in there:
        if kind in ("", unit.kind):
            return unit
    other = f"; {there[0]} stands there" if there else ""
    raise UnknownName(f"There is no unit “{text}”{other}.")
