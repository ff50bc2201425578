"""A stranger with a browser, who reads the public pages: all of them answer, and tell no secret."""

from __future__ import annotations

import html
import logging
import random
import re
import sqlite3
from dataclasses import dataclass

from django.test import Client

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games.votes import Votes
from tests.simulate.checks.mails.discretion import Discretion
from tests.simulate.checks.mails.pseudonyms import Pseudonyms
from tests.simulate.checks.people.circles import Circles
from tests.simulate.checks.people.oblivion import Oblivion
from tests.simulate.players import order_pages

OF_A_GAME = ("", "press/", "log/", "proof.json", "feed/", "calendar.ics")
OF_A_PHASE = ("/", "/part.json", ".json", ".svg")
OTHERS = ("/", "/feed/", "/players/")
TAG = re.compile(r"<[^>]*>")
LABEL = re.compile(r"<text[^>]*>\w{2,4}</text>")
"""What a drawing calls a province: Bengal is "Ben"."""
EXAMPLE = re.compile(r'<figure class="opening">.*?</figure>', re.DOTALL)
"""The picture on the front page is of no game; in one somebody may order the same."""
READS = 3
"""So many pages at a time."""


@dataclass
class Visitor:
    """Somebody without an account."""

    chance: random.Random
    seen: Evidence
    discretion: Discretion
    oblivion: Oblivion
    circles: Circles
    votes: Votes
    pseudonyms: Pseudonyms
    pages: int = 0

    def __post_init__(self) -> None:
        logging.getLogger("django.request").setLevel(logging.ERROR)  # a page that is not there
        self.client = Client(HTTP_HOST="game.test", raise_request_exception=True)

    def look_in(self) -> None:
        """Read some pages. Raises Broken when one cannot be had, or tells a secret."""
        phases = self.seen.rows(
            """select game.name as game, phase.name as phase from games_phase phase
                 join games_game game on game.id = game_id where phase.status != 'undone'"""
        )
        self._orders_in_fog()
        for _ in range(READS):
            one = self.chance.choice(phases) if phases else None
            self._read(self._address(one))

    def _orders_in_fog(self) -> None:
        """Check that nobody can choose orders on a page for units that not everybody sees."""
        query = """select game.name, power.name as power from games_game game
                     join games_power power on power.game_id = game.id
                    where fog and status != 'finished' group by game.id"""
        for game in self.seen.rows(query):
            if order_pages.is_open(game["name"], game["power"]):
                raise Broken(f"{game['name']} is played in fog, and a page offers orders in it")

    def read_about(self, game: str) -> None:
        """Read every page of a game. Raises Broken."""
        for page in OF_A_GAME:
            self._read(f"/games/{game}/{page}")

    def _address(self, one: sqlite3.Row | None) -> str:
        if one is None or self.chance.random() < 0.2:
            return self.chance.choice(OTHERS)
        game = f"/games/{one['game']}/"
        if self.chance.random() < 0.5:
            return game + self.chance.choice(OF_A_GAME)
        return f"{game}{one['phase']}" + self.chance.choice(OF_A_PHASE)

    def _read(self, address: str) -> None:
        answer = self.client.get(address)
        self.pages += 1
        if answer.status_code not in (200, 301, 302, 404):
            raise Broken(f"the page {address} answers {answer.status_code}")
        body = b"".join(answer) if answer.streaming else answer.content
        drawn = drawn_by_games(body.decode("utf-8", "replace"))
        text = html.unescape(TAG.sub(" ", drawn))
        self.discretion.page(text, address)
        self.oblivion.page(text, address)
        self.circles.page(text, address)
        self.votes.page(text, address)
        self.pseudonyms.page(drawn, address)


def drawn_by_games(page: str) -> str:
    """Return a page without what a drawing calls provinces, and without the one of no game."""
    return LABEL.sub("", EXAMPLE.sub("", page))
