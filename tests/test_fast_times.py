"""Times that PostgreSQL sends are read as the driver reads them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import DataError, connection
from psycopg.types.datetime import TimestamptzLoader

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("PostgreSQL")]


def read(written: str) -> dt.datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [written])
        [[found]] = cursor.fetchall()
    assert isinstance(found, dt.datetime)
    return found


@pytest.mark.parametrize(
    "written",
    [
        "2026-11-23 18:05:04+00",
        "2026-11-23 18:05:04.5+00",
        "2026-11-23 18:05:04.000001+00",
        "0001-01-01 00:00:00+00",
        "9999-12-31 23:59:59.999999+00",
    ],
)
def test_a_time_is_read_as_the_driver_reads_it(written: str) -> None:
    connection.ensure_connection()
    driver = TimestamptzLoader(0, connection.connection)
    assert read(written) == driver.load(written.encode())
    assert read(written).tzinfo is dt.UTC


def test_a_time_in_another_zone_is_read_in_utc() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL TIME ZONE 'Asia/Kolkata'")
    found = read("2026-11-23 18:05:04+00")
    assert (found, found.tzinfo) == (dt.datetime(2026, 11, 23, 18, 5, 4, tzinfo=dt.UTC), dt.UTC)


@pytest.mark.parametrize("written", ["infinity", "20000-01-01 00:00:00+00"])
def test_a_time_that_none_of_ours_can_be_is_refused(written: str) -> None:
    with pytest.raises(DataError):
        read(written)
