"""The deadlines of all games of a tournament, moved in one act."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Group, User

from games.acts import GAME_ACTS
from games.models import Event, Game, Phase, Seat
from games.queries.access import roles
from tests.cast import DAY, HOUR, NOW, Cast
from tests.games.acts.acting import Acting
from tests.games.tournaments.cups import DUE, due, make_cup

pytestmark = pytest.mark.django_db

WHY = "The hall is closed."


@pytest.fixture
def cup(db: None) -> Cast:
    return make_cup()


def moved(**other: dt.datetime) -> dict[str, dt.datetime]:
    return {"marne": DUE, "r2-1": DUE, "r3-1": DUE, **other}


def test_all_games_of_the_tournament_that_are_being_played_move_at_once(cup: Cast) -> None:
    acting = Acting(cup.game, "extend_all")
    said = acting.foresee(later="2d", why=WHY)
    assert "marne and r2-1: The deadline of Spring 1901 movement moves from" in said
    assert "Paused, so not moved: r3-1." in said
    assert due() == moved()
    assert acting.confirm(later="2d", why=WHY) == "The deadlines of marne and r2-1 have moved."
    assert due() == moved() | {"marne": DUE + 2 * DAY, "r2-1": DUE + 2 * DAY}
    assert Event.objects.filter(kind="deadline_moved", payload__why=WHY).count() == 2


def test_only_the_games_that_are_chosen_move(cup: Cast) -> None:
    other = Game.objects.get(name="r2-1")
    acting = Acting(cup.game, "extend_all")
    typed = {"games": [str(other.pk)], "later": "2d", "why": WHY}
    assert "marne:" not in acting.foresee(**typed)
    assert acting.confirm(**typed) == "The deadline of r2-1 has moved."
    assert due() == moved() | {"r2-1": DUE + 2 * DAY}


def test_a_slip_in_all_of_them_is_taken_back_in_one_go(cup: Cast) -> None:
    Acting(cup.game, "extend_all").confirm(later="20d", why=WHY)
    right = DUE + 2 * DAY
    acting = Acting(cup.game, "extend_all")
    typed = {"to": f"{right:%Y-%m-%d %H:%M}", "why": "I mistyped it."}
    assert "is taken back" in acting.foresee(**typed)
    acting.confirm(**typed)
    assert due() == moved() | {"marne": right, "r2-1": right}


def test_if_one_game_cannot_move_none_does_and_it_is_named(cup: Cast) -> None:
    Phase.objects.filter(game__name="r2-1").update(due_at=DUE + 9 * DAY)
    acting = Acting(cup.game, "extend_all")
    typed = {"to": f"{DUE + DAY:%Y-%m-%d %H:%M}", "why": WHY}
    assert acting.confirm(**typed).startswith("r2-1: ")
    assert due() == moved() | {"r2-1": DUE + 9 * DAY}


def test_nobody_moves_by_this_what_they_could_not_move_alone(cup: Cast) -> None:
    Game.objects.filter(name="r2-1").update(gm=None)
    acting = Acting(cup.game, "extend_all")
    said = acting.confirm(later="2d", why=WHY)
    assert said.startswith("You are not the GM of the game r2-1. Choose the other games")
    assert due() == moved()


def test_a_moderator_cannot_move_a_game_in_which_they_play(cup: Cast) -> None:
    mo = User.objects.create_user("mo", "mo@players.test")
    mo.groups.add(Group.objects.get_or_create(name=roles.MODERATOR)[0])
    seat = Seat.objects.get(power__game__name="r2-1", player__name="Ana")
    acting = Acting(cup.game, "extend_all")
    acting.by = mo
    assert acting.foresee(later="2d", why=WHY).startswith("marne and r2-1: ")
    seat.player.addresses.update(email=mo.email)
    Seat.objects.filter(power__game=cup.game, player=seat.player).delete()
    assert "You play in the game r2-1 yourself" in acting.foresee(later="2d", why=WHY)


def test_what_was_seen_is_done_only_while_it_holds_in_every_game(cup: Cast) -> None:
    acting = Acting(cup.game, "extend_all")
    acting.foresee(later="2d", why=WHY)
    Phase.objects.filter(game__name="r2-1").update(due_at=DUE + HOUR)
    assert "has changed in the meantime" in acting.confirm(later="2d", why=WHY)


def test_a_game_without_a_tournament_has_no_others(marne: Cast) -> None:
    said = GAME_ACTS["extend_all"].why_not(marne.game, NOW)
    assert said == "The game marne belongs to no tournament."
