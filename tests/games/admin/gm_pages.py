"""The admin as a game master sees it."""

from __future__ import annotations

import html
import re

import time_machine
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.cast import HOUR, NOW, Cast


def permissions() -> list[int]:
    """What lets somebody look at games."""
    return list(Permission.objects.filter(codename="view_game").values_list("pk", flat=True))


def page(client: Client, cast: Cast) -> str:
    """The page of the cast's game, its tags taken out."""
    return page_of(client, cast.game)


def page_of(client: Client, game: Game) -> str:
    """A game's page, its tags taken out."""
    with time_machine.travel(NOW + HOUR, tick=False):
        response = client.get(reverse("admin:games_game_change", args=[game.pk]))
    assert response.status_code == 200
    return text_of(response.content.decode())


def text_of(page: str) -> str:
    """What a reader sees, on one line."""
    page = re.sub(r"(?s)<(style|script|svg).*?</\1>", " ", page)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
