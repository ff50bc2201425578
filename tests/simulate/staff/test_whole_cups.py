"""How far the simulation takes a deadline for put off."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.simulate.machinery.clock import BEGINNING as DUE
from tests.simulate.staff.whole_cups import is_put_off

HOUR = dt.timedelta(hours=1)
SECOND = dt.timedelta(seconds=1)


@pytest.mark.parametrize(
    ("at", "later", "is_right"),
    [
        (DUE - HOUR, DUE + 5 * HOUR, True),
        (DUE - HOUR, DUE + 5 * HOUR + SECOND, False),
        (DUE + HOUR - 37 * SECOND, DUE + 6 * HOUR, True),
        (DUE + HOUR, DUE + 5 * HOUR, False),
    ],
)
def test_a_length_counts_from_the_deadline_or_from_now_if_it_has_passed(
    at: dt.datetime, later: dt.datetime, is_right: bool
) -> None:
    assert is_put_off(DUE, later, by=5 * HOUR, at=at) == is_right
