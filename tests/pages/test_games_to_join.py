"""Games looking for players, open seats, and links that are passed on."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml.html import fromstring

from games.board_json import StateJson
from games.models import Game, Phase, Power
from games.queries.reports.listing import finished_games, running_games
from games.queries.reports.phase_report import phase_report
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.notices.parts.headline import headline
from pages.maps import still_address
from pages.web import FOR_EVER
from tests.cast import NOW, Cast
from tests.pages.playing import MOST_QUERIES, PHASES, played, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


def test_a_link_that_is_passed_on_tells_of_its_phase_and_shows_the_map(
    client: Client, cast: Cast
) -> None:
    shown = previewed(text(client, "/games/marne/F1901M/"))
    assert shown["og:title"] == "marne: Fall 1901 movement"
    phase = cast.game.phases.get(name="F1901M")
    assert shown["og:description"] == (
        "Standard; the game is being played. "
        f"Fall 1901 movement: {headline(phase_report(phase, None))}"
    )
    picture = client.get(shown["og:image"].removeprefix(settings.SITE_URL))
    assert picture["Content-Type"] == "image/png"
    assert picture["Cache-Control"] == FOR_EVER


def previewed(page: str) -> dict[str, str]:
    """What a forum or a chat shows of a link to a page."""
    found = fromstring(page).xpath("//meta[@property]")
    return {one.get("property"): one.get("content") for one in found}


def test_a_link_to_what_has_not_begun_shows_the_board_at_its_start(
    client: Client, cast: Cast
) -> None:
    """Whoever looks for players posts such links."""
    game_create(name="somme", variant="fleet_rome", gm=None, now=NOW)
    said = {
        "/": ("Diplomacy by mail", "Here people play the board game Diplomacy by plain e-mail."),
        "/games/somme/": (
            "somme",
            "Fleet Rome; the game is looking for players. 7 of 7 seats are free.",
        ),
    }
    for address, (title, about) in said.items():
        shown = previewed(text(client, address))
        assert (shown["og:title"], shown["og:description"]) == (title, about)
        picture = client.get(shown["og:image"].removeprefix(settings.SITE_URL))
        assert picture["Content-Type"] == "image/png"
        assert picture["Cache-Control"] == FOR_EVER
    assert client.get("/maps/atlantis-0123456789ab.png").status_code == 404


def test_a_seat_that_is_open_comes_with_the_mail_that_takes_it(client: Client, cast: Cast) -> None:
    cast.game.powers.filter(name="Italy").update(open_since=NOW)
    for address in ("/", "/games/marne/"):
        page = text(client, address)
        assert "mailto:judge@game.test?subject=TAKEOVER%20marne%20Italy&" in page
        assert "body=TAKEOVER%20marne%20Italy%0D%0A" in page


def test_a_forming_game_comes_with_the_mail_that_joins_it(client: Client, cast: Cast) -> None:
    Game.objects.create(name="verdun", created_at=NOW)
    Power.objects.bulk_create(Power(game=Game.objects.get(name="verdun"), name=p) for p in "ABC")
    page = text(client, "/")

    assert "3 of 3 seats free" in page
    assert "body=JOIN%20verdun%0D%0A" in page
    assert "JOIN%20verdun" in text(client, "/games/verdun/")


def test_a_forming_game_says_how_many_seats_are_free(client: Client, cast: Cast) -> None:
    game = game_create(name="aisne", now=NOW)
    assert "7 of 7 seats are free." in client.get("/games/aisne/").content.decode()
    for name in ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"):
        game_join(game=game, player=cast.player(name), preferences="", now=NOW)
    assert "1 of 7 seats is free." in client.get("/games/aisne/").content.decode()


@pytest.mark.parametrize(
    ("entry", "said"),
    [("approval", "The game master lets people in."), ("invited", "Only those who are invited")],
)
def test_a_forming_game_says_whom_it_lets_in(
    client: Client, cast: Cast, entry: str, said: str
) -> None:
    played_on = text(client, "/games/marne/")
    assert said not in played_on
    assert "<dd>The powers can write press to everybody or to chosen powers.</dd>" in played_on
    game_create(name="aisne", gm=cast.gm, entry=entry, fog=True, now=NOW)
    assert said in text(client, "/games/aisne/")
    front = text(client, "/")
    assert (said in front) == (entry == "approval")
    assert ("In fog of war: each power sees" in front) == (entry == "approval")


def test_a_thousand_games_are_listed_page_by_page(client: Client, cast: Cast) -> None:
    state: StateJson = {**cast.phase.position, "units": {}}
    games = [
        Game(name=f"game{n:04}", status=status, created_at=NOW, finished_at=NOW, winner="France")
        for n, status in enumerate(["active", "finished"] * 500)
    ]
    made = Game.objects.bulk_create(games)
    Phase.objects.bulk_create(
        Phase(
            game=game,
            number=1,
            name="S1901M",
            position=state,
            opened_at=NOW,
            status="open" if game.status == "active" else "closed",
        )
        for game in made
    )
    with CaptureQueriesContext(connection) as queries:
        page = text(client, "/?running=3&finished=2")

    assert len(queries) <= MOST_QUERIES
    assert "Page 3 of 11" in page
    assert "Page 2 of 10" in page
    assert "?running=4&amp;finished=2#running-title" in page
    names = [row.name for number in (1, 2) for row in running_games(number, 50).rows]
    assert names == sorted(set(names))
    assert len(names) == 100
    assert len(running_games(11, 50).rows) == 1
    assert len(finished_games(10, 50).rows) == 50


def test_many_games_that_take_players_stand_on_two_pages(marne: Cast, client: Client) -> None:
    games = [game_create(name=f"game{number:02}", now=NOW) for number in range(55)]
    game_join(game=games[-1], player=marne.player("Ana"), preferences="", now=NOW)
    Power.objects.filter(game=marne.game).update(open_since=NOW)
    with CaptureQueriesContext(connection) as queries:
        first = text(client, "/")
    assert len(queries) <= MOST_QUERIES
    assert first.index("game54</a>") < first.index("game00</a>") < first.index("game01</a>")
    assert "?forming=2#forming-title" in first
    second = text(client, "/?forming=2&finished=2")
    assert "game53</a>" in second
    assert "game01</a>" not in second
    assert "marne</a>: France" in second


def test_a_game_looking_for_players_shows_the_board_at_its_start(
    client: Client, cast: Cast
) -> None:
    game_create(name="somme", gm=cast.gm, variant="colonial", now=NOW)
    page = text(client, "/games/somme/")
    assert "<title>A Delhi" in page or "Britain: A Delhi" in page
    assert still_address("colonial") in page
    assert 'id="start"' not in text(client, "/games/marne/")

    chosen = {"variant": "milan", "variant_options": "start=winter"}
    game_create(name="tagus", gm=cast.gm, now=NOW, **chosen)
    page = text(client, "/games/tagus/")
    assert 'href="/variants/milan/"' in page
    assert "<title>Winter 1900 adjustments" in page
