"""Moved deadlines, pauses, outages: everybody is told, and nothing is processed by surprise."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts import GAME_ACTS, rollback
from games.errors import BadInput, WrongState
from games.models import Game
from games.queries.reports.wording import local_moment
from games.services.adjudication.due_games import closing_time, phases_due
from games.services.adjudication.phases import phase_process
from games.services.adjudication.rollback import game_rollback
from games.services.clock.deadlines import Mover, deadline_move, outage_over, time_to_order
from games.services.clock.pauses import game_pause, game_resume, games_to_resume
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR


def submit(cast: Cast, power: str, at: dt.datetime) -> bool:
    """Let the power mail its opening; say whether it is late."""
    receipt = orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(OPENINGS[power], start=1)),
        amend=False,
        received_at=at,
        source=f"<{at}@players.test>",
        now=at,
    )
    return receipt.late


def submit_all(cast: Cast, at: dt.datetime) -> None:
    for power in POWERS.values():
        submit(cast, power, at)


def move(cast: Cast, to: dt.datetime, now: dt.datetime = NOW) -> None:
    deadline_move(game=cast.game, to=to, why="Ana's train is late.", by=Mover("gm"), now=now)


def test_a_moved_deadline_is_told_with_who_moved_it_and_why(marne: Cast) -> None:
    move(marne, DUE + DAY)
    assert marne.phase.due_at == DUE + DAY
    (event,) = marne.events("deadline_moved")
    assert event.payload == {
        "phase": "S1901M",
        "from": DUE.isoformat(),
        "to": (DUE + DAY).isoformat(),
        "why": "Ana's train is late.",
        "by": "gm",
    }
    assert phases_due(now=DUE) == []
    assert phases_due(now=DUE + DAY) == [marne.game.pk]


def test_a_deadline_that_would_fall_on_a_day_off_is_told_with_the_time_that_was_asked_for() -> None:
    cast = make_cast(days_off="Sun")
    sunday = NOW + 6 * DAY
    move(cast, sunday)
    [event] = cast.events("deadline_moved")
    assert cast.phase.due_at
    assert cast.phase.due_at.date() == (sunday + DAY).date()
    assert event.payload["wished"] == sunday.isoformat()


def test_a_deadline_is_never_moved_to_an_earlier_time(marne: Cast) -> None:
    with pytest.raises(BadInput, match="later time"):
        move(marne, DUE - HOUR)
    assert marne.phase.due_at == DUE
    assert marne.events("deadline_moved") == []


def test_a_moved_deadline_clears_who_was_ready(marne: Cast) -> None:
    """Otherwise the server would process, or extend, in a loop."""
    for power in POWERS.values():
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=NOW)
    assert phases_due(now=NOW) == [marne.game.pk]
    move(marne, DUE + DAY)
    assert marne.phase.all_in_at is None
    assert not marne.phase.readiness.exists()
    assert phases_due(now=NOW + HOUR) == []


def test_after_a_move_everybody_has_to_speak_again_before_early_processing(marne: Cast) -> None:
    submit_all(marne, NOW + HOUR)
    move(marne, DUE + DAY, now=NOW + 2 * HOUR)
    *others, last = POWERS.values()
    for power in others:
        submit(marne, power, NOW + 3 * HOUR)
    assert marne.phase.all_in_at is None
    readiness_set(seat=marne.seat(last), phase=marne.phase, word="READY", now=NOW + 4 * HOUR)
    assert marne.phase.all_in_at == NOW + 4 * HOUR


def test_orders_given_before_the_move_still_count_at_the_deadline(marne: Cast) -> None:
    submit(marne, "France", NOW + HOUR)
    move(marne, DUE + DAY, now=NOW + 2 * HOUR)
    event = phase_process(game_id=marne.game.pk, now=DUE + DAY)
    assert event is not None
    assert "France" not in event.payload["missing"]


def test_orders_between_the_old_and_the_new_deadline_are_in_time(marne: Cast) -> None:
    move(marne, DUE + DAY)
    assert not submit(marne, "France", DUE + HOUR)


@pytest.mark.parametrize("status", ["forming", "paused", "finished"])
def test_no_deadline_is_moved_in_a_game_that_is_not_played(marne: Cast, status: str) -> None:
    Game.objects.update(status=status)
    with pytest.raises(WrongState, match="The game marne"):
        move(marne, DUE + DAY)


def pause(cast: Cast, until: dt.datetime | None = None, now: dt.datetime = NOW + 70 * HOUR) -> None:
    game_pause(game=cast.game, until=until, why="Summer holidays.", by="gm", now=now)


def test_a_paused_game_is_not_processed_and_still_takes_orders(marne: Cast) -> None:
    pause(marne)
    assert phases_due(now=DUE + DAY) == []
    assert not submit(marne, "France", DUE + DAY)
    (event,) = marne.events("game_paused")
    assert event.payload == {
        "phase": "S1901M",
        "why": "Summer holidays.",
        "by": "gm",
        "until": None,
    }


def test_a_resumed_game_gives_everybody_the_time_that_was_left(marne: Cast) -> None:
    pause(marne, now=NOW + 70 * HOUR)
    game_resume(game=marne.game, by="gm", now=NOW + 100 * HOUR)
    assert marne.phase.due_at == NOW + 102 * HOUR
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE
    assert phases_due(now=NOW + 102 * HOUR) == [marne.game.pk]
    (event,) = marne.events("game_resumed")
    assert event.payload["due_at"] == (NOW + 102 * HOUR).isoformat()


def test_a_game_that_is_paused_after_its_deadline_is_not_over_the_moment_it_resumes(
    marne: Cast,
) -> None:
    pause(marne, now=DUE + HOUR)
    [paused] = marne.events("game_paused")
    assert paused.payload["passed"] is True
    assert not submit(marne, "France", DUE + 2 * HOUR)
    game_resume(game=marne.game, by="gm", now=DUE + 3 * HOUR)
    assert marne.phase.due_at == DUE + 10.2 * HOUR
    [resumed] = marne.events("game_resumed")
    assert resumed.payload["time"] == "passed"
    [sent] = marne.phase.order_sets.all()
    assert not sent.late


def test_a_game_that_was_all_in_is_not_processed_the_moment_it_resumes(marne: Cast) -> None:
    pause(marne, now=NOW)
    submit_all(marne, NOW + HOUR)
    game_resume(game=marne.game, by="gm", now=NOW + 2 * HOUR)
    assert phases_due(now=NOW + 3 * HOUR) == []


def test_a_pause_with_an_end_ends_by_itself(marne: Cast) -> None:
    pause(marne, until=NOW + 90 * HOUR)
    assert games_to_resume(now=NOW + 89 * HOUR) == []
    assert games_to_resume(now=NOW + 90 * HOUR) == [marne.game]
    game_resume(game=marne.game, by="the server", now=NOW + 90 * HOUR)
    assert games_to_resume(now=NOW + 90 * HOUR) == []


def test_a_pause_cannot_end_before_it_begins(marne: Cast) -> None:
    with pytest.raises(BadInput, match="end in the future"):
        pause(marne, until=NOW)
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE


def test_only_a_paused_game_is_resumed(marne: Cast) -> None:
    with pytest.raises(WrongState, match="is not paused"):
        game_resume(game=marne.game, by="gm", now=NOW)


def test_a_game_that_has_not_started_is_not_paused(db: None) -> None:
    game = game_create(name="verdun", now=NOW)
    with pytest.raises(WrongState, match="has not started"):
        game_pause(game=game, until=None, why="", by="gm", now=NOW)


def test_a_deadline_that_passed_in_an_outage_is_moved_and_told(marne: Cast) -> None:
    event = outage_over(game=marne.game, down_since=DUE - 10 * HOUR, now=DUE + 5 * HOUR)
    assert event is not None
    assert marne.phase.due_at == DUE + 15 * HOUR
    assert event.kind == "deadline_moved"
    assert event.payload["by"] == "the server"


@pytest.mark.parametrize(("down", "back"), [(1, 70), (73, 80)])
def test_a_deadline_that_did_not_pass_in_the_outage_stays(
    marne: Cast, down: int, back: int
) -> None:
    assert outage_over(game=marne.game, down_since=NOW + down * HOUR, now=NOW + back * HOUR) is None
    assert marne.phase.due_at == DUE


def test_an_outage_is_made_good_once(marne: Cast) -> None:
    assert outage_over(game=marne.game, down_since=DUE - HOUR, now=DUE + HOUR) is not None
    assert outage_over(game=marne.game, down_since=DUE - HOUR, now=DUE + HOUR) is None


def test_a_paused_game_needs_no_help_after_an_outage(marne: Cast) -> None:
    pause(marne)
    assert outage_over(game=marne.game, down_since=DUE - HOUR, now=DUE + HOUR) is None


def test_a_mail_within_the_grace_is_in_time_and_the_phase_waits_for_it(db: None) -> None:
    cast = make_cast(transit_grace=HOUR)
    assert phases_due(now=DUE) == []
    assert not submit(cast, "France", DUE + HOUR)
    assert submit(cast, "Italy", DUE + HOUR + dt.timedelta(seconds=1))
    assert phases_due(now=DUE + HOUR) == [cast.game.pk]
    assert closing_time(cast.phase, DUE + 2 * HOUR) == DUE + HOUR


def test_early_processing_waits_for_second_thoughts(db: None) -> None:
    cast = make_cast(early_delay=2 * HOUR)
    submit_all(cast, NOW + HOUR)
    assert phases_due(now=NOW + 2 * HOUR) == []
    assert phases_due(now=NOW + 3 * HOUR) == [cast.game.pk]
    assert closing_time(cast.phase, NOW + 4 * HOUR) == NOW + 3 * HOUR


def test_deadlines_are_on_the_clock_and_do_not_drift(db: None) -> None:
    cast = make_cast(
        movement_length=24 * HOUR, movement_clock="Tue Fri 20:00", timezone="Europe/Berlin"
    )
    tuesday = dt.datetime(2026, 3, 3, 19, tzinfo=dt.UTC)
    assert cast.phase.due_at == tuesday
    phase_process(game_id=cast.game.pk, now=tuesday + dt.timedelta(seconds=7))
    assert cast.phase.due_at == tuesday + 3 * DAY


def test_plain_lengths_do_not_drift_either(marne: Cast) -> None:
    phase_process(game_id=marne.game.pk, now=DUE + dt.timedelta(seconds=7))
    assert marne.phase.due_at == DUE + 72 * HOUR


def test_the_first_phase_is_longer_when_the_game_says_so(db: None) -> None:
    cast = make_cast(first_extra=4 * DAY)
    assert cast.phase.due_at == DUE + 4 * DAY
    phase_process(game_id=cast.game.pk, now=DUE + 4 * DAY)
    assert cast.phase.due_at == DUE + 4 * DAY + 72 * HOUR
    again = rollback.Parameters(phase="S1901M", keep_orders=False, why="A slip.")
    said = " ".join(GAME_ACTS["rollback"].forecast(cast.game, again, DUE))
    assert local_moment(DUE + 72 * HOUR + 4 * DAY, cast.game.timezone) in said
    for _ in range(2):
        game_rollback(game=cast.game, phase="S1901M", why="A slip.", by="gm", now=DUE)
        assert cast.phase.due_at == DUE + 72 * HOUR + 4 * DAY, "played again"
        assert time_to_order(cast.phase) == 72 * HOUR + 4 * DAY


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"movement_clock": "Someday 20:00"}, "Someday"),
        ({"retreat_clock": "Tue"}, "no time after"),
        ({"days_off": "Mon-Sun"}, "weekday left"),
        ({"movement_clock": "Sun 20:00", "days_off": "Sun"}, "no day"),
        ({"reminders": "often"}, "often"),
        ({"transit_grace": -HOUR}, "cannot be negative"),
        ({"early_delay": -HOUR}, "cannot be negative"),
        ({"first_extra": -HOUR}, "cannot be negative"),
    ],
)
def test_a_pace_that_makes_no_sense_is_refused(
    db: None, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        game_create(name="verdun", now=NOW, **settings)  # type: ignore[arg-type]


def test_the_end_of_a_pause_can_be_changed_and_the_time_left_stays(marne: Cast) -> None:
    game_pause(game=marne.game, until=NOW + 5 * DAY, why="Lent", by="gm", now=NOW)
    later = NOW + DAY
    game_pause(game=marne.game, until=NOW + 9 * DAY, why="Lent is long", by="gm", now=later)
    game = Game.objects.get()
    assert (game.paused_at, game.resume_at) == (NOW, NOW + 9 * DAY)
    assert [event.payload.get("again") for event in marne.events("game_paused")] == [None, True]
    game_resume(game=game, by="the server", now=NOW + 9 * DAY)
    assert marne.phase.due_at == NOW + 9 * DAY + (DUE - NOW)
