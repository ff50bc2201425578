"""What a process reads once that forks a child for each of hundreds of tasks.

Otherwise every child reads it, and a task that takes a tenth of a second takes a third of one.
Nothing of this hangs on what is done later: modules, templates, addresses of pages, maps, and the
names by which orders are read on them. No connection stays open.
"""

from __future__ import annotations

import gc
import importlib

from django.template import engines

from games.queries.board import reads_as_order, variant_named
from judge import variant_names

PROSE = "Thank you, I will write again when I am back."
"""A line that is no order on any map, so that all of them are asked."""


def make_ready(*modules: str, statements: bool = False) -> None:
    """Import these modules and read the rest; collectors of garbage pass over it afterwards.

    With `statements`, also build those of this process's database: its children use no other.
    """
    for module in modules:
        importlib.import_module(module)
    engines.all()
    for name in variant_names():
        variant_named(name)
    reads_as_order(PROSE)
    if statements:
        importlib.import_module("tests.statements").build()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # as the tests have it (tests/plugin.py)
