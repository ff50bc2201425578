"""A phase on its page: orders and results, centres, charts, and its other forms."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from lxml.html import fromstring

import atlas
from atlas.door import read_subject
from games.models import Phase
from games.queries import board
from games.queries.phases.centers import YearEnd
from games.queries.reports.phase_report import phase_report
from games.services.endings.ending import game_end
from judge.jsonl import answer_line
from mailer.notices.parts.headline import headline
from pages.chart import LETTER_WIDTH, chart_of
from tests.cast import DAY, HOUR, NOW, Cast
from tests.pages.playing import MOST_QUERIES, PHASES, SECRET_LINE, first, played, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


CENTRES = r"([A-Z][a-z]+) <small>(\d+) centres? \(([+−]\d+)\)"
"""A power's centres after a phase, and how many more they are than before it."""


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


def test_a_game_opens_with_its_newest_results(client: Client, cast: Cast) -> None:
    newest = cast.game.phases.filter(status="processed").last()
    assert newest
    assert newest.outcome
    ordered = [one for one in newest.outcome["results"] if one["order"]]
    ordered[0]["result"] = ["dislodged"]
    ordered[0]["reason"] = "Dislodged by A Ruhr - Munich."
    newest.save()
    page = text(client, "/games/marne/")

    assert f'aria-current="page" data-name="{newest.name}"' in page
    told = f"{ordered[0]['order']}: dislodged by A Ruhr - Munich."
    assert told in fromstring(page).text_content()
    for one in ordered[1:]:
        if "illegal" not in one["result"] and one["reason"]:
            words = ", ".join(one["result"])
            why = board.with_reason(words, one["reason"]).removeprefix(words)
            assert why.replace("'", "&#x27;") in page


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


def test_a_phase_that_a_rollback_took_back_says_so(client: Client, cast: Cast) -> None:
    last = cast.game.phases.order_by("number").last()
    assert last
    Phase.objects.filter(pk=last.pk).update(status=Phase.Status.UNDONE)
    answer = client.get(f"/games/marne/{last.name}/")
    assert answer.status_code == 404
    assert "was taken back" in answer.content.decode()


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


def test_the_chart_has_room_for_a_number_of_two_digits() -> None:
    chart = chart_of([YearEnd(year, {"France": 18}) for year in (1900, 1901)], "standard")
    assert chart is not None
    assert max(len(mark.text) for mark in chart.counts) == 2
    assert chart.counts_end >= 2 * LETTER_WIDTH


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


def test_the_phase_in_which_a_game_ended_is_neither_open_nor_secret(
    client: Client, cast: Cast
) -> None:
    last = cast.phase.name
    assert "(open)" in text(client, "/games/marne/")
    game_end(game=cast.game, winners=[], why="-", by="gm", now=NOW)
    page = text(client, f"/games/marne/{last}/")
    assert "The game ended in this phase, so it was not adjudicated." in page
    assert "(open)" not in page


@pytest.mark.parametrize("phase", ["S1901M", "F1R", "W218BCA"])
def test_a_phase_of_any_year_has_an_address(phase: str) -> None:
    assert reverse("phase", args=["somme", phase]) == f"/games/somme/{phase}/"
    assert reverse("phase-svg", args=["somme", phase]) == f"/games/somme/{phase}.svg"


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
