"""Who is told that somebody joined, and that the game starts."""

from __future__ import annotations

import pytest

from games import log
from games.events import PhaseStuck
from games.services.seating.joining import game_join, game_leave, seat_give
from games.services.setup.games import game_create
from mailer import notices
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.text import MARKER
from tests.cast import NOW, Cast, make_gm, make_player
from tests.mailer.correspondence import flat, tell_all
from tests.mailer.notices.played import EVERYBODY, GM, PLAYER_OF

pytestmark = pytest.mark.django_db


def test_the_gm_hears_of_every_player_who_joins_and_nobody_else_does(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.recipient == GM
    assert mail.subject == "[yser] Ana has joined"
    assert "6 seats are still free" in mail.body


def test_the_gm_hears_in_one_mail_of_those_who_joined_meanwhile(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben", "Carla"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] 3 players have joined"
    assert "Ana, Ben and Carla have joined your game yser." in flat(mail.body)
    assert "4 seats are still free" in mail.body
    game_join(game=game, player=make_player("Dmitri"), preferences="", now=NOW)
    assert tell_all()[-1].subject == "[yser] Dmitri has joined"


def test_who_joined_is_told_once_whichever_event_is_told_first(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    for event in game.events.filter(kind="player_joined").order_by("-number"):
        notices.tell_event(event, now=NOW)
    [mail] = OutboundMail.objects.filter(kind="player_joined")
    assert "Ana and Ben have joined your game yser." in flat(mail.body)


def test_when_the_last_who_joins_starts_the_game_the_gm_hears_it_in_one_mail(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for number in range(7):
        game_join(game=game, player=make_player(f"Player{number}"), preferences="", now=NOW)
    to_gm = [mail.subject for mail in tell_all() if mail.recipient == GM]
    assert to_gm == ["[yser] The game starts"]


def test_who_joins_again_is_counted_once(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    game_join(game=game, player=ana, preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] Ana has joined"
    assert "Ana has joined your game yser." in flat(mail.body)


def test_who_has_left_again_before_the_mail_is_not_said_to_have_joined(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana, ben = make_player("Ana"), make_player("Ben")
    for player in (ana, ben):
        game_join(game=game, player=player, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] Ben has joined"
    assert "6 seats are still free" in mail.body
    assert "Ana" not in mail.body


def test_when_all_who_joined_have_left_again_the_gm_hears_nothing(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_who_took_back_the_wish_to_join_is_not_said_to_ask(db):
    game = game_create(name="yser", gm=make_gm(), entry="approval", now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_a_seat_that_was_given_back_before_the_mail_is_not_announced(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana, power = make_player("Ana"), game.powers.get(name="France")
    seat_give(game=game, power=power, player=ana, why="A friend.", by="the GM", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_a_mail_to_the_gm_begins_with_its_news(marne: Cast) -> None:
    log.record(game=marne.game, phase=marne.phase, facts=PhaseStuck(phase="S1901M"), now=NOW)
    mails = [mail for mail in tell_all() if mail.recipient == GM]
    bodies = {mail.kind: flat(mail.body).removeprefix(f"{MARKER} ") for mail in mails}
    stuck = "Spring 1901 movement of your game marne has not been processed:"
    assert bodies["phase_stuck"].startswith(stuck)
    assert bodies["game_started"].startswith("Your game marne starts.")


def test_a_game_without_a_gm_tells_no_gm(db):
    game = game_create(name="yser", now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    assert tell_all() == []


def test_every_player_gets_one_start_mail_about_their_own_power(marne: Cast):
    mails = [mail for mail in tell_all() if mail.kind == "game_started"]
    assert sorted(mail.recipient for mail in mails) == sorted([*EVERYBODY, GM])
    for power, recipient in PLAYER_OF.items():
        [mail] = [mail for mail in mails if mail.recipient == recipient]
        owes = f"order {4 if power == 'Russia' else 3} units by"
        starts = f"[marne] The game starts and you play {power}"
        assert mail.subject.startswith(f"{starts}; {owes} Thu 5 Mar")
        assert f"you play {power}" in mail.body
        assert mail.body.startswith(MARKER)


def test_a_start_mail_says_what_to_order_by_when_and_in_the_players_own_zone(marne: Cast):
    marne.game.refresh_from_db()
    ana = marne.player("Ana")
    ana.timezone = "Europe/Vienna"
    ana.save()
    body = flat(mail_to("ana@players.test", tell_all()).body)
    assert "you have 3 units to order. Deadline" in body
    assert "Your units (A Budapest, A Vienna, F Trieste)" in body
    assert "Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days." in body


def mail_to(recipient: str, mails: list[OutboundMail]) -> OutboundMail:
    [mail] = [mail for mail in mails if mail.recipient == recipient]
    return mail


def test_a_reply_to_a_start_mail_is_known_to_be_about_this_seat_and_phase(marne: Cast):
    mail = mail_to("carla@players.test", tell_all())
    token = addresses.find([mail.reply_to])
    assert token is not None
    assert (token.seat, token.phase) == (marne.seat("France"), marne.phase)
