"""The admin in a real browser: by keys alone, without scripts, for eyes of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from games.models import Conduct, Event, Game, OrderSet, Phase, Press, StaffEntry
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import erasure_ask
from games.services.moderation.conduct import moderators_ask
from games.services.moderation.staff_log import entry_write
from games.services.setup.games import game_create
from mailer.models import InboundMail, OutboundMail
from tests.cast import HOUR, Cast
from tests.mailer.correspondence import write
from tests.pages.playing import played
from tests.servers.chromium import PICTURES, Browser, can_run

pytestmark = [
    pytest.mark.skipif(not can_run(), reason="no browser can be installed here"),
    pytest.mark.only_on("PostgreSQL"),
]
LONG = "yser-" + "n" * 35
"""As long as the name of a game may be, and nowhere to break it."""


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """A game that is played, due in an hour, with something for a moderator."""
    cast = played(3)
    now = timezone.now()
    Phase.objects.filter(pk=cast.phase.pk).update(due_at=now + HOUR, opened_at=now - HOUR)
    Game.objects.filter(pk=cast.game.pk).update(tournament="spring-cup")
    cast.game.powers.filter(name="Italy").update(open_since=now - HOUR, disorder_since=now - HOUR)
    moderators_ask(player=cast.player("Ben"), text="Is Carla Dmitri?", now=now - HOUR)
    erasure_ask(player=cast.player("Emma"), now=now - HOUR)
    game_create(name=LONG, gm=cast.gm, now=now)
    what, about = StaffEntry.What.ORDERS, "marne, S1901M: orders, of France"
    entry_write(
        what=what, about=about, why="Ana asked.", by=Actor("mo"), game=cast.game, now=now - HOUR
    )
    write("Ana", "STATUS", received_at=now, now=now)
    return cast


@pytest.fixture
def browser(started: Browser, live_server: LiveServer, cast: Cast) -> Browser:
    """A browser in which somebody is signed in who is GM, moderator and operator."""
    started.reset()
    User.objects.filter(pk=cast.gm.pk).update(is_staff=True, is_superuser=True)
    sign_in(started, live_server, cast)
    return started


def sign_in(browser: Browser, live_server: LiveServer, cast: Cast) -> None:
    """Sign in as the game's GM in another window, with a new token for all forms."""
    client = Client()
    client.force_login(User.objects.get(pk=cast.gm.pk))
    client.get(reverse("admin:password_change"))
    for name in ("sessionid", "csrftoken"):
        cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
        browser.driver.execute_cdp_cmd("Network.setCookie", cookie)


def pages(cast: Cast) -> dict[str, str]:
    """The pages on which staff spend their time, by a name for their pictures."""
    game, ana = cast.game.pk, cast.player("Ana").pk
    act = lambda name: reverse("admin:games_game_act", args=[game, name])  # noqa: E731
    return {
        "home": reverse("admin:index"),
        "game": reverse("admin:games_game_change", args=[game]),
        "games": reverse("admin:games_game_changelist"),
        "extend": act("extend"),
        "remind": act("remind"),
        "end": act("end"),
        "round": act("make_round"),
        "new": reverse("admin:games_game_add"),
        "player": reverse("admin:games_player_change", args=[ana]),
        "events": reverse("admin:games_event_changelist"),
    }


LISTS = (
    *("games_game", "games_player", "games_phase", "games_orderset", "games_event", "games_press"),
    *("games_observer", "mailer_inboundmail", "mailer_outboundmail", "mailer_mailbox", "auth_user"),
    "games_staffentry",
)
GAME_ACTS = (
    "pause",
    "settings",
    "set_orders",
    "replace",
    "disorder",
    "rollback",
    "add_co_gm",
    "write",
)
PLAYER_ACTS = ("write", "ban", "suspend", "merge", "mute", "note", "send_data", "erase")


def rest(cast: Cast) -> dict[str, str]:
    """All other pages of the admin, and those of its door; of pages that look alike some."""
    found = {f"list {one}": reverse(f"admin:{one}_changelist") for one in LISTS}
    for model in (Phase, OrderSet, Event, Press, InboundMail, OutboundMail, StaffEntry, User):
        row = model._default_manager.latest("pk")  # type: ignore[attr-defined]
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        found[f"one {name}"] = reverse(f"admin:{name}_change", args=[row.pk])
    for act in GAME_ACTS:
        found[f"act {act}"] = reverse("admin:games_game_act", args=[cast.game.pk, act])
    for act in PLAYER_ACTS:
        player = cast.player("Ana").pk
        found[f"player {act}"] = reverse("admin:games_player_act", args=[player, act])
    asked = cast.player("Ben").pk
    mail = InboundMail.objects.latest("pk").pk
    phase = cast.phase.pk
    return found | {
        "answer": reverse("admin:games_player_act", args=[asked, "answer"]),
        "letters": reverse("admin:games_player_change", args=[asked]),
        "queue": reverse("admin:games_player_queue"),
        "look phase": reverse("admin:games_phase_look", args=[phase]),
        "look mail": reverse("admin:mailer_inboundmail_look", args=[mail]),
        "forming": reverse("admin:games_game_change", args=[Game.objects.get(name=LONG).pk]),
        "invite": reverse("admin:games_game_act", args=[Game.objects.get(name=LONG).pk, "invite"]),
        "second step": reverse("second-factor-setup"),
        "own name": reverse("admin:own_name"),
        "own password": reverse("admin:password_change"),
        "lost password": reverse("admin_password_reset"),
        "not there": "/admin/games/game/0/change/",
    }


LOOKS = [(width, scheme) for width in (360, 600, 1000) for scheme in ("light", "dark")]
"""Each width of a window in CSS pixels, in light and in dark colours."""
UNLIKE = [(360, "dark"), (1000, "light")]
TELLING = [*UNLIKE, (600, "light")]
"""Widths show what is cut off, and two schemes what cannot be read; pictures are taken of all."""
CUT_OFF = """
const scrolls = one => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
const seen = one => one.checkVisibility() && !one.closest(".visually-hidden, thead, .hidden");
return [...document.querySelectorAll("#header *, #content *")]
    .filter(one => seen(one) && one.getBoundingClientRect().right > arguments[0] + 1)
    .filter(one => { for (let up = one; up; up = up.parentElement) if (scrolls(up)) return false;
                     return true; })
    .map(one => one.outerHTML.slice(0, 80));
"""
"""What stands beyond the right edge of a window of this width, and no bar leads to it. A phone
makes its window as wide as the page asks for: `innerWidth` would find nothing there."""
LIST_GOES_ON = """
return [...document.querySelectorAll(".results")].some(one => one.scrollWidth > one.clientWidth);
"""


@pytest.mark.parametrize(
    ("which", "looks"),
    [(pages, LOOKS if PICTURES else TELLING), (rest, LOOKS if PICTURES else UNLIKE)],
    ids=["where staff spend their time", "all others"],
)
def test_no_page_shuts_anybody_out(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
    which: Callable[[Cast], dict[str, str]],
    looks: list[tuple[int, str]],
) -> None:
    """By axe; and nothing is wider than the window, and no script complains."""
    faults = {}
    for name, path in which(cast).items():
        browser.looks(*looks[0])
        browser.open(f"{live_server.url}{path}")
        found = [fault for look in looks for fault in shut_out(browser, name, *look)]
        found += complaints(browser) if name != "not there" else []
        if found:
            faults[name] = found
    assert faults == {}, faults


def shut_out(browser: Browser, name: str, width: int, scheme: str) -> Iterator[str]:
    """Yield what is wrong with the open page in a window of this width and scheme."""
    browser.looks(width, scheme)
    if PICTURES:
        picture(browser, Path(PICTURES) / f"{name}-{width}-{scheme}.png")
    where = f"{width}, {scheme}"
    yield from (f"{where}: {barrier}" for barrier in browser.barriers())
    if browser.run("return document.documentElement.scrollWidth") > width:
        yield f"{where}: wider than the window"
    if width < 1280 and browser.run(LIST_GOES_ON):
        yield f"{where}: the list goes on beside its frame"
    yield from (f"{where}: {one} is cut off" for one in browser.run(CUT_OFF, width))
    small = browser.small_targets(44 if width == 360 else 24)
    yield from (f"{where}: {one} is too small" for one in small)


def complaints(browser: Browser) -> list[str]:
    """What the browser complains of, but not its advice about Django's form of a new password."""
    said = browser.complaints()
    return [one for one in said if "favicon.ico" not in one and "[DOM]" not in one]


def picture(browser: Browser, path: Path) -> None:
    height = browser.run("return Math.min(document.documentElement.scrollHeight, 4000)")
    size = browser.run("return innerWidth")
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size, "height": height, "deviceScaleFactor": 1, "mobile": size < 600},
    )
    browser.driver.save_screenshot(str(path))
    browser.looks(size, path.stem.rpartition("-")[2])


def test_a_field_for_many_lines_shows_as_many_as_it_has(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['round']}")
    lines = "const it = document.querySelector('textarea'); return it.clientHeight / it.rows"
    for width in (360, 600, 1000):
        browser.looks(width, "light")
        assert browser.run(lines) > 20, width


def test_a_phones_list_can_be_searched_and_leads_to_its_filter(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    """Below the rows the filter is far away, and a bar within it would be hard to move."""
    browser.looks(360, "light")
    browser.open(f"{live_server.url}{reverse('admin:mailer_inboundmail_changelist')}")
    width = "return document.querySelector(arguments[0]).getBoundingClientRect().width"
    assert browser.run(width, "#searchbar") > 180
    spaced = "return getComputedStyle(document.querySelector('#counts a')).columnGap"
    assert browser.run(spaced) != "normal", "“2 cases”, not “2cases”"
    inside = "return [...document.querySelectorAll('#changelist-filter ul')].every("
    assert browser.run(f"{inside}one => one.scrollHeight <= one.clientHeight)")
    [box, name] = browser.run(
        "return ['td.action-checkbox input', 'tbody th a'].map("
        "one => document.querySelector(`#result_list ${one}`).getBoundingClientRect())"
    )
    assert box["right"] <= name["left"]
    assert name["top"] < box["bottom"], "a row's box stands beside its name"
    browser.find(".to-filter").click()
    top = "return document.querySelector('#changelist-filter').getBoundingClientRect().top"
    browser.wait_for(f"{top} < innerHeight")
    browser.looks(1000, "light")
    assert not browser.run("return document.querySelector('.to-filter').checkVisibility()")
    assert browser.run(f"{inside}one => one.scrollHeight <= one.clientHeight)"), "all states"


def test_a_tick_stands_beside_its_words(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.looks(360, "light")
    act = reverse("admin:games_game_act", args=[cast.game.pk, "rollback"])
    browser.open(f"{live_server.url}{act}")
    [box, words] = browser.run(
        "const box = document.querySelector('#act input[type=checkbox]'), words = new Range();"
        "words.selectNodeContents(box.parentElement.lastChild);"
        "return [box, words].map(one => one.getBoundingClientRect())"
    )
    assert box["right"] <= words["left"]
    assert words["top"] < box["bottom"]


OFF_THE_MIDDLE = """
return [...document.querySelectorAll(".submit-row a, .object-tools a")].map(one => {
    const words = new Range(), box = one.getBoundingClientRect();
    words.selectNodeContents(one);
    const {top, bottom} = words.getBoundingClientRect();
    return Math.abs(top + bottom - box.top - box.bottom) / 2;
});
"""


def test_values_of_a_row_stand_below_each_other_and_can_be_read(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    """Also beside a long value; and the words of a button stand in its middle."""
    browser.looks(1000, "light")
    orders = reverse("admin:games_orderset_change", args=[OrderSet.objects.latest("pk").pk])
    browser.open(f"{live_server.url}{orders}")
    lefts = "return [...document.querySelectorAll('.readonly')].map("
    assert len(set(browser.run(f"{lefts}one => one.getBoundingClientRect().left)"))) == 1
    code = "return parseFloat(getComputedStyle(document.querySelector('.readonly code')).fontSize)"
    assert browser.run(code) >= 14
    assert max(browser.run(OFF_THE_MIDDLE)) < 2
    browser.open(f"{live_server.url}{reverse('admin:password_change')}")
    inputs = "return [...document.querySelectorAll('input[type=password]')].map("
    assert len(set(browser.run(f"{inputs}one => one.getBoundingClientRect().height)"))) == 1


APART = """
return [...document.querySelectorAll(arguments[0])].map(one => {
    const words = new Range(), parts = [...one.querySelectorAll("select, button, a")];
    words.selectNodeContents(one);
    const boxes = parts.length ? parts.map(part => part.getBoundingClientRect())
        : [...words.getClientRects()];
    const middles = boxes.map(({top, bottom}) => (top + bottom) / 2);
    return Math.max(...middles) - Math.min(...middles);
});
"""
"""How far what can be pressed in each such element stands above the rest; or, without any, its
words."""


COVERED = """
const words = new Range();
words.selectNodeContents(document.querySelector("#content > h1"));
const right = Math.max(...[...words.getClientRects()].map(line => line.right));
return right > document.querySelector(".object-tools").getBoundingClientRect().left;
"""


def test_a_long_heading_is_not_covered_by_the_buttons_beside_it(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    mail = OutboundMail.objects.latest("pk")
    OutboundMail.objects.filter(pk=mail.pk).update(recipient=f"{'a' * 24}@players.test")
    browser.looks(1000, "light")
    browser.open(f"{live_server.url}{reverse('admin:mailer_outboundmail_change', args=[mail.pk])}")
    assert not browser.run(COVERED)


def test_what_belongs_together_stands_on_one_line(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    """What to do with chosen rows, and with a case; since when somebody plays a power."""
    for path, parts in (
        (reverse("admin:mailer_inboundmail_changelist"), ".actions"),
        (reverse("admin:games_player_queue"), ".case-acts"),
        (pages(cast)["game"], ".since"),
    ):
        browser.open(f"{live_server.url}{path}")
        for width in (600, 1000):
            browser.looks(width, "light")
            apart = browser.run(APART, parts)
            assert apart, path
            assert max(apart) < 2, (path, width)


def test_the_ways_to_play_stand_below_each_other(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['new']}")
    for width in (360, 600, 1000):
        browser.looks(width, "light")
        boxes = browser.run(
            "return [...document.querySelectorAll('#id_preset input')].map("
            "one => [one.getBoundingClientRect().left, one.getBoundingClientRect().width].join())"
        )
        assert len(boxes) > 5
        assert len(set(boxes)) == 1, (width, boxes)


def test_a_game_is_extended_by_keys_alone_while_the_forecast_follows(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['extend']}")
    browser.press(Keys.TAB, Keys.ENTER)  # the link that leaves out what all pages begin with
    assert browser.tab_to("#id_later") == 1
    browser.press("2", "d")
    browser.tab_to("#id_why")
    browser.press(*"Ana is ill.")
    browser.wait_for("return document.querySelector('#forecast').textContent.includes('moves')")
    browser.wait_for("return document.querySelector('button[name=confirmed]:enabled') !== null")
    assert "Ana is ill." in browser.text("#forecast")
    before = cast.phase.due_at
    browser.tab_to("button[name=confirmed]")
    browser.press(Keys.ENTER)
    browser.find(".messagelist")
    size = "return getComputedStyle(document.querySelector(arguments[0])).fontSize"
    assert browser.run(size, ".messagelist li") == browser.run(size, "#content")
    after = cast.phase.due_at
    assert before
    assert after
    assert (after - before).days == 2
    assert complaints(browser) == []


@pytest.mark.parametrize(("act", "scripts"), [("extend", True), ("extend", False), ("pause", True)])
def test_half_a_date_is_not_taken_for_none(
    browser: Browser, live_server: LiveServer, cast: Cast, act: str, scripts: bool
) -> None:
    """The server would read that the field is empty: then another deadline is meant."""
    address = reverse("admin:games_game_act", args=[cast.game.pk, act])
    browser.scripts(scripts)
    browser.open(f"{live_server.url}{address}")
    browser.find("#id_why").send_keys("Ana is ill.")
    browser.find("#id_to").send_keys("1210")
    browser.find("#id_why").click()
    if scripts:
        browser.wait_for("return document.querySelector('#forecast [role=alert]') !== null")
        assert "Or until: part of it is missing." in browser.text("#forecast")
        day = timezone.now() + 48 * HOUR
        browser.find("#id_to").send_keys(f"{day:%m%d%Y}", Keys.TAB, "0800PM")
        browser.wait_for("return document.querySelector('button[name=confirmed]:enabled') !== null")
        assert f"{day.day} {day:%b %Y}, 20:00" in browser.text("#forecast")
    else:
        browser.find(".without-script button").click()
        assert browser.run("return document.querySelector('#id_to').validity.badInput")
        assert not browser.driver.find_elements(By.NAME, "confirmed")


def test_a_forecast_has_room_for_the_longest_address(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    """It is told as it was typed, and nothing in it can be broken."""
    act = reverse("admin:games_game_act", args=[cast.game.pk, "add_co_gm"])
    browser.looks(360, "light")
    browser.open(f"{live_server.url}{act}")
    browser.find("#id_email").send_keys(f"{'helper' * 8}@clubs.example")
    browser.wait_for("return document.querySelector('#forecast').textContent.includes('clubs.')")
    assert browser.run("return document.documentElement.scrollWidth") == 360
    assert browser.run(CUT_OFF, 360) == []


def test_the_way_back_from_an_act_that_is_refused_has_room_for_the_longest_name(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.looks(360, "light")
    forming = Game.objects.get(name=LONG).pk
    browser.open(f"{live_server.url}{reverse('admin:games_game_act', args=[forming, 'resume'])}")
    assert f"Back to {LONG}" in browser.text("#content-main .button")
    assert browser.run("return document.documentElement.scrollWidth") == 360
    assert browser.run(CUT_OFF, 360) == []


def test_the_words_of_a_message_stand_beside_its_sign(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    act = reverse("admin:games_game_act", args=[cast.game.pk, "hand_over"])
    browser.open(f"{live_server.url}{act}")
    browser.find(".messagelist .error")
    for width in (360, 600, 1000, 1280):
        browser.looks(width, "light")
        [sign, words] = browser.run(
            "const it = getComputedStyle(document.querySelector('.messagelist .error'));"
            "return [parseFloat(it.backgroundPositionX) + parseFloat(it.backgroundSize),"
            " parseFloat(it.paddingLeft)]"
        )
        assert sign + 8 <= words, width


CARDS = """
return [...document.querySelectorAll("td[data-label]")].some(
    one => getComputedStyle(one, "::before").content !== "none");
"""
"""Whether values have their headings before them."""
CARDS_TWICE = """
return [...document.querySelectorAll("td[data-label]")]
    .filter(one => getComputedStyle(one, "::before").content !== "none")
    .filter(one => one.closest("table").tHead.checkVisibility())
    .map(one => one.dataset.label);
"""
"""Those that can be read in a column's heading as well, were it only by a screen reader."""


def test_on_a_phone_no_value_has_its_heading_read_twice(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    """A card says it before the value; a table says it by its columns."""
    for name in ("games", "game", "player"):
        browser.open(f"{live_server.url}{pages(cast)[name]}")
        for width in (360, 1280):
            browser.looks(width, "light")
            assert browser.run(CARDS) == (width == 360), (name, width)
            assert browser.run(CARDS_TWICE) == [], (name, width)


def test_who_was_signed_out_meanwhile_is_told_so_beside_the_form(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['extend']}")
    Session.objects.all().delete()
    browser.find("#id_why").send_keys("Ana is ill.")
    browser.wait_for("return document.querySelector('#forecast [role=alert]') !== null")
    assert "You are signed out. What you have typed stays here" in browser.text("#forecast")
    assert browser.driver.find_elements(By.NAME, "password") == []
    sign_in(browser, live_server, cast)
    browser.find("#id_why").send_keys(" Sorry.")
    browser.find("button[name=confirmed]:enabled").click()
    browser.find(".messagelist .success")
    Session.objects.all().delete()
    browser.open(f"{live_server.url}{pages(cast)['home']}")
    assert browser.find("#id_password")
    assert browser.small_targets() == []


def test_the_way_back_leads_to_what_was_typed_and_what_it_would_do(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['extend']}")
    browser.find("#id_later").send_keys("2d")
    browser.find("#id_why").send_keys("Ana is ill.")
    browser.open(f"{live_server.url}{pages(cast)['game']}")
    browser.driver.back()
    browser.wait_for("return document.querySelector('button[name=confirmed]:enabled') !== null")
    assert browser.find("#id_why").get_attribute("value") == "Ana is ill."
    assert "Ana is ill." in browser.text("#forecast")
    assert complaints(browser) == []


def test_without_scripts_a_button_asks_for_the_forecast(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.scripts(False)
    browser.open(f"{live_server.url}{pages(cast)['end']}")
    field = browser.find("#id_why")
    field.send_keys("All agreed.", Keys.ENTER)
    browser.find("#forecast li")  # on the page that comes; the first has an empty forecast, too
    assert "The game marne ends without a result." in browser.text("#forecast")
    browser.find("#typed_name").send_keys("marne")
    browser.find("button[name=confirmed]").click()
    browser.find(".messagelist")
    assert Game.objects.get(pk=cast.game.pk).status == Game.Status.FINISHED


def test_a_moderator_says_from_the_home_that_they_are_on_it(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['home']}")
    assert Conduct.objects.filter(settled_at=None).exists()
    browser.find(".case button[value=take]").click()
    assert "gm has been on it since" in browser.text(".keeper")
    border = browser.find(".danger-zone").value_of_css_property
    assert border("border-top-color") == border("border-bottom-color"), "framed on all sides"


def test_the_whole_square_of_a_second_step_is_seen_on_a_phone(
    browser: Browser, live_server: LiveServer
) -> None:
    """A camera needs it whole, with the white around it."""
    browser.looks(360, "dark")
    browser.open(f"{live_server.url}{reverse('second-factor-setup')}")
    browser.find(".square svg")
    [right, drawn, size] = browser.run(
        "const one = document.querySelector('.square svg'), box = one.getBoundingClientRect();"
        "return [box.right - innerWidth, one.viewBox.baseVal.width, box.width]"
    )
    assert right <= 0
    assert drawn > 40
    assert size > 200


def test_what_is_typed_into_a_new_game_is_noted(browser: Browser, live_server: LiveServer) -> None:
    browser.open(f"{live_server.url}{reverse('admin:games_game_add')}")
    browser.driver.execute_script(
        "const field = document.getElementById('id_movement_length');"
        "field.dispatchEvent(new Event('input', {bubbles: true}));"
    )
    noted = browser.driver.execute_script("return document.getElementById('id_typed').value")
    assert noted.split() == ["-", "movement_length"]
