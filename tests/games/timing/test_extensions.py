"""Players who need more time: taken where the game lets them, asked for elsewhere."""

from __future__ import annotations

import datetime as dt

import pytest

from games.errors import BadInput, NotAllowed, WrongState
from games.models import Event, Game
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.extensions import extension_ask, extensions_left
from games.services.clock.pauses import game_pause
from tests.cast import DAY, HOUR, NOW, Cast, make_cast, seat_fill

pytestmark = pytest.mark.django_db

DUE = NOW + 72 * HOUR


def ask(cast: Cast, power: str = "France", length: str = "24h", now: dt.datetime = NOW) -> Event:
    return extension_ask(
        seat=cast.seat(power), phase=cast.phase, length=length, why="I am travelling.", now=now
    )


@pytest.fixture
def free(db: None) -> Cast:
    """A game in which each player may put off a deadline twice."""
    return make_cast(player_extensions=2)


def test_a_player_puts_off_the_deadline_where_the_game_lets_them(free: Cast) -> None:
    event = ask(free)
    assert event.kind == "deadline_moved"
    assert (event.payload["by"], event.payload["why"]) == ("France", "I am travelling.")
    assert free.phase.due_at == DUE + DAY
    assert extensions_left(free.seat("France")) == 1


def test_each_player_has_their_own_number_of_them(free: Cast) -> None:
    later = NOW + HOUR
    ask(free)
    ask(free, now=later)
    ask(free, "Italy", now=later)
    assert free.phase.due_at == DUE + 3 * DAY
    assert extensions_left(free.seat("France")) == 0
    assert ask(free, now=later + HOUR).kind == "extension_asked"
    assert free.phase.due_at == DUE + 3 * DAY


def test_who_sends_the_same_words_twice_by_mistake_puts_the_deadline_off_once(free: Cast) -> None:
    ask(free)
    with pytest.raises(WrongState, match="sent twice, and it counts once"):
        ask(free, now=NOW + HOUR / 60)
    assert free.phase.due_at == DUE + DAY


def test_an_eliminated_power_can_neither_put_off_the_deadline_nor_ask_for_time(free: Cast) -> None:
    phase = free.phase
    for part in ("units", "centers"):
        phase.position[part].pop("Italy")
    phase.save()
    with pytest.raises(WrongState, match="Nothing is left of Italy"):
        ask(free, "Italy")
    assert free.phase.due_at == DUE


def test_the_deadline_is_put_off_to_a_time_the_clock_knows(db: None) -> None:
    cast = make_cast(movement_length=DAY, movement_clock="Tue Fri 20:00", player_extensions=1)
    ask(cast, length="1h")
    assert cast.phase.due_at == dt.datetime(2026, 3, 6, 20, tzinfo=dt.UTC)


def test_elsewhere_the_gm_is_asked_and_the_deadline_stays(marne: Cast) -> None:
    event = ask(marne)
    assert event.kind == "extension_asked"
    assert event.payload == {
        "phase": "S1901M",
        "power": "France",
        "to": (DUE + DAY).isoformat(),
        "why": "I am travelling.",
    }
    assert marne.phase.due_at == DUE


def test_the_gm_is_asked_once_in_a_phase(marne: Cast) -> None:
    ask(marne)
    with pytest.raises(WrongState, match="already"):
        ask(marne)
    ask(marne, "Italy")
    phase_process(game_id=marne.game.pk, now=DUE)
    ask(marne, now=DUE)
    assert len(marne.events("extension_asked")) == 3


def test_without_a_gm_there_is_nobody_to_ask(marne: Cast) -> None:
    Game.objects.update(gm=None)
    for length in ("24h", "300h"):
        with pytest.raises(WrongState, match="players cannot put off deadlines, and there is no"):
            ask(marne, length=length)


def test_the_gm_is_asked_for_no_time_while_the_game_is_paused(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    with pytest.raises(WrongState, match="is paused"):
        ask(marne)
    assert marne.events("extension_asked") == []


@pytest.mark.parametrize("has_gm", [True, False])
def test_whoever_needs_more_time_is_sent_to_the_gm_only_where_there_is_one(
    free: Cast, has_gm: bool
) -> None:
    if not has_gm:
        Game.objects.update(gm=None)
    with pytest.raises(BadInput) as refused:
        ask(free, length="73h")
    assert ("write to the game master: PRESS TO GM" in str(refused.value)) is has_gm


@pytest.mark.parametrize("length", ["0h", "73h", "1000d"])
def test_a_length_that_makes_no_sense_is_refused(free: Cast, length: str) -> None:
    with pytest.raises(BadInput, match="3 days at most"):
        ask(free, length=length)
    assert free.phase.due_at == DUE


def test_a_short_phase_is_put_off_by_its_own_length_at_most(db: None) -> None:
    cast = make_cast(player_extensions=1, movement_length=12 * HOUR)
    with pytest.raises(BadInput, match="12 hours at most"):
        ask(cast, length="13h")


def test_where_a_clock_has_one_deadline_a_day_it_is_put_off_by_a_day(db: None) -> None:
    cast = make_cast(player_extensions=1, movement_length=18 * HOUR, movement_clock="daily 20:00")
    due = cast.phase.due_at
    ask(cast, length="24h")
    assert due
    assert cast.phase.due_at == due + DAY


def test_a_deadline_that_has_passed_is_not_put_off(free: Cast) -> None:
    with pytest.raises(WrongState, match="no deadline ahead"):
        ask(free, now=DUE)


def test_a_phase_that_is_over_is_not_put_off(free: Cast) -> None:
    over = free.phase
    phase_process_now(game_id=free.game.pk, now=NOW)
    with pytest.raises(WrongState, match="no deadline ahead in Spring 1901 movement"):
        extension_ask(seat=free.seat("France"), phase=over, length="24h", why="-", now=NOW)


def test_a_paused_game_has_no_deadline_to_put_off(free: Cast) -> None:
    game_pause(game=free.game, until=None, why="", by="gm", now=NOW)
    with pytest.raises(WrongState, match="is paused"):
        ask(free)


def test_nobody_puts_off_a_deadline_for_a_power_they_gave_up(free: Cast) -> None:
    old = free.seat("France")
    seat_fill(game=free.game, power=old.power, player=free.player("Hugo"), now=NOW)
    with pytest.raises(NotAllowed, match="no longer play France"):
        extension_ask(seat=old, phase=free.phase, length="24h", why="-", now=NOW)
