"""The GM's address is nobody's to give away: no player reads it, whatever the user is called."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.models import Game
from games.queries.access.staff_names import name_shown, own_name
from games.queries.reports.log_text import sentence
from games.services.moderation.staff import moderator_appoint, user_at
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, POWERS, Cast, make_player
from tests.mailer.correspondence import (
    answer_to,
    eml,
    flat,
    home,
    on_the_wire,
    receive,
    tell_all,
    write,
)

pytestmark = pytest.mark.django_db
GM = "gm@secret.test"


def made(*more: str) -> Game:
    call_command("create_game", "verdun", "--gm", GM, *more)
    return Game.objects.get(name="verdun")


def test_a_gm_for_whom_a_game_is_made_is_told_and_can_answer(db: None) -> None:
    game = made()
    game_create(name="somme", gm=game.gm, now=NOW)  # by the GM, who has seen it
    tell_all()
    mail = OutboundMail.objects.get(recipient=GM)
    assert mail.subject == "[verdun] You are the game master"
    assert "Players join it with the line: JOIN verdun" in flat(mail.body)
    to = addresses.gm_address(user=game.gm, game=game, now=NOW)
    assert addresses.find((mail.reply_to,)) == addresses.find((to,))


def everything_to_players() -> str:
    tell_all()
    mails = OutboundMail.objects.exclude(recipient=GM)
    return "\n".join(on_the_wire(mail) for mail in mails)


def test_a_name_without_somebody_who_has_it_makes_no_game() -> None:
    with pytest.raises(CommandError, match="write --gm and their address"):
        call_command("create_game", "verdun", "--gm-name", "Maria Rossi")
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("more", "name"), [((), "the GM"), (("--gm-name", "Maria Rossi"), "Maria Rossi")]
)
def test_no_mail_to_a_player_holds_the_game_master_s_address(
    more: tuple[str, ...], name: str
) -> None:
    game = made(*more)
    for player in POWERS:
        game_join(game=game, player=make_player(player), preferences="", now=NOW)
    game_create(name="somme", gm=game.gm, now=NOW)
    game.refresh_from_db()
    assert game.gm
    to = addresses.gm_address(user=game.gm, game=game, now=NOW)
    for text in (
        "EXTEND 24h because of rain",
        "PAUSE because of snow",
        "RESUME",
        "WRITE TO ALL\nHi",
    ):
        assert receive(eml(text, sender=GM, to=to)).state == "done"
    for text in ("LIST", "STATUS verdun", "LOG verdun", "HISTORY verdun", "PRESS TO GM\nHello"):
        write("Carla", text, to=home("Carla"))
    said = everything_to_players()
    assert "because" in said or "rain" in said
    assert f"{name[0].upper()}{name[1:]} says why: " in said
    assert GM not in said
    assert "secret.test" not in said


def test_list_names_the_game_master_only_where_there_is_a_name(marne: Cast) -> None:
    game_create(name="somme", gm=User.objects.create_user(GM, GM), now=NOW)
    game_create(name="verdun", gm=user_at(email="m@x.test", name="Maria Rossi"), now=NOW)
    body = flat(answer_to(write("Carla", "LIST")).body)
    assert body.count("Game master:") == 1
    assert "Maria Rossi" in body


def test_a_name_that_holds_an_address_is_none_and_nor_is_what_one_signs_in_with(db: None) -> None:
    user = User.objects.create_user("anna", GM, first_name="Anna", last_name=GM)
    assert own_name(user) == ""
    assert own_name(User.objects.create_user("admin")) == ""
    assert own_name(User.objects.create_user("maria", first_name="Maria")) == "Maria"


def test_a_moderator_without_a_name_is_a_moderator(db: None) -> None:
    user = user_at(email="ada@secret.test")
    moderator_appoint(user=user)
    assert name_shown(user) == "a moderator"


def test_an_act_of_old_that_bears_an_address_is_told_without_it(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    receive(eml("EXTEND 24h because of rain", sender="gm@players.test", to=to))
    (event,) = marne.events("deadline_moved")
    event.payload["by"] = GM
    assert "the GM moved the deadline" in sentence(event)
    assert GM not in sentence(event)
