"""A fault put in on purpose can stand where it is put, also where `make test` does not try it."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from unittest import mock

from tests.simulate.plants.planted import PLANTS
from tests.simulate.plants.seeds import drift
from tests.simulate.world import SeedResult


def test_a_planted_function_can_be_called_as_the_one_that_it_replaces() -> None:
    patches = {name: plant.put() for name, plant in PLANTS.items()}
    misfits = [name for name, patch in patches.items() if not _fits(patch)]
    assert misfits == []


def test_a_fault_that_its_seed_no_longer_finds_is_named_with_a_seed_that_does() -> None:
    plants = {name: replace(PLANTS["a unit is lost"], seed=3) for name in ("here", "there", "gone")}

    def find(seed: int, names: list[str]) -> dict[str, SeedResult]:
        found = {"here": {3}, "there": {5}, "gone": set()}
        fault = plants["here"].found_as
        return {name: _told(fault if seed in found[name] else "") for name in names}

    assert list(drift(plants, find)) == [
        "there: not by seed 3, but by seed 5, after 0.5 days",
        "gone: not by seed 3, nor by any other that was tried",
    ]


def _told(fault: str) -> SeedResult:
    numbers = {one.name: 0 for one in fields(SeedResult)}
    return SeedResult(**numbers | {"fault": fault, "days": 0.5})  # type: ignore[arg-type]


def _fits(patch: object) -> bool:
    assert isinstance(patch, mock._patch)
    replaced = getattr(patch.getter(), patch.attribute)
    if not (inspect.isroutine(replaced) and inspect.isroutine(patch.new)):
        return True  # a value, or a property
    wanted = inspect.signature(replaced).parameters.values()
    named = [one.name for one in wanted if one.kind is one.KEYWORD_ONLY]
    others = [one.name for one in wanted if one.kind is one.POSITIONAL_OR_KEYWORD]
    try:
        inspect.signature(patch.new).bind(*others, **dict.fromkeys(named))
    except TypeError:
        return False
    return True
