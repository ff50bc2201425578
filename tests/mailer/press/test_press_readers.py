"""Who reads press: those who played when it was written; before the start all who have a place."""

from __future__ import annotations

import pytest

from games.errors import WrongState
from games.models import Player
from games.queries.access.staff_names import Actor
from games.queries.parsing.press_audience import Audience
from games.services.clock.muster import muster_proceed
from games.services.messages.announcements import gm_write
from games.services.messages.press import press_send
from games.services.seating.joining import game_join, player_withdraw
from games.services.seating.seats import seat_replace, seat_vacate
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of, make_gm, make_player
from tests.mailer.correspondence import flat, tell_all

pytestmark = pytest.mark.django_db

SECRET = "Shall we stab Austria?"
HELLO = "Welcome to the game."


def readers() -> dict[str, str]:
    """Tell all that is untold; the press mails by reader."""
    tell_all(NOW + DAY)
    mails = list(OutboundMail.objects.filter(kind="press_sent"))
    for mail in mails:
        assert max(map(len, mail.body.splitlines())) <= 72
    return {mail.recipient: flat(mail.body) for mail in mails}


def to_italy(cast: Cast) -> None:
    press_send(
        seat=cast.seat("France"), to=Audience(("Italy",)), text=SECRET, source="", now=NOW + HOUR
    )


def test_press_that_was_not_mailed_yet_goes_to_whom_it_was_written_to(marne: Cast) -> None:
    to_italy(marne)
    italy = marne.game.powers.get(name="Italy")
    hugo = marne.player("Hugo")
    at = NOW + 2 * HOUR
    seat_replace(game=marne.game, power=italy, player=hugo, why="Ill.", by="the GM", now=at)
    assert set(readers()) == {address_of("Emma")}


def test_press_written_after_a_takeover_goes_to_the_new_player(marne: Cast) -> None:
    italy = marne.game.powers.get(name="Italy")
    seat_replace(
        game=marne.game,
        power=italy,
        player=marne.player("Hugo"),
        why="Ill.",
        by="the GM",
        now=NOW + HOUR,
    )
    to_italy(marne)
    assert set(readers()) == {address_of("Hugo")}


def test_press_to_whom_was_removed_before_it_was_mailed_reaches_them_alone(marne: Cast) -> None:
    to_italy(marne)
    italy = marne.game.powers.get(name="Italy")
    seat_vacate(game=marne.game, power=italy, why="Gone.", by="the GM", now=NOW + 2 * HOUR)
    assert set(readers()) == {address_of("Emma")}


def test_before_the_start_the_gm_writes_to_all_who_have_a_place_and_nobody_else(db: None) -> None:
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben", "Carla"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    player_withdraw(game=game, player=Player.objects.get(name="Ben"), why="", by="the GM", now=NOW)
    gm_write(game=game, to=[], text=HELLO, by=Actor("Gerda"), now=NOW + HOUR)
    told = readers()
    assert set(told) == {address_of("Ana"), address_of("Carla")}
    assert HELLO in told[address_of("Ana")]
    assert "before the game started" in told[address_of("Ana")]


def test_in_a_muster_the_gm_writes_to_all_who_are_asked(db: None) -> None:
    game = game_create(name="yser", gm=make_gm(), muster=2 * DAY, now=NOW)
    for name in POWERS:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    gm_write(game=game, to=[], text=HELLO, by=Actor("Gerda"), now=NOW + HOUR)
    assert set(readers()) == {address_of(name) for name in POWERS}
    event = muster_proceed(game_id=game.pk, now=NOW + 3 * DAY)
    assert event is not None
    assert event.kind == "muster_failed"


def test_what_the_gm_wrote_before_the_start_is_not_mailed_as_press_after_it(marne: Cast) -> None:
    gm_write(game=marne.game, to=[], text=HELLO, by=Actor("Gerda"), now=NOW - HOUR)
    assert all("before the game started" in body for body in readers().values())
    assert set(readers()) == {address_of(name) for name in POWERS}


def test_before_the_start_the_gm_writes_to_no_single_power(db: None) -> None:
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    with pytest.raises(WrongState, match="write to everybody"):
        gm_write(game=game, to=["Italy"], text=HELLO, by=Actor("Gerda"), now=NOW)
