"""Lengths of time as people write and read them."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.queries.parsing.lengths import length_and_rest, split_length
from games.timing.durations import duration_text, read_duration


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("72h", dt.timedelta(hours=72)),
        ("3d", dt.timedelta(days=3)),
        ("1d12h", dt.timedelta(hours=36)),
        ("1d 12h", dt.timedelta(hours=36)),
        ("90M", dt.timedelta(minutes=90)),
        ("20s", dt.timedelta(seconds=20)),
        ("1.5h", dt.timedelta(minutes=90)),
        ("2 days", dt.timedelta(days=2)),
        ("1 Week 1 hour", dt.timedelta(days=7, hours=1)),
        ("90 mins", dt.timedelta(minutes=90)),
    ],
)
def test_a_length_is_read(text: str, length: dt.timedelta) -> None:
    assert read_duration(text) == length


@pytest.mark.parametrize(
    "text", ["", "72", "h", "three days", "-3h", "3y", "3 months", "999999999999d"]
)
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=text or "not a length of time"):
        read_duration(text)


@pytest.mark.parametrize("text", ["1d 1d", "2h30m 1h", "1 day 2 days"])
def test_a_length_with_a_unit_twice_is_asked_about(text: str) -> None:
    with pytest.raises(BadInput, match=f"“{text}” has a unit of time twice"):
        read_duration(text)


@pytest.mark.parametrize("text", ["3651d", "99999999d", "9" * 30 + "h"])
def test_a_length_that_leads_beyond_all_dates_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="longer than any game lasts"):
        read_duration(text)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (dt.timedelta(hours=72), "3 days"),
        (dt.timedelta(hours=36), "1 day and 12 hours"),
        (dt.timedelta(seconds=90), "1 minute and 30 seconds"),
        (dt.timedelta(days=2, hours=3, minutes=4), "2 days, 3 hours and 4 minutes"),
        (dt.timedelta(0), "no time"),
    ],
)
def test_a_length_is_said_as_people_say_it(length: dt.timedelta, text: str) -> None:
    assert duration_text(length) == text


@given(st.integers(1, 10_000_000))
def test_a_length_said_in_short_reads_back(seconds: int) -> None:
    text = duration_text(dt.timedelta(seconds=seconds))
    words = text.replace(",", "").replace(" and ", " ").split()
    short = "".join(
        f"{number}{unit[0]}" for number, unit in zip(words[::2], words[1::2], strict=True)
    )
    assert read_duration(short) == dt.timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("line", "length", "rest"),
    [
        ("24h because of Easter", "24h", "because of Easter"),
        ("by 2 days: I am away", "2 days", "I am away"),
        ("for 1d 12h", "1d 12h", ""),
        ("by two days because of Easter", "2 days", "because of Easter"),
        ("one by one", "", "one by one"),
        ("because of Easter", "", "because of Easter"),
        ("24 hounds bark", "", "24 hounds bark"),
    ],
)
def test_a_length_is_split_off_the_head_of_a_line(line: str, length: str, rest: str) -> None:
    assert split_length(line) == (length, rest)


def test_a_length_too_long_is_refused_where_it_is_read() -> None:
    with pytest.raises(BadInput, match="longer than any game lasts"):
        length_and_rest("9999999d because of Easter")
