"""The picture on the front page, and what the boards on which variants begin leave in memory."""

from __future__ import annotations

from pathlib import Path

import pages
from atlas.raster.ground import land_of
from games.queries import board
from pages import maps
from pages.opening import ORDERS, VARIANT, opening_on_page

FRONT = Path(pages.__file__).parent / "templates" / "pages" / "front.html"
BOUNCED = ["Ankara - Black Sea", "Sevastopol - Black Sea", "Vienna - Galicia", "Warsaw - Galicia"]


def test_the_front_pages_picture_shows_what_its_caption_says() -> None:
    state = board.first_state(VARIANT)
    results = board.adjudicate_orders(variant=VARIANT, rules={}, state=state, orders=ORDERS).results
    failed = sorted(str(one["text"])[2:] for one in results if "fails" in one["result"])
    assert failed == sorted([*BOUNCED, "Munich - Burgundy"])
    assert not [one for one in results if one["automatic"] or "illegal" in one["result"]]
    for said in ("gets into Burgundy before Germany", "Galicia and the Black Sea stay empty"):
        assert said in FRONT.read_text()
    assert '<g id="moves"' in opening_on_page()
    assert "{{ opening|safe }}" in FRONT.read_text()


def test_what_was_painted_stays_with_another_process() -> None:
    """3 MB a board stayed in each process of the web server, once somebody had seen all maps."""
    land_of.cache_clear()
    assert maps.start_as_png.__wrapped__("standard").startswith(b"\x89PNG")

    assert not land_of.cache_info().currsize


def test_variants_on_the_same_board_share_its_drawing() -> None:
    """Half of them have the standard board, whose drawing takes 130 kB."""
    assert maps.still_drawing("fleet_rome") is maps.still_drawing("standard")
