"""Variants by name: each is a folder, ours under `judge/data`, others wherever a program has them.

`variant.json` names the powers, their home centres and starting units, and the folder whose
`provinces.csv`, `borders.csv`, `names.txt` and `languages` are the board, so that variants can
share one. A new variant on known rules is a new folder and nothing else.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from judge.board import Board
from judge.errors import JudgeError, UnknownVariant
from judge.phase import Calendar, Phase, Season
from judge.text.languages import Language, load_languages
from judge.text.names import NameTable, key_of, load_names
from judge.variant import CHOICES, Variant
from judge.variant_choices import with_choices
from judge.variant_files import (
    VariantError,
    board_folder,
    board_of,
    check_on_board,
    facts_of,
    folder_of,
    paragraphs_of,
    variant_names,
)
from judge.variant_powers import powers_of
from judge.variant_rules.table import rules_of, slots_of

VariantLike = Variant | str | Path
"""A variant, its name, or the folder of a variant of your own."""


def load_variant(name: VariantLike = "standard") -> Variant:
    """Return the variant of that name, the same object each time; given a variant, return that.

    Choices of a game may stand after the name: "colonial+land_bridges=hawes+victory=25". A `Path`
    is the folder of a variant of your own, whose files are read once in a process. Raises
    UnknownVariant, and VariantError where the files of the variant make no sense.
    """
    if isinstance(name, Variant):
        return name
    if isinstance(name, Path):
        return _load_folder(name.resolve())
    # Nothing without a hash, such as a list, names a variant.
    return _load_variant(name if isinstance(name, str) else repr(name))


@cache
def _load_variant(name: str) -> Variant:
    base, sign, choices = name.partition(CHOICES)
    if sign:
        return with_choices(_load_variant(base), name, choices.split(CHOICES))
    if name not in variant_names():
        known = ", ".join(variant_names())
        raise UnknownVariant(f"There is no variant {name!r}; there are {known}.")
    return _of_folder(folder_of(name))


@cache
def _load_folder(folder: Path) -> Variant:
    return replace(_of_folder(folder), folder=folder)


def _of_folder(folder: Path) -> Variant:
    facts = facts_of(folder)
    try:
        return _of_facts(folder, facts)
    except UnknownVariant:
        raise
    except JudgeError as wrong:
        raise VariantError(f"{folder.name}: {wrong}") from wrong
    except (KeyError, TypeError, AttributeError) as fault:
        raise VariantError(f"{folder.name}/variant.json makes no sense: {fault!r}.") from fault


def _of_facts(folder: Path, facts: Mapping[str, Any]) -> Variant:
    drawn = board_folder(folder, facts["board"])
    board = board_of(drawn, slots_of(facts), tuple(facts.get("centers_add", ())))
    names = load_names(drawn)
    powers = powers_of(folder.name, facts, board)
    check_on_board(folder.name, facts, board)
    return Variant(
        name=folder.name,
        title=facts["title"],
        designer=facts.get("designer", ""),
        board=board,
        first_phase=Phase.parse(facts["first_phase"]),
        victory_centers=facts["victory_centers"],
        build_sites=facts["builds"],
        removals=facts.get("removals", "by the rules"),
        names=names,
        languages=load_languages(drawn) or _languages_on(board, names),
        paragraphs=paragraphs_of(folder),
        calendar=Calendar(**facts.get("calendar", {})),
        own_rules=rules_of(facts, board),
        facts=facts,
        by_name=powers,
    )


def _languages_on(board: Board, names: NameTable) -> tuple[Language, ...]:
    """Return the languages of the standard map for another one."""
    listed = {
        key_of(name)
        for province in board.provinces
        for name in (province.id, province.name, *names.spellings.get(province.name, ()))
    }
    return tuple(one.on_another_map(listed) for one in load_languages(folder_of("standard")))


def _reduce(variant: Variant) -> str | tuple[Any, ...]:
    """Pickle a variant by its name or its folder, unless its map was edited."""
    if variant.year_round is not None:
        return _in_that_season, (variant.year_round, variant.season)
    if variant.folder is not None and load_variant(variant.folder) is variant:
        return load_variant, (variant.folder,)
    known = variant.name.partition(CHOICES)[0] in variant_names()
    if known and load_variant(variant.name) is variant:
        return load_variant, (variant.name,)
    return object.__reduce_ex__(variant, 2)


def _in_that_season(variant: Variant, season: str) -> Variant:
    return variant.at(Phase(1, cast(Season, season), "A" if season == "W" else "M"))


copyreg.pickle(Variant, _reduce)
