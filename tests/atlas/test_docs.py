"""docs/atlas.md: its session is run, its pictures are what the code draws today."""

from __future__ import annotations

import doctest
import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from atlas import tokens
from atlas.build import samples

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "atlas.md"


def test_the_session_on_the_page_runs() -> None:
    ran = doctest.testfile(str(PAGE), module_relative=False)

    assert ran.attempted > 5
    assert ran.failed == 0


@pytest.mark.parametrize("name", ["orders", "board"])
def test_a_picture_on_the_page_is_what_is_drawn_today(name: str) -> None:
    """Otherwise: python -m atlas.build.samples docs/atlas. Soft edges may differ by processor."""
    shown = Image.open(ROOT / "docs" / "atlas" / f"{name}.png").convert("RGB")
    drawn = Image.open(io.BytesIO(samples.pictures()[name].png())).convert("RGB")

    assert shown.size == drawn.size
    grey = ImageChops.difference(shown, drawn).convert("L")
    assert sum(grey.histogram()[40:]) < 0.001 * shown.width * shown.height


def test_the_pictures_on_the_page_are_there_and_small() -> None:
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", PAGE.read_text())

    assert len(shown) == 3
    assert sum((ROOT / "docs" / path).stat().st_size for path in shown) < 1_000_000


def test_the_page_names_every_sign() -> None:
    page = PAGE.read_text()

    for word in ("moved", "cut", "convoys", "dislodged", "destroyed", "hold", "retreat", "build"):
        assert word in page


def test_the_fonts_come_with_their_licence() -> None:
    licence = (ROOT / "atlas" / "fonts" / "OFL.txt").read_text()

    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Reserved Font Name 'Source'" in licence
    assert "Source Sans 3" in tokens.MAP_FONT
