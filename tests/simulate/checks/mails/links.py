"""The links in our mails: each opens for whoever clicks on it, and a secret one for nobody who only
guesses at it."""

from __future__ import annotations

import re
import sqlite3

from django.conf import settings
from django.test import Client

from tests.simulate.checks.evidence import Broken
from tests.simulate.checks.mails.discretion import Discretion

LINK = re.compile(r"http://game\.test(/[^\s,;<>]*[^\s,;.<>:)])")
SECRET = re.compile(r"/calendar/\d+-(\w+)\.ics")


def has_secret(mail: sqlite3.Row) -> bool:
    """Whether a mail has a link that is for its reader alone."""
    return any(SECRET.fullmatch(path) for path in LINK.findall(mail["body"]))


def open_for_its_reader(mail: sqlite3.Row, discretion: Discretion) -> None:
    """Click on all links of a mail. Raises Broken."""
    assert settings.SITE_URL == "http://game.test", "LINK finds no others"
    what = f"the mail {mail['subject']!r} to {mail['recipient']}"
    for path in LINK.findall(mail["body"]):
        if (status := _status(path)) not in (200, 301, 302):
            raise Broken(f"{what} has a link to {path}, which answers {status}")
        if secret := SECRET.fullmatch(path):
            text = Client(HTTP_HOST="game.test").get(path).content.decode()
            discretion.no_secret(text, mail["recipient"], f"the link in {what}", None)
            guessed = path.replace(secret[1], secret[1][::-1])
            if _status(guessed) != 404:
                raise Broken(f"{what} has a secret link, and whoever guesses opens it: {guessed}")


def _status(path: str) -> int:
    return Client(HTTP_HOST="game.test").get(path).status_code
