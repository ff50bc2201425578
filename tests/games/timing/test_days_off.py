"""A GM's extension never ends on one of the game's own days off, and the forecast says so."""

from __future__ import annotations

import pytest

from games.acts.extend import Extend, Parameters
from games.models import Game
from games.queries.access.staff_names import Actor
from tests.cast import DAY, HOUR, NOW, Cast

pytestmark = pytest.mark.django_db

A_DAY = Parameters(later=DAY, why="Ana is ill.")


def test_an_extension_into_a_day_off_moves_on_to_the_next_day(marne: Cast) -> None:
    Game.objects.update(days_off="Fri Sat Sun")
    marne.game.refresh_from_db()
    said = " ".join(Extend().forecast(marne.game, A_DAY, NOW + HOUR))
    assert "to Mon 9 Mar 2026, 12:00 UTC, in 6 days and 23 hours." in said
    assert "Fri 6 Mar 2026, 12:00 UTC is on one of this game's days off" in said
    assert "(nothing is due on Fridays to Sundays), so the deadline moves" in said
    done = Extend().do(marne.game, A_DAY, by=Actor("gm"), now=NOW + HOUR)
    assert "is now due on Mon 9 Mar 2026, 12:00 UTC." in done.said
    assert marne.phase.due_at == NOW + 7 * DAY


def test_a_deadline_that_is_no_whole_second_is_on_no_day_off(marne: Cast) -> None:
    marne.game.phases.update(due_at=NOW + 3 * DAY + HOUR / 7_200_000)
    said = " ".join(Extend().forecast(marne.game, A_DAY, NOW + HOUR))
    assert "days off" not in said
    assert "to Fri 6 Mar 2026, 12:00 UTC" in said
    Extend().do(marne.game, A_DAY, by=Actor("gm"), now=NOW + HOUR)
    assert marne.phase.due_at == NOW + 4 * DAY + HOUR / 3600


def test_any_other_extension_says_nothing_of_days_off(marne: Cast) -> None:
    assert "days off" not in " ".join(Extend().forecast(marne.game, A_DAY, NOW + HOUR))
