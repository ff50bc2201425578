"""Atom feeds: what they tell, and of which games."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from io import BytesIO

import pytest
from django.test import Client
from lxml.html import fromstring

from games.models import Game
from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from tests.cast import NOW, Cast
from tests.pages.playing import PHASES, played, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


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
