"""The log while a fault lasts: one line a minute, and nothing that differs is lost."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.test import Client
from redis.exceptions import OutOfMemoryError

from diplomacy_server.discretion import Discreet
from diplomacy_server.log_limits import MOST_KNOWN, OVER, PERIOD, RepeatedFaults
from games.services.sick_database import is_of_the_database


class Log:
    """A logger of its own with a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.stream = io.StringIO()
        handler = logging.StreamHandler(self.stream)
        handler.setFormatter(Discreet("%(levelname)s %(message)s"))
        handler.addFilter(RepeatedFaults(lambda: self.now))
        self.logger = logging.Logger("test")
        self.logger.addHandler(handler)

    def fail(self, error: Exception, said: str = "Task poll[1234] failed") -> None:
        """What a task logs that met this error."""
        try:
            raise error
        except Exception:
            self.logger.exception(said)

    def lines(self) -> list[str]:
        """What is written so far."""
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_is_read_only_is_a_lasting_fault_of_its_own(log: Log) -> None:
    """Every job fails in each tick: written in full that was seventy lines a second."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
        with pytest.raises(DatabaseError) as met, transaction.atomic():
            cursor.execute("CREATE TABLE never (word text)")
    for second in range(61):
        log.now = 1000.0 + second
        log.fail(met.value, f"Job {second} broke")
    assert len([line for line in log.lines() if line.startswith("ERROR")]) == 2
    assert "InternalError: cannot execute CREATE TABLE in a read-only" in log.lines()[-1]
    assert is_of_the_database(met.value), "it is counted against no mail"


AWAY = "connection to server at 127.0.0.1, port 5432 failed: refused\nIs it running?"


def test_a_database_that_is_away_for_a_quarter_of_an_hour_costs_a_line_a_minute(log: Log) -> None:
    for second in range(900):
        log.now = 1000.0 + second
        for task in range(4):
            log.fail(OperationalError(AWAY), f"Task {task}[{second}] failed")
    traces = [line for line in log.lines() if line.startswith("Traceback")]
    assert len(traces) == 1
    repeated = [line for line in log.lines() if line.startswith("ERROR It lasts")]
    assert len(repeated) == 14
    assert "connection to server at 127.0.0.1" in repeated[0]
    assert repeated[0].endswith("(239 more like this since the last such line)")
    assert len(log.lines()) < 40


@pytest.mark.parametrize(
    "error", [OperationalError("x"), InterfaceError("x"), OSError("x"), OutOfMemoryError("x")]
)
def test_what_comes_from_outside_is_written_once_a_minute(log: Log, error: Exception) -> None:
    for pause, written in ((0.0, True), (PERIOD - 1, False), (1.0, True), (OVER, True)):
        log.now += pause
        before = len(log.lines())
        log.fail(error)
        assert (len(log.lines()) > before) is written
    assert sum(line.startswith("Traceback") for line in log.lines()) == 2


def test_a_fault_that_was_not_left_out_since_counts_none(log: Log) -> None:
    for _ in range(2):
        log.fail(OSError("Connection refused"))
        log.now += PERIOD
    assert log.lines()[-1] == "ERROR It lasts: OSError: Connection refused"


def test_a_warning_without_an_error_is_repeated_once_a_minute(log: Log) -> None:
    for second in range(0, 120, 5):
        log.now = 1000.0 + second
        log.logger.warning("Mail in: refused [2026-11-22 08:39:%02d]", second % 60)
    assert len(log.lines()) == 2


def raise_and_log(error: Exception) -> Callable[[Log, int], None]:
    return lambda log, number: log.fail(error)


@pytest.mark.parametrize(
    "write",
    [
        lambda log, number: log.logger.info("nothing new"),
        lambda log, number: log.logger.warning("Mail #%s broke", number),
        raise_and_log(KeyError("A Par - Bur")),
        raise_and_log(RuntimeError("boom")),
    ],
)
def test_what_differs_and_every_error_of_the_program_is_written_each_time(
    log: Log, write: Callable[[Log, int], None]
) -> None:
    for number in range(5):
        before = len(log.lines())
        write(log, number)
        assert len(log.lines()) > before


def test_a_repeated_line_quotes_nobody(log: Log) -> None:
    for _ in range(2):
        log.fail(InterfaceError("A Par - Bur"))
        log.now += PERIOD
    assert "A Par - Bur" not in log.stream.getvalue()


def test_a_thousand_different_faults_fill_no_memory_and_are_all_written(log: Log) -> None:
    for number in range(MOST_KNOWN + 3):
        log.fail(OperationalError(f"disk {'x' * number} is full"), "Task failed")
    assert log.stream.getvalue().count("Traceback") == MOST_KNOWN + 3


def test_a_request_for_another_host_is_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    assert Client().get("/", headers={"host": "evil.example"}).status_code == 400
    (said,) = [one for one in caplog.records if one.name == "django.security.DisallowedHost"]
    assert (said.levelname, said.exc_info) == ("WARNING", None)
    assert "evil.example" in said.getMessage()


def test_a_filter_that_a_list_does_not_have_is_one_warning(
    admin_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert admin_client.get("/admin/games/game/?gm__password__exact=x").status_code == 400
    kind = "django.security.DisallowedModelAdminLookup"
    (said,) = [one for one in caplog.records if one.name == kind]
    assert (said.levelname, said.exc_info) == ("WARNING", None)
