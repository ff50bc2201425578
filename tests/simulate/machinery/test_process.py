"""How long simulated workers keep what they have taken, and what they know about the clock."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from tests.simulate.machinery import process
from tests.simulate.machinery.clock import BEGINNING, Clock
from tests.simulate.machinery.process import Keeper, Processes
from tests.simulate.machinery.stand_ins import watch_of_all


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


@pytest.mark.timeout(20)
def test_a_worker_may_come_while_another_notes_that_the_clock_jumped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, watch, noted = Clock(), watch_of_all(), []

    def note_step(step: dt.timedelta, *, now: dt.datetime) -> None:
        noted.append(step)
        if len(noted) == 1:
            watch.now()

    monkeypatch.setattr("mailer.inbound.store.note_step", note_step)
    monkeypatch.setattr("mailer.inbound.timekeeping.running", clock.monotonic)
    monkeypatch.setattr("django.utils.timezone.now", clock.shown)
    watch.now()
    clock.wrong_by = dt.timedelta(hours=1)
    watch.now()
    watch.now()
    assert noted == [clock.wrong_by] * 2
