"""The page on which players make games: mails that are ready, with the name once it is known."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from django.test import Client

from games.settings.presets import PRESETS

pytestmark = pytest.mark.django_db


def page(**answers: str) -> str:
    return unquote(Client().get("/create/", answers).content.decode())


def test_each_way_to_play_has_its_mail() -> None:
    shown = page()
    for name, one in PRESETS.items():
        assert f"body=CREATE NAME {name}\r\n" in shown
        assert one.title in shown


def test_the_name_and_the_ticks_are_put_into_every_mail() -> None:
    shown = page(name="friends", private="on", gm="on")
    assert shown.count("<code>CREATE friends") == len(PRESETS)
    assert "body=CREATE friends steady PRIVATE GM\r\n" in shown
    assert 'name="private" checked' in shown


def test_a_variant_is_put_into_every_mail() -> None:
    shown = page(name="suez", variant="colonial", private="on")
    assert "body=CREATE suez weekly colonial PRIVATE\r\n" in shown
    assert '<option value="colonial" selected>Colonial, 7 powers</option>' in shown
    for nothing in ("standard", "atlantis"):
        assert "body=CREATE suez weekly\r\n" in page(name="suez", variant=nothing)


def test_a_time_that_somebody_picks_is_put_into_every_mail() -> None:
    shown = page(name="suez", start="2026-12-24T20:00", gm="on")
    assert "body=CREATE suez weekly GM START 2026-12-24 20:00\r\n" in shown
    assert 'value="2026-12-24T20:00"' in shown
    assert "body=CREATE suez weekly\r\n" in page(name="suez", start="soon")


@pytest.mark.parametrize("name", ["my game", "<b>", "-x", "x" * 41])
def test_a_name_that_no_game_can_have_is_answered_with_what_it_can(name: str) -> None:
    shown = page(name=name)
    assert 'role="alert"' in shown
    assert "<b>" not in shown
    assert "body=CREATE NAME steady\r\n" in shown


def test_the_page_may_ask_itself_and_nobody_else() -> None:
    policy = Client().get("/create/").headers["Content-Security-Policy"]
    assert "form-action 'self'" in policy
    assert "form-action 'none'" in Client().get("/").headers["Content-Security-Policy"]
