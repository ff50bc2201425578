"""The classes of one kind in a package: a new command is a new file, and nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from typing import Any


def one_of_each(package: str, path: Iterable[str], kind: type) -> Iterator[Any]:
    """Make one of each class of this kind that has a `name` and is defined in the package."""
    for found in pkgutil.iter_modules(path):
        module = importlib.import_module(f"{package}.{found.name}")
        for _, one in inspect.getmembers(module, inspect.isclass):
            own = one.__module__ == module.__name__
            if own and issubclass(one, kind) and hasattr(one, "name"):
                yield one()
