"""Orders that somebody chooses on the page of their power, and the mail that the page has them
send.

What is promised: the mail has what was chosen, each order once, under its phase; and it is read as
just these orders.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.test import Client
from django.utils.text import slugify

from games.models import Phase
from tests.simulate.checks.evidence import Broken, Evidence, title_of

UNDECIDED = 0.1
"""How often somebody leaves a decision open."""


@dataclass(frozen=True)
class FromPage:
    """A mail as the page has made it."""

    to: str
    subject: str
    phase: str
    """As mails name it: Spring 1901 movement."""
    orders: tuple[str, ...]
    text: str
    is_whole: bool
    made_for: int


@dataclass
class Page(HTMLParser):
    """What somebody sees of the page: the form, and the mail that it has made of it."""

    phase: str = ""
    choices: list[list[str]] = field(default_factory=list)
    """By decision, what there is to choose."""
    lines: list[str] = field(default_factory=list)
    mailto: str = ""
    warns: bool = False
    """It says that something is left out."""
    _in_text: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        value = facts.get("value") or ""
        self._in_text = tag == "textarea"
        self.warns = self.warns or facts.get("role") == "alert"
        if tag == "input" and facts.get("name") == "phase":
            self.phase = value
        elif tag == "select":
            self.choices.append([])
        elif tag == "option" and value:
            self.choices[-1].append(value)
        elif tag == "a" and (facts.get("href") or "").startswith("mailto:"):
            self.mailto = facts["href"] or ""

    def handle_endtag(self, tag: str) -> None:
        self._in_text = self._in_text and tag != "textarea"

    def handle_data(self, data: str) -> None:
        if self._in_text:
            self.lines += data.splitlines()


def chosen(game: str, power: str, chance: random.Random) -> FromPage | None:
    """Fill the form of a power by chance, and return the mail; None if there is nothing to fill.
    Raises Broken."""
    form = _opened(game, power, {})
    if form is None or not any(form.choices):
        return None
    picked: list[str] = []
    for orders in form.choices:
        open_ones = [one for one in orders if one not in picked or one.startswith("Waive")]
        leaves = chance.random() < UNDECIDED or not open_ones
        picked.append("" if leaves else chance.choice(open_ones))
    made = _opened(game, power, {"phase": form.phase, "order": picked})
    [key] = Phase.objects.filter(game__name=game, status="open").values_list("pk", flat=True)
    return _mail(made, picked, key) if made and made.mailto else None


def is_open(game: str, power: str) -> bool:
    """Whether there is such a page."""
    return _opened(game, power, {}) is not None


def _opened(game: str, power: str, given: dict[str, Any]) -> Page | None:
    address = f"/games/{game}/orders/{slugify(power)}/"
    answer = Client(HTTP_HOST="game.test").get(address, given)
    if answer.status_code == 404:
        return None  # the game has gone on, or its board is not for everybody
    if answer.status_code != 200:
        raise Broken(f"the page {address} answers {answer.status_code}")
    page = Page()
    page.feed(answer.content.decode())
    return page


def _mail(page: Page, picked: Sequence[str], made_for: int) -> FromPage:
    """Return what the mail program opens. Raises Broken if it is not what was chosen."""
    link = urlsplit(page.mailto)
    said = parse_qs(link.query.replace("+", "%2B"))
    lines = said["body"][0].splitlines()
    wanted = [one for one in picked if one]
    if lines != page.lines:
        raise Broken(f"the page shows {page.lines}, and the mail has {lines}")
    head, *orders = lines
    if head != f"PHASE {page.phase}" or not set(orders) <= set(wanted):
        raise Broken(f"{wanted} were chosen for {page.phase}, and the mail has {lines}")
    if len(orders) < len(set(wanted)) and not page.warns:  # as of two builds in one place
        raise Broken(f"{wanted} were chosen, and the mail has only {orders}")
    return FromPage(
        to=unquote(link.path),
        subject=said["subject"][0],
        phase=title_of(page.phase),
        orders=tuple(orders),
        text="\n".join(lines),
        is_whole=len(orders) == len(page.choices),
        made_for=made_for,
    )


def processed(seen: Evidence, phase: sqlite3.Row) -> None:
    """Check how mails from the page were read that came for a phase. Raises Broken."""
    query = "select reading from games_orderset where phase_id = ? and source = ?"
    for letter in seen.letters.values():
        if letter.made_for == phase["id"]:
            for row in seen.rows(query, phase["id"], letter.message_id):
                said = json.loads(row["reading"])
                read = [one["order"] for one in said if one["counts"]]
                if sorted(read) != sorted(letter.orders):
                    raise Broken(f"{letter.text!r} came from the page, and was read as {read}")
