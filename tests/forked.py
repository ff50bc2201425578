"""`--processes N`: runs the tests in N processes forked from the one that has collected them.

To import every module and to collect every test takes ten seconds of a processor; here it is done
once, and each process has all of it from its first moment. It gets one unit of tests after the
other (tests/schedule.py), and sends back what pytest reports of each test. One that dies fails the
test that it was at; another one goes on with the rest.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import pytest
from django.conf import settings
from django.utils.log import configure_logging

from tests.plugin import statements, uses_database
from tests.schedule import Schedule
from tests.second_run import Second, name_on_second, turn_to_the_second

FORK = get_context("fork")
GONE = object()
NEVER = ("terminalreporter", "server-counts")
"""Plugins of the process that reports."""


@dataclass
class Worker:
    """One of the processes, as the one that reports knows it."""

    number: int
    pipe: Connection
    process: BaseProcess
    on_second: bool
    """Whether it uses the second database."""
    unit: str = ""
    """What it is at."""
    tests: list[int] = field(default_factory=list)
    """Those tests of the unit that it has not reported yet, by their place in the collection."""


class Parent:
    """Gives out the tests, and reports what comes back."""

    def __init__(self, session: pytest.Session, processes: int, second: Second | None) -> None:
        self.session = session
        self.processes = processes
        self.second = second
        first = second.on_the_first() if second else numbered(session.items)
        self.schedules = (
            Schedule(first, processes),
            Schedule(second.at_once() if second else (), processes),
        )
        self._count()
        self.workers: list[Worker] = []
        self.idle: list[Worker] = []
        """Those that wait until it is known what the second database needs besides."""
        self.started = 0

    def run(self) -> None:
        """Run all tests. Whatever ends this, no process is left behind."""
        try:
            for _ in range(self.processes):
                self._fork(on_second=False)
            while self.workers:
                for pipe in wait([worker.pipe for worker in self.workers]):
                    self._hear(next(each for each in self.workers if each.pipe is pipe))
                    self._stop_if_asked()
        finally:
            for worker in self.workers:
                worker.pipe.close()
            for worker in self.workers:
                worker.process.join()

    def _fork(self, *, on_second: bool) -> None:
        here, there = FORK.Pipe()
        others = [here, *(worker.pipe for worker in self.workers)]
        given = (self.session, self.started, there, others, on_second)
        process = FORK.Process(target=work, args=given)
        process.start()
        there.close()
        self.workers.append(Worker(self.started, here, process, on_second))
        self.started += 1

    def _hear(self, worker: Worker) -> None:
        told: Any = GONE
        with suppress(EOFError, ConnectionResetError):
            told = worker.pipe.recv()
        if told is GONE:
            self._is_gone(worker)
        elif told is None:
            self._give(worker)
        elif isinstance(told, str):
            self._fail(f"the end of process {worker.number}", told)
        else:
            self._report(worker, self.session.items[worker.tests.pop(0)], told)

    def _give(self, worker: Worker) -> None:
        others = (other.unit for other in self.workers if other is not worker)
        worker.unit, worker.tests = self.schedules[worker.on_second].next(others)
        if not worker.tests and worker.on_second and self.second:
            self.idle.append(worker)
            return
        with suppress(BrokenPipeError):  # it has died meanwhile, and is found gone
            worker.pipe.send(worker.tests)

    def _is_gone(self, worker: Worker) -> None:
        """Let another one go on with its tests, if there are any."""
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)
        if worker.tests:
            item = self.session.items[worker.tests.pop(0)]
            died = f"its process died (exit code {worker.process.exitcode})"
            self._fail(_name(worker, item), died)
            self.schedules[worker.on_second].again(worker.unit, worker.tests)
            self._fork(on_second=worker.on_second)
            return
        if worker.process.exitcode:  # what its tests have sent is not noted, so not run again
            died = f"it died (exit code {worker.process.exitcode})"
            self._fail(f"the end of process {worker.number}", died)
        if self.second and not worker.on_second:
            self._go_on_to(self.second)

    def _go_on_to(self, second: Second) -> None:
        """Put a process for the second database in the place of one that has done its part; after
        the last of them it is known what to run there besides."""
        self._fork(on_second=True)
        if all(worker.on_second for worker in self.workers):
            self.schedules[True].add(second.then(), first=True)
            self._count()
            self.second = None
            for worker in self.idle:
                self._give(worker)

    def _count(self) -> None:
        """Let pytest know of how many tests it shows the progress."""
        self.session.testscollected = sum(schedule.total for schedule in self.schedules)

    def _report(self, worker: Worker, item: pytest.Item, reports: list[dict[str, Any]]) -> None:
        hook = item.config.hook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for data in reports:
            data["nodeid"] = _name(worker, item)
            report = hook.pytest_report_from_serializable(config=item.config, data=data)
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    def _fail(self, nodeid: str, why: str) -> None:
        where = (nodeid.partition("::")[0], None, nodeid)
        report = pytest.TestReport(nodeid, where, {}, "failed", why, "call")
        self.session.config.hook.pytest_runtest_logreport(report=report)

    def _stop_if_asked(self) -> None:
        if self.session.shouldfail:
            raise self.session.Failed(self.session.shouldfail)
        if self.session.shouldstop:
            raise self.session.Interrupted(self.session.shouldstop)


def _name(worker: Worker, item: pytest.Item) -> str:
    """How the test is named in reports of this process."""
    on_second = worker.on_second and uses_database(item)
    return name_on_second(item.nodeid) if on_second else item.nodeid


class Reports:
    """Keeps what pytest reports of a test until it is sent."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.kept: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        to_data = self.config.hook.pytest_report_to_serializable
        self.kept.append(to_data(config=self.config, report=report))

    def taken(self) -> list[dict[str, Any]]:
        """Return those kept since the last call."""
        taken, self.kept = self.kept, []
        return taken


def numbered(items: list[pytest.Item]) -> Iterator[tuple[int, str]]:
    """The number and the name of each."""
    return enumerate(item.nodeid for item in items)


def work(
    session: pytest.Session,
    number: int,
    pipe: Connection,
    others: list[Connection],
    on_second: bool,
) -> None:
    """Run what the parent gives out, in a process of its own. A traceback of what goes wrong
    between the tests is sent, too."""
    for other in others:
        other.close()  # or this process would not hear that the parent has died
    try:
        if on_second:
            turn_to_the_second()
        reports = settle(session.config, number, on_second=on_second)
        for unit in units(pipe):
            for item, following in zip(unit, [*unit[1:], None], strict=True):
                run(session, item, following)
                pipe.send(reports.taken())
        session.config.hook.pytest_sessionfinish(session=session, exitstatus=pytest.ExitCode.OK)
    except BaseException as error:
        with suppress(BrokenPipeError):  # nobody is left to hear it
            pipe.send(f"{error!r}\n{traceback.format_exc()}")


def settle(config: pytest.Config, number: int, *, on_second: bool) -> Reports:
    """Give this process its own database, folder and captured output; return its reports."""
    config.workerinput = {"workerid": f"gw{number}"}  # type: ignore[attr-defined]
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / str(number)
    factory._basetemp.mkdir()
    capture = config.pluginmanager.get_plugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    # The log's handlers write to what was captured before, which is closed now.
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
    for name in (*NEVER, "statements") if on_second else NEVER:
        if config.pluginmanager.has_plugin(name):
            config.pluginmanager.unregister(name=name)
    reports = Reports(config)
    config.pluginmanager.register(reports)
    return reports


def units(pipe: Connection) -> Iterator[list[int]]:
    """Ask for tests, again and again, until there are none or nobody answers."""
    with suppress(EOFError, ConnectionResetError):
        pipe.send(None)
        while unit := pipe.recv():
            yield unit
            pipe.send(None)


def run(session: pytest.Session, number: int, following: int | None) -> None:
    """Run one test; after the last of a unit nothing is kept that is not for the whole run."""
    item = session.items[number]
    after: Any = session if following is None else session.items[following]
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "run the tests in this many processes; without it, in this one"
    parser.getgroup("processes").addoption(
        "--processes", type=int, default=0, metavar="N", help=help
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the collected tests in several processes, if asked."""
    processes = session.config.getoption("--processes")
    failed = session.testsfailed and not session.config.option.continue_on_collection_errors
    if not processes or failed or session.config.option.collectonly:
        return None
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    which = session.config.getoption("--second-database")
    second = Second(session.items, statements(), every=which == "all") if which else None
    Parent(session, processes, second).run()
    return True
