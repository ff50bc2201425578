"""Several workers at once: everything happens once, and nobody's word is lost between two."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS, PLAYER_ACTS, GameAct, write
from games.acts.parameters import parameters_of
from games.acts.players import note
from games.acts.process_now import Parameters as ProcessNow
from games.admin.acting import Acting
from games.admin.game import GameAdmin
from games.errors import GameError, NotAllowed, WrongState
from games.models import Conduct, Game, Offer, OrderSet, Phase, Player, Power, Seat
from games.queries.access.staff_names import Actor
from games.queries.lookup import seats_of
from games.queries.parsing.press_audience import Audience
from games.queries.players.places import places_of
from games.services.accounts import fewer_mails, merging
from games.services.accounts.absences import absence_declare
from games.services.accounts.erasing import player_erase
from games.services.accounts.fewer_mails import Ended
from games.services.accounts.merging import players_merge
from games.services.accounts.players import address_confirm, player_register
from games.services.accounts.profile import (
    calendar_renew,
    mail_look_set,
    player_rename,
    timezone_set,
)
from games.services.adjudication.phases import always, phase_process
from games.services.clock import halts
from games.services.clock.halts import server_halt, server_resume
from games.services.clock.pauses import game_pause
from games.services.clock.reminders import reminders_set
from games.services.common import lock_game, lock_player
from games.services.endings.ending import game_end
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.messages.diaries import diary_write
from games.services.messages.press import press_send
from games.services.moderation import gm_leaves, seats_lost
from games.services.moderation.conduct import player_ban, player_suspend
from games.services.moderation.seats_lost import lock_games_of
from games.services.moderation.staff import gm_appoint
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.order_receipts import OrderReceipt
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.seating.joining import game_join, player_withdraw
from games.services.seating.observers import observe_nothing
from games.services.seating.seats import seat_replace, seat_resign, seat_take
from games.services.seating.standby import offers_end, standby_join, standby_leave
from games.services.setup.games import game_create
from games.services.setup.making import start_choose
from games.services.setup.unstarted import game_delete, game_rename
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, make_player
from tests.games.acts.acting import staff
from tests.games.admin.new_game_form import FORM
from tests.games.evening import evening_game
from tests.mailer.beside import beside

pytestmark = pytest.mark.django_db(transaction=True)
DUE = NOW + 72 * HOUR
Value = TypeVar("Value")


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


def together(*calls: Callable[[], Value]) -> list[Value | GameError]:
    """Run the calls in threads of their own, let loose at the same moment."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Value]) -> Value | GameError:
        gate.wait(timeout=60)
        return in_thread(call)

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, c) for c in calls]]


def in_thread(call: Callable[[], Value]) -> Value | GameError:
    """Do one thing as a worker of its own would, with its own connection."""
    try:
        return call()
    except GameError as error:
        return error
    finally:
        connection.close()


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

    def _pause(self, phase: Phase) -> bool:
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


def test_two_who_want_the_last_seat_start_the_game_once() -> None:
    game = game_create(name="verdun", now=NOW)
    players = [make_player(name) for name in [*POWERS, "Hugo"]]
    for player in players[:6]:
        game_join(game=game, player=player, preferences="", now=NOW)
    last = [
        partial(game_join, game=game, player=player, preferences="", now=NOW)
        for player in players[6:]
    ]
    outcomes = together(*last)
    refused = [one for one in outcomes if isinstance(one, GameError)]
    assert len(refused) == 1
    assert "already being played" in str(refused[0])
    assert len(seats_of(game)) == 7
    assert Game.objects.get().phases.count() == 1


def test_a_worker_whose_barrier_is_down_leaves_the_game_to_the_next(cast: Cast) -> None:
    assert phase_process(game_id=cast.game.pk, now=DUE, ready=lambda phase: False) is None
    assert phase_process(game_id=cast.game.pk, now=DUE, ready=always) is not None


@pytest.mark.only_on("PostgreSQL")
def test_a_merge_lets_whoever_holds_a_game_of_the_account_write_to_its_player(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phase that is processed holds its game, and mails the results, which point at players."""
    holds, waits = threading.Event(), threading.Event()
    ana, hugo = cast.player("Ana"), cast.player("Hugo")

    def waiting(*players: Player) -> None:
        waits.set()
        lock_games_of(*players)

    @transaction.atomic
    def told() -> None:
        lock_game(cast.game)
        holds.set()
        assert waits.wait(timeout=60)
        Conduct.objects.create(player=ana, kind=Conduct.Kind.NOTE, why="-", by="-", at=NOW)

    def merge() -> Conduct:
        assert holds.wait(timeout=60)
        return players_merge(kept=hugo, other=ana, why="One person.", by="mo", now=NOW)

    monkeypatch.setattr(merging, "lock_games_of", waiting)
    _, merged = together(told, merge)
    assert isinstance(merged, Conduct)
    assert cast.seat("Austria").player == hugo


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize(
    "change",
    [
        partial(player_rename, name="Anna"),
        partial(timezone_set, timezone="Europe/Rome"),
        partial(calendar_renew),
        partial(mail_look_set, maps=False),
        partial(absence_declare, first=NOW.date(), last=NOW.date(), now=NOW),
        partial(reminders_set, text="48h", now=NOW),
    ],
)
def test_what_players_change_about_themselves_lets_others_write_to_them(
    cast: Cast, change: Callable[..., object]
) -> None:
    """A mail may go on to wait for a game, whose worker wants to mail its results to them."""
    ana = cast.player("Ana")
    noted = partial(
        Conduct.objects.create, player=ana, kind=Conduct.Kind.NOTE, why="-", by="-", at=NOW
    )
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        change(player=ana)
        entry = pool.submit(lambda: in_thread(noted)).result(timeout=30)
    assert entry == Conduct.objects.get()


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


@pytest.mark.only_on("PostgreSQL")
def test_who_sets_reminders_waits_for_a_worker_that_holds_the_game(cast: Cast) -> None:
    """One order of locks: the game first, then its phase. The same mail may bring orders."""
    holds, done = threading.Event(), threading.Event()

    @transaction.atomic
    def worker() -> None:
        game = lock_game(cast.game)
        holds.set()
        done.wait(timeout=1)
        game.phases.update(remind_at=DUE)

    @transaction.atomic
    def mail() -> None:
        assert holds.wait(timeout=60)
        reminders_set(player=cast.player("Ana"), text="48h", now=NOW)
        done.set()
        lock_game(cast.game)

    together(worker, mail)
    assert cast.phase.remind_at == DUE - 48 * HOUR


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("with_games", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        partial(reminders_set, text="48h", now=NOW),
        partial(standby_join, at_most=2, now=NOW),
        partial(fewer_mails.bulk_mails_end, now=NOW),
    ],
)
def test_what_players_change_waits_for_a_moderator_who_decides_about_them(
    cast: Cast, change: Callable[..., object], with_games: bool
) -> None:
    """One order of locks: the player, their games, their place on the standby list."""
    ana, holds = cast.player("Ana"), threading.Event()
    standby_join(player=ana, now=NOW)
    seat_resign(seat=cast.seat("Italy"), now=NOW)

    @transaction.atomic
    def moderator() -> None:
        lock_player(ana)
        if with_games:
            lock_games_of(ana)
        holds.set()
        while not somebody_waits() and not changed.done():
            time.sleep(0.01)
        lock_games_of(ana)
        standby_leave(player=ana, now=NOW)

    def player() -> None:
        assert holds.wait(timeout=60)
        change(player=ana)

    with ThreadPoolExecutor(2) as pool:
        changed = pool.submit(in_thread, player)  # first: the moderator asks for it
        decided = pool.submit(in_thread, moderator)
        assert [decided.result(timeout=60), changed.result(timeout=60)] == [None, None]


def somebody_waits() -> bool:
    """Whether another connection waits for what this one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks"
            " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.only_on("PostgreSQL")
def test_offers_are_ended_in_the_order_in_which_they_were_made(cast: Cast) -> None:
    """Two players who take seats of different games at once end offers of each other's."""
    power = cast.seat("Turkey").power
    standby_join(player=make_player("Ida"), now=NOW)
    standby_join(player=cast.player("Hugo"), now=NOW + HOUR)
    seat_resign(seat=cast.seat("Turkey"), now=NOW)
    first, last = Offer.objects.order_by("pk")
    # Without an order PostgreSQL finds it last, by its player's key and because it has changed.
    Offer.objects.filter(pk=first.pk).update(expires_at=NOW + 8 * DAY)

    @transaction.atomic
    def one() -> None:
        Offer.objects.select_for_update().get(pk=first.pk)
        holds.set()
        while not somebody_waits():
            time.sleep(0.01)
        Offer.objects.select_for_update(nowait=True).get(pk=last.pk)

    @transaction.atomic
    def other() -> None:
        assert holds.wait(timeout=60)
        offers_end(power=power, now=NOW)

    holds = threading.Event()
    together(one, other)
    assert set(Offer.objects.values_list("end", flat=True)) == {Offer.End.WITHDRAWN}


@pytest.mark.only_on("PostgreSQL")
def test_a_start_is_not_taken_back_while_somebody_takes_the_last_seat(cast: Cast) -> None:
    """The game would begin at once, which its maker did not want."""
    ana, ben, carla = (cast.player(name) for name in ("Ana", "Ben", "Carla"))
    game = evening_game(ana)
    game_join(game=game, player=ben, preferences="", now=NOW)

    @transaction.atomic
    def last_joins() -> None:
        game_join(game=game, player=carla, preferences="", now=NOW)
        holds.set()
        while not somebody_waits():
            time.sleep(0.01)

    def maker_takes_back() -> None:
        assert holds.wait(timeout=60)
        start_choose(player=ana, name="yser", start="OFF", why="Rain.", now=NOW)

    holds = threading.Event()
    [_, refused] = together(last_joins, maker_takes_back)
    assert isinstance(refused, WrongState)
    game.refresh_from_db()
    assert game.starts_at


@pytest.mark.only_on("PostgreSQL")
def test_a_ban_and_a_merge_about_players_of_the_same_games_do_not_block_each_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are in the younger game, which forms, and in the older one, which is played."""
    ana, ben, hugo = (cast.player(name) for name in ("Ana", "Ben", "Hugo"))
    younger = game_create(name="ypres", gm=cast.gm, now=NOW)
    for player in (ana, ben):
        game_join(game=younger, player=player, preferences="", now=NOW)
    has_older, has_younger = threading.Event(), threading.Event()

    def merging_slowly(game: Game) -> Game:
        held = lock_game(game)
        has_older.set()
        while not has_younger.is_set() and not somebody_waits():
            has_younger.wait(timeout=0.01)
        return held

    def banning_slowly(**given: Any) -> None:
        player_withdraw(**given)
        has_younger.set()

    def ban() -> Conduct:
        assert has_older.wait(timeout=60)
        return player_ban(player=ana, why="Insults.", by="mo", now=NOW)

    def merge() -> Conduct:
        return players_merge(kept=hugo, other=ben, why="One person.", by="mo", now=NOW)

    monkeypatch.setattr(merging, "lock_game", merging_slowly)
    monkeypatch.setattr(seats_lost, "player_withdraw", banning_slowly)
    assert [type(one) for one in together(ban, merge)] == [Conduct, Conduct]
    assert cast.seat("England").player == hugo
    assert cast.game.powers.get(name="Austria").open_since


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("bar", [player_ban, partial(player_suspend, until=NOW + DAY)])
@pytest.mark.parametrize("takes", ["a place", "a seat", "a place on the standby list"])
def test_who_takes_something_at_the_moment_they_are_kept_out_does_not_keep_it(
    cast: Cast, takes: str, bar: Callable[..., Conduct]
) -> None:
    """But a seat in a game that is played, from whom is only suspended."""
    hugo, italy = cast.player("Hugo"), cast.seat("Italy")
    seat_resign(seat=italy, now=NOW)
    younger = game_create(name="ypres", gm=cast.gm, now=NOW)
    takings: dict[str, Callable[[], object]] = {
        "a place": partial(game_join, game=younger, player=hugo, preferences="", now=NOW),
        "a seat": partial(seat_take, game=cast.game, power=italy.power, player=hugo, now=NOW),
        "a place on the standby list": partial(standby_join, player=hugo, now=NOW),
    }
    has_taken, banned = threading.Event(), threading.Event()

    @transaction.atomic
    def mail() -> None:
        takings[takes]()
        has_taken.set()
        while not banned.is_set() and not somebody_waits():
            banned.wait(timeout=0.01)

    def ban() -> None:
        assert has_taken.wait(timeout=60)
        bar(player=hugo, why="Insults.", by="mo", now=NOW)
        banned.set()

    together(mail, ban)
    assert places_of(hugo) == []
    assert bar is not player_ban or not hugo.seats.filter(until=None).exists()
    assert not hugo.standby.filter(until=None).exists()


@pytest.mark.only_on("PostgreSQL")
def test_who_leaves_the_standby_list_at_the_moment_a_seat_opens_is_left_no_offer(
    cast: Cast,
) -> None:
    hugo, somme = cast.player("Hugo"), beside(cast, "somme")
    leave = partial(standby_leave, player=hugo, now=NOW)
    standby_join(player=hugo, now=NOW)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            leave()
            opens = partial(seat_resign, seat=cast.seat("Italy"), now=NOW)
            pool.submit(in_thread, opens).result(timeout=30)
        assert not hugo.offers.exists()
        Power.objects.update(open_since=None)
        standby_join(player=hugo, now=NOW)
        with transaction.atomic():
            seat_resign(seat=cast.seat("Turkey"), now=NOW)
            opens = partial(seat_resign, seat=somme.seat("Turkey"), now=NOW)
            pool.submit(in_thread, opens).result(timeout=30)  # they share the list
            left = pool.submit(in_thread, leave)
            while not somebody_waits() and not left.done():
                time.sleep(0.01)
        left.result(timeout=30)
    assert [one.end for one in hugo.offers.all()] == ["withdrawn"] * 2


@pytest.mark.only_on("PostgreSQL")
def test_nobody_makes_an_account_run_a_game_that_is_closed_at_that_moment(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    close, add, user = gm_leaves._close, GAME_ACTS["add_co_gm"], cast.gm
    zoe, mo = make_player("Zoe"), staff("mo")
    user.email = "zoe@players.test"
    user.save()
    game = game_create(name="somme", now=NOW)
    given = add.parameters(email=user.email)

    with ThreadPoolExecutor(1) as pool:

        def meanwhile(user: User) -> None:
            added = pool.submit(in_thread, partial(add.perform, game, given, by=mo, now=NOW))
            while not somebody_waits() and not added.done():
                time.sleep(0.01)
            close(user)

        monkeypatch.setattr(gm_leaves, "_close", meanwhile)
        player_erase(player=zoe, why="They asked for it.", by=Actor("mo"), now=NOW)
    assert [one.user.is_active for one in game.co_gms.all()] == [True]
    with pytest.raises(WrongState, match="has just been closed"):
        gm_appoint(user=user)  # as their own form for a new game, sent just before


@pytest.mark.only_on("PostgreSQL")
def test_two_who_stop_their_mails_do_not_block_each_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each observes the game that the other plays."""
    ana, hugo = cast.player("Ana"), cast.player("Hugo")
    younger = game_create(name="ypres", gm=cast.gm, now=NOW)
    younger.powers.get(name="England").seats.create(player=hugo, since=NOW)
    younger.watchers.create(player=ana, since=NOW)
    cast.game.watchers.create(player=hugo, since=NOW)
    at_it: list[Player] = []

    def ending_slowly(player: Player, now: dt.datetime) -> list[Game]:
        games = observe_nothing(player=player, now=now)
        at_it.append(player)
        while len(at_it) < 2 and not somebody_waits():
            time.sleep(0.01)
        return games

    monkeypatch.setattr(fewer_mails, "observe_nothing", ending_slowly)
    stop = [partial(fewer_mails.bulk_mails_end, player=one, now=NOW) for one in (ana, hugo)]
    ended = together(*stop)
    assert [one.observed for one in ended if isinstance(one, Ended)] == [("ypres",), ("marne",)]


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


def test_of_two_clicks_at_the_same_moment_one_acts_on_the_game(cast: Cast) -> None:
    act = write.Write()
    given, expected = write.Parameters(text="Hello"), act.stamp(cast.game)
    click = partial(act.perform, cast.game, given, by=staff("gm"), now=NOW, expected=expected)
    said = together(*[click] * 4)
    assert sum(isinstance(one, WrongState) for one in said) == 3
    assert cast.game.press.count() == 1


def test_of_two_who_give_a_game_the_same_name_at_the_same_moment_one_is_told(cast: Cast) -> None:
    make = partial(game_create, name="yser", now=NOW)
    somme = game_create(name="somme", now=NOW)
    rename = partial(game_rename, game=somme, to="yser", by="gm", now=NOW)
    said = [str(one) for one in together(make, make, rename)]
    taken = "There is already a game yser. Please choose another name."
    assert sorted(said) == [taken, taken, "yser"]


def test_of_two_newcomers_with_one_name_who_confirm_at_the_same_moment_one_has_it(
    transactional_db: None,
) -> None:
    for number in range(5):
        name = f"Zed {'ABCDE'[number]}."
        asked = [player_register(name=name, email=f"{one}{number}@e.test", now=NOW) for one in "ab"]
        said = together(*[partial(address_confirm, address=one, now=NOW) for one in asked])
        assert sum("your name is no longer free" in str(one) for one in said) == 1


def test_of_players_who_take_one_name_at_the_same_moment_one_has_it(cast: Cast) -> None:
    for name in ("Zoe", "Yves", "Xenia", "Wim", "Vera"):
        players = Player.objects.order_by("pk")[:3]
        said = together(*[partial(player_rename, player=one, name=name) for one in players])
        assert sum("Another player here is called" in str(one) for one in said) == 2


@pytest.mark.only_on("PostgreSQL")  # SQLite lets nobody write while the form is saved
def test_a_form_that_is_sent_twice_makes_one_game(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    saved = GameAdmin.save_model

    def meanwhile(self: GameAdmin, *given: Any) -> None:
        together(partial(game_create, name="verdun", now=NOW))
        saved(self, *given)

    monkeypatch.setattr(GameAdmin, "save_model", meanwhile)
    shown = client.post(reverse("admin:games_game_add"), FORM, follow=True)
    assert "There is already a game verdun." in shown.content.decode()
    assert Game.objects.filter(name="verdun").count() == 1


@pytest.mark.only_on("PostgreSQL")
def test_an_act_that_a_mail_blocks_and_that_blocks_it_is_done_all_the_same(cast: Cast) -> None:
    """A mail may bring orders, and then a new name: it holds the game and waits for the player."""
    ana, holds = cast.player("Ana"), threading.Event()
    act = PLAYER_ACTS["ban"]
    given = act.parameters(why="Rude.")

    @transaction.atomic
    def mail() -> None:
        with connection.cursor() as cursor:  # the other sees the deadlock, and is undone
            cursor.execute("SET LOCAL deadlock_timeout = '1min'")
        lock_game(cast.game)
        holds.set()
        while not somebody_waits():
            time.sleep(0.01)
        lock_player(ana)

    def moderator() -> object:
        assert holds.wait(timeout=60)
        return act.perform(ana, given, by=staff("mo"), now=NOW)

    _, done = together(mail, moderator)
    assert str(getattr(done, "said", done)) == "Ana is banned."
    assert ana.conduct.filter(kind=Conduct.Kind.BANNED).count() == 1


@pytest.mark.only_on("PostgreSQL")
def test_an_act_that_meets_a_second_mail_when_it_tries_anew_is_done_all_the_same(
    cast: Cast,
) -> None:
    """Two mails hold a game each, as above; the act comes to the second after the first is gone."""
    ana, held = cast.player("Ana"), threading.Semaphore(0)
    other = game_create(name="yser", gm=cast.gm, now=NOW)
    game_join(game=other, player=ana, preferences="", now=NOW)

    @transaction.atomic
    def mail(game: Game) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '1min'")
        lock_game(game)
        held.release()
        while not somebody_waits():
            time.sleep(0.01)
        lock_player(ana)

    def moderator() -> object:
        assert all(held.acquire(timeout=60) for _ in (cast.game, other))
        with connection.cursor() as cursor:
            cursor.execute("SET deadlock_timeout = '50ms'")
        act = PLAYER_ACTS["ban"]
        return act.perform(ana, act.parameters(why="Rude."), by=staff("mo"), now=NOW)

    *_, done = together(partial(mail, cast.game), partial(mail, other), moderator)
    assert str(getattr(done, "said", done)) == "Ana is banned."


def is_free(game: Game) -> bool:
    """Whether another worker could take the game now."""
    rows = Game.objects.select_for_update(skip_locked=True).filter(pk=game.pk)
    with ThreadPoolExecutor(1) as pool:
        return bool(pool.submit(lambda: in_thread(transaction.atomic(lambda: len(rows)))).result())


@pytest.mark.only_on("PostgreSQL")
def test_nobody_gets_between_a_rehearsal_and_its_forecast(cast: Cast) -> None:
    """Whoever began to wait in the rehearsal waits for the whole transaction: another who took the
    game after it would be waited for in turn when a row that points at the game is written."""
    act = GAME_ACTS["process_now"]
    with transaction.atomic():
        act.foresee(cast.game, act.parameters(), by=staff("gm"), now=NOW)
        assert not is_free(cast.game)
    assert is_free(cast.game)


@pytest.mark.parametrize("name", ["extend", "pause", "process_now", "remind"])
def test_an_act_on_a_game_that_has_just_ended_is_refused(cast: Cast, name: str) -> None:
    act, before = GAME_ACTS[name], Game.objects.get()
    game_end(game=cast.game, winners=(), why="Enough.", by="gm", now=NOW)
    needs = {"why": "Time.", "later": HOUR, "length": HOUR}
    given = act.parameters(
        **{one.name: needs[one.name] for one in parameters_of(act.parameters) if one.name in needs}
    )
    for do in (act.foresee, act.perform):
        with pytest.raises(WrongState):
            do(before, given, by=staff("gm"), now=NOW)


@pytest.mark.parametrize("other", [GAME_ACTS["delete"], GAME_ACTS["start"]])
def test_of_two_clicks_of_which_one_deletes_the_game_the_other_is_told(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch, other: GameAct[Any]
) -> None:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    game = game_create(name="yser", gm=cast.gm, now=NOW)
    url = reverse("admin:games_game_act", args=[game.pk, other.name])
    unsure = Acting.unsure

    def meanwhile(acting: Acting[Game, Any], post: QueryDict) -> str:
        game_delete(game=game)
        return unsure(acting, post)

    monkeypatch.setattr(Acting, "unsure", meanwhile)
    shown = client.post(url, {"confirmed": "1", "expected": "", "typed_name": "yser"})
    assert "The game yser is gone." in shown.content.decode()


def test_of_two_moderators_at_the_same_moment_one_acts_about_a_player(cast: Cast) -> None:
    ana, act = cast.player("Ana"), note.Note()
    given, expected = note.Parameters(text="Seen."), act.stamp(ana)
    click = partial(act.perform, ana, given, by=staff("mo"), now=NOW, expected=expected)
    said = together(*[click] * 4)
    assert sum(isinstance(one, WrongState) for one in said) == 3
    assert ana.conduct.count() == 1


def test_of_two_rounds_made_at_once_from_two_games_of_a_tournament_one_is_shown_again(
    transactional_db: None,
) -> None:
    cup = make_cast(tournament="cup", anonymous=False)
    other = game_create(name="aisne", gm=cup.gm, tournament="cup", now=NOW)
    act, players = GAME_ACTS["make_round"], tuple(POWERS)
    calls = [
        partial(
            act.perform,
            game,
            act.parameters(name=name, players=players),
            by=staff("gm"),
            now=NOW + HOUR,
            expected=act.stamp(game),
        )
        for name, game in (("r2", cup.game), ("r3", other))
    ]
    found = together(*calls)
    assert [type(one) for one in found].count(WrongState) == 1
    assert Game.objects.filter(name__in=["r2-1", "r3-1"]).count() == 1


def test_of_two_who_let_the_server_go_on_at_once_the_players_hear_once(cast: Cast) -> None:
    server_halt(why="A fault.", by="mo", now=NOW)
    together(*[partial(server_resume, by="mo", now=NOW + HOUR)] * 3)
    assert len(cast.events("server_resumed")) == 1


def test_a_game_that_is_paused_while_the_server_goes_on_is_not_told_that_it_does(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_halt(why="A fault.", by="mo", now=NOW)
    games = halts.games_to_go_on

    def paused_then(**given: Any) -> list[int]:
        found = games(**given)
        if found:
            game_pause(game=cast.game, until=None, why="A wedding.", by="gm", now=NOW)
        return found

    monkeypatch.setattr(halts, "games_to_go_on", paused_then)
    server_resume(by="mo", now=NOW + HOUR)
    assert cast.events("game_paused")
    assert not cast.events("server_resumed")
