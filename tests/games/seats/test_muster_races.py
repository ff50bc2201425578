"""Several workers at once at a muster: the game starts once, or not, and nobody is in two minds."""

from __future__ import annotations

from functools import partial

import pytest

from games.errors import GameError
from games.models import Event, Game, Player, Seat
from games.services.clock.muster import muster_proceed, player_here
from games.services.moderation.conduct import player_ban
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, POWERS, make_player
from tests.games.races.racing import together

pytestmark = pytest.mark.django_db(transaction=True)

END = NOW + DAY


@pytest.fixture
def game(transactional_db: None) -> Game:
    """A game that musters."""
    game = game_create(name="marne", muster=DAY, now=NOW)
    for name in POWERS:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    game.refresh_from_db()
    return game


def answers(game: Game) -> list[partial[Game]]:
    """What each of the silent has to say."""
    players = Player.objects.filter(applications__here_at=None)
    return [partial(player_here, game=game, player=player, now=NOW) for player in players]


def count(game: Game, kind: str) -> int:
    return game.events.filter(kind=kind).count()


def test_answers_that_come_together_start_the_game_once(game: Game) -> None:
    together(*answers(game))
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE
    assert count(game, "game_started") == 1
    assert Seat.objects.count() == len(POWERS)


def test_the_last_answer_and_the_end_do_not_mix(game: Game) -> None:
    *earlier, last = answers(game)
    for answer in earlier:
        answer()
    end = partial(muster_proceed, game_id=game.pk, now=END)
    together(last, end)
    game.refresh_from_db()
    started = count(game, "game_started")
    failed = count(game, "muster_failed")
    assert started + failed == 1
    assert (game.status == Game.Status.ACTIVE) == bool(started)
    assert Seat.objects.count() == (len(POWERS) if started else 0)


def test_of_many_workers_one_ends_the_muster(game: Game) -> None:
    events = together(*[partial(muster_proceed, game_id=game.pk, now=END)] * 5)
    assert sum(isinstance(event, Event) for event in events) == 1
    assert count(game, "muster_failed") == 1


def test_two_moderators_ban_a_player_once(game: Game) -> None:
    ana = Player.objects.get(name="Ana")
    ban = partial(player_ban, player=ana, why="A bot.", by="mo", now=NOW)
    said = together(ban, ban)
    assert sum(isinstance(one, GameError) for one in said) == 1
    assert ana.conduct.count() == 1
    assert count(game, "muster_failed") == 1
