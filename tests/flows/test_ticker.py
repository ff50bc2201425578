"""The process from which commands are forked goes with the last who may ask it, and not before."""

from __future__ import annotations

import os
import selectors
import sys
from pathlib import Path

import pytest

from tests.flows.ticker import gone, is_let_go


def test_it_stays_as_long_as_somebody_may_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTS_SHARED", str(tmp_path))
    leash = tmp_path / "leash"
    os.mkfifo(leash)
    with (
        open(os.open(leash, os.O_RDONLY | os.O_NONBLOCK)) as end,
        selectors.DefaultSelector() as ready,
    ):
        monkeypatch.setattr(sys, "stdin", end)
        ready.register(end, selectors.EVENT_READ)
        first, second = (os.open(leash, os.O_WRONLY) for _ in range(2))
        os.close(first)
        assert not is_let_go(ready, 0)
        os.close(second)
        assert is_let_go(ready)
        late = os.open(leash, os.O_WRONLY)
        assert not gone(leash, ready)
        assert leash.exists()
        os.close(late)
        assert gone(leash, ready)
        assert not leash.exists()
