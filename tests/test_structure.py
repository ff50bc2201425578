"""The pictures of imports in docs/architecture.md are those of the code."""

from __future__ import annotations

from benchmarks.structure import PAGE, PICTURE, drawn


def test_the_pictures_show_what_imports_what() -> None:
    page = PAGE.read_text("utf-8")
    assert [of for _, of in PICTURE.findall(page)] == ["rooms", "games", "mailer"]
    assert drawn(page) == page, "run: python -m benchmarks.structure page"
