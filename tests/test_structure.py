"""The pictures of imports in docs/architecture.md are those of the code, and have no circles."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest

from benchmarks.structure import PAGE, PICTURE, ROOMS, arrows, drawn, part_of_room


def test_the_pictures_show_what_imports_what() -> None:
    page = PAGE.read_text("utf-8")
    assert [of for _, of in PICTURE.findall(page)] == ["rooms", "games", "mailer"]
    assert drawn(page) == page, "run: python -m benchmarks.structure page"


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_leads_through_the_packages_of_a_room(room: str) -> None:
    """Who reads a package has to know those it imports, and never one that imports it."""
    imports = {one: set(others) for one, others in arrows(part_of_room(room)).items()}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
