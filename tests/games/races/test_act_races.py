"""Several at once who act on a game: each act is done once, and who comes second is told."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS, PLAYER_ACTS, GameAct, write
from games.acts.parameters import parameters_of
from games.acts.players import note
from games.admin.acting import Acting
from games.admin.game import GameAdmin
from games.errors import WrongState
from games.models import Conduct, Game
from games.services.clock import halts
from games.services.clock.halts import server_halt, server_resume
from games.services.clock.pauses import game_pause
from games.services.common import lock_game, lock_player
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from games.services.setup.unstarted import game_delete, game_rename
from tests.cast import HOUR, NOW, POWERS, Cast, make_cast
from tests.games.acts.acting import staff
from tests.games.admin.new_game_form import FORM
from tests.games.races.racing import in_thread, somebody_waits, together

pytestmark = pytest.mark.django_db(transaction=True)


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
