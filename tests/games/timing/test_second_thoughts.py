"""Before its deadline a phase is decided only when nobody could still mean something else."""

from __future__ import annotations

import datetime as dt

import pytest

from games.events import SeatLeft
from games.models import Seat
from games.queries.orders.waiting import early_at
from games.services.adjudication.due_games import closing_time, phases_due
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause
from games.services.ordering.gm_orders import orders_set
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import PhaseMail, readiness_set, ready_take_back, wait_note
from games.services.seating.seats import seat_resign, seat_return, seat_take, seat_vacate
from games.services.setup.games import game_create
from games.timing import deadlines
from games.timing.pace import early_delay, takeover_time
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, submit

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)
MISSPELT = ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - English Chanel"]
LAST = NOW + HOUR


def submit_all(cast: Cast, at: dt.datetime = LAST, but: str = "") -> None:
    for power in POWERS.values():
        if power != but:
            submit(cast, power, OPENINGS[power], at)


@pytest.fixture
def default(db: None) -> Cast:
    """A game in which nobody chose how long second thoughts take, nor what a substitute has."""
    return make_cast(early_delay=None, takeover_time=None)


# --- How long -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "delay"),
    [
        (7 * DAY, 30 * MINUTE),
        (DAY, 30 * MINUTE),
        (DAY - 10 * MINUTE, 30 * MINUTE),
        (12 * HOUR, 15 * MINUTE),
        (5 * HOUR + 45 * MINUTE, 7 * MINUTE),
        (HOUR, MINUTE),
        (10 * MINUTE, 13 * SECOND),
        (SECOND, 0 * SECOND),
    ],
)
def test_second_thoughts_take_half_an_hour_and_less_in_short_phases(
    length: dt.timedelta, delay: dt.timedelta
) -> None:
    assert deadlines.second_thoughts(length) == delay


def test_they_go_by_the_length_of_the_phase_where_nobody_chose(default: Cast) -> None:
    assert early_delay(default.phase) == 30 * MINUTE
    for chosen in (2 * HOUR, 0 * HOUR):
        default.game.early_delay = chosen
        assert early_delay(default.phase) == chosen


def test_a_new_game_leaves_time_for_second_thoughts(db: None) -> None:
    assert game_create(name="verdun", now=NOW).early_delay is None


@pytest.mark.parametrize(("length", "time"), [(3 * DAY, DAY), (2 * HOUR, 2 * HOUR)])
def test_a_substitute_has_a_day_and_never_more_than_the_phase_lasts(
    db: None, length: dt.timedelta, time: dt.timedelta
) -> None:
    cast = make_cast(movement_length=length, takeover_time=None)
    assert takeover_time(cast.phase) == time
    almost = cast.phase.opened_at + length - SECOND
    seat_resign(seat=cast.seat("France"), now=almost)
    power = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=power, player=cast.player("Hugo"), now=almost)
    assert cast.phase.due_at == almost + time


# --- When all orders are in ----------------------------------------------------------------


def test_the_phase_stays_open_for_second_thoughts(default: Cast) -> None:
    submit_all(default)
    assert early_at(default.phase) == LAST + 30 * MINUTE
    assert phases_due(now=LAST + 30 * MINUTE - SECOND) == []
    assert phases_due(now=LAST + 30 * MINUTE) == [default.game.pk]


def test_every_order_that_comes_gives_them_their_time_again(default: Cast) -> None:
    submit_all(default)
    submit(default, "France", ["A Paris Holds", *OPENINGS["France"][1:]], LAST + 20 * MINUTE)
    assert early_at(default.phase) == LAST + 50 * MINUTE


def test_a_mail_that_came_in_this_time_is_read_before_the_phase_is_decided(default: Cast) -> None:
    submit_all(default)
    assert closing_time(default.phase, LAST + 40 * MINUTE) == LAST + 30 * MINUTE


def test_the_deadline_comes_first(default: Cast) -> None:
    due_at = default.phase.due_at
    assert due_at
    submit_all(default, due_at - MINUTE)
    assert early_at(default.phase) is None
    assert phases_due(now=due_at - SECOND) == []
    assert phases_due(now=due_at) == [default.game.pk]


# --- Words that are read late ---------------------------------------------------------------


def word(cast: Cast, word: str, *, said_at: dt.datetime, now: dt.datetime) -> str | None:
    """Have France say the word in a mail that came `said_at` this time and is read `now`."""
    seat, phase = cast.seat("France"), cast.phase
    return readiness_set(seat=seat, phase=phase, word=word, now=now, said_at=said_at)


@pytest.mark.parametrize(("newer", "older"), [("ready", "wait"), ("wait", "ready")])
def test_of_two_words_the_one_said_last_counts_whichever_is_read_first(
    marne: Cast, newer: str, older: str
) -> None:
    assert word(marne, newer, said_at=LAST, now=LAST) == newer
    assert word(marne, older, said_at=LAST - MINUTE, now=LAST + MINUTE) == newer
    assert marne.phase.readiness.get().word == newer


def test_a_word_said_before_the_deadline_moved_does_not_count_when_it_is_read_after(
    marne: Cast,
) -> None:
    due_at = marne.phase.due_at
    assert due_at
    deadline_move(game=marne.game, to=due_at + DAY, why="Ill.", by=Mover("gm"), now=LAST)
    assert word(marne, "ready", said_at=LAST - MINUTE, now=LAST + MINUTE) is None
    assert not marne.phase.readiness.exists()
    assert word(marne, "ready", said_at=LAST, now=LAST + MINUTE) == "ready"


def words(cast: Cast) -> dict[str, str]:
    """Who has said what, by power."""
    return dict(cast.phase.readiness.values_list("power__name", "word"))


def taken_back(cast: Cast, received_at: dt.datetime) -> bool:
    """Have orders of France come that are partly not followed."""
    seat, phase = cast.seat("France"), cast.phase
    return ready_take_back(PhaseMail(seat, phase, received_at, LAST + HOUR))


def test_orders_that_are_partly_not_followed_take_back_the_ready_of_their_power_alone(
    marne: Cast,
) -> None:
    for power in ("France", "Italy"):
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=LAST)
    assert taken_back(marne, LAST + MINUTE)
    assert words(marne) == {"Italy": "ready"}


def test_they_take_back_no_wait_and_no_ready_that_was_said_after_them(marne: Cast) -> None:
    for said in ("ready", "wait"):
        word(marne, said, said_at=LAST, now=LAST)
        assert not taken_back(marne, LAST + (MINUTE if said == "wait" else -MINUTE))
        assert words(marne) == {"France": said}


@pytest.mark.parametrize("early", [True, False])
def test_a_wait_is_noted_for_a_player_only_where_a_phase_may_be_decided_early(early: bool) -> None:
    cast = make_cast(process_early=early)
    submit_all(cast)
    seat, phase = cast.seat("France"), cast.phase
    assert wait_note(PhaseMail(seat, phase, LAST, LAST)) is early
    assert words(cast) == ({"France": "wait"} if early else {})


def test_no_wait_is_noted_where_orders_are_missing_or_the_player_has_spoken(marne: Cast) -> None:
    seat, phase = marne.seat("France"), marne.phase
    assert not wait_note(PhaseMail(seat, phase, LAST, LAST))
    submit_all(marne)
    word(marne, "ready", said_at=LAST, now=LAST)
    assert not wait_note(PhaseMail(seat, phase, LAST, LAST))
    assert words(marne) == {"France": "ready"}


# --- Guesses -------------------------------------------------------------------------------


def test_nothing_is_decided_early_on_a_name_that_was_guessed_at(marne: Cast) -> None:
    submit_all(marne, but="France")
    submit(marne, "France", MISSPELT, LAST)
    assert marne.phase.all_in_at is None
    assert phases_due(now=LAST + HOUR) == []


def test_ready_is_a_yes_to_the_guess(marne: Cast) -> None:
    submit_all(marne, but="France")
    submit(marne, "France", MISSPELT, LAST)
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="READY", now=LAST + MINUTE)
    assert marne.phase.all_in_at == LAST + MINUTE


@pytest.mark.parametrize("at", [LAST - MINUTE, LAST])
def test_ready_said_before_the_guess_or_in_the_same_mail_is_none(
    marne: Cast, at: dt.datetime
) -> None:
    submit_all(marne, but="France")
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="READY", now=at)
    submit(marne, "France", MISSPELT, LAST)
    assert marne.phase.all_in_at is None


def test_the_order_written_out_needs_no_yes(marne: Cast) -> None:
    submit_all(marne, but="France")
    submit(marne, "France", MISSPELT, LAST)
    submit(marne, "France", OPENINGS["France"], LAST + MINUTE)
    assert marne.phase.all_in_at == LAST + MINUTE


def test_an_amendment_confirms_what_it_names_and_nothing_else(marne: Cast) -> None:
    submit_all(marne, but="France")
    submit(marne, "France", ["A Pariss - Burgundy", *MISSPELT[1:]], LAST)
    for number, line in enumerate(["A Paris - Burgundy", "F Brest - English Channel"], start=1):
        assert marne.phase.all_in_at is None
        orders_submit(
            seat=marne.seat("France"),
            phase=marne.phase,
            lines=[(1, line)],
            amend=True,
            received_at=LAST + number * MINUTE,
            source=f"<{number}@x>",
            now=LAST + number * MINUTE,
        )
    assert marne.phase.all_in_at == LAST + 2 * MINUTE


def test_a_guess_counts_at_the_deadline(marne: Cast) -> None:
    submit(marne, "France", MISSPELT, LAST)
    assert marne.phase.due_at
    event = phase_process(game_id=marne.game.pk, now=marne.phase.due_at)
    assert event
    assert "France" not in event.payload["missing"]
    assert "English Channel" in str(marne.game.phases.get(number=2).position)


def test_what_the_gm_set_was_shown_to_them_before(marne: Cast) -> None:
    submit_all(marne, but="France")
    orders_set(game=marne.game, power="France", lines=MISSPELT, why="-", by="gm", now=LAST)
    assert marne.phase.all_in_at == LAST


# --- A power that has lost its player ------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
def test_a_resignation_keeps_the_phase_open_until_its_deadline(marne: Cast, ordered: bool) -> None:
    submit_all(marne, but="" if ordered else "France")
    if ordered:
        readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="WAIT", now=LAST)
    event = seat_resign(seat=marne.seat("France"), now=LAST + MINUTE)
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="READY", now=LAST + MINUTE)
    assert SeatLeft.of(event).keeps_open
    assert marne.phase.all_in_at is None
    assert phases_due(now=NOW + 71 * HOUR) == []
    assert phases_due(now=NOW + 72 * HOUR) == [marne.game.pk]


def test_so_does_a_seat_that_the_gm_opened(marne: Cast) -> None:
    power = marne.game.powers.get(name="France")
    event = seat_vacate(game=marne.game, power=power, why="Rude.", by="gm", now=NOW)
    submit_all(marne, but="France")
    assert SeatLeft.of(event).keeps_open
    assert marne.phase.all_in_at is None


def test_who_resigned_comes_back_into_the_same_phase(marne: Cast) -> None:
    submit_all(marne, but="France")
    seat_resign(seat=marne.seat("France"), now=LAST + MINUTE)
    power = marne.game.powers.get(name="France")
    seat_return(power=power, player=marne.player("Carla"), now=LAST + 2 * MINUTE)
    assert marne.phase.name == "S1901M"
    submit(marne, "France", OPENINGS["France"], LAST + 3 * MINUTE)
    assert marne.phase.all_in_at == LAST + 3 * MINUTE


def test_the_phase_after_it_stays_open_too_and_then_civil_disorder_is_declared(
    marne: Cast,
) -> None:
    submit_all(marne)
    Seat.objects.filter(power__name="France").update(until=LAST)
    phase_process(game_id=marne.game.pk, now=NOW + 72 * HOUR)
    for power in set(POWERS.values()) - {"France"}:
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=NOW + 73 * HOUR)
    assert marne.phase.name == "F1901M"
    assert marne.phase.all_in_at is None
    phase_process(game_id=marne.game.pk, now=NOW + 144 * HOUR)
    assert marne.game.powers.get(name="France").disorder_since


def test_in_a_paused_game_the_seat_keeps_the_phase_open_all_the_same(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    event = seat_resign(seat=marne.seat("France"), now=LAST)
    assert SeatLeft.of(event).keeps_open
