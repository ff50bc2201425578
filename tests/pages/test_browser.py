"""A game's page in a real browser: by keys alone, without scripts, for eyes of all kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from atlas.tokens import NAME_SIZE
from games.models import Phase, Player
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, make_cast, make_gm, make_player
from tests.games.tournaments.games import CUP, end
from tests.pages.playing import played
from tests.run.running import eventually
from tests.servers.chromium import Browser, can_run

pytestmark = [
    pytest.mark.skipif(not can_run(), reason="no browser can be installed here"),
    pytest.mark.only_on("PostgreSQL"),
]
PHASES = 7
WHEN = "#when"
ORDERS = "/games/marne/orders/england/"
CHOSEN = f"{ORDERS}?phase=S1903M&order=A+Wales+Holds&order=the+moon"
SHOWN = "return getComputedStyle(document.querySelector(arguments[0])).display !== 'none'"


@pytest.fixture
def site(live_server: LiveServer) -> str:
    """The address of a server with a game that is played."""
    cast = played(PHASES)
    cast.game.powers.filter(name="Italy").update(open_since=NOW)
    return str(live_server.url)


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def browser(started: Browser) -> Browser:
    started.reset()
    return started


def arrived(browser: Browser, title: str) -> None:
    """Wait until the page shows the phase of this title."""
    browser.wait_for("return document.querySelector('#when').textContent === arguments[0]", title)


def test_a_game_is_walked_through_by_keys_alone(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/S1901M/")
    browser.press(Keys.TAB)
    assert browser.text(":focus") == "Skip to the content"

    # Along the phases by the slider, and back from anywhere.
    browser.tab_to("#slide")
    browser.press(Keys.ARROW_RIGHT)
    arrived(browser, "Fall 1901 movement")
    assert browser.run("return slide.getAttribute('aria-valuetext')") == "Fall 1901 movement"
    browser.arrive(f"{site}/games/marne/F1901M/")

    # The lines on the map go and come.
    browser.tab_to("#shown")
    browser.press(Keys.SPACE)
    assert not browser.run(SHOWN, "#moves")
    assert browser.run(SHOWN, "#units")
    browser.press(Keys.SPACE)
    assert browser.run(SHOWN, "#moves")

    # One stop for all orders; up and down from one to the next; each says why, and lights its unit.
    browser.tab_to("li[data-unit]")
    first = browser.run("return document.activeElement.dataset.unit")
    browser.press(Keys.ARROW_DOWN)
    unit = browser.run("return document.activeElement.dataset.unit")
    assert unit != first
    assert browser.text("#told").endswith(browser.text(":focus"))
    lit = "return [...document.querySelectorAll('#map .on')].map(one => one.dataset.unit)"
    assert set(browser.run(lit)) == {unit}
    browser.press(Keys.ARROW_UP)
    assert browser.run("return document.activeElement.dataset.unit") == first
    browser.press(Keys.ESCAPE)
    assert browser.run(lit) == []
    assert browser.tab_to("#orders summary") == 1
    browser.press(Keys.ENTER)
    assert browser.tab_to("#orders a") == 1

    browser.press(Keys.ARROW_LEFT)
    browser.wait_for(
        "return document.querySelector('#when').textContent === 'Spring 1901 movement'"
    )
    assert browser.run("return document.querySelector('.owners').open")
    assert browser.complaints() == []


def test_orders_are_chosen_by_keys_alone_and_without_scripts(browser: Browser, site: str) -> None:
    browser.scripts(False)
    browser.open(f"{site}{ORDERS}")
    browser.tab_to("#order-1")
    browser.press(Keys.ARROW_DOWN)
    browser.tab_to("form button")
    browser.press(Keys.ENTER)
    browser.wait_for("return document.querySelector('#lines') !== null")
    order = browser.find("#order-1").get_attribute("value")
    assert browser.find("#lines").get_attribute("value").splitlines() == ["PHASE S1903M", order]
    browser.tab_to("a.button")
    assert browser.find("a.button").get_attribute("href").startswith("mailto:")
    assert browser.complaints() == []


WATCH = """
window.read = [];
new MutationObserver((all) => all.forEach(({target}) => {
    const one = target.closest ? target : target.parentElement;
    const place = one.closest("[role=status], [aria-live]");
    if (place) window.read.push(place.textContent);
})).observe(document.body, {childList: true, characterData: true, subtree: true});
"""
"""Notes what a screen reader reads out by itself: what is written again in a live place."""


def test_another_phase_is_read_out_once_with_what_came_of_it(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/S1901M/")
    browser.run(WATCH)
    browser.find("#after").click()
    arrived(browser, "Fall 1901 movement")
    short = browser.text("#orders .in-short")
    browser.wait_for("return window.read.length > 0")
    assert set(browser.run("return window.read")) == {f"Fall 1901 movement. {short}"}


def test_an_address_with_a_phase_after_the_hash_leads_to_it(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/#F1901M")
    arrived(browser, "Fall 1901 movement")
    assert browser.run("return document.querySelector('[aria-current]').dataset.name") == "F1901M"


def test_the_slider_shows_what_the_phases_own_page_shows(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/F1901M/")
    own = browser.text("#orders"), browser.run("return layers.innerHTML")
    browser.open(f"{site}/games/marne/S1901M/#F1901M")
    arrived(browser, "Fall 1901 movement")

    assert (browser.text("#orders"), browser.run("return layers.innerHTML")) == own
    fills = "return [...provinces.children].map(one => one.getAttribute('fill')).join()"
    slid = browser.run(fills)
    browser.open(f"{site}/games/marne/F1901M/")
    assert browser.run(fills) == slid


def test_a_mouse_and_a_finger_are_told_the_reason(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/F1901M/")
    unit = browser.find("#units [data-unit]")
    key = unit.get_attribute("data-unit")
    ActionChains(browser.driver).move_to_element(unit).perform()
    browser.wait_for("return told.textContent.includes(': ')")
    assert browser.run("return document.querySelector('#orders .on').dataset.unit") == key

    browser.looks(360, "light")
    browser.open(f"{site}/games/marne/F1901M/")
    line = browser.find("#orders li[data-unit]")
    browser.run("arguments[0].scrollIntoView({block: 'center'})", line)
    line.click()
    assert browser.text("#told").endswith(line.text)

    last = Phase.objects.latest("number").name
    browser.open(f"{site}/games/marne/{last}/")
    assert browser.find("#orders li[data-unit]")
    assert not browser.find("#told").is_displayed()  # of an open phase there is no reason yet
    aside = "return [...orders.children].some(one => one.offsetLeft > 100)"
    assert browser.run(aside), "and its short lines stand beside each other"


IN_FRAME = """
const frame = map.getBoundingClientRect();
const unit = map.querySelector("#units .on").getBoundingClientRect();
return unit.left >= frame.left && unit.right <= frame.right
    && unit.top >= frame.top && unit.bottom <= frame.bottom;
"""
"""Whether the unit that is lit stands within the frame of the map."""


@pytest.mark.parametrize("width", [360, 1000])
def test_a_larger_map_moves_in_its_frame_to_the_unit_that_was_chosen(
    browser: Browser, site: str, width: int
) -> None:
    browser.looks(590, "light")
    browser.open(f"{site}/games/marne/F1901M/")
    for seen in (590, width):
        browser.looks(seen, "light")
        goes_on = browser.run("return map.scrollWidth > map.clientWidth")
        assert browser.find(".sideways").is_displayed() == goes_on, seen
    browser.open(f"{site}/games/marne/F1901M/")
    size = "return map.querySelector('svg').getBoundingClientRect().width / 1000"
    small = browser.run(size)
    assert NAME_SIZE * small >= 10
    right = browser.run("return map.scrollWidth - map.clientWidth")
    assert abs(browser.run("return map.scrollLeft") - right / 2) <= 1, "a phone has its middle"
    assert (browser.run("return map.tabIndex") == 0) == (right > 0)
    browser.find("#larger").click()
    scale = browser.run(size)
    assert scale > 1.8 * small  # of a frame with its bars
    assert NAME_SIZE * scale >= 16
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.barriers() == []

    for line in browser.driver.find_elements(By.CSS_SELECTOR, "#orders li[data-unit]")[::5]:
        browser.run("arguments[0].click()", line)
        assert browser.run(IN_FRAME), line.text


def test_a_large_board_is_enlarged_until_its_letters_can_be_read(
    browser: Browser, live_server: LiveServer, transactional_db: None
) -> None:
    """Youngstown is drawn more than twice as wide as the standard board."""
    players = [make_player(f"Player{number}") for number in range(10)]
    game = game_create(name="yser", gm=make_gm(), variant="youngstown", now=NOW)
    for player in players:
        game_join(game=game, player=player, preferences="", now=NOW)
    browser.looks(360, "light")
    browser.open(f"{live_server.url}/games/yser/")
    share = "return map.clientWidth / content.clientWidth"
    browser.looks(1000, "light")
    assert browser.run(share) > 0.9, "it has the whole page, and its orders stand below"
    size = "return map.querySelector('svg').getBoundingClientRect().width"
    board = browser.run("return map.querySelector('svg').viewBox.baseVal.width")
    for width in (1000, 700, 360):
        browser.looks(width, "light")
        assert NAME_SIZE * browser.run(size) / board >= 11, f"its names at {width}"
        assert browser.find(".sideways").is_displayed(), "and it says how to see the rest"
        assert browser.run("return document.documentElement.scrollWidth") <= width
    browser.looks(360, "light")
    browser.find("#larger").click()
    height = "return map.querySelector('#units use').getBoundingClientRect().height"
    assert browser.run(height) >= 24  # of a unit, whose letters are half as high
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    browser.on_paper()
    assert not browser.find(".sideways").is_displayed(), "nobody scrolls paper"


def test_the_arrows_move_a_larger_map_and_leave_the_phase(browser: Browser, site: str) -> None:
    browser.looks(360, "light")
    browser.open(f"{site}/games/marne/F1901M/")
    browser.tab_to("#larger")
    browser.press(Keys.SPACE)
    assert browser.tab_to("#map") == 1
    browser.wait_for("return map.scrollWidth > map.clientWidth")
    before = browser.run("return map.scrollLeft")

    def moves() -> bool:
        """Whether the map has moved after one more key: a busy Chromium drops some of them."""
        browser.press(Keys.ARROW_RIGHT)
        return bool(browser.run("return map.scrollLeft > arguments[0]", before))

    eventually(moves, seconds=30, what="the map moved")
    assert browser.text(WHEN) == "Fall 1901 movement"


def test_without_scripts_each_phase_has_its_page(browser: Browser, site: str) -> None:
    browser.scripts(False)
    browser.open(f"{site}/games/marne/S1901M/")
    before = browser.find(WHEN).text
    assert not browser.find("#slide").is_displayed()
    assert not browser.find("#told").is_displayed()  # which would wait for ever
    browser.find("#after").click()

    browser.arrive(f"{site}/games/marne/F1901M/")
    assert browser.find(WHEN).text != before
    moves = browser.find("#moves")
    assert moves.value_of_css_property("display") != "none"
    browser.find("#shown").click()
    assert moves.value_of_css_property("display") == "none"


def test_a_time_is_in_the_readers_zone_and_cannot_be_misread(browser: Browser, site: str) -> None:
    """Day, then the month's name, then hours up to 24, whatever English the browser speaks."""
    browser.open(f"{site}/")
    [said, stored] = browser.run(
        "const one = document.querySelector('time'); return [one.textContent, one.title]"
    )
    weekday = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
    assert re.fullmatch(rf"{weekday} \d{{1,2}} [A-Z][a-z]{{2,3}} \d{{4}}, \d\d:\d\d \S+", said)
    assert stored.endswith("UTC")


def test_a_deadline_to_come_says_how_far_away_it_is(browser: Browser, site: str) -> None:
    soon = timezone.now() + 2 * DAY + HOUR
    Phase.objects.filter(status="open").update(due_at=soon)
    browser.open(f"{site}/games/marne/")
    assert " (in 2 days)." in browser.text(".state")
    browser.open(f"{site}/games/marne/log/")  # of what is past nobody asks
    assert " ago" not in browser.text("main")


def test_a_phase_on_paper_is_its_map_and_its_orders(browser: Browser, site: str) -> None:
    """In dark letters, whatever its reader's screen is like."""
    browser.open(f"{site}/games/marne/F1901M/")
    browser.find("#larger").click()
    owners = "return document.querySelector('.owners li').checkVisibility()"
    assert not browser.run(owners)
    browser.on_paper()
    assert browser.run(owners), "nobody can open them there"
    for pressed in ("nav", "#slide", "#shown", "#told", ".ways", ".phases"):
        assert not browser.find(pressed).is_displayed(), pressed
    for read in ("#map svg", "#orders", "#when", ".chart"):
        assert browser.find(read).is_displayed(), read
    colour = browser.find("body").value_of_css_property
    assert colour("background-color") == "rgba(255, 255, 255, 1)"
    assert colour("color") == "rgba(29, 36, 51, 1)"
    assert browser.run("return map.scrollWidth - map.clientWidth") <= 0
    upright = browser.find("#years thead .number").value_of_css_property
    assert upright("writing-mode") == "vertical-rl", "nobody can scroll to the last of ten powers"


def test_what_can_be_pressed_has_an_edge_in_high_contrast(browser: Browser, site: str) -> None:
    """There a colour behind it is taken away."""
    browser.open(f"{site}/games/marne/F1901M/")
    edge = "return getComputedStyle(document.querySelector(arguments[0])).borderTopWidth"
    assert browser.run(edge, ".step") == "0px"
    contrast = {"features": [{"name": "forced-colors", "value": "active"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", contrast)
    assert browser.run(edge, ".step") == "1px"


def test_the_drawing_behind_comes_from_its_own_address(browser: Browser, site: str) -> None:
    browser.open(f"{site}/games/marne/F1901M/")
    browser.wait_for(
        "return ['province-par', 'province-stp'].every(id => {"
        " const box = document.getElementById(id).getBBox(); return box.width > 100; })"
    )
    loaded = browser.run(
        "return performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)"
    )
    assert [one for one in set(loaded) if one.startswith("/maps/standard-")]


def shuts_nobody_out(browser: Browser, width: int, scheme: str, path: str) -> None:
    """Look at the open page in such a window: by axe, and that nothing is wider than the window.

    No script of ours asks for the width or the scheme, so a page need not be loaded for each.
    """
    browser.looks(width, scheme)
    look = f"{path} at {width}, {scheme}"
    assert browser.barriers() == [], look
    # Not `innerWidth`: a phone makes its window as wide as the page asks for.
    assert browser.run("return document.documentElement.scrollWidth") <= width, look
    # A phone shows all columns of a table, or nobody knows that there are more.
    cut = (
        "return [...document.querySelectorAll('.wide')]"
        ".filter(one => one.scrollWidth > one.clientWidth).length"
    )
    assert browser.run(cut) == 0, look
    assert browser.small_targets(44 if width == 360 else 24) == [], look


def test_no_page_shuts_anybody_out(browser: Browser, site: str) -> None:
    """By axe; and nothing is wider than the window, and no script complains."""
    Player.objects.filter(name="Ana").update(
        name="Greta Featherstonehaugh-Wolfeschlegelsteinhausen"
    )
    player = f"/players/{Player.objects.get(name__startswith='Greta F').pk}/"
    game = [f"/games/marne/{part}" for part in ("", "press/", "log/")]
    for path in ("/", *game, "/players/", player, "/create/", "/proofs/", ORDERS, CHOSEN):
        browser.open(f"{site}{path}")
        for width in (360, 1280):
            for scheme in ("dark", "light"):
                shuts_nobody_out(browser, width, scheme, path)
        assert browser.complaints() == [], path


HEADED_TWICE = """
return [...document.querySelectorAll("td[data-label]")]
    .filter(one => getComputedStyle(one, "::before").content !== "none")
    .map(one => one.closest("table").tHead.checkVisibility());
"""
"""For each value with its heading before it: whether its column has one, too, even unseen."""


@pytest.mark.parametrize("path", ["/players/", "/games/marne/"])
def test_on_a_phone_no_value_has_its_heading_read_twice(
    browser: Browser, site: str, path: str
) -> None:
    browser.looks(360, "light")
    browser.open(f"{site}{path}")
    assert set(browser.run(HEADED_TWICE)) == {False}
    browser.looks(1000, "light")
    assert browser.run(HEADED_TWICE) == []


ONE_LINE = """
return [...document.querySelectorAll("tbody tr")].map(row => ["th > a", arguments[0]].map(one => {
    const words = new Range();
    words.selectNodeContents(row.querySelector(one));
    return words.getBoundingClientRect().top;
}));
"""
"""Where the words of a row's first cell begin, and those of another beside it."""


@pytest.mark.parametrize(
    ("width", "path", "beside"),
    [
        (1000, "/players/", "td"),
        (600, "/players/", "td"),
        (600, "player", "td"),
        (360, "player", ".first"),
    ],
)
def test_the_words_of_a_row_stand_on_one_line(
    browser: Browser, site: str, width: int, path: str, beside: str
) -> None:
    """A name is as high as a finger needs, and what stands beside it is not; a long one goes on
    below."""
    Player.objects.filter(name="Ben").update(name=f"Ben {'von und zu ' * 6}")
    player = f"/players/{Player.objects.get(name='Ana').pk}/"
    browser.looks(width, "light")
    browser.open(f"{site}{player if path == 'player' else path}")
    rows = browser.run(ONE_LINE, beside)
    assert rows
    assert all(abs(name - other) < 2 for name, other in rows), rows


def test_the_ways_of_a_game_lead_to_its_parts(browser: Browser, site: str) -> None:
    """The map has parts with names, too, and stands before them."""
    browser.open(f"{site}/games/marne/")
    reached = browser.run(
        "return [...document.querySelectorAll('.ways a[href^=\"#\"]')]"
        ".map(one => document.querySelector(one.hash).querySelector('h2')?.textContent)"
    )
    assert reached == ["Players", "Centres over the years", "Rules of this game"]


def test_a_phone_with_letters_twice_as_large_shows_no_page_beside_its_window(
    browser: Browser, site: str
) -> None:
    browser.looks(360, "light")
    for path in ("/", "/games/marne/", "/games/marne/press/", "/players/", "/create/", CHOSEN):
        browser.open(f"{site}{path}")
        browser.run("document.documentElement.style.fontSize = '200%'")
        assert browser.run("return document.documentElement.scrollWidth") <= 360, path


def test_no_sentence_goes_on_in_the_next_column(browser: Browser, site: str) -> None:
    browser.looks(360, "light")
    browser.open(f"{site}/games/marne/{Phase.objects.get(status='open').name}/")
    pieces = "return document.querySelector('.orders > .quiet').getClientRects().length"
    assert browser.run(pieces) == 1


def test_no_page_of_a_tournament_shuts_anybody_out(
    browser: Browser, live_server: LiveServer, transactional_db: None
) -> None:
    cast = make_cast(tournament=CUP)
    Player.objects.filter(name="Ana").update(
        name="Greta Featherstonehaugh-Wolfeschlegelsteinhausen"
    )
    end(cast.game, "France", "Austria")
    for path in ("/tournaments/", f"/tournaments/{CUP}/", "/games/marne/", "/"):
        browser.open(f"{live_server.url}{path}")
        for width, scheme in ((360, "dark"), (600, "light"), (1000, "light")):
            shuts_nobody_out(browser, width, scheme, path)
        assert browser.complaints() == [], path
    browser.open(f"{live_server.url}/tournaments/{CUP}/")
    for width in (360, 600, 1000):
        browser.looks(width, "light")
        lefts = "return [...document.querySelectorAll('th a')].map(one => one.offsetLeft)"
        assert len(set(browser.run(lefts))) == 1, "a long name, too, stands beside its rank"
