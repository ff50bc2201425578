"""Players who are away: announced, limited, and respected by later deadlines only."""

from __future__ import annotations

import datetime as dt

import pytest

from games.errors import BadInput, NotFound
from games.models import Player
from games.services.accounts.absences import absence_declare, absence_withdraw
from games.services.adjudication.phases import phase_process
from tests.cast import HOUR, NOW, Cast, make_cast, make_player

pytestmark = pytest.mark.django_db

DUE = NOW + 72 * HOUR
TODAY = NOW.date()
LAST_DAY = (dt.date.max - TODAY).days - 1


def day(distance: int) -> dt.date:
    return TODAY + dt.timedelta(days=distance)


def declare(player: Player, first: int, last: int) -> None:
    absence_declare(player=player, first=day(first), last=day(last), now=NOW)


def test_the_next_deadline_does_not_fall_into_an_absence(marne: Cast) -> None:
    declare(marne.player("Ana"), 5, 8)
    assert marne.phase.due_at == DUE
    phase_process(game_id=marne.game.pk, now=DUE)
    assert marne.phase.due_at == dt.datetime(2026, 3, 11, tzinfo=dt.UTC)


def test_the_current_deadline_does_not_move(marne: Cast) -> None:
    declare(marne.player("Ana"), 2, 8)
    assert marne.phase.due_at == DUE


def test_the_days_are_those_of_the_players_zone(marne: Cast) -> None:
    ana = marne.player("Ana")
    ana.timezone = "Pacific/Kiritimati"
    ana.save()
    declare(ana, 5, 8)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert marne.phase.due_at == dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC) - 2 * HOUR


def test_the_absence_of_somebody_with_nothing_to_decide_holds_up_nobody(marne: Cast) -> None:
    declare(marne.player("Hugo"), 5, 8)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert marne.phase.due_at == DUE + 72 * HOUR


def test_a_game_may_wait_for_nobody(db: None) -> None:
    cast = make_cast(waits_for_absent=False)
    declare(cast.player("Ana"), 5, 8)
    phase_process(game_id=cast.game.pk, now=DUE)
    assert cast.phase.due_at == DUE + 72 * HOUR


def test_an_absence_that_was_taken_back_holds_up_nobody(marne: Cast) -> None:
    ana = marne.player("Ana")
    declare(ana, 5, 8)
    absence_withdraw(player=ana, first=day(5), now=NOW)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert marne.phase.due_at == DUE + 72 * HOUR


def test_what_was_not_announced_cannot_be_taken_back() -> None:
    with pytest.raises(NotFound, match="begins on 7 Mar 2026"):
        absence_withdraw(player=make_player("Ana"), first=day(5), now=NOW)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (5, 4, "ends before it begins"),
        (-4, -2, "already over"),
        (5, 26, "can last at most 21 days"),
        *((first, first + 1, "farther away than any game lasts") for first in (4_000, LAST_DAY)),
    ],
)
def test_an_absence_that_makes_no_sense_is_refused(first: int, last: int, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        declare(make_player("Ana"), first, last)


def test_an_absence_of_the_longest_length_is_accepted() -> None:
    ana = make_player("Ana")
    declare(ana, 5, 25)
    assert ana.absences.count() == 1


def test_absences_do_not_overlap() -> None:
    ana = make_player("Ana")
    declare(ana, 5, 8)
    with pytest.raises(BadInput, match="ABSENCE OFF 7 Mar 2026 first"):
        declare(ana, 8, 9)
    declare(ana, 9, 9)


def test_the_same_absence_again_changes_nothing() -> None:
    ana = make_player("Ana")
    declare(ana, 5, 8)
    declare(ana, 5, 8)
    assert ana.absences.count() == 1


def test_nobody_announces_more_than_three_absences_at_a_time() -> None:
    ana = make_player("Ana")
    for first in (5, 10, 15):
        declare(ana, first, first)
    with pytest.raises(BadInput, match="already announced 3 absences"):
        declare(ana, 20, 20)


def test_nobody_is_away_for_more_than_six_weeks_a_year() -> None:
    ana = make_player("Ana")
    declare(ana, 5, 25)
    declare(ana, 100, 119)
    with pytest.raises(BadInput, match="43 days of absence within a year; at most 42"):
        declare(ana, 200, 201)
    declare(ana, 200, 200)


def test_the_absences_of_another_year_are_not_counted() -> None:
    ana = make_player("Ana")
    declare(ana, 5, 25)
    declare(ana, 100, 120)
    declare(ana, 475, 485)
