"""What the judge's things are called: variants and what is on their maps, phases ("S1901M" is
"Spring 1901 movement"), and the rules of a game."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Literal

from games.errors import BadInput
from games.queries.reports.wording import LONGEST_WORD, listed, nearest
from judge import (
    CHOICES,
    PhaseError,
    Rulebook,
    UnknownName,
    UnknownRule,
    UnknownVariant,
    Variant,
    issue_choices,
    issue_numbers,
    load_variant,
    may_be_orders,
    reads_as_orders,
    variant_names,
)
from judge import Phase as Turn
from judge import power_named as _power_named
from judge import province_named as _province_named

Step = Literal["M", "R", "A"]

_PHASE = re.compile(
    r"([sfw])[a-z]*[\s,]*(\d{1,4})[\s,]*(bc)?[\s,]*([a-z]*)[\s.:!,]*", re.IGNORECASE
)
_STEPS = {"": "M", "m": "M", "r": "R", "a": "A", "b": "A", "d": "A"}
_COLLECTED_SO = {"4.D.1": "c", "4.D.2": "b", "4.E.4": "b", "4.E.5": "c"}
"""Issues of the DATC that are settled before the judge sees the orders, as we settle them. A game
takes no other choice, since it would have no effect."""
_LONGEST_ELSEWHERE = 400
"""How many letters a line may have to be read on other maps than the standard one."""


def variant_named(name: str) -> Variant:
    """Return the judge's variant. Raises BadInput with the names that exist."""
    try:
        return load_variant(name)
    except UnknownVariant as error:
        raise BadInput(str(error)) from error


def variant_played(name: str) -> Variant:
    """Return the variant of a game. Raises JudgeError if this server has it no longer: that is not
    its players' fault."""
    return load_variant(name)


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
    played = variant_played(variant)
    try:
        return _power_named(played, text)
    except UnknownName as error:
        near = nearest(text, played.powers) or ""
        meant = f" Did you mean {near}?" if near else ""
        raise BadInput(f"{error}{meant}", wrote=text, near=near) from error


def center_names(variant: str) -> frozenset[str]:
    """Return the names of all supply centres."""
    board = variant_named(variant).board
    return frozenset(province.name for province in board.provinces if province.center)


@lru_cache(maxsize=4096)
def reads_as_order(text: str, *, for_all: bool = False) -> bool:
    """Say whether a line is nothing but orders for units, on one of the maps, wherever they stand.

    "A Par - Bur" and "Par H" are, "A Mar S", "Bur" and "My orders - A Par-Bur" are not. With
    `for_all`, "All hold" and "Waive both" are, too.
    """
    standard, *others = _one_for_each_map()
    if reads_as_orders(text, standard, for_all=for_all):
        return True
    # Most lines are prose, and reading one on every map takes ten times as long as on one.
    if len(text) > _LONGEST_ELSEWHERE:
        return False
    return any(may_be_orders(text, one) and reads_as_orders(text, one) for one in others)


def read_all_maps() -> None:
    """Read every map, and the names by which orders are read on it, without the database.

    The first line of prose does that anyway, and takes 12 MB: processes that are forked afterwards
    share them.
    """
    reads_as_order("A line that is no order on any map")


@cache
def _one_for_each_map() -> tuple[Variant, ...]:
    by_names: dict[frozenset[str], Variant] = {}
    for name in ("standard", *variant_names()):
        variant = variant_named(name)
        by_names.setdefault(frozenset(p.name for p in variant.board.provinces), variant)
    return tuple(by_names.values())


def phase_title(name: str) -> str:
    """Return "Spring 1901 movement" for "S1901M"."""
    return Turn.parse(name).long_name


def phase_named(text: str) -> str:
    """Return "F1902M" for "F1902M", "fall 1902", "Fall 1902 movement". Raises BadInput."""
    match = _PHASE.fullmatch(text.strip())
    name = text
    if match:
        season, step = match[1].upper(), _STEPS.get(match[4][:1].lower(), match[4])
        year = match[2] + (match[3] or "")
        name = f"{season}{year}{'A' if season == 'W' else step}"
    try:
        return str(Turn.parse(name))
    except PhaseError as error:
        raise BadInput(str(error)) from error


def is_phase(word: str) -> bool:
    """Say whether a word is the name of a phase: "S1901M", "S1M", "f3bcr"."""
    try:
        return bool(Turn.parse(word))
    except PhaseError:
        return False


def is_before(name: str, other: str) -> bool:
    """Say whether the first phase comes before the second in the calendar."""
    return phase_order(name) < phase_order(other)


def phases_after(variant: str, name: str, *, winters: int) -> list[str]:
    """Return the names of the phases that the variant's calendar has next, up to a winter."""
    calendar, one = variant_named(variant).calendar, Turn.parse(name)
    names: list[str] = []
    while winters:
        one = one.following(calendar)
        names.append(str(one))
        winters -= one.step == "A"
    return names


def phase_order(name: str) -> Turn:
    """Return a key that sorts the names of phases by the calendar."""
    return Turn.parse(name)


def step_of(name: str) -> Step:
    """Return M, R or A for a phase's name: movement, retreats or adjustments."""
    return Turn.parse(name).step


def year_of(name: str) -> int:
    """Return 1901 for "S1901M", and 0 for "W1BCA", as astronomers count. So years can be
    subtracted: the calendar has no year between 1 BC and 1."""
    year = Turn.parse(name).year
    return year if year > 0 else year + 1


def year_title(year: int) -> str:
    """Write a year that `year_of` returned: "1901", "1 BC"."""
    return str(year) if year > 0 else f"{1 - year} BC"


def rulebook_of(rules: object) -> Rulebook:
    """Read a game's rules: a preset's name or the judge's rules object. Raises BadInput."""
    return _rulebook(json.dumps(rules, sort_keys=True))


@lru_cache(maxsize=256)
def _rulebook(text: str) -> Rulebook:
    # Remembered by their content, since every mail asks for them several times.
    rules = json.loads(text)
    if isinstance(rules, Mapping):
        for issue, choice in _COLLECTED_SO.items():
            if rules.get(issue, choice) != choice:
                raise BadInput(
                    f"No game here is played by {issue} “{rules[issue]}”: {issue} is always "
                    f"“{choice}” ({issue_choices(issue)[choice]}). Leave {issue} out of the rules."
                )
    try:
        return Rulebook.named(rules) if isinstance(rules, str) else Rulebook.from_json(rules)
    except UnknownRule as error:
        raise BadInput(_no_such_issue(error.issue) if error.issue else str(error)) from error


def _no_such_issue(issue: str) -> str:
    """Name the few that are most alike; the judge would name all three dozen."""
    near = sorted(get_close_matches(issue[:LONGEST_WORD].upper(), issue_numbers()))
    if near:
        return f"There is no rule “{issue}”. Did you mean {listed(near, 'or')}?"
    return f"There is no rule “{issue}”: they go by their numbers in the DATC, such as 4.A.1."


def rule_choices(rules: object) -> tuple[str, ...]:
    """Say where a game's rules differ from their preset, each with its issue: "a convoyed attack
    comes from the last convoying fleet (4.A.4)"."""
    chosen = rules if isinstance(rules, Mapping) else {}
    return tuple(
        f"{issue_choices(issue)[choice]} ({issue})"
        for issue, choice in chosen.items()
        if issue != "preset"
    )
