"""What mails say of a deadline that days off or a pause have moved, and of one that stays."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Event, Game
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from mailer import notices
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_cast
from tests.mailer.correspondence import flat, said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

TUESDAY = dt.datetime(2026, 3, 3, 20, tzinfo=dt.UTC)


@pytest.fixture
def timed(db: None) -> Cast:
    """A game that is due on Tuesdays and Fridays, never at the weekend."""
    return make_cast(
        movement_length=DAY,
        movement_clock="Tue Fri 20:00",
        days_off="Sat Sun",
        player_extensions=1,
        early_delay=dt.timedelta(0),
    )


def told(kind: str) -> str:
    for event in Event.objects.filter(told_at=None, kind=kind):
        notices.tell_event(event, now=NOW)
    return flat(OutboundMail.objects.get(kind=kind, recipient=address_of("Ana")).body)


@each_row(
    ("pause", "due", "said"),
    [
        (
            dt.timedelta(minutes=1),
            "Tue 3 Mar 2026, 20:00 UTC",
            "The deadline stays as it was: nearly all the time",
        ),
        (
            DAY,
            "Wed 4 Mar 2026, 20:00 UTC",
            "Everybody has the time that was left when the game was",
        ),
        (
            2 * DAY,
            "Fri 6 Mar 2026, 20:00 UTC",
            "The deadline is new. It is the game's next regular one",
        ),
        (
            3 * DAY + HOUR,
            "Fri 6 Mar 2026, 21:00 UTC",
            "Everybody has the time that was left when the",
        ),
    ],
)
def test_after_a_pause_all_are_told_which_deadline_it_is(
    timed: Cast, pause: dt.timedelta, due: str, said: str
) -> None:
    game_pause(game=timed.game, until=None, why="", by="gm", now=NOW)
    game_resume(game=timed.game, by="gm", now=NOW + pause)
    body = told("game_resumed")
    assert f"The game marne goes on with Spring 1901 movement, due {due}" in body
    assert said in body


def test_a_deadline_moved_onto_a_day_off_is_told_with_the_one_asked_for(timed: Cast) -> None:
    Game.objects.update(days_off="Wed")
    deadline_move(game=timed.game, to=TUESDAY + DAY, why="A storm.", by=Mover("gm"), now=NOW)
    body = told("deadline_moved")
    assert "is now due Thu 5 Mar 2026, 20:00 UTC" in body
    assert (
        "The deadline asked for was Wed 4 Mar 2026, 20:00 UTC, but nothing is due in this game then"
        in body
    )


def test_so_is_a_players_extension_that_ends_at_the_next_time_of_the_clock(timed: Cast) -> None:
    receipt = said(write("Carla", "EXTEND 2h A train.", to=to_seat(timed)))
    body = told("deadline_moved")
    assert "is now due Fri 6 Mar 2026, 20:00 UTC" in body
    for text, asked in [(body, "The deadline asked for was"), (receipt, "You asked for")]:
        assert f"{asked} Tue 3 Mar 2026, 22:00 UTC, but nothing is due in this game then" in text


def test_an_ordinary_move_says_nothing_of_days_off(timed: Cast) -> None:
    deadline_move(game=timed.game, to=TUESDAY + HOUR, why="A storm.", by=Mover("gm"), now=NOW)
    body = told("deadline_moved")
    assert "asked for" not in body
    assert "Reply to this mail with your orders at the top" in body
    assert "A receipt tells you how" not in body, "they have read that in this phase"
