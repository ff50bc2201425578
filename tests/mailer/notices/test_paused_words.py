"""While a game is paused, no mail names a deadline, or says that something happens at once."""

from __future__ import annotations

import pytest

from games.services.adjudication.phases import phase_process
from games.services.clock.pauses import game_pause, game_resume
from games.services.seating.seats import seat_resign, seat_take
from games.services.seating.standby import standby_join
from mailer.models import OutboundMail
from mailer.text import PAUSED
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, submit
from tests.mailer.correspondence import answer_to, flat, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

DUE = NOW + 72 * HOUR


def tell() -> dict[tuple[str, str], str]:
    """Tell all that is untold; the bodies by kind and reader."""
    tell_all(NOW + 2 * HOUR)
    return {(one.kind, one.recipient): flat(one.body) for one in OutboundMail.objects.all()}


@pytest.fixture
def paused(marne: Cast) -> Cast:
    """The game, paused after an hour."""
    tell()
    game_pause(game=marne.game, until=None, why="Holidays.", by="the GM", now=NOW + HOUR)
    return marne


def ask(cast: Cast, text: str) -> str:
    to = to_seat(cast, "Italy")
    return flat(answer_to(write("Emma", text, to=to, received_at=NOW + 2 * HOUR)).body)


@each_row("text", ["STATUS", "ORDERS", "READY", "LIST", "A Venice Holds"])
def test_every_receipt_of_a_paused_game_says_so_and_names_no_deadline(
    paused: Cast, text: str
) -> None:
    said = ask(paused, text)
    assert PAUSED in said
    assert "Deadline:" not in said


def test_ready_from_all_says_not_that_a_paused_game_is_processed(paused: Cast) -> None:
    for power in set(POWERS.values()) - {"Italy"}:
        submit(paused, power, OPENINGS[power])
    for text in ("READY", "\n".join(OPENINGS["Italy"])):
        said = ask(paused, text)
        assert PAUSED in said
        assert "right away" not in said


def test_news_in_a_pause_name_no_deadline_and_no_early_processing(paused: Cast) -> None:
    standby_join(player=paused.player("Hugo"), now=NOW + HOUR)
    seat_resign(seat=paused.seat("Italy"), now=NOW + HOUR)
    told = tell()
    offer = told["seat_offered", "hugo@players.test"]
    italy = paused.game.powers.get(name="Italy")
    seat_take(game=paused.game, power=italy, player=paused.player("Hugo"), now=NOW + 2 * HOUR)
    told = tell()
    news = told["seat_taken", "ana@players.test"]
    start = told["seat_taken", "hugo@players.test"]
    for body in (offer, news, start):
        assert PAUSED in body
        assert "Deadline:" not in body
        assert "The deadline is" not in body
    assert "decided earlier" not in news


def test_a_pause_with_an_end_says_when_it_goes_on(marne: Cast) -> None:
    game_pause(game=marne.game, until=NOW + DAY, why="Holidays.", by="the GM", now=NOW + HOUR)
    for text in ("STATUS", "A Ven H", "LIST"):
        assert "It goes on by itself on Tue 3 Mar 2026, 12:00 UTC." in ask(marne, text)


def test_when_the_game_goes_on_its_deadline_is_named_again(paused: Cast) -> None:
    game_resume(game=paused.game, by="the GM", now=NOW + 2 * HOUR)
    said = ask(paused, "STATUS")
    assert "Deadline: Thu 5 Mar 2026, 13:00 UTC" in said
    assert PAUSED not in said


def test_a_pause_after_the_deadline_brings_a_new_one_in_the_future(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="Holidays.", by="the GM", now=DUE + HOUR)
    body = tell()["game_paused", "emma@players.test"]
    assert "The deadline had passed. When the game goes on, there will be a new one." in body
    assert "the time again that was left" not in body
    game_resume(game=marne.game, by="the GM", now=DUE + DAY)
    body = tell()["game_resumed", "emma@players.test"]
    assert "goes on with Spring 1901 movement, due Fri 6 Mar 2026, 19:12 UTC" in body
    assert "The old one had passed when the game was paused." in body
    assert "The deadline was" not in body


def test_a_game_that_waited_is_not_said_to_have_a_new_deadline_after_a_pause(db: None) -> None:
    cast = make_cast(when_missing="wait")
    phase_process(game_id=cast.game.pk, now=DUE)
    game_pause(game=cast.game, until=None, why="Holidays.", by="the GM", now=DUE + DAY)
    body = tell()["game_paused", "emma@players.test"]
    assert (
        "The game was waiting for missing orders, and will wait for them again when it goes on."
        in body
    )
    game_resume(game=cast.game, by="the GM", now=DUE + 2 * DAY)
    body = tell()["game_resumed", "emma@players.test"]
    assert "The deadline has passed, and the game is waiting for the missing orders." in body
    assert "say it again" not in body
    assert "new deadline" not in body
