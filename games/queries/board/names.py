"""What a variant's map contains, and what players call it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from games.errors import BadInput
from games.queries.wording import nearest
from judge import (
    CHOICES,
    UnknownName,
    UnknownVariant,
    Variant,
    load_variant,
    may_be_orders,
    reads_as_orders,
    variant_names,
)
from judge import power_named as _power_named
from judge import province_named as _province_named


def variant_named(name: str) -> Variant:
    """Return the judge's variant. Raises BadInput with the names that exist."""
    try:
        return load_variant(name)
    except UnknownVariant as error:
        raise BadInput(str(error)) from error


def canal_keepers(variant: str) -> Mapping[str, str]:
    """Return the canals of a map by their printed names, each with the province beside it."""
    canals = (rule.canal for rule in variant_named(variant).own_rules)
    return {one.id: one.way[1].name for one in canals if one}


def variant_chosen(name: str, options: str) -> str:
    """Return the name of the variant with the choices of a game ("victory=20 builds=owned").

    Raises BadInput with the variants or the choices that exist.
    """
    choices = options.replace(",", " ").split()
    return variant_named(CHOICES.join([name.partition(CHOICES)[0], *choices])).name


@lru_cache(maxsize=64)
def bordering(variant: str) -> Mapping[str, frozenset[str]]:
    """Return which provinces border on each, by land or by sea, by their full names."""
    map_ = variant_named(variant).board
    near: dict[str, set[str]] = {province.name: set() for province in map_.provinces}
    for start in map_.locations:
        for to in (*map_.steps("A", start), *map_.steps("F", start)):
            near[start.province.name].add(to.province.name)
            near[to.province.name].add(start.province.name)
    return {name: frozenset(others) for name, others in near.items()}


@lru_cache(maxsize=64)
def lands_without_center(variant: str) -> Mapping[str, str]:
    """Return the ids of the land provinces without a centre, by their full names."""
    provinces = variant_named(variant).board.provinces
    return {one.name: one.id for one in provinces if not one.center and one.kind != "sea"}


def province_named(variant: str, text: str) -> str:
    """Return the full name of the province that a player meant, however they wrote it. Raises
    BadInput."""
    try:
        return _province_named(variant_named(variant), text).name
    except UnknownName as error:
        raise BadInput(str(error)) from error


def abbreviation(variant: str, province: str) -> str:
    """Return the abbreviation that we print for a province: "Bur" for "Burgundy"."""
    return _province_named(variant_named(variant), province).abbreviations[0]


def power_named(variant: str, text: str) -> str:
    """Return the power that a player meant: "germany", "Ger", "German". Raises BadInput."""
    try:
        return _power_named(variant_named(variant), text)
    except UnknownName as error:
        near = nearest(text, variant_named(variant).powers) or ""
        meant = f" Did you mean {near}?" if near else ""
        raise BadInput(f"{error}{meant}", wrote=text, near=near) from error


def center_names(variant: str) -> frozenset[str]:
    """Return the names of all supply centres."""
    board = variant_named(variant).board
    return frozenset(province.name for province in board.provinces if province.center)


@lru_cache(maxsize=4096)
def reads_as_order(text: str) -> bool:
    """Say whether a line is nothing but orders for units, on one of the maps, wherever they stand.

    "A Par - Bur" and "Par H" are, "A Mar S", "Bur" and "My orders - A Par-Bur" are not.
    """
    standard, *others = _one_for_each_map()
    if reads_as_orders(text, standard):
        return True
    # Most lines are prose, and reading one on every map takes ten times as long as on one.
    return any(may_be_orders(text, one) and reads_as_orders(text, one) for one in others)


@cache
def _one_for_each_map() -> tuple[Variant, ...]:
    by_names: dict[frozenset[str], Variant] = {}
    for name in ("standard", *variant_names()):
        variant = variant_named(name)
        by_names.setdefault(frozenset(p.name for p in variant.board.provinces), variant)
    return tuple(by_names.values())
