"""The tables of what people say who keep earlier orders."""

from __future__ import annotations

import pytest

from mailer.commands.lines.kept_orders import ORDER_AFTER, ORDERS_FOLLOW, OTHERS_STAY, Saying
from mailer.commands.lines.spellings import as_one_word
from mailer.reading.patterns import says

ROWS = (*OTHERS_STAY, *ORDERS_FOLLOW, *ORDER_AFTER)


@pytest.mark.parametrize("row", ROWS, ids=[row.example for row in ROWS])
def test_an_example_is_read_by_its_own_row_alone(row: Saying) -> None:
    assert [one.example for one in ROWS if says(one.words).match(row.example)] == [row.example]
    assert as_one_word(row.example).startswith("amend")


@pytest.mark.parametrize(
    "text",
    [
        "The rest of Europe is as before a war",
        "Everything is the same, but who are you?",
        "Please change my mind:",
        "I forgot that you are German",
        "Just a quick correction: A Paris - Gascony instead",
        "Add Italy to your list of friends",
    ],
)
def test_what_only_begins_so_keeps_nothing(text: str) -> None:
    assert as_one_word(text) == text
