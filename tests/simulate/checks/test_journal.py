"""What the simulation holds for a fault in the server's log."""

from __future__ import annotations

import logging
from contextlib import nullcontext

import pytest

from tests.rows import each_row
from tests.simulate.checks import journal
from tests.simulate.checks.evidence import Broken


@each_row(
    ("name", "error", "is_fault"),
    [
        ("mailer.jobs", ValueError("of ours"), True),
        ("mailer.jobs", None, False),
        ("django.request", ValueError("not found"), False),
    ],
)
def test_a_warning_is_a_fault_if_the_program_broke(
    name: str, error: object, is_fault: bool
) -> None:
    with pytest.raises(Broken, match="jobs logged") if is_fault else nullcontext():
        journal.warning(logging.getLogger(name), "%s: %s", "it", "odd", exc_info=error, extra={})
