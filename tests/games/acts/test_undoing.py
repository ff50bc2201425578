"""Before anybody confirms an act, its page says what takes it back, or that nothing does."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS, PLAYER_ACTS, Act
from games.services.moderation.staff import gm_appoint
from tests.cast import Cast

ACTS: list[Act[Any, Any]] = [*GAME_ACTS.values(), *PLAYER_ACTS.values()]
TITLES = {act.title for act in ACTS}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: f"{act.name}")
def test_every_act_has_an_undo_or_says_that_it_has_none(act: Act[Any, Any]) -> None:
    assert act.grave or act.undo
    named = [part.partition("”")[0] for part in act.undo.split("“")[1:]]
    assert set(named) <= TITLES


@pytest.mark.django_db
def test_the_page_says_it_beside_what_will_happen(marne: Cast, client: Client) -> None:
    gm_appoint(user=marne.gm)
    client.force_login(marne.gm)
    address = reverse("admin:games_game_act", args=[marne.game.pk, "pause"])
    assert "“Resume” ends it." not in client.get(address).content.decode()
    shown = client.post(address, {"why": "Rain."}).content.decode()
    assert "“Resume” ends it." in shown
