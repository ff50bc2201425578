"""Which orders in a mail the simulation holds to be an example of ours, and no secret."""

from __future__ import annotations

import pytest

from tests.simulate.checks.mails.discretion import EXAMPLE

ORDER = "A Ankara Supports A Smyrna - Constantinople"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (f"Example support: {ORDER}\n", True),
        ("Example support: A Ankara Supports \nA Smyrna - Constantinople\n", True),
        ("> Example support: A Ankara Supports\n> A Smyrna - Constantinople\n>\n> HELP", True),
        (f"> Example move: A Ankara H\n>\n> {ORDER}\n", False),
        (f"Example move: A Ankara H\n{ORDER}\n", False),
    ],
)
def test_an_order_is_an_example_where_its_line_begins_as_one(text: str, is_one: bool) -> None:
    left = " ".join(EXAMPLE.sub("", text).split())
    assert ("A Smyrna - Constantinople" not in left) == is_one
