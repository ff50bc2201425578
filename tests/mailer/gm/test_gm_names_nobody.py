"""A reason that names a player: in an anonymous game its GM is asked before all read it."""

from __future__ import annotations

import pytest

from games.models import Game, Player
from games.services.clock.extensions import extension_ask
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import flat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
GM = "gm@players.test"


def order(cast: Cast, text: str) -> str:
    """What the game master is asked after this; empty where it was done, or refused, at once."""
    to = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    write("gm", text, sender=GM, to=to)
    asked = OutboundMail.objects.filter(kind="question").first()
    return flat(asked.body) if asked else ""


@pytest.fixture
def anonymous(marne: Cast) -> Cast:
    Game.objects.update(anonymous=True)
    return marne


@pytest.mark.parametrize(
    "text", ["EXTEND 24h because Carla is ill", "PAUSE because of Carla's wedding"]
)
def test_a_reason_that_names_a_player_is_asked_about_first(anonymous: Cast, text: str) -> None:
    assert (
        "Your reason names Carla, and all players read it, though the game is anonymous."
        in order(anonymous, text)
    )
    assert not anonymous.events("deadline_moved") + anonymous.events("game_paused")
    asked = OutboundMail.objects.get(kind="question")
    write("gm", "YES", sender=GM, to=asked.reply_to)
    assert anonymous.events("deadline_moved") + anonymous.events("game_paused")


def test_so_is_a_reason_to_give_one_power_no_more_time(anonymous: Cast) -> None:
    seat = anonymous.seat("France")
    extension_ask(seat=seat, phase=anonymous.phase, length="24h", why="I am ill", now=NOW)
    asked = order(anonymous, "REFUSE France because Carla had two days")
    assert "Your reason names Carla, and all players read it" in asked
    assert not anonymous.events("extension_refused")


@pytest.mark.parametrize(
    "text",
    [
        "SETORDERS Germany because Emma is ill\nA Mun - Bur",
        "SETORDERS Germany\nA Mun - Bur\nbecause of rain,\nand Emma is ill",
    ],
)
def test_a_name_in_the_reason_for_orders_is_seen_wherever_it_stands(
    anonymous: Cast, text: str
) -> None:
    assert (
        "Your reason names Emma, and all players read it, though the game is anonymous."
        in order(anonymous, text)
    )


def test_the_first_of_two_names_is_a_name(anonymous: Cast) -> None:
    Player.objects.filter(name="Carla").update(name="Carla Moss")
    assert "Your reason names Carla Moss," in order(anonymous, "EXTEND 24h because Carla is ill")


@each_row(
    "text",
    [
        "EXTEND 24h because France is ill",
        "EXTEND 24h because the carla is late",
        "EXTEND 24h because of Carlas",
        "WRITE TO ALL: Carla is ill",
    ],
)
def test_what_names_nobody_and_what_is_no_reason_is_done_at_once(
    anonymous: Cast, text: str
) -> None:
    assert order(anonymous, text) == ""
    assert anonymous.events("deadline_moved") or anonymous.game.press.exists()


def test_where_everybody_is_known_a_name_is_no_secret(marne: Cast) -> None:
    assert order(marne, "EXTEND 24h because Carla is ill") == ""
    assert marne.events("deadline_moved")


def test_one_who_plays_learns_from_no_question_who_else_does(anonymous: Cast) -> None:
    ben = anonymous.player("Ben")
    ben.user = anonymous.gm
    ben.save()
    assert order(anonymous, "PAUSE because Carla is ill") == ""
    assert anonymous.events("game_paused")
