"""The public pages: what stands on them, how few queries they take, how they are kept."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml.html import fromstring
from pytest_django import Settings

from games.models import Game, Phase
from games.queries import board
from games.services.clock.halts import server_halt, server_resume
from games.services.seating.seats import seat_replace
from games.services.setup.games import game_create
from pages.maps import still_address
from pages.stylesheet import FILE, ICON, icon, stylesheet
from pages.web import FOR_EVER
from tests.cast import DAY, HOUR, NOW, Cast
from tests.pages.playing import MOST_QUERIES, PHASES, first, played, text

pytestmark = pytest.mark.django_db
MOST_BYTES = 150_000


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


def addresses(cast: Cast) -> list[str]:
    phase = cast.game.phases.get(number=5).name
    parts = ["/", "/players/", f"/players/{cast.player('Ana').pk}/", "/feed/"]
    parts += [f"/games/marne/{part}" for part in ("", "press/", "log/", "feed/")]
    ends = ("/", "/part.json", ".json", ".svg", ".png")
    return parts + [f"/games/marne/{phase}{end}" for end in ends]


def test_no_page_takes_more_than_eleven_statements(client: Client, cast: Cast) -> None:
    cast.game.powers.filter(name="Italy").update(open_since=NOW, disorder_since=NOW)
    cast.game.phases.filter(status="open").update(extended_at=NOW)
    for address in addresses(cast):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        assert len(queries) <= MOST_QUERIES, (address, [one["sql"][:80] for one in queries])


def test_every_page_says_that_the_whole_server_stands_still(client: Client, cast: Cast) -> None:
    """A deadline that has passed would mislead whoever reads it there."""
    said = "no phase is processed, and nobody can register or make a game. If a deadline passes"
    pages = [one for one in addresses(cast) if one.endswith("/") and "feed" not in one]
    server_halt(why="A fault in the judge.", by="mo", now=NOW)
    for address in pages:
        page = text(client, address)
        assert said in page, address
        assert "Why: A fault in the judge." in page, address
    server_resume(by="mo", now=NOW + DAY)
    assert not [address for address in pages if said in text(client, address)]


@pytest.mark.parametrize(
    ("late", "said"),
    [
        (-HOUR, " is due <time"),
        (HOUR, "The results follow once we have read and sent all mail."),
    ],
)
def test_a_deadline_that_has_passed_is_not_said_to_come(
    client: Client, cast: Cast, late: dt.timedelta, said: str
) -> None:
    cast.game.phases.filter(status="open").update(due_at=timezone.now() - late)
    page = text(client, "/games/marne/")
    assert said in page
    assert (" was due <time" in page) == (late > dt.timedelta(0))


def test_no_results_are_promised_while_the_server_stands_still(client: Client, cast: Cast) -> None:
    """When it goes on, a deadline that has passed moves."""
    cast.game.phases.filter(status="open").update(due_at=timezone.now() - HOUR)
    server_halt(why="A leak.", by="root", now=timezone.now())
    page = text(client, "/games/marne/")
    assert "It waits until the server goes on." in page
    assert "The results follow" not in page


def test_what_shows_one_phase_reads_the_outcome_of_that_one_alone(
    client: Client, cast: Cast
) -> None:
    phase = cast.game.phases.get(number=5)
    for end in ("/part.json", ".json", ".svg", ".png"):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"/games/marne/{phase.name}{end}")
        assert answer.status_code == 200, end
        read = [one["sql"] for one in queries if '"games_phase"."outcome"' in one["sql"]]
        assert len(read) == 1, end
        assert f'"games_phase"."id" = {phase.pk}' in read[0], end


def test_pages_read_and_take_nothing(client: Client, cast: Cast) -> None:
    for address in addresses(cast):
        assert client.post(address).status_code == 405
        answer = client.get(address)
        assert not answer.cookies
        assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_no_page_needs_a_script_or_a_style_that_stands_in_it(client: Client, cast: Cast) -> None:
    for address in ("/", "/games/marne/", "/games/marne/log/", "/players/"):
        page = text(client, address)
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page), address


def test_every_page_says_what_it_belongs_to_and_has_an_icon(client: Client, cast: Cast) -> None:
    for address in ("/", "/games/marne/log/", "/players/", "/create/", "/games/nothing/"):
        page = fromstring(client.get(address).content.decode())
        assert len(page.xpath("//meta[@name='description'][string-length(@content) > 20]")) == 1
        [icon] = page.xpath("//link[@rel='icon']/@href")
        assert finders.find(str(icon).removeprefix(settings.STATIC_URL)), address


def test_every_page_leads_to_what_else_a_server_shows(
    client: Client, cast: Cast, settings: Settings
) -> None:
    """Also one that says that there is nothing."""
    settings.PAGES_LINKS = [("/demo/", "Take part")]
    for address in ("/", "/games/nothing/"):
        assert '<a href="/demo/">Take part</a>' in client.get(address).content.decode(), address


def test_what_is_over_has_addresses_that_are_kept_for_ever(client: Client, cast: Cast) -> None:
    phase = cast.game.phases.get(number=5)
    page = text(client, f"/games/marne/{phase.name}/")
    [version] = set(re.findall(rf"{phase.name}\.\w+\?v=(\w+)", page))

    for end in ("/part.json", ".json", ".svg", ".png"):
        named = client.get(f"/games/marne/{phase.name}{end}?v={version}")
        assert named["Cache-Control"] == FOR_EVER, end
        for other in ("", "?v=", "?v=0123456789ab"):
            assert (
                "no-cache" in client.get(f"/games/marne/{phase.name}{end}{other}")["Cache-Control"]
            )
    assert client.get(first(r'href="(/maps/[^"#]+)', page))["Cache-Control"] == FOR_EVER
    assert "no-cache" in client.get("/maps/standard-0123456789ab.svg")["Cache-Control"]
    assert client.get("/maps/atlantis-0123456789ab.svg").status_code == 404


def test_a_phase_played_again_has_other_addresses(client: Client, cast: Cast) -> None:
    phase = cast.game.phases.get(number=5)
    before = first(r"\.json\?v=(\w+)", text(client, f"/games/marne/{phase.name}/"))
    Phase.objects.filter(pk=phase.pk).update(status="undone")
    Phase.objects.create(
        game=cast.game,
        number=99,
        name=phase.name,
        status="processed",
        position=phase.position,
        outcome=phase.outcome,
        opened_at=NOW,
        processed_at=NOW,
    )
    after = first(r"\.json\?v=(\w+)", text(client, f"/games/marne/{phase.name}/"))

    assert before != after


def test_what_has_not_changed_is_not_sent_again(client: Client, cast: Cast) -> None:
    for address in addresses(cast):
        first = client.get(address)
        again = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b""), address
    Game.objects.filter(pk=cast.game.pk).update(press_mode="none")
    tag = client.get("/games/marne/")["ETag"]
    Game.objects.filter(pk=cast.game.pk).update(press_mode="both")
    changed = client.get("/games/marne/", headers={"If-None-Match": tag})
    assert changed.status_code == 200


def test_the_first_view_of_a_game_is_small(client: Client, cast: Cast) -> None:
    """The page, its style sheets and scripts, the drawing behind, the letters: all compressed."""
    phase = cast.game.phases.filter(name__endswith="M", status="processed").last()
    answer = client.get(f"/games/marne/{phase.name}/", headers={"Accept-Encoding": "gzip"})
    page = gzip.decompress(answer.content).decode()
    sizes = {"page": len(answer.content)}
    for address in set(re.findall(r'(?:href|src)="(/(?:static|maps)/[^"#]+)', page)):
        if address.startswith("/static/"):
            data = Path(finders.find(address.removeprefix("/static/"))).read_bytes()
        else:
            data = client.get(address).content
        sizes[address] = len(gzip.compress(data))
    for face in ("bold", "italic", "regular"):
        sizes[face] = len(gzip.compress(client.get(f"/maps/{face}.ttf").content))

    assert len(sizes) >= 9
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_a_further_phase_costs_a_few_kilobytes(client: Client, cast: Cast) -> None:
    phases = cast.game.phases.filter(status="processed")
    assert len(phases) == PHASES
    for phase in phases:
        answer = client.get(
            f"/games/marne/{phase.name}/part.json", headers={"Accept-Encoding": "gzip"}
        )
        assert answer.status_code == 200
        assert len(answer.content) < 10_000


def test_no_two_links_of_a_game_have_one_name_in_one_place(client: Client, cast: Cast) -> None:
    """`Players` leads to those of the server, and to those of the game."""
    places = re.findall(
        r'<nav [^>]*aria-label="([^"]*)">(.*?)</nav>', text(client, "/games/marne/"), re.S
    )
    assert [name for name, _ in places] == ["Main", "This game"]
    for _, links in places:
        names = re.findall(r">([^<>]+)</a>", links)
        assert len(names) == len(set(names))


def test_the_log_says_that_it_was_checked_and_when_it_was_changed(
    client: Client, cast: Cast
) -> None:
    page = text(client, "/games/marne/log/")
    assert "none was changed" in page
    assert "Spring 1901 movement: the phase was processed.<" in page, "nobody was without orders"
    event = cast.game.events.get(number=9)
    event.payload = {**event.payload, "free": 77}
    event.save()
    page = text(client, "/games/marne/log/")
    assert "This log has been changed" in page
    assert "Event 9" in page


def test_a_game_that_waits_says_once_for_whom(client: Client, cast: Cast) -> None:
    cast.game.phases.filter(status="open").update(overdue_at=NOW)
    page = text(client, "/games/marne/")
    assert "waits for orders from Austria, Germany and Russia." in page
    assert "Orders are missing" not in page


def test_powers_without_players_are_named_without_a_table(client: Client, cast: Cast) -> None:
    game_create(name="aisne", now=NOW)
    names = text(client, "/games/aisne/").partition('id="players"')[2].partition("</section>")[0]
    assert "<table" not in names
    assert "Turkey" in names


def test_a_tenure_says_from_when_to_when(client: Client, cast: Cast) -> None:
    address = f"/players/{cast.player('Ana').pk}/"
    assert "since Mar 2026" in text(client, address)
    cast.game.powers.get(name="Austria").seats.update(until=NOW + 60 * DAY)
    assert "Mar 2026 – May 2026" in text(client, address)
    cast.game.powers.get(name="Austria").seats.update(until=NOW + DAY)
    assert ">Mar 2026</td>" in text(client, address)


def test_a_player_has_a_page_with_reliability_and_history(client: Client, cast: Cast) -> None:
    ana, hugo = cast.player("Ana"), cast.player("Hugo")

    assert f'href="/players/{ana.pk}/"' in text(client, "/games/marne/")
    page = text(client, f"/players/{ana.pk}/")
    assert "orders in time in" in page
    assert "Austria" in page
    assert client.get(f"/players/{hugo.pk}/").status_code == 404
    assert "Hugo" not in text(client, "/players/")


def test_a_game_names_who_played_a_power_before(client: Client, cast: Cast) -> None:
    austria = cast.game.powers.get(name="Austria")
    seat_replace(
        game=cast.game, power=austria, player=cast.player("Hugo"), why="-", by="gm", now=NOW + DAY
    )
    ana, hugo = (f"/players/{cast.player(name).pk}/" for name in ("Ana", "Hugo"))
    page = text(client, "/games/marne/")
    assert f'<a href="{hugo}">Hugo</a> <span class="quiet">after <a href="{ana}">Ana</a>' in page
    assert page.count(">after ") == 1
    Game.objects.update(anonymous=True)
    assert "Ana" not in text(client, "/games/marne/")


def test_a_finished_game_has_its_result_and_its_scores(client: Client, cast: Cast) -> None:
    rows = Game.objects.filter(pk=cast.game.pk)
    rows.update(status="finished", ending="draw", winners=["France", "Turkey"], finished_at=NOW)
    cast.game.phases.filter(status="open").update(status="closed")

    assert "The players have agreed on a draw between France and Turkey" in text(client, "/")
    page = text(client, "/games/marne/")
    assert "The players have agreed on a draw between France and Turkey" in page
    assert '<td class="number">50</td>' in page
    assert "shared the draw of 2" in text(client, f"/players/{cast.player('Carla').pk}/")


def test_the_style_sheet_is_made_of_the_tokens() -> None:
    assert FILE.read_text() == stylesheet(), "run `python -m pages.stylesheet`"
    assert ICON.read_text() == icon(), "run `python -m pages.stylesheet`"


def test_pages_take_their_colours_from_the_tokens() -> None:
    """White paper behind the chart and its greys are those of a map; in the dark they turn over."""
    rules = (FILE.parent / "site.css").read_text()
    assert set(re.findall(r"#[0-9a-f]{3,8}\b", rules)) <= {"#fff", "#3a4252", "#e0ddd4"}
    known = set(re.findall(r"--[\w-]+(?=:)", stylesheet()))
    assert set(re.findall(r"var\((--[\w-]+)\)", rules)) <= known


def test_the_drawing_of_chosen_maps_is_for_games_that_chose_so(client: Client, db: None) -> None:
    """Else anybody could fill the memory with choices that nobody plays."""
    address = still_address("colonial+land_bridges=hawes")
    assert client.get(address).status_code == 404
    game_create(name="somme", variant="colonial", variant_options="land_bridges=hawes", now=NOW)
    assert client.get(address)["Content-Type"] == "image/svg+xml"
    assert client.get(still_address("colonial")).status_code == 200


def test_each_variant_has_a_page_with_its_board(
    client: Client, cast: Cast, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    listed = text(client, "/variants/")
    for name in board.variant_names():
        assert f'href="/variants/{name}/"' in listed
    with django_assert_max_num_queries(MOST_QUERIES):
        page = text(client, "/variants/colonial/")
    assert still_address("colonial") in page
    assert "Trans-Siberian" in page
    assert 'id="play"' not in page, "a minute is enough for the standard game alone"
    assert 'id="play"' in text(client, "/variants/standard/")
    assert 'href="/variants/standard/#play"' in text(client, "/")
    assert client.get("/variants/the-moon/").status_code == 404
    for address in ("/", "/create/"):
        assert 'href="/variants/"' in text(client, address)
    assert 'href="/variants/standard/"' in text(client, "/games/marne/")
