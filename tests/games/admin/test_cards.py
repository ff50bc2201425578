"""The admin's lists on a phone: every value says what it is."""

from __future__ import annotations

from diplomacy_server.templatetags.cards import labelled


def test_a_cell_carries_the_heading_of_its_column() -> None:
    headers = [{"text": "<input>"}, {"text": "name"}, {"text": 'who "waits"'}]
    cells = ['<td class="action-checkbox"></td>', '<th class="field-name">marne</th>', "<td>9</td>"]
    assert labelled(cells, headers) == [
        cells[0],
        cells[1],
        '<td data-label="Who &quot;waits&quot;">9</td>',
    ]


def test_a_cell_with_nothing_in_it_says_so_for_the_style() -> None:
    headers = [{"text": "phase"}, {"text": "deadline"}, {"text": "first name"}]
    cells = ["<td>S1901M – open</td>", '<td class="nowrap">–</td>', "<td>-</td>"]
    marked = ["data-nothing" in cell for cell in labelled(cells, headers)]
    assert marked == [False, True, True]
