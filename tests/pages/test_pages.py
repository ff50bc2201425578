"""The public pages: what stands on them, how few queries they take, how they are kept."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.template.loader import get_template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from lxml.html import fromstring
from pytest_django import Settings

import atlas
from atlas.door import read_subject
from games.board_json import StateJson
from games.models import Game, Phase, Power
from games.queries import board
from games.queries.phases.centers import YearEnd
from games.queries.reports.listing import finished_games, running_games
from games.queries.reports.phase_report import phase_report
from games.services.clock.halts import server_halt, server_resume
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_replace
from games.services.setup.games import game_create
from games.services.sick_database import READ_ONLY
from judge.jsonl import answer_line
from mailer.notices.parts.headline import headline
from pages.chart import chart_of
from pages.maps import still_address
from pages.stylesheet import FILE, ICON, icon, stylesheet
from pages.web import FOR_EVER
from tests.cast import DAY, HOUR, NOW, Cast
from tests.pages.playing import SECRET_LINE, played

pytestmark = pytest.mark.django_db
PHASES = 9
MOST_QUERIES = 11
MOST_BYTES = 150_000
CENTRES = r"([A-Z][a-z]+) <small>(\d+) centres? \(([+−]\d+)\)"
"""A power's centres after a phase, and how many more they are than before it."""


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def first(pattern: str, page: str) -> str:
    """What the group of this pattern is where it stands first."""
    found = re.search(pattern, page)
    assert found, pattern
    return found[1]


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
    said = "no phase is processed, nobody registers and no game is made. A deadline that passes"
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
        (HOUR, "The results follow once all mail has been read and sent."),
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


def test_each_phase_has_an_address_that_leads_to_its_neighbours(client: Client, cast: Cast) -> None:
    """Without a script one goes from phase to phase by links."""
    names = list(cast.game.phases.order_by("number").values_list("name", flat=True))
    address, walked = f"/games/marne/{names[0]}/", []
    while address:
        walked.append(address.split("/")[3])
        found = re.search(r'rel="next" href="([^"]+)"', text(client, address))
        address = found[1] if found else ""

    assert walked == names


def test_a_phase_begins_with_what_its_mail_to_the_gm_begins_with(
    client: Client, cast: Cast
) -> None:
    phases = cast.game.phases.filter(status="processed")
    assert phases
    for phase in phases:
        told = headline(phase_report(phase, None))
        page = fromstring(text(client, f"/games/marne/{phase.name}/"))
        [said] = page.xpath("//*[@id='orders']/*[1][@class='in-short']/text()")
        assert said == told


def test_a_phase_says_in_words_who_owns_which_centre(client: Client, cast: Cast) -> None:
    """On a map without colours only the tint says it."""
    phase = cast.game.phases.filter(status="processed").latest("pk")
    assert phase.outcome
    page = fromstring(text(client, f"/games/marne/{phase.name}/"))
    said = ["".join(one.xpath("text()")).strip() for one in page.xpath("//*[@class='owners']//li")]
    told = dict(line.rstrip(".").split(": ") for line in said)
    owned = {power: re.split(", | and ", names) for power, names in (told.items())}
    free = owned.pop("Nobody")
    assert owned == {
        power: sorted(names) for power, names in phase.outcome["next"]["centers"].items() if names
    }
    assert len(sum(owned.values(), free)) == 34


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


def test_a_game_opens_with_its_newest_results(client: Client, cast: Cast) -> None:
    newest = cast.game.phases.filter(status="processed").last()
    page = text(client, "/games/marne/")

    assert newest
    assert newest.outcome
    assert f'aria-current="page" data-name="{newest.name}"' in page
    for one in newest.outcome["results"]:
        if one["order"] and "illegal" not in one["result"] and one["reason"]:
            assert one["reason"].replace("'", "&#x27;") in page


def test_an_order_in_the_list_is_found_on_the_map(client: Client, cast: Cast) -> None:
    phase = cast.game.phases.filter(name__endswith="M", status="processed").last()
    page = text(client, f"/games/marne/{phase.name}/")
    drawn, listed = page.split('<div class="orders"')
    units = set(re.findall(r'<li data-unit="(\w+)"', listed))

    assert len(units) > 15
    assert units <= set(re.findall(r'data-unit="(\w+)"', drawn))


def test_the_part_of_a_phase_makes_the_page_of_the_phase(client: Client, cast: Cast) -> None:
    name = cast.game.phases.get(number=4).name
    part = json.loads(text(client, f"/games/marne/{name}/part.json"))
    page = text(client, f"/games/marne/{name}/")

    assert part["list"] in page
    for piece in ("layers", "legend", "definitions"):
        assert part["map"][piece] in page
    for key, fill in part["map"]["fills"].items():
        assert re.search(rf'#province-{key}" id="province-{key}" fill="{fill}"', page)


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


def test_the_json_of_a_phase_is_the_judges(client: Client, cast: Cast) -> None:
    """Asked again, the judge gives the same answer; the atlas draws it."""
    phases = cast.game.phases.filter(status="processed")
    assert len(phases) == PHASES
    for phase in phases:
        line = text(client, f"/games/marne/{phase.name}.json")
        told = json.loads(line)
        again = answer_line(json.dumps(told["question"]).encode())

        assert "error" not in again
        keyed = [{entry["power"]: None, **entry} for entry in told["answer"]["orders"]]
        assert sorted(map(str, again["orders"])) == sorted(map(str, told["answer"]["orders"]))
        assert keyed
        assert again["next"] == told["answer"]["next"]
        assert atlas.draw(read_subject(line)).svg().startswith("<svg")


def test_pictures_have_their_own_addresses(client: Client, cast: Cast) -> None:
    name = cast.game.phases.get(number=3).name
    root = ET.fromstring(text(client, f"/games/marne/{name}.svg"))
    picture = client.get(f"/games/marne/{name}.png")

    assert root.tag.endswith("svg")
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("path", ["/nothing/", "/games/nothing/", "/games/marne/W1999A/"])
def test_a_missing_page_leads_home_without_echo(client: Client, cast: Cast, path: str) -> None:
    answer = client.get(f"{path}?<b>")
    shown = answer.content.decode()
    assert answer.status_code == 404
    assert '<meta name="viewport"' in shown
    assert '<a class="button" href="/">' in shown
    assert "<b>" not in shown
    assert "1999" not in shown


def test_a_phase_that_a_rollback_took_back_says_so(client: Client, cast: Cast) -> None:
    last = cast.game.phases.order_by("number").last()
    assert last
    Phase.objects.filter(pk=last.pk).update(status=Phase.Status.UNDONE)
    answer = client.get(f"/games/marne/{last.name}/")
    assert answer.status_code == 404
    assert "was taken back" in answer.content.decode()


def test_errors_of_ours_have_pages_that_need_nothing() -> None:
    for name in ("500.html", "400.html", "403.html"):
        assert '<a class="button" href="/">' in get_template(name).render()


class ReadOnlyError(InternalError):
    """PostgreSQL refuses a change, as while a standby takes over."""

    sqlstate = READ_ONLY


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OperationalError("connection refused"), 503, "We will be back soon"),
        (InterfaceError("the connection is closed"), 503, "We will be back soon"),
        (ReadOnlyError("in a read-only transaction"), 503, "We will be back soon"),
        (ProgrammingError("there is no such table"), 500, "Something went wrong on our side"),
    ],
)
def test_a_page_asks_for_patience_while_the_database_is_away(
    db: None, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, said: str
) -> None:
    def away(*_: object) -> None:
        raise error

    monkeypatch.setattr(connection, "cursor", away)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == code
    assert said in answer.content.decode()
    assert answer.headers.get("Retry-After") == ("60" if code == 503 else None)
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_form_that_came_without_its_cookie_is_to_be_sent_again(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/admin/login/", {"username": "gm", "password": "secret"})
    said = answer.content.decode()
    assert answer.status_code == 403
    assert "Nothing was done." in said
    assert '<a class="button" href="/admin/">' in said
    assert "You may not" not in said


def test_the_chart_has_a_line_for_each_power_and_a_table(client: Client, cast: Cast) -> None:
    page = text(client, "/games/marne/")
    drawn = re.findall(r"<polyline [^>]+>", page)
    lines = [first(r' stroke="([^"]+)"', line) for line in drawn]
    dashes = set(re.findall(r'stroke-dasharray="([^"]+)"', "".join(drawn)))

    assert len(lines) == len(set(lines)) == 7
    assert len(dashes) == 6
    assert '<tr><th scope="row">1900</th><td class="number">3</td>' in page


def test_a_phase_that_broke_our_program_promises_no_results(client: Client, cast: Cast) -> None:
    cast.game.phases.filter(status="open").update(status="stuck", due_at=timezone.now() - HOUR)
    page = text(client, "/games/marne/")
    assert "</strong> could not be adjudicated. That is our fault" in page
    assert "The results follow" not in page
    assert "Orders are missing" not in page


@pytest.mark.parametrize(
    ("step", "owed"),
    [("A", r"\d units? to (build|disband)"), ("R", r"To retreat: [AF] [\w ]+"), ("M", "")],
)
def test_an_open_phase_says_what_each_power_has_to_decide(
    client: Client, cast: Cast, step: str, owed: str
) -> None:
    """Nobody should have to count centres and units, or look for who was dislodged."""
    phase = next(one for one in cast.game.phases.all() if one.name.endswith(step))
    cast.game.phases.filter(number__gte=phase.number).update(status="undone")
    cast.game.phases.filter(pk=phase.pk).update(status="open")
    said = re.findall('class="owed">([^<]*)<', text(client, f"/games/marne/{phase.name}/"))
    assert bool(said) == bool(owed)
    assert all(re.fullmatch(owed, one) for one in said)


@pytest.mark.parametrize("variant", ["standard", "chaos", "youngstown"])
def test_the_names_in_the_chart_have_a_line_each_above_the_years(variant: str) -> None:
    powers = board.variant_named(variant).powers
    years = [YearEnd(year, dict.fromkeys(powers, 1)) for year in range(1900, 1942)]
    chart = chart_of(years, variant)
    assert chart is not None
    heights = sorted(line.name_y for line in chart.lines)
    assert len(heights) == len(powers)
    assert all(below - above >= 14 for above, below in pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] <= chart.foot - 12
    assert all(right.at - left.at >= 32 for left, right in pairwise(chart.years))


def test_powers_with_nothing_to_decide_stand_together_at_the_end(
    client: Client, cast: Cast
) -> None:
    phase = next(one for one in cast.game.phases.all() if one.name.endswith("R"))
    page = text(client, f"/games/marne/{phase.name}/")
    busy, _, idle = page.partition("<h3>Nothing to decide</h3>")
    assert page.count("Nothing to decide") == 1
    listed = idle.partition("</section>")[0]
    powers = board.variant_named("standard").powers
    shown = [one for one in powers if f" {one} <small>" in busy]
    assert shown
    assert sorted([*shown, *re.findall(r" (\w+) <span class=\"why\">", listed)]) == sorted(powers)


def test_who_took_a_centre_from_whom_is_a_sentence(client: Client, cast: Cast) -> None:
    """`Budapest: Russia → Turkey` leaves an ear, and a newcomer, to guess."""
    for phase in cast.game.phases.filter(status="processed", name__startswith="F"):
        page = text(client, f"/games/marne/{phase.name}/")
        assert "→" not in page
        assert phase.outcome
        for power, count, change in re.findall(CENTRES, page):
            now = len(phase.outcome["next"]["centers"].get(power, ()))
            before = len(phase.position["centers"].get(power, ()))
            assert (int(count), int(change.replace("−", "-"))) == (now, now - before)
    assert re.findall(CENTRES, page)
    assert re.search(r"<li>[A-Z][a-z]+ takes [^<]+?(?: from [A-Z][a-z]+)?\.</li>", page)


def test_the_chart_tells_how_it_ends_once(client: Client, cast: Cast) -> None:
    page = text(client, "/games/marne/")
    [told] = re.findall(r'role="img" aria-label="(Supply centres[^"]*)"', page)
    chart = page.partition('class="chart"')[2]
    counts = dict(re.findall(r"<text [^>]*>([A-Z][a-z]+) (\d+)</text>", chart))
    assert len(counts) == 7
    assert ", ".join(f"{power} {count}" for power, count in counts.items()) in told


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


def test_a_feed_has_the_newest_first_with_whole_addresses(client: Client, cast: Cast) -> None:
    for address in ("/feed/", "/games/marne/feed/"):
        root = ET.parse(BytesIO(client.get(address).content)).getroot()
        spaces = {"a": "http://www.w3.org/2005/Atom"}
        moments = [str(one.text) for one in root.findall("a:entry/a:updated", spaces)]
        links = [str(one.get("href")) for one in root.findall("a:entry/a:link", spaces)]

        assert moments == sorted(moments, reverse=True)
        assert len(moments) > PHASES
        assert all(link.startswith("http") for link in links)
        assert len({one.text for one in root.findall("a:entry/a:id", spaces)}) == len(moments)


def test_what_somebody_wrote_stays_text_in_a_feed_that_names_its_author(
    client: Client, cast: Cast
) -> None:
    why = "A draw <img src=https://spy.test> & 3 < 4."
    game_end(game=cast.game, winners=[], why=why, by="gm", now=NOW)
    spaces = {"a": "http://www.w3.org/2005/Atom"}
    for address in ("/feed/", "/games/marne/feed/"):
        root = ET.parse(BytesIO(client.get(address).content)).getroot()
        assert root.findtext("a:author/a:name", namespaces=spaces)
        said = root.findall("a:entry/a:summary", spaces)[0]
        assert said.get("type") == "html"
        shown = fromstring(f"<p>{said.text}</p>")
        assert why in shown.text_content()
        assert not list(shown)


def test_a_game_by_invitation_is_not_in_the_feed_of_all_games_before_it_starts(
    client: Client, cast: Cast
) -> None:
    game = game_create(name="yser", entry=Game.Entry.INVITED, now=NOW)
    assert "yser" not in text(client, "/") + text(client, "/feed/")
    assert "yser" in text(client, "/games/yser/feed/")
    Game.objects.filter(pk=game.pk).update(entry=Game.Entry.APPROVAL)
    assert "yser" in text(client, "/feed/")


def test_a_reason_that_no_feed_can_hold_keeps_nobody_from_the_feed(
    client: Client, cast: Cast
) -> None:
    why = "Pasted\x0bfrom a \uffffprogram."
    game_end(game=cast.game, winners=[], why=why, by="gm", now=NOW)
    for address in ("/feed/", "/games/marne/feed/"):
        ET.parse(BytesIO(client.get(address).content))
        assert "Pasted from" in text(client, address)


def test_the_phase_in_which_a_game_ended_is_neither_open_nor_secret(
    client: Client, cast: Cast
) -> None:
    last = cast.phase.name
    assert "(open)" in text(client, "/games/marne/")
    game_end(game=cast.game, winners=[], why="-", by="gm", now=NOW)
    page = text(client, f"/games/marne/{last}/")
    assert "The game ended in this phase, so it was not adjudicated." in page
    assert "(open)" not in page


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


@pytest.mark.parametrize("address", ["/games/nowhere/", "/games/marne/F1999M/", "/players/0/"])
def test_what_is_not_there_is_not_found(client: Client, cast: Cast, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_game_is_found_in_whatever_case(client: Client, cast: Cast) -> None:
    assert client.get("/games/MARNE/").status_code == 200


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


@pytest.mark.parametrize("phase", ["S1901M", "F1R", "W218BCA"])
def test_a_phase_of_any_year_has_an_address(phase: str) -> None:
    assert reverse("phase", args=["somme", phase]) == f"/games/somme/{phase}/"
    assert reverse("phase-svg", args=["somme", phase]) == f"/games/somme/{phase}.svg"


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


def test_a_finished_game_has_all_its_moves_on_one_page(client: Client, cast: Cast) -> None:
    for address in ("/games/marne/moves/", "/games/marne/moves.txt"):
        assert client.get(address).status_code == 404
    assert "/moves/" not in text(client, "/games/marne/")
    game_end(game=cast.game, winners=[], why="We agreed.", by="gm", now=NOW + 30 * DAY)
    with CaptureQueriesContext(connection) as sent:
        shown = text(client, "/games/marne/moves.txt")
    with CaptureQueriesContext(connection) as sent_for_page:
        page = text(client, "/games/marne/moves/")
    assert len(sent) <= MOST_QUERIES
    assert len(sent_for_page) <= MOST_QUERIES
    over = cast.game.phases.filter(status=Phase.Status.PROCESSED)
    for phase in over:
        assert f"{board.phase_title(phase.name)} ({phase.name})\n---" in shown
        assert phase.outcome
        for result in phase.outcome["results"]:
            if result["order"] and "illegal" not in result["result"]:
                assert f"\n  {result['order']}" in shown
    [*_, read] = fromstring(page).xpath("//main")
    own = ("---", "http")
    lines = [line.strip() for line in shown.splitlines() if line and not line.startswith(own)]
    written = " ".join(read.text_content().split())
    missing = [line for line in lines if line.rstrip(":").partition(" (")[0] not in written]
    assert not missing, "the page says what the text says"
    assert "France: Carla, from the start to the end" in shown
    assert SECRET_LINE not in shown + page
    assert "/games/marne/moves/" in text(client, "/games/marne/")
    assert "/games/marne/moves.txt" in page
    assert read.xpath("./p[@class='lines']/span")[-1].text.startswith("19")
    names = [phase.name for phase in over.order_by("number")]
    assert read.xpath(".//section/@id") == names
    taken = max((len(one.xpath("./p")) for one in read.xpath(".//section")), default=0)
    assert taken == 1, "all centres that changed hands in a phase stand in one paragraph"
    assert read.xpath(".//details//a/@href") == [f"#{name}" for name in names]
