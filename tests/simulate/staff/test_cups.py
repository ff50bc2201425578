"""The simulated tournament, where no round of it can be made."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.clock import Clock
from tests.simulate.staff.cups import Cups

NOBODY = cast(Any, None)
"""Who has no part in it: the carrier, the GM, and what was seen."""


@pytest.mark.django_db
def test_no_game_ends_of_a_round_that_could_not_be_made() -> None:
    agenda = Agenda(Clock())
    cups = Cups(random.Random(1), agenda, NOBODY, NOBODY, {}, NOBODY)
    cups.end_a_game()
    agenda.go_on(agenda.clock.now(), then=lambda: None)
    assert cups.rounds == 0
