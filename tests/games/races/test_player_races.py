"""Several at once who change a player: nothing is lost between two, and nobody waits for ever."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from games.acts import GAME_ACTS
from games.errors import WrongState
from games.models import Conduct, Game, Player
from games.queries.access.staff_names import Actor
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
from games.services.clock.reminders import reminders_set
from games.services.common import lock_game, lock_player
from games.services.moderation import gm_leaves, seats_lost
from games.services.moderation.conduct import player_ban
from games.services.moderation.seats_lost import lock_games_of
from games.services.moderation.staff import gm_appoint
from games.services.seating.joining import game_join, player_withdraw
from games.services.seating.observers import observe_nothing
from games.services.seating.seats import seat_resign
from games.services.seating.standby import standby_join, standby_leave
from games.services.setup.games import game_create
from tests.cast import HOUR, NOW, Cast, make_player
from tests.games.acts.acting import staff
from tests.games.races.racing import DUE, in_thread, somebody_waits, together

pytestmark = pytest.mark.django_db(transaction=True)


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
