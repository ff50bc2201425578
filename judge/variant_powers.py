"""The powers of a variant: their home centres, and what each has at the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from judge.board import Board
from judge.places import Province, UnitKind
from judge.units import Unit
from judge.variant_files import VariantError, facts_of, folder_of, variant_names


@dataclass(frozen=True, slots=True)
class Power:
    """A power of a variant with its home centres and what it has at the start."""

    name: str
    adjective: str
    home_centers: tuple[Province, ...]
    start_centers: tuple[Province, ...]
    start_units: tuple[Unit, ...]


def all_power_names() -> frozenset[str]:
    """Return the names of the powers of all variants, without loading a map.

    A variant whose files make no sense is left out: it must not stop a game of another.
    """
    return frozenset(chain(*map(_power_names, variant_names())))


def _power_names(name: str) -> Iterable[str]:
    try:
        return cast(Iterable[str], facts_of(folder_of(name))["powers"])
    except VariantError:
        return ()


def powers_of(name: str, facts: Mapping[str, Any], board: Board) -> dict[str, Power]:
    """Return the powers of a variant by name, alphabetically. Raises VariantError for a start that
    cannot be."""
    powers = {power: _power(board, power, said) for power, said in facts["powers"].items()}
    _check_starts(name, powers.values())
    return dict(sorted(powers.items()))


def _power(board: Board, name: str, facts: Mapping[str, Any]) -> Power:
    return Power(
        name=name,
        adjective=facts["adjective"],
        home_centers=tuple(board.province(center) for center in facts["home"]),
        start_centers=tuple(
            board.province(center) for center in facts.get("centers", facts["home"])
        ),
        start_units=tuple(_unit(board, name, text) for text in facts["units"]),
    )


def _unit(board: Board, power: str, text: str) -> Unit:
    at = board.place(text[2:])
    if text[:2] not in ("A ", "F ") or not board.can_stand(cast(UnitKind, text[0]), at):
        raise VariantError(f"{power} cannot begin with “{text}”; write “A ald” or “F dun/ec”.")
    return Unit(cast(UnitKind, text[0]), at, power)


def _check_starts(name: str, powers: Iterable[Power]) -> None:
    """Raise VariantError for a home that is not a centre, and for anything that two powers would
    begin with."""
    taken: set[Province] = set()
    occupied: set[Province] = set()
    for power in powers:
        file = f"{power.name} in {name}/variant.json"
        for center in (*power.home_centers, *power.start_centers):
            if not center.center:
                raise VariantError(f"{file} begins with {center}, which is not a centre.")
        places = [unit.location.province for unit in power.start_units]
        for begun, told in ((power.start_centers, taken), (places, occupied)):
            for province in begun:
                if province in told:
                    raise VariantError(f"{file} begins with {province}, which is taken.")
                told.add(province)
