"""A fault put in on purpose can stand where it is put, also where `make test` does not try it."""

from __future__ import annotations

import inspect
from unittest import mock

from tests.simulate.planted import PLANTS


def test_a_planted_function_can_be_called_as_the_one_that_it_replaces() -> None:
    patches = {name: plant.put() for name, plant in PLANTS.items()}
    misfits = [name for name, patch in patches.items() if not _fits(patch)]
    assert misfits == []


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
