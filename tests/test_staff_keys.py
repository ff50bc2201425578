"""The admin by keys alone: Tab, Enter, letters. No mouse, and nobody guesses where the focus is."""

# ruff: noqa: F811 (the fixtures of another module)

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver.common.keys import Keys

from games.acts import GAME_ACTS, PLAYER_ACTS
from games.models import Event, Game, OrderSet, Player
from tests.cast import Cast
from tests.servers.chromium import Browser, can_run
from tests.test_staff_browser import LONG, browser, cast, started  # noqa: F401  # fixtures

pytestmark = [
    pytest.mark.skipif(not can_run(), reason="no browser can be installed here"),
    pytest.mark.only_on("PostgreSQL"),
]

WATCH = """
window.walked = [];
const every = [...document.querySelectorAll('*')];
document.addEventListener('focusin', ({target}) => {
  const style = getComputedStyle(target), box = target.getBoundingClientRect();
  window.walked.push({
    name: target.id || target.name || target.textContent.trim().slice(0, 40),
    place: every.indexOf(target),
    shown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
      && box.width > 0 && box.height > 0,
  });
});
"""
"""Notes each thing that gets the focus: its place in the text, and whether one sees that it has."""
STOPS = """
const kinds = '#content a[href], #content button, #content input:not([type=hidden]), '
  + '#content select, #content textarea, #content summary';
const radios = new Set();
return [...document.querySelectorAll(kinds)].filter(one => {
  if (one.disabled || one.tabIndex < 0 || !one.checkVisibility()) return false;
  if (one.type !== 'radio') return true;
  const is_first = !radios.has(one.name);
  radios.add(one.name);
  return is_first;
}).map(one => one.id || one.name || one.textContent.trim().slice(0, 40));
"""
"""What Tab has to come to; of some radio buttons one."""
AROUND = 25
"""Stops of a page beside those of its content: the header, and the parts of fields for dates."""


def walk(browser: Browser, address: str) -> list[str]:
    """Press Tab through a page, and return what is wrong with the way."""
    browser.open(address)
    browser.run("document.activeElement.blur(); window.getSelection().removeAllRanges()")
    browser.run(WATCH)
    wanted = browser.run(STOPS)
    browser.press_at_once(*[Keys.TAB] * (len(wanted) + AROUND))
    walked: list[dict[str, Any]] = browser.run("return window.walked")
    first = next((n for n, one in enumerate(walked) if n and one["place"] == walked[0]["place"]), 0)
    way = walked[: first or len(walked)]
    names = {one["name"] for one in way}
    radios = {re.sub(r"_\d+$", "_0", name) for name in names}
    missed = [one for one in wanted if one not in names | radios]
    hidden = [one["name"] for one in way if not one["shown"]]
    places = [one["place"] for one in way]
    begun = places.index(min(places))
    order = places[begun:] + places[:begun]
    return [
        *(f"never reached: {one}" for one in missed),
        *(f"not seen to have the focus: {one}" for one in hidden),
        *([] if order == sorted(order) else [f"not in the order of the text: {names}"]),
    ]


def test_the_walk_finds_what_keys_cannot_do(started: Browser) -> None:
    page = (
        "<style>:focus-visible{outline:3px solid}</style><main id=content>"
        "<a href=/1>One</a><a href=/2 style='outline:none'>Two</a>"
        "<a href=/3 tabindex=3>Three</a><input id=trap onkeydown='event.preventDefault()'>"
        "<button>Four</button></main>"
    )
    started.reset()
    said = walk(started, f"data:text/html,{page}")
    assert said[:2] == ["never reached: Four", "not seen to have the focus: Two"]
    assert said[2].startswith("not in the order of the text")


def test_every_act_and_form_is_gone_through_by_tab(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
) -> None:
    forming = Game.objects.get(name=LONG)
    ways = {
        "home": reverse("admin:index"),
        "game": reverse("admin:games_game_change", args=[cast.game.pk]),
        "forming": reverse("admin:games_game_change", args=[forming.pk]),
        "new": reverse("admin:games_game_add"),
        "queue": reverse("admin:games_player_queue"),
        "games": reverse("admin:games_game_changelist"),
    }
    for name, act in GAME_ACTS.items():
        game = cast.game if Game.Status.ACTIVE in act.when else forming
        ways[f"game {name}"] = reverse("admin:games_game_act", args=[game.pk, name])
    for name in PLAYER_ACTS:
        ben = cast.player("Ben").pk
        ways[f"player {name}"] = reverse("admin:games_player_act", args=[ben, name])
    faults = {name: walk(browser, f"{live_server.url}{way}") for name, way in ways.items()}
    found = {name: said for name, said in faults.items() if said}
    assert found == {}, found


def confirm(browser: Browser, typed: str = "") -> None:
    """Wait for the forecast, type the game's name if it is asked for, and say yes by Enter."""
    browser.find("button[name=confirmed]:enabled")
    if typed:
        browser.tab_to("#typed_name")
        browser.press(*typed)
    browser.tab_to("button[name=confirmed]")
    browser.press(Keys.ENTER)
    browser.find(".messagelist")


def test_acts_are_done_by_keys_from_the_page_on(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
) -> None:
    """*More* opens by Enter, a power is chosen by its first letters, a date is typed."""
    game_page = f"{live_server.url}{reverse('admin:games_game_change', args=[cast.game.pk])}"
    browser.open(game_page)
    browser.tab_to(".more > summary")
    browser.press(Keys.ENTER)
    browser.tab_to(".acts a[href*='/set_orders/']")
    browser.press(Keys.ENTER)
    browser.find("#id_orders")
    browser.tab_to("#id_power")
    browser.press(*"Fra", Keys.TAB)
    browser.press(*"A Par H", Keys.TAB, Keys.TAB, *"Ill.")  # past the tick box
    confirm(browser)
    assert OrderSet.objects.latest("pk").power.name == "France"

    browser.open(
        f"{live_server.url}{reverse('admin:games_game_act', args=[cast.game.pk, 'pause'])}"
    )
    browser.tab_to("input[type=datetime-local]")
    until = timezone.now().replace(minute=0, second=0, microsecond=0) + dt.timedelta(days=9)
    browser.press(*f"{until:%m%d%Y}", Keys.TAB, *f"{until:%I%M%p}")
    browser.tab_to("#id_why")
    browser.press(*"Holidays.")
    confirm(browser)
    assert Game.objects.get(pk=cast.game.pk).resume_at == until


def test_what_cannot_be_taken_back_takes_the_games_name_by_keys_too(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
) -> None:
    browser.open(f"{live_server.url}{reverse('admin:games_game_change', args=[cast.game.pk])}")
    browser.tab_to(".danger-zone a[href*='/end/']", most=90)
    browser.press(Keys.ENTER)
    browser.find("#id_why")
    browser.tab_to("#id_why")
    browser.press(*"All agreed.")
    confirm(browser, "marne")
    assert Game.objects.get(pk=cast.game.pk).status == Game.Status.FINISHED


def test_a_game_is_made_and_a_list_filtered_by_keys(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
) -> None:
    browser.open(f"{live_server.url}{reverse('admin:games_game_add')}")
    browser.press(*"aisne", Keys.TAB, Keys.ARROW_UP)  # the name has the focus at once
    browser.find("#forecast li")
    browser.tab_to("input[name=_save]", most=90)
    browser.press(Keys.ENTER)
    browser.find("#invite")
    assert Game.objects.get(name="aisne").movement_length < dt.timedelta(hours=1)

    browser.open(f"{live_server.url}{reverse('admin:games_event_changelist')}")
    browser.tab_to("#by-game", most=150)
    browser.press(*"mar")
    browser.find("#games option[value=marne]")
    browser.press(*"ne", Keys.ENTER)
    browser.wait_for("return location.search.includes('marne')")
    rows = browser.run("return document.querySelectorAll('#result_list tbody tr').length")
    assert rows == Event.objects.filter(game=cast.game).count()


def test_a_moderator_writes_with_a_ready_text_by_keys(
    browser: Browser,
    live_server: LiveServer,
    cast: Cast,
) -> None:
    ana = Player.objects.get(name="Ana")
    browser.open(f"{live_server.url}{reverse('admin:games_player_act', args=[ana.pk, 'write'])}")
    browser.tab_to("#id_ready")
    browser.press(*"Thanks", Keys.TAB, *"See you.")
    confirm(browser)
    assert ana.conduct.latest("pk").why.endswith("See you.")
