"""A GM who also plays gives up the address by which we know that the two are one."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User

from games.models import Game, Player
from games.queries.access.accounts import is_player
from games.services.accounts.players import address_confirm, player_register
from games.services.accounts.profile import address_add
from games.services.seating.seats import seat_resign
from mailer.outbound import addresses
from tests.cast import DAY, NOW, Cast
from tests.mailer.correspondence import flat, home, told_cast, write

pytestmark = pytest.mark.django_db
OLD, NEW = "gm@players.test", "gus@home.test"
LATER = NOW + 8 * DAY


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, whose GM plays elsewhere as Gus, by two addresses; the seat of Austria is open."""
    found = told_cast()
    gus = address_confirm(address=player_register(name="Gus", email=OLD, now=NOW), now=NOW)
    address_confirm(address=address_add(player=gus, email=NEW, now=NOW), now=NOW)
    seat_resign(seat=found.seat("Austria"), now=NOW)
    return found


def says(text: str, *, at: dt.datetime = NOW) -> str:
    """The answer to what Gus writes from the new address."""
    record = Player.objects.get(name="Gus").record
    assert record is not None
    to = addresses.player_address(address=record, now=NOW)
    mail = write("x", text, sender=NEW, to=to, received_at=at)
    return flat(mail.answers.get(kind="reply").body)


def test_who_moves_reads_what_stays_in_the_admin(cast: Cast) -> None:
    said = says(f"SET RECORD {NEW}")
    assert f"In the admin you still go by {OLD}" in said


def test_who_is_no_gm_reads_nothing_of_it(cast: Cast) -> None:
    Game.objects.update(gm=None)
    cast.gm.delete()
    assert "the admin" not in says(f"SET RECORD {NEW}")


def test_a_gm_without_that_address_still_cannot_play_in_their_game(cast: Cast) -> None:
    says(f"SET RECORD {NEW}")
    says(f"SET FORGET {OLD}", at=LATER)
    gus = Player.objects.get(name="Gus")
    assert [one.email for one in gus.addresses.all()] == [NEW]
    assert is_player(cast.gm, gus)
    said = says("TAKEOVER marne Austria", at=LATER)
    assert "The GM of the game marne cannot play in it" in said


def test_nobody_becomes_one_of_the_staff_by_naming_an_address(cast: Cast) -> None:
    carla = cast.player("Carla")
    carla.addresses.create(email="other@staff.test", created_at=NOW)
    User.objects.create_user("other", "other@staff.test")
    write("Carla", "SET FORGET other@staff.test", to=home("Carla"))
    assert Player.objects.get(name="Carla").user is None
