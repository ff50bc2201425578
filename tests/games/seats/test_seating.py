"""A power given to a player before the start, on the GM's page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from games.errors import BadInput, NotAllowed, WrongState
from games.models import Event, Game, Player, Seat
from games.queries.access import roles
from games.queries.reports.log_text import sentence
from games.queries.reports.summary import game_summary
from games.services.accounts.players import player_register
from games.services.moderation.conduct import player_ban
from games.services.seating.joining import game_join, game_leave, seat_give
from games.services.seating.seats import seat_resign, seat_take
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, POWERS, make_gm, make_player
from tests.games.acts.acting import Acting
from tests.games.admin.gm_pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def gm(db: None) -> User:
    gm = make_gm()
    gm.groups.add(Group.objects.get_or_create(name=roles.GM)[0])
    return gm


@pytest.fixture
def verdun(gm: User) -> Game:
    """A game looking for players."""
    return game_create(name="verdun", gm=gm, now=NOW)


def give(game: Game, power: str, player: Player) -> Seat:
    row = game.powers.get(name=power)
    return seat_give(game=game, power=row, player=player, why="A friend.", by="gm", now=NOW)


def fill_but(game: Game, *names: str) -> None:
    for name in set(POWERS) - set(names):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)


def players(game: Game) -> dict[str, str]:
    seats = Seat.objects.filter(power__game=game, until=None)
    return dict(seats.values_list("player__name", "power__name"))


def test_a_power_that_was_given_is_kept_when_the_game_starts(verdun: Game) -> None:
    give(verdun, "Turkey", make_player("Ana"))
    assert game_summary(verdun).seats_free == 6
    fill_but(verdun, "Ana")
    verdun.refresh_from_db()
    assert verdun.status == Game.Status.ACTIVE
    assert players(verdun)["Ana"] == "Turkey"
    assert len(players(verdun)) == 7


def test_the_log_says_that_the_gm_gave_a_power_and_not_to_whom(verdun: Game) -> None:
    give(verdun, "Turkey", make_player("Ana"))
    said = sentence(verdun.events.latest("number"))
    assert said == "gm gave a player their power. 6 seats are still free. A friend."


@pytest.mark.parametrize(("muster", "status"), [(0 * DAY, "active"), (2 * DAY, "muster")])
def test_the_last_seat_begins_the_game_as_it_does_by_mail(
    verdun: Game, muster: object, status: str
) -> None:
    Game.objects.update(muster=muster)
    fill_but(verdun, "Ana")
    give(verdun, "Turkey", make_player("Ana"))
    verdun.refresh_from_db()
    assert verdun.status == status


def test_who_has_joined_can_be_given_a_power_and_takes_no_second_seat(verdun: Game) -> None:
    fill_but(verdun, "Greta")
    give(verdun, "Turkey", Player.objects.get(name="Ana"))
    assert game_summary(verdun).seats_free == 1


def test_who_was_given_a_power_can_leave_until_the_start(verdun: Game) -> None:
    ana = make_player("Ana")
    give(verdun, "Turkey", ana)
    game_leave(game=verdun, player=ana, now=NOW)
    assert (players(verdun), game_summary(verdun).seats_free) == ({}, 7)
    give(verdun, "France", ana)
    assert players(verdun) == {"Ana": "France"}


@pytest.mark.parametrize("power", ["Turkey", "Italy"])
def test_who_left_before_the_start_has_played_nothing_and_may_take_over_any_power(
    verdun: Game, client: Client, power: str
) -> None:
    hugo = make_player("Hugo")
    give(verdun, "Turkey", hugo)
    game_leave(game=verdun, player=hugo, now=NOW)
    fill_but(verdun)
    assert client.get(f"/players/{hugo.pk}/").status_code == 404  # nothing is known of them
    seat_resign(seat=Seat.objects.get(power__name=power), now=NOW)
    seat_take(game=verdun, power=verdun.powers.get(name=power), player=hugo, now=NOW)
    assert players(verdun)["Hugo"] == power


def test_nobody_gets_two_powers_and_no_power_two_players(verdun: Game) -> None:
    ana = make_player("Ana")
    give(verdun, "Turkey", ana)
    with pytest.raises(NotAllowed, match="Ana already has Turkey in the game verdun"):
        give(verdun, "France", ana)
    with pytest.raises(WrongState, match="Ana already has Turkey in the game verdun"):
        give(verdun, "Turkey", make_player("Ben"))


def test_only_who_may_take_a_seat_is_given_one(verdun: Game) -> None:
    address = player_register(name="Zoe", email="zoe@players.test", now=NOW)
    with pytest.raises(NotAllowed, match="Zoe has not confirmed an address"):
        give(verdun, "Turkey", address.player)
    ben = make_player("Ben")
    player_ban(player=ben, why="Abuse.", by="mo", now=NOW)
    with pytest.raises(NotAllowed, match="The moderators do not let Ben take a seat"):
        give(verdun, "Turkey", Player.objects.get(name="Ben"))


def test_a_game_that_is_full_or_of_others_powers_gives_none(verdun: Game, gm: User) -> None:
    Game.objects.update(muster=2 * DAY)
    fill_but(verdun)
    with pytest.raises(WrongState, match="waiting for its players"):
        give(verdun, "Turkey", make_player("Hugo"))
    somme, turkey = game_create(name="somme", gm=gm, now=NOW), verdun.powers.get(name="Turkey")
    ana = Player.objects.get(name="Ana")
    with pytest.raises(BadInput, match="not a power of the game somme"):
        seat_give(game=somme, power=turkey, player=ana, why="-", by="gm", now=NOW)


def test_the_page_asks_for_a_free_power_and_says_what_will_happen(
    client: Client, gm: User, verdun: Game
) -> None:
    make_player("Ben")
    give(verdun, "Turkey", make_player("Ana"))
    client.force_login(gm)
    assert "has Turkey" in page_of(client, verdun)
    acts = Acting(verdun, "replace")
    typed = {"power": "France", "player": "Ben", "why": "He asked me."}
    shown = acts.foresee(**typed)
    assert "Ben plays France when verdun starts." in shown
    assert "can give the seat back until the start" in shown
    assert acts.act.undo_of(verdun) == "Until the start only the player can undo it."
    assert players(verdun) == {"Ana": "Turkey"}
    assert "Ben plays France in verdun when it starts." in acts.confirm(**typed)
    assert players(verdun) == {"Ana": "Turkey", "Ben": "France"}
    assert "no longer on this list" in acts.foresee(**{**typed, "power": "Turkey"})
    assert Event.objects.filter(kind="player_joined").count() == 2
