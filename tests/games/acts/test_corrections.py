"""A deadline that a GM put off by mistake can be taken back, and nobody loses by it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User

from games.acts.extend import Extend
from games.errors import BadInput, NotAllowed
from games.models import Attendance, Game
from games.queries.phases.corrections import correctable_to
from games.services.accounts.absences import absence_declare
from games.services.adjudication.due_games import phases_due
from games.services.adjudication.phases import phase_process
from games.services.clock.corrections import deadline_correct
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.extensions import extension_ask
from games.services.clock.pauses import game_pause, game_resume
from games.services.moderation.staff import moderator_appoint
from games.services.ordering.readiness import readiness_set
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, submit
from tests.games.acts.acting import Acting

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR
A_YEAR = dt.timedelta(days=365)


def put_off(cast: Cast, to: dt.datetime, now: dt.datetime = NOW) -> None:
    deadline_move(game=cast.game, to=to, why="Easter", by=Mover("gm", is_staff=True), now=now)


def take_back(cast: Cast, to: dt.datetime, now: dt.datetime = NOW) -> None:
    why = "the year was wrong"
    deadline_correct(game=cast.game, to=to, why=why, by=Mover("gm"), now=now)


def test_a_deadline_put_off_by_a_year_is_taken_back_to_the_right_day(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    take_back(marne, DUE + 2 * DAY, NOW + HOUR)
    assert marne.phase.due_at == DUE + 2 * DAY
    [event] = marne.events("deadline_corrected")
    assert event.payload == {
        "phase": "S1901M",
        "from": (DUE + A_YEAR).isoformat(),
        "to": (DUE + 2 * DAY).isoformat(),
        "why": "the year was wrong",
        "by": "gm",
    }
    assert phases_due(now=DUE + 2 * DAY) == [marne.game.pk]


def test_it_is_not_taken_back_before_the_deadline_that_was_put_off(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    with pytest.raises(BadInput, match="it cannot come before the one that it replaced"):
        take_back(marne, DUE - HOUR)
    take_back(marne, DUE)
    assert marne.phase.due_at == DUE


def test_everybody_has_a_day_to_read_of_it(marne: Cast) -> None:
    put_off(marne, DUE + 5 * DAY)
    late = DUE - HOUR
    with pytest.raises(BadInput, match="everybody gets 1 day to read of it"):
        take_back(marne, DUE + HOUR, late)
    take_back(marne, late + DAY, late)
    assert marne.phase.due_at == late + DAY


def test_in_phases_of_an_hour_everybody_has_an_hour(db: None) -> None:
    cast = make_cast(movement_length=HOUR, takeover_time=None)
    put_off(cast, NOW + A_YEAR)
    take_back(cast, NOW + 2 * HOUR, NOW + HOUR / 2)
    assert cast.phase.due_at == NOW + 2 * HOUR


def test_a_correction_can_itself_be_corrected_and_only_the_last_delay_counts(marne: Cast) -> None:
    put_off(marne, DUE + 2 * DAY)
    put_off(marne, DUE + A_YEAR)
    take_back(marne, DUE + 30 * DAY)
    take_back(marne, DUE + 3 * DAY)
    assert correctable_to(marne.phase, NOW) == DUE + 2 * DAY


def test_what_a_gm_never_put_off_stays(marne: Cast) -> None:
    assert correctable_to(marne.phase, NOW) is None
    with pytest.raises(BadInput, match="A deadline can only be moved to a later time"):
        take_back(marne, DUE - HOUR)


def test_what_a_player_the_server_or_a_pause_has_added_stays(db: None) -> None:
    cast = make_cast(player_extensions=1)
    put_off(cast, DUE + DAY)
    extension_ask(seat=cast.seat("Italy"), phase=cast.phase, length="24h", why="ill", now=NOW)
    assert correctable_to(cast.phase, NOW) is None
    put_off(cast, DUE + 9 * DAY)
    game_pause(game=cast.game, until=None, why="Lent", by="gm", now=NOW)
    game_resume(game=Game.objects.get(), by="gm", now=NOW + 5 * DAY)
    assert correctable_to(cast.phase, NOW + 5 * DAY) is None


def extend(cast: Cast, by: User, to: dt.datetime) -> None:
    act = Extend()
    given = act.parameters(to=f"{to:%Y-%m-%d %H:%M}", why="ill")
    act.perform(Game.objects.get(), given, by=by, now=NOW)


def test_what_a_moderator_has_added_only_a_moderator_takes_back(marne: Cast) -> None:
    mo = User.objects.create_user("mo", "mo@players.test")
    moderator_appoint(user=mo)
    extend(marne, mo, DUE + 9 * DAY)
    with pytest.raises(NotAllowed, match="A moderator has put this deadline off"):
        extend(marne, marne.gm, DUE)
    extend(marne, mo, DUE + DAY)
    assert marne.phase.due_at == DUE + DAY


def test_a_moderator_takes_back_what_a_gm_has_mistyped(marne: Cast) -> None:
    mo = User.objects.create_user("mo", "mo@players.test")
    moderator_appoint(user=mo)
    extend(marne, marne.gm, DUE + A_YEAR)
    extend(marne, mo, DUE + DAY)
    assert marne.phase.due_at == DUE + DAY


def test_it_is_not_taken_back_into_days_for_which_somebody_has_gone_away_since(
    marne: Cast,
) -> None:
    put_off(marne, DUE + 30 * DAY)
    first = (DUE + DAY).date()
    absence_declare(player=marne.player("Carla"), first=first, last=first + DAY, now=NOW + HOUR)
    with pytest.raises(BadInput, match="Sun 8 Mar 2026, 00:00 UTC at the earliest"):
        take_back(marne, DUE + DAY, NOW + HOUR)
    take_back(marne, DUE + 4 * DAY, NOW + HOUR)
    assert marne.phase.due_at == DUE + 4 * DAY


def test_a_ready_still_counts_so_the_game_goes_on_early_as_before(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    *most, last = POWERS.values()
    for power in most:
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=NOW + HOUR)
    take_back(marne, DUE + DAY, NOW + 2 * HOUR)
    assert phases_due(now=NOW + 3 * HOUR) == []
    readiness_set(seat=marne.seat(last), phase=marne.phase, word="READY", now=NOW + 3 * HOUR)
    assert phases_due(now=NOW + 3 * HOUR) == [marne.game.pk]


def test_orders_sent_for_the_later_deadline_stand(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    submit(marne, "France", OPENINGS["France"], NOW + HOUR)
    take_back(marne, DUE + DAY, NOW + 2 * HOUR)
    [sent] = marne.phase.order_sets.all()
    assert sent.counts
    assert not sent.late


def test_nobody_is_blamed_for_missing_a_deadline_that_came_nearer(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    take_back(marne, DUE, NOW + HOUR)
    phase_process(game_id=marne.game.pk, now=DUE)
    rows = Attendance.objects.filter(came=Attendance.Came.MISSED)
    assert rows.count() == 7
    assert all(row.excused_at for row in rows)


def test_a_deadline_that_is_put_off_again_counts_as_every_other(marne: Cast) -> None:
    """Nobody was ever told of a later one."""
    put_off(marne, DUE + 2 * DAY)
    take_back(marne, DUE + DAY, NOW + HOUR)
    put_off(marne, DUE + 3 * DAY, NOW + 2 * HOUR)
    phase_process(game_id=marne.game.pk, now=DUE + 3 * DAY)
    rows = Attendance.objects.filter(came=Attendance.Came.MISSED)
    assert rows.count() == 7
    assert not any(row.excused_at for row in rows)


def test_reminders_come_before_the_nearer_deadline(marne: Cast) -> None:
    put_off(marne, DUE + A_YEAR)
    take_back(marne, DUE + 2 * DAY, NOW + HOUR)
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert NOW + HOUR < remind_at < DUE + 2 * DAY


def test_whoever_puts_a_deadline_off_once_more_reads_what_they_can_then_take_back(
    marne: Cast,
) -> None:
    acts, warning = Acting(marne.game, "extend"), "Nobody can then take it back to before"
    assert warning not in acts.foresee(later="2d", why="Easter.")
    acts.confirm(later="2d", why="Easter.")
    assert warning in acts.foresee(later="2d", why="Easter.")
