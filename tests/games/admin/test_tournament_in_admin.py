"""What the admin's page of a game has of its tournament."""

from __future__ import annotations

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.cast import HOUR, NOW, Cast
from tests.games.tournaments.games import CUP

pytestmark = pytest.mark.django_db


def page(client: Client, cast: Cast) -> str:
    with time_machine.travel(NOW + HOUR, tick=False):
        answer = client.get(reverse("admin:games_game_change", args=[cast.game.pk]))
    return answer.content.decode()


def test_it_leads_to_the_table(as_gm: Client, marne: Cast) -> None:
    Game.objects.update(tournament=CUP)
    assert f'<a href="/tournaments/{CUP}/">{CUP}</a>' in page(as_gm, marne)


def test_without_a_tournament_it_leads_to_none(as_gm: Client, marne: Cast) -> None:
    assert "/tournaments/" not in page(as_gm, marne)
