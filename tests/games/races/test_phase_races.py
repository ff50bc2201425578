"""Several workers at once at a phase: it is processed once, and no orders or votes are lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection

from games.acts import GAME_ACTS
from games.acts.process_now import Parameters as ProcessNow
from games.errors import GameError, NotAllowed
from games.models import Game, OrderSet, Phase, Seat
from games.queries.parsing.press_audience import Audience
from games.queries.phases.due_phase import DuePhase
from games.services.adjudication.phases import always, phase_process
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.messages.diaries import diary_write
from games.services.messages.press import press_send
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.order_receipts import OrderReceipt
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import seat_replace, seat_resign, seat_take
from tests.cast import HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, make_player
from tests.games.acts.acting import staff
from tests.games.races.racing import DUE, Value, in_thread, together

pytestmark = pytest.mark.django_db(transaction=True)


def submit(
    cast: Cast, power: str, phase: Phase, at: int = 1, seat: Seat | None = None
) -> OrderReceipt:
    return orders_submit(
        seat=seat or cast.seat(power),
        phase=phase,
        lines=list(enumerate(OPENINGS[power], start=1)),
        amend=False,
        received_at=NOW + at * HOUR,
        source=f"<{power}@players.test>",
        now=NOW + at * HOUR,
    )


def test_of_many_workers_one_processes_the_phase(cast: Cast) -> None:
    events = together(*[lambda: phase_process(game_id=cast.game.pk, now=DUE)] * 6)
    assert sum(event is not None for event in events) == 1
    assert list(cast.game.phases.values_list("name", flat=True)) == ["S1901M", "F1901M"]
    assert len(cast.events("phase_processed")) == 1


def test_of_two_who_take_a_seat_at_the_same_moment_one_has_it(cast: Cast) -> None:
    hugo, ines = cast.player("Hugo"), make_player("Ines")
    italy = cast.seat("Italy")
    seat_resign(seat=italy, now=NOW)
    take = partial(seat_take, game=cast.game, power=italy.power, now=NOW)
    said = [str(one) for one in together(*[partial(take, player=one) for one in (hugo, ines)])]
    assert sum("Somebody else was faster" in one for one in said) == 1
    assert cast.seat("Italy").player in (hugo, ines)
    assert cast.game.powers.get(name="Italy").seats.filter(until=None).count() == 1


def test_a_takeover_and_the_orders_of_the_old_player_do_not_mix(cast: Cast) -> None:
    italy = cast.seat("Italy")
    phase, hugo = cast.phase, cast.player("Hugo")
    disorder_declare(game=cast.game, power=italy.power, why="Gone.", by="gm", now=NOW)
    order = partial(submit, cast, "Italy", phase, seat=italy)
    take = partial(seat_take, game=cast.game, power=italy.power, player=hugo, now=NOW)
    ordered, taken = together(order, take)
    seat = cast.seat("Italy")
    if isinstance(ordered, GameError):
        assert seat == taken
        assert not phase.order_sets.exists()
    else:
        assert isinstance(taken, GameError)
        assert seat == italy


def test_a_gm_who_clicks_twice_processes_one_phase(cast: Cast) -> None:
    """The second click waits for the first, and then finds the phase it meant processed."""
    act = GAME_ACTS["process_now"]
    shown = act.stamp(cast.game)
    click = partial(
        act.perform, cast.game, ProcessNow(), by=staff("Gerda"), now=NOW, expected=shown
    )
    said = sorted(getattr(one, "said", str(one)) for one in together(click, click))
    assert said == [
        "Processed Spring 1901 movement of marne. Next is Fall 1901 movement.",
        act.stale,
    ]
    assert list(cast.game.phases.values_list("name", flat=True)) == ["S1901M", "F1901M"]


class Worker:
    """A worker that has claimed the phase and stops there until it is let go."""

    def __init__(self, cast: Cast) -> None:
        self.claimed, self.go_on = threading.Event(), threading.Event()
        self.pool = ThreadPoolExecutor(2)
        self.result = self.pool.submit(
            lambda: in_thread(
                lambda: phase_process(game_id=cast.game.pk, now=DUE, ready=self._pause)
            )
        )
        assert self.claimed.wait(timeout=60)

    def _pause(self, due: DuePhase) -> bool:
        self.claimed.set()
        return self.go_on.wait(timeout=60)

    def beside(self, call: Callable[[], Value]) -> Future[Value | GameError]:
        """Start another worker while this one holds the game."""
        return self.pool.submit(lambda: in_thread(call))

    def finish(self) -> object:
        self.go_on.set()
        return self.result.result(timeout=60)


def test_a_second_worker_does_not_wait_for_the_first(cast: Cast) -> None:
    worker = Worker(cast)
    if connection.vendor == "sqlite":  # it has one writer: the second worker comes afterwards
        assert worker.finish() is not None
    second = worker.beside(lambda: phase_process(game_id=cast.game.pk, now=DUE))
    assert second.result(timeout=30) is None  # the first would wait for longer
    assert worker.finish() is not None
    assert cast.game.phases.count() == 2


def test_orders_that_meet_the_adjudication_are_late_and_not_lost(cast: Cast) -> None:
    """They wait for the game's lock, and then find the phase processed."""
    phase = cast.phase
    worker = Worker(cast)
    waiting = worker.beside(lambda: submit(cast, "France", phase))
    assert worker.finish() is not None
    receipt = waiting.result(timeout=60)
    assert isinstance(receipt, OrderReceipt)
    assert receipt.late
    assert OrderSet.objects.get().phase == phase
    phase.refresh_from_db()
    assert phase.orders == {}


def test_the_last_two_sets_at_once_complete_the_phase(cast: Cast) -> None:
    phase = cast.phase
    for power in list(OPENINGS)[:5]:
        submit(cast, power, phase)
    together(
        lambda: submit(cast, "Russia", phase, at=2), lambda: submit(cast, "Turkey", phase, at=2)
    )
    assert cast.phase.all_in_at == NOW + 2 * HOUR


def test_everybody_ready_at_once_completes_the_phase(cast: Cast) -> None:
    phase = cast.phase
    seats = [cast.seat(power) for power in POWERS.values()]
    together(
        *[partial(readiness_set, seat=seat, phase=phase, word="READY", now=NOW) for seat in seats]
    )
    assert cast.phase.all_in_at == NOW


def test_the_same_mail_worked_on_twice_at_once_is_one_set(cast: Cast) -> None:
    phase = cast.phase
    receipts = together(*[lambda: submit(cast, "France", phase)] * 4)
    assert OrderSet.objects.count() == 1
    assert [getattr(receipt, "duplicate", None) for receipt in receipts].count(False) == 1


def test_a_worker_whose_barrier_is_down_leaves_the_game_to_the_next(cast: Cast) -> None:
    assert phase_process(game_id=cast.game.pk, now=DUE, ready=lambda phase: False) is None
    assert phase_process(game_id=cast.game.pk, now=DUE, ready=always) is not None


@pytest.mark.parametrize(
    "say",
    [
        partial(press_send, to=Audience(("France",)), text="Hello.", source="", now=NOW),
        partial(diary_write, text="Hello.", now=NOW),
    ],
)
def test_what_waited_for_the_game_is_not_said_for_a_seat_that_another_has_now(
    say: Callable[..., object], transactional_db: None
) -> None:
    cast = make_cast(diaries=Game.Diaries.PRIVATE)
    read_before = cast.seat("Italy")
    power, hugo = read_before.power, cast.player("Hugo")
    seat_replace(game=cast.game, power=power, player=hugo, why="Gone.", by="gm", now=NOW)
    with pytest.raises(NotAllowed, match="no longer play Italy"):
        say(seat=read_before)


def test_when_all_agree_at_the_same_moment_the_game_ends_once(cast: Cast) -> None:
    seats = [cast.seat(power) for power in POWERS.values()]
    receipts = together(
        *[partial(draw_propose, seat=seat, winners=(), now=NOW + HOUR) for seat in seats]
    )
    assert not any(isinstance(one, GameError) for one in receipts)
    assert cast.game.proposals.get().state == "passed"
    assert len(cast.events("game_finished")) == 1
    cast.game.refresh_from_db()
    assert (cast.game.status, len(cast.game.winners)) == ("finished", 7)


def test_a_last_vote_at_the_deadline_ends_the_game_or_comes_too_late(cast: Cast) -> None:
    first, *others, last = [cast.seat(power) for power in POWERS.values()]
    draw_propose(seat=first, winners=(), now=NOW)
    for seat in others:
        vote_cast(seat=seat, number=1, yes=True, now=NOW)
    together(
        partial(phase_process, game_id=cast.game.pk, now=DUE),
        partial(vote_cast, seat=last, number=1, yes=True, now=DUE),
    )
    cast.game.refresh_from_db()
    ended = cast.game.status == "finished"
    assert cast.game.proposals.get().state == ("passed" if ended else "expired")
    assert len(cast.events("game_finished")) + len(cast.events("phase_processed")) == 1
