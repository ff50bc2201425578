"""Who is believed to be a game master, and what others do who write as one."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services.accounts.players import address_confirm, player_register
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import flat, to_seat, write
from tests.mailer.gm.writing import GM, as_gm, confirm, order, phase_names, question

pytestmark = pytest.mark.django_db


State = InboundMail.State


def test_without_our_reply_address_all_that_changes_something_is_asked_back(marne: Cast) -> None:
    before = marne.phase.due_at
    mail = write("gm", "GM marne EXTEND 24h because of rain", sender=GM)
    assert mail.state == State.HELD
    assert marne.phase.due_at == before
    confirm()
    assert marne.phase.due_at != before


def test_two_gm_lines_for_one_game_are_asked_about_together(marne: Cast) -> None:
    before = marne.phase.due_at
    text = "GM marne STATUS\nGM marne EXTEND 24h because of rain"
    mail = write("gm", text, sender="gm@players.test")
    assert mail.state == State.HELD
    assert "in a mail of its own" not in flat(question().body)
    confirm()
    assert marne.phase.due_at != before


def test_the_game_may_be_named_in_the_subject_or_be_the_only_one(marne: Cast) -> None:
    write("gm", "GM STATUS", sender=GM)
    write("gm", "GM STATUS", sender=GM, subject="Re: [marne] results")
    write("gm", "GM marne\nSTATUS", sender=GM)
    replies = OutboundMail.objects.filter(kind="reply")
    assert [("Nothing has come yet" in flat(one.body)) for one in replies] == [True] * 3


def test_a_game_of_another_gm_is_none_of_theirs(marne: Cast) -> None:
    body = order(marne, "GM verdun STATUS", to="judge@game.test")
    assert "You are not the game master of a game “verdun”" in body


def test_a_forged_from_line_orders_nothing_and_the_gm_is_asked(marne: Cast) -> None:
    before = marne.phase.due_at
    mail = write("gm", "EXTEND 24h because of me", sender="zoe@elsewhere.test", to=as_gm(marne))
    assert mail.state == State.HELD
    assert question().recipient == GM
    assert marne.phase.due_at == before


def test_nobody_but_the_gm_can_confirm(marne: Cast) -> None:
    order(marne, "PROCESS")
    mail = write("Zoe", "yes", sender="zoe@elsewhere.test", to=question().reply_to)
    assert mail.state == State.HELD
    assert phase_names(marne) == ["S1901M"]


def test_a_player_who_writes_gm_is_read_as_any_player(marne: Cast) -> None:
    to = to_seat(marne)
    body = order(
        marne, "GM EXTEND 24h because I am late\nA Par - Bur", to=to, sender=address_of("Carla")
    )
    assert "A Paris - Burgundy" in body
    assert not marne.events("deadline_moved")


def test_who_is_gm_no_more_has_no_rights_by_their_old_reply_address(marne: Cast) -> None:
    to = as_gm(marne)
    Game.objects.filter(pk=marne.game.pk).update(gm=None)
    assert "You are not the GM of the game marne." in order(marne, "PAUSE because", to=to)
    assert not marne.events("game_paused")


def test_a_gm_who_plays_orders_as_a_player_and_acts_as_gm_by_another_address(marne: Cast) -> None:
    marne.gm.email = address_of("Carla")
    marne.gm.save()
    to = to_seat(marne)
    write("Carla", "A Par - Bur", to=to)
    assert marne.phase.order_sets.get().power.name == "France"
    body = order(marne, "EXTEND 24h because of me", sender=address_of("Carla"))
    assert "You play in the game marne yourself" in body
    assert not marne.events("deadline_moved")
    order(marne, "A Mar - Bur", sender=address_of("Carla"))
    assert marne.phase.order_sets.count() == 1
    order(marne, "PAUSE because of me", sender=address_of("Carla"))
    assert len(marne.events("game_paused")) == 1


def test_a_gm_who_is_registered_too_is_known_as_both(marne: Cast) -> None:
    address_confirm(address=player_register(name="Gustav", email=GM, now=NOW), now=NOW)
    assert "You are not playing in any game" in order(marne, "STATUS", to="judge@game.test")
    assert "Nothing has come yet" in order(marne, "GM STATUS", to="judge@game.test")


def test_a_gm_command_among_a_players_own_is_not_done_without_a_question(marne: Cast) -> None:
    marne.gm.email = address_of("Hugo")
    marne.gm.save()
    body = order(marne, "LIST\nGM PROCESS\nEND", to="judge@game.test", sender=address_of("Hugo"))
    assert "in a mail of its own" in body
    assert phase_names(marne) == ["S1901M"]
