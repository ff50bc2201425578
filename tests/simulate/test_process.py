"""How long simulated workers keep what they have taken."""

from __future__ import annotations

import random

import pytest

from tests.simulate import process
from tests.simulate.clock import BEGINNING, Clock
from tests.simulate.process import Keeper, Processes


def test_a_worker_stands_still_while_what_renews_its_leases_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "_holds_transaction", lambda: False)
    processes = Processes(random.Random(1), Clock(), stormy=False)

    def work() -> None:
        assert processes.turn
        processes.turn.keepers.append(Keeper(lambda: processes.hold_up(100), 15, next_at=5))
        processes.hold_up(10)

    processes.run("outbox", work)
    [stops] = processes.stops_of.values()
    assert (stops[0] - BEGINNING).seconds == 5
