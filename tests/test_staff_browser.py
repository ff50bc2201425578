"""The admin in a real browser: by keys alone, without scripts, for eyes of all kinds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver.common.keys import Keys

from games.models import Conduct, Game, Phase
from games.services.conduct import moderators_ask
from tests.cast import HOUR, Cast
from tests.pages.playing import played
from tests.servers.chromium import Browser, can_run

pytestmark = [
    pytest.mark.skipif(not can_run(), reason="no browser can be installed here"),
    pytest.mark.only_on("PostgreSQL"),
]
PICTURES = os.environ.get("PICTURES", "")
"""A folder in which to leave a picture of each page, for people to look at."""


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
    cast.game.powers.filter(name="Italy").update(open_since=now - HOUR, disorder_since=now - HOUR)
    moderators_ask(player=cast.player("Ben"), text="Is Carla Dmitri?", now=now - HOUR)
    return cast


@pytest.fixture
def browser(started: Browser, live_server: LiveServer, cast: Cast) -> Browser:
    """A browser in which somebody is signed in who is GM, moderator and operator."""
    started.reset()
    User.objects.filter(pk=cast.gm.pk).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(User.objects.get(pk=cast.gm.pk))
    started.open(f"{live_server.url}/robots.txt")
    session = client.cookies["sessionid"].value
    started.driver.add_cookie({"name": "sessionid", "value": session, "path": "/"})
    return started


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
        "new": reverse("admin:games_game_add"),
        "player": reverse("admin:games_player_change", args=[ana]),
        "events": reverse("admin:games_event_changelist"),
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 600, 1000])
def test_no_page_shuts_anybody_out(
    browser: Browser, live_server: LiveServer, cast: Cast, width: int, scheme: str
) -> None:
    """By axe; and nothing is wider than the window, and no script complains."""
    browser.looks(width, scheme)
    for name, path in pages(cast).items():
        browser.open(f"{live_server.url}{path}")
        if PICTURES:
            picture(browser, Path(PICTURES) / f"{name}-{width}-{scheme}.png")
        assert browser.barriers() == [], path
        wide = "return document.documentElement.scrollWidth - innerWidth"
        assert browser.run(wide) <= 0, path
        assert complaints(browser) == [], path


def complaints(browser: Browser) -> list[str]:
    return [one for one in browser.complaints() if "favicon.ico" not in one]


def picture(browser: Browser, path: Path) -> None:
    height = browser.run("return Math.min(document.documentElement.scrollHeight, 4000)")
    size = browser.run("return innerWidth")
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size, "height": height, "deviceScaleFactor": 1, "mobile": size < 600},
    )
    browser.driver.save_screenshot(str(path))
    browser.looks(size, path.stem.rpartition("-")[2])


def test_a_game_is_extended_by_keys_alone_while_the_forecast_follows(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['extend']}")
    browser.tab_to("#id_later")
    browser.press("2", "d")
    browser.tab_to("#id_why")
    browser.press(*"Ana is ill.")
    browser.wait_for("return document.querySelector('#forecast').textContent.includes('moves')")
    browser.wait_for("return document.querySelector('button[name=confirmed]:enabled') !== null")
    assert "Ana is ill." in browser.text("#forecast")
    before = cast.phase.due_at
    browser.tab_to("button[name=confirmed]")
    browser.press(Keys.ENTER)
    browser.wait_for("return document.querySelector('.messagelist') !== null")
    after = cast.phase.due_at
    assert before
    assert after
    assert (after - before).days == 2
    assert complaints(browser) == []


def test_without_scripts_a_button_asks_for_the_forecast(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.scripts(False)
    browser.open(f"{live_server.url}{pages(cast)['end']}")
    field = browser.driver.find_element("css selector", "#id_why")
    field.send_keys("All agreed.", Keys.ENTER)
    said = browser.driver.find_element("css selector", "#forecast").text
    assert "The game marne ends: no result." in said
    browser.driver.find_element("css selector", "#typed_name").send_keys("marne", Keys.ENTER)
    browser.driver.find_element("css selector", "#content")
    assert Game.objects.get(pk=cast.game.pk).status in ("active", "finished")


def test_a_moderator_says_from_the_home_that_they_are_on_it(
    browser: Browser, live_server: LiveServer, cast: Cast
) -> None:
    browser.open(f"{live_server.url}{pages(cast)['home']}")
    assert Conduct.objects.filter(settled_at=None).exists()
    browser.driver.find_element("css selector", ".case button[value=take]").click()
    browser.wait_for("return document.querySelector('.keeper') !== null")
    assert "gm is on it" in browser.text(".keeper")


def test_what_is_typed_into_a_new_game_is_noted(browser: Browser, live_server: LiveServer) -> None:
    browser.open(f"{live_server.url}{reverse('admin:games_game_add')}")
    browser.driver.execute_script(
        "const field = document.getElementById('id_movement_length');"
        "field.dispatchEvent(new Event('input', {bubbles: true}));"
    )
    noted = browser.driver.execute_script("return document.getElementById('id_typed').value")
    assert noted.split() == ["movement_length"]
