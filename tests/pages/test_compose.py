"""Orders chosen on a page: the mail that it writes is understood, whatever was chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.utils.text import slugify
from lxml.html import HtmlElement, fromstring
from pytest_django import Settings

from games.models import Game, Phase
from games.queries import board
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.models import InboundMail
from tests.cast import NOW, POWERS, Cast, address_of, marne, submit
from tests.mailer.correspondence import answer_to, eml, receive
from tests.mailer.identity_tables import SERVER

__all__ = ["marne"]

pytestmark = pytest.mark.django_db
PASSED = f"Authentication-Results: {SERVER}; dmarc=pass header.from=players.test\r\n"

Units = Mapping[str, Sequence[str]]


@pytest.fixture(autouse=True)
def _provider_vouches(settings: Settings) -> None:
    """What a phone sends has no reply address of ours: its provider has to vouch for it."""
    settings.TRUSTED_AUTHSERV_ID = SERVER


@pytest.fixture(autouse=True)
def _in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.views.compose.timezone.now", lambda: NOW)


def set_up(cast: Cast, name: str, variant: str = "standard", **state: Any) -> None:
    """Let the game be in this phase, with this board."""
    Game.objects.filter(pk=cast.game.pk).update(variant=variant)
    first = {**cast.phase.position, **board.first_state(variant), **state, "phase": name}
    Phase.objects.filter(pk=cast.phase.pk).update(name=name, position=first)


def page(power: str, query: Sequence[tuple[str, str]] = ()) -> HtmlElement:
    answer = Client().get(f"/games/marne/orders/{power}/?{urlencode(query)}")
    assert answer.status_code == 200
    return fromstring(answer.content.decode())


def status(power: str = "france") -> int:
    return Client().get(f"/games/marne/orders/{power}/").status_code


def test_the_board_stands_beside_the_orders(marne: Cast) -> None:
    shown = page("france")
    [title] = shown.xpath("//*[@id='units']//*[@data-unit='par']//title")
    assert title.text == "France: A Paris"
    assert not shown.xpath("//form//svg")


def submitted(shown: HtmlElement, choose: Callable[[list[str], int], str]) -> list[tuple[str, str]]:
    """What a browser sends when something is chosen in each list."""
    hidden = [(one.get("name"), one.get("value")) for one in shown.xpath("//form//input")]
    lists = shown.xpath("//form//select")
    values = [[one.get("value") for one in each.xpath(".//option")][1:] for each in lists]
    return [*hidden, *(("order", choose(each, at)) for at, each in enumerate(values))]


def sent(shown: HtmlElement, name: str) -> InboundMail:
    """The mail as a mail program makes it of the page's link, worked on."""
    [link] = shown.xpath("//a[starts-with(@href, 'mailto:')]")
    parts = urlsplit(link.get("href"))
    asked = parse_qs(parts.query)
    text = asked["body"][0].replace("\r\n", "\n")
    assert text.split() == shown.xpath("//textarea")[0].text.split()
    to, subject = parts.path, asked["subject"][0]
    return receive(eml(text, sender=address_of(name), to=to, subject=subject, headers=PASSED))


def last(orders: list[str], at: int) -> str:
    return orders[-1]


def all_followed(mail: InboundMail, power: str, orders: Sequence[str]) -> None:
    """Each of the orders stands, and the receipt has no fault to find."""
    assert mail.state == InboundMail.State.DONE, mail.note
    told = answer_to(mail)
    for order in orders:
        assert order in told.body, told.body
    for bad in ("not followed", "not used", "NOT", "left out", "not understood", "impossible"):
        assert bad not in told.body + told.subject, told.subject + told.body
    phase = Phase.objects.get(status="open", game__name="marne")
    stands = phase.order_sets.get(power__name=power)
    assert [one for one in stands.reading if one.get("problem")] == []


CROWDED: Units = {
    "France": ["F Spain(sc)", "A Brest", "F English Channel", "F Mid-Atlantic Ocean", "A Gascony"],
    "England": ["A London", "F North Sea", "F Portugal"],
    "Italy": ["F Gulf of Lyon", "A Tuscany", "F Western Mediterranean"],
}
CENTURY: Units = {
    "France": ["F Spain(wc)", "A Brest", "F English Channel", "F Mid-Atlantic Ocean", "A Gascony"],
    "Britain": ["A London", "F North Sea", "F Portugal"],
}
TRAIN: Units = {"Russia": ["A Omsk", "A Moscow", "F Vladivostok"], "China": ["A Manchuria"]}
DRIVEN_OUT = [
    {"power": "France", "unit": "F Spain(nc)", "retreats": ["Portugal", "Gascony"]},
    {"power": "France", "unit": "A Brest", "retreats": []},
]
FEW: Units = {"Russia": ["A Warsaw"]}
HOMES = ["Moscow", "St Petersburg", "Sevastopol", "Warsaw"]
MANY: Units = {"Russia": ["F St Petersburg(nc)", "A Moscow", "F Sevastopol", "A Warsaw"]}

BOARDS: Mapping[str, tuple[str, str, str, dict[str, Any]]] = {
    "moves": ("Carla", "S1901M", "standard", {"units": CROWDED}),
    "moves-around-odd-coasts": ("Carla", "S1900M", "1900", {"units": CENTURY}),
    "moves-by-rail": ("Felix", "S1870M", "colonial", {"units": TRAIN}),
    "retreats": ("Carla", "S1901R", "standard", {"units": {}, "dislodged": DRIVEN_OUT}),
    "builds": ("Felix", "W1901A", "standard", {"units": FEW, "centers": {"Russia": HOMES}}),
    "disbands": ("Felix", "W1901A", "standard", {"units": MANY, "centers": {"Russia": HOMES[:2]}}),
}


@pytest.mark.parametrize("nth", [0, 3, -1])
@pytest.mark.parametrize("which", BOARDS)
def test_whatever_is_chosen_the_mail_from_the_page_is_understood(
    marne: Cast, which: str, nth: int
) -> None:
    name, phase, variant, state = BOARDS[which]
    power = POWERS[name]
    set_up(marne, phase, variant, **state)
    form = submitted(page(power.lower()), lambda orders, at: _chosen(orders, at, nth))
    chosen = [value for field, value in form if field == "order"]
    assert len(chosen) > 1
    shown = page(power.lower(), form)
    assert shown.xpath("//*[@role='alert']") == []
    assert [one.get("value") for one in shown.xpath("//option[@selected]")] == chosen
    all_followed(sent(shown, name), power, chosen)


def _chosen(orders: list[str], at: int, nth: int) -> str:
    """The first, the last, or one between; each build in another place, each disband another."""
    if orders[0].startswith("Build") or len(orders) == len(MANY["Russia"]):
        return [one for one in orders if "(nc)" in one or "(" not in one][at]
    return orders[nth % len(orders)]


def test_every_kind_of_order_is_offered_that_the_judge_knows(marne: Cast) -> None:
    set_up(marne, "S1901M", units=CROWDED)
    shown = page("france")
    offered = {
        f"{group.get('label')}: {one.get('value')}"
        for group in shown.xpath("//optgroup")
        for one in group.xpath(".//option")
    }
    assert offered >= {
        "Hold: A Brest Holds",
        "Move: A Brest - Picardy",
        "Move: F Mid-Atlantic Ocean - Portugal",
        "Move by convoy: A Brest - Belgium",
        "Move by convoy: A Brest - Picardy via Convoy",
        "Support to hold: F English Channel Supports A London",
        "Support to move: F English Channel Supports A London - Belgium",
        "Convoy: F English Channel Convoys A London - Brest",
    }
    set_up(marne, "S1870M", "colonial", units=TRAIN)
    assert {one.get("label") for one in page("russia").xpath("//optgroup")} >= {"Move by rail"}


def test_two_builds_in_one_place_are_not_both_put_into_the_mail(marne: Cast) -> None:
    _, phase, variant, state = BOARDS["builds"]
    set_up(marne, phase, variant, **state)
    asked = ["Build A Moscow", "Build F St Petersburg(nc)", "Build A St Petersburg"]
    shown = page("russia", [("phase", phase), *(("order", one) for one in asked)])
    assert shown.xpath("//textarea")[0].text.split("\n")[1:] == asked[:2]
    [fault] = shown.xpath("//*[@role='alert']")
    assert fault.text.startswith("“Build A St Petersburg” is left out. ")


def test_choices_that_are_not_possible_are_left_out_and_never_repeated(marne: Cast) -> None:
    asked = ["A Paris - Burgundy", "A Paris - <b>Moon", "A Paris Holds", "", *["x"] * 2]
    shown = page("france", [("phase", "S1901M"), *(("order", one) for one in asked)])
    assert shown.xpath("//textarea")[0].text == "PHASE S1901M\nA Paris - Burgundy"
    [fault] = shown.xpath("//*[@role='alert']")
    assert fault.text == "4 choices are not possible here, so they are left out."
    assert "Not chosen yet: A Marseilles, F Brest." in " ".join(shown.text_content().split())
    long = page("france", [("phase", "S1901M"), *[("order", "x" * 40)] * 40])
    assert long.xpath("//textarea") == []


def test_choices_for_another_phase_are_not_taken_for_this_one(marne: Cast) -> None:
    old = page("france", [("phase", "S1901M"), ("order", "A Paris Holds")])
    set_up(marne, "F1901M")
    shown = page("france", [("phase", "S1901M"), ("order", "A Paris Holds")])
    assert shown.xpath("//textarea | //option[@selected]") == []
    assert "for another phase" in shown.xpath("//*[@role='alert']")[0].text
    late = sent(old, "Carla")
    assert marne.phase.order_sets.count() == 0
    assert "is already over" in answer_to(late).body, answer_to(late).body


def test_the_mail_of_somebody_who_plays_in_two_games_is_for_the_game_of_the_page(
    marne: Cast,
) -> None:
    verdun = game_create(name="verdun", gm=marne.gm, variant="france_austria", now=NOW)
    for name, power in (("Carla", "France"), ("Ana", "Austria")):
        game_join(game=verdun, player=marne.player(name), preferences=power, now=NOW)
    form = submitted(page("france"), last)
    mail = sent(page("france", form), "Carla")
    all_followed(mail, "France", [value for field, value in form if field == "order"])
    assert answer_to(mail).subject.startswith("[marne]")


def test_a_mail_for_which_nobody_vouches_is_asked_about_as_the_page_says(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = ""
    shown = page("france", submitted(page("france"), last))
    assert "if we cannot tell that the mail is yours, we ask you first" in shown.text_content()
    assert sent(shown, "Carla").state == InboundMail.State.HELD


@pytest.mark.parametrize(
    "changed",
    [
        {"fog": True},
        {"observers": False},
        {"status": "paused"},
        {"status": "finished"},
        {"status": "forming"},
    ],
    ids=str,
)
def test_there_is_no_such_page_where_the_board_is_not_public_or_nobody_orders(
    marne: Cast, changed: dict[str, Any]
) -> None:
    link = "/games/marne/orders/"
    assert status() == 200
    assert link in Client().get("/games/marne/").content.decode()
    assert status("narnia") == 404
    Game.objects.filter(pk=marne.game.pk).update(**changed)
    assert status() == 404
    assert link not in Client().get("/games/marne/").content.decode()


def test_a_stuck_phase_has_no_such_page(marne: Cast) -> None:
    Phase.objects.filter(pk=marne.phase.pk).update(status="stuck")
    assert status() == 404


def test_the_games_page_leads_to_the_powers_that_have_something_to_decide(marne: Cast) -> None:
    _, phase, variant, state = BOARDS["retreats"]
    set_up(marne, phase, variant, **state)
    shown = fromstring(Client().get("/games/marne/").content.decode())
    links = [one.get("href") for one in shown.xpath("//a[contains(@href, '/orders/')]")]
    assert links == ["/games/marne/orders/france/"]
    assert "has nothing to decide" in page("italy").text_content()


def test_the_page_says_that_it_is_too_late(marne: Cast) -> None:
    assert "is due" in page("france").text_content()
    Phase.objects.filter(pk=marne.phase.pk).update(due_at=NOW)
    assert "come too late" in page("france").text_content()
    Phase.objects.filter(pk=marne.phase.pk).update(overdue_at=NOW)
    assert "come too late" not in page("france").text_content()


def test_the_address_with_the_orders_goes_nowhere_and_no_cookie_comes(marne: Cast) -> None:
    answer = Client().get("/games/marne/orders/france/")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["ETag"]
    assert not answer.cookies


def test_orders_that_were_sent_change_nothing_on_the_page(marne: Cast) -> None:
    before = Client().get("/games/marne/orders/france/").content
    submit(marne, "France", ["A Paris - Burgundy"])
    assert Client().get("/games/marne/orders/france/").content == before


@pytest.mark.parametrize("variant", board.variant_names())
def test_each_power_of_a_map_has_an_address_of_its_own(variant: str) -> None:
    powers = board.variant_named(variant).powers
    assert len({slugify(one) for one in powers} - {""}) == len(powers)
