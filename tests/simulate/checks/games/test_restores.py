"""When the simulation holds a deadline to have moved after a restore whose results are known."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken
from tests.simulate.checks.games.restores import Restores
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.tables import HOUR


@pytest.mark.parametrize(
    ("why", "may"),
    [
        ("The server could not be reached at the deadline.", False),
        ("Nothing has come from Austria.", True),
    ],
)
def test_a_deadline_from_before_a_breakdown_moves_only_as_it_did_then(why: str, may: bool) -> None:
    restores = Restores(cast(Any, None), [(BEGINNING, BEGINNING + 3 * HOUR)])
    facts = {"by": "the server", "from": (BEGINNING + HOUR).isoformat(), "why": why}
    event = {"kind": "deadline_moved", "payload": json.dumps(facts)}
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="results are known"):
        restores.event(cast(sqlite3.Row, event))
