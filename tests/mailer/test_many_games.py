"""Who plays in many games costs as many statements as who plays in two."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Observer
from games.queries.parsing import game_names
from mailer.commands.player.seats import takeover
from mailer.commands.player.views import list as listing
from tests.cast import HOUR, NOW, OPENINGS, Cast, submit
from tests.mailer.beside import beside
from tests.mailer.correspondence import answer_to, flat, home, write

pytestmark = pytest.mark.django_db

GUESSED = "F Brest - English Chanel"
NAMES = ("arras", "lens", "marne", "mons", "ypres")


def statements(text: str) -> tuple[int, str]:
    """What a mail of Carla's takes, and the answer."""
    with CaptureQueriesContext(connection) as sent:
        mail = write("Carla", text, to=home("Carla"))
    return len(sent), flat(answer_to(mail).body)


def test_status_takes_as_many_statements_however_many_games_its_reader_plays(marne: Cast) -> None:
    statements("STATUS")  # the first mail of all makes the row of its mailbox
    beside(marne, "arras")
    few, _ = statements("STATUS")
    for name in ("cambrai", "lens", "mons", "ypres"):
        submit(beside(marne, name), "France", [*OPENINGS["France"][:2], GUESSED], at=NOW + HOUR)
        write("Carla", "PHASE F1901M\nA Par H", to=home("Carla"), subject=f"[{name}]")
    many, body = statements("STATUS")
    assert many == few
    assert body.count("Still without complete orders: ") == 6
    assert body.count("We had to guess at a name to read this: F Brest - English Channel") == 4
    assert body.count("We are keeping orders of yours for Fall 1901 movement.") == 4
    assert body.count("You have a place in it; LEAVE") == 5


def test_list_shows_the_newest_of_many_games_and_where_the_others_are(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SITE_URL", "https://games.test")
    monkeypatch.setattr(listing, "MOST", 3)
    statements("LIST")  # the first mail of all makes the row of its mailbox
    for name in ("lens", "ypres", "mons", "arras"):
        other = beside(marne, name)
        france = other.game.powers.filter(name="France")
        france.update(open_since=NOW + HOUR * other.game.pk)
    few, body = statements("LIST")
    assert [name for name in NAMES if f"- {name}-2: Standard" in body] == ["arras", "mons", "ypres"]
    assert [name for name in NAMES if f"- {name}: Spring" in body] == ["arras", "mons", "ypres"]
    assert [name for name in NAMES if f"- {name}: France" in body] == ["arras", "mons", "ypres"]
    assert body.count("These are the 3 newest. All of them: https://games.test/") == 3
    beside(marne, "verdun")
    many, _ = statements("LIST")
    assert many == few


def test_list_says_nothing_of_others_where_there_are_none(marne: Cast) -> None:
    _, body = statements("LIST")
    assert "marne: Spring 1901 movement." in body
    assert "newest" not in body


def test_a_name_that_no_game_has_brings_no_long_list(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_names, "_MOST_NAMED", 2)
    monkeypatch.setattr(takeover, "_MOST_NAMED", 2)
    for name in ("lens", "ypres", "mons"):
        beside(marne, name).game.powers.filter(name="France").update(open_since=NOW)
    _, body = statements("STATUS 12345")
    assert "These games are looking for players: mons-2, ypres-2. Write LIST to see more." in body
    _, body = statements("TAKEOVER 12345")
    assert "These seats are open: lens France and mons France. Write LIST to see more." in body


def test_stop_takes_as_many_statements_however_many_games_its_sender_observes(marne: Cast) -> None:
    def stop() -> tuple[int, str]:
        with CaptureQueriesContext(connection) as sent:
            mail = write("Hugo", "STOP", to=home("Hugo"))
        return len(sent), flat(answer_to(mail).body)

    stop()  # the reminders stop, too
    hugo = marne.player("Hugo")
    Observer.objects.create(game=marne.game, player=hugo, since=NOW)
    few, _ = stop()
    for name in ("arras", "lens", "mons", "ypres"):
        Observer.objects.create(game=beside(marne, name).game, player=hugo, since=NOW)
    many, body = stop()
    assert many == few
    assert "an observer of arras, lens, mons and ypres" in body
    assert not Observer.objects.filter(until=None).exists()
