"""What each kind of process loads: memory, and the time until it starts, hang on it."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from runpy import run_path
from socket import gethostname
from subprocess import PIPE
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import redis
from celery import signals
from celery.apps.beat import Beat
from celery.beat import Scheduler
from celery.worker import state
from celery.worker.consumer import Gossip, Heart, Mingle
from django.conf import settings
from kombu.utils.imports import symbol_by_name

from diplomacy_server import clock, machine_size, watch, worker
from diplomacy_server.celery import app, share_what_is_loaded
from diplomacy_server.log_limits import RepeatedFaults
from diplomacy_server.schedule import Tick
from games.queries.board import names
from mailer.workers import nudges
from pages.opening import opening_on_page
from tests.servers import Redis

SAY_WHAT_IS_LOADED = "; import sys; print(*sys.modules, sep='\\n')"
SET_UP = "import django; django.setup()"


def loaded(code: str) -> set[str]:
    """The modules in a fresh process that has done this."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code + SAY_WHAT_IS_LOADED],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_worker_starts_without_celery_s_command_line() -> None:
    modules = loaded(f"{SET_UP}; import diplomacy_server.worker, mailer.tasks")

    assert "celery.apps.worker" in modules
    assert not modules & {"celery.bin", "celery.bin.worker", "prompt_toolkit"}


def test_a_worker_s_processes_share_what_celery_and_the_templates_load() -> None:
    """Loaded after the fork, they took 2 MB more in each."""
    modules = loaded(
        f"{SET_UP}; import diplomacy_server.worker as worker\n"
        "worker.begin_with_the_right_tables = lambda: None; worker.load()"
    )

    assert modules >= {"mailer.templatetags.lines", "celery.events.receiver", "kombu.pidbox"}


ADMIN = {"games.admin", "mailer.admin", "pages.views"}
"""What only those load that show pages."""


def test_a_tick_from_cron_loads_no_more_than_it_needs() -> None:
    """Each of these took a fifth of its start: the pages, a broker it never speaks to, signatures
    that few servers check themselves."""
    modules = loaded(f"{SET_UP}; import diplomacy_server.management.commands.tick")

    assert {"mailer.jobs", "mailer.inbound.poller"} <= modules
    assert not modules & {*ADMIN, "celery", "kombu", "dkim", "dns.resolver", "icalendar"}


def test_the_poller_loads_neither_what_draws_nor_what_answers() -> None:
    """It copies mails into the database, and writes to operators of those that it cannot fetch.

    It runs for weeks; what it loaded in the beginning is looked through for garbage no more.
    """
    modules = loaded(
        f"{SET_UP}; import gc, manage; gc.disable(); manage.Commands().fetch_command('poll_mail')\n"
        "assert gc.isenabled(); assert gc.get_freeze_count() > 50_000, gc.get_freeze_count()"
    )

    assert "mailer.inbound.poller" in modules
    assert not modules & {"judge", "atlas", "PIL", "lxml", "mailer.notices", "mailer.outbound.smtp"}
    assert "celery" not in modules, "its nudges need no more than kombu"


def test_the_web_server_loads_the_admin_and_nothing_of_celery_or_that_reads_mails() -> None:
    """Reading mails takes 10 MB, which only a server's staff and the demo need here."""
    modules = loaded(f"{SET_UP}; import diplomacy_server.urls, diplomacy_server.staff_nudges")

    assert modules >= ADMIN
    assert not modules & {"celery", "lxml", "mailer.letter", "mailer.commands.player"}


def test_a_worker_reads_all_maps_before_it_forks_and_asks_no_database() -> None:
    """Without the mark that opens the database to a test, a question to it raises an error."""
    names.reads_as_order.cache_clear()
    names._one_for_each_map.cache_clear()
    assert share_what_is_loaded in [receiver() for _, receiver in signals.worker_init.receivers]
    share_what_is_loaded()

    assert names._one_for_each_map.cache_info().currsize == 1


def test_the_web_server_draws_the_first_page_s_picture_before_it_forks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mailer.workers.right_tables.need_right_tables", lambda: None)
    opening_on_page.cache_clear()
    run_path(str(Path(clock.__file__).with_name("wsgi.py")))

    assert opening_on_page.cache_info().currsize == 1


@pytest.mark.parametrize(
    ("cores", "memory", "is_small"),
    [(2, 8 << 30, False), (1, 8 << 30, True), (2, 1 << 30, True), (2, (1 << 30) + 1, False)],
)
def test_a_machine_with_one_core_or_a_gigabyte_is_small(
    monkeypatch: pytest.MonkeyPatch, cores: int, memory: int, *, is_small: bool
) -> None:
    monkeypatch.setattr(machine_size, "number_of_cores", lambda: cores)
    monkeypatch.setattr(machine_size, "memory", lambda: memory)
    assert machine_size.is_small() is is_small


ONE_HANGS = """
import time
from diplomacy_server import celery, worker
class Worker:
    def __init__(self, app, **given):
        assert app.conf.worker_pool == "solo", "it would hand the task to a pool"
    def start(self):
        celery.signals.task_prerun.send(sender=None)
        task()
def task():
    time.sleep(60)
celery.LONGEST_TASK, worker.Finishing = 0.1, Worker
worker.work(1, worker.options_of([]))
"""


def test_a_task_that_hangs_ends_its_process_and_says_where() -> None:
    """Celery would have a process to do that, which does no work itself."""
    done = subprocess.run(
        [sys.executable, "-c", ONE_HANGS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "in task" in done.stderr


def test_the_processes_of_a_worker_have_names_of_their_own_on_each_machine() -> None:
    """Otherwise the log and Celery's tools would not tell them apart."""
    given, here = (None, "a", "a@%h", "a@b"), gethostname()
    names_of = [[worker.name_of(number, each) for number in (1, 2)] for each in given]
    assert names_of == [
        [f"celery@{here}", f"celery-2@{here}"],
        [f"a@{here}", f"a-2@{here}"],
        [f"a@{here}", f"a-2@{here}"],
        ["a@b", "a-2@b"],
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-c", "0"], "-c: it takes at least one process"),
        (
            ["-Q", "celery,deadline"],
            "no queue is called 'deadline'; there are",
        ),
    ],
)
def test_a_worker_that_would_do_nothing_does_not_start(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        worker.options_of(options)
    assert said in capsys.readouterr().err


def test_a_worker_has_as_many_processes_however_it_is_started() -> None:
    """A unit of the first release runs `celery worker`, which takes them from the settings."""
    is_small = settings.SMALL_MACHINE
    assert worker.options_of([]).concurrency == app.conf.worker_concurrency == 2 - is_small
    assert app.conf.worker_pool == ("solo" if is_small else "prefork")


TWO_WORK = """
import os, signal, sys, time
from diplomacy_server.together import work_together
def work(number):
    if not is_starting:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(os.write(1, b"told\\n") - 5))
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(60)
is_starting = sys.argv[1] == "watcher of two that start"
work_together(2, work)
"""


@pytest.mark.parametrize(
    ("who", "what", "said", "status"),
    [
        ("watcher", signal.SIGTERM, ["told", "told"], 0),
        ("watcher", signal.SIGHUP, ["told", "told"], 0),
        ("watcher of two that start", signal.SIGTERM, [], 0),
        ("watcher", signal.SIGKILL, ["told", "told"], -signal.SIGKILL),
        ("one", signal.SIGKILL, ["told"], 128 + signal.SIGKILL),
        ("one", signal.SIGTERM, ["told", "told"], 1),
    ],
)
def test_the_processes_of_a_service_end_together(
    who: str, what: int, said: list[str], status: int
) -> None:
    """So that none is left alone, and whoever started them starts all of them again."""
    two = [sys.executable, "-c", TWO_WORK, who]
    with subprocess.Popen(two, stdout=PIPE, stderr=PIPE, text=True) as watcher:
        pids = [int(watcher.stdout.readline()) for _ in range(2)]
        os.kill(pids[0] if who == "one" else watcher.pid, what)
        assert watcher.stdout.read().split() == said
        log = watcher.stderr.read()
    assert watcher.returncode == status
    how = "was killed" if what == signal.SIGKILL else "ended by itself (0): the others finish"
    assert (f"Process {pids[0]} of this service {how}" in log) == (who == "one")


def test_a_worker_finishes_its_task_before_it_ends_or_is_killed_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Celery starts again on SIGHUP, and on SIGQUIT and a second Ctrl-C has the task fail."""
    ends, kills = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGINT), signal.SIGQUIT
    handlers = {one: signal.getsignal(one) for one in (*ends, kills, signal.SIGUSR1)}
    one = object.__new__(worker.Finishing)
    one.app, one.hostname, one._isatty = app, "celery@here", False
    try:
        one.install_platform_tweaks(one)
        assert signal.getsignal(kills) is signal.SIG_DFL
        assert kills not in watch.TOLD, "it kills who watches, too, whose leash ends the others"
        for each in ends:
            monkeypatch.setattr(state, "should_stop", None)
            signal.raise_signal(each)
            assert (state.should_stop, state.should_terminate) == (0, None), each
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)


def test_a_worker_hears_nothing_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a task of half a minute it warned that their clocks were out of step."""
    given: dict[str, Any] = {}
    made = SimpleNamespace(start=lambda: None, exitcode=0)
    with monkeypatch.context() as patched:
        patched.setattr(worker, "Finishing", lambda **options: given.update(options) or made)
        patched.setattr(worker, "let_no_task_hang", lambda: None)
        patched.setattr(worker, "start_clock", lambda: None)
        patched.setattr(app, "conf", SimpleNamespace(update=lambda **_: None))
        assert worker.work(1, Namespace(hostname=None, queues=None)) == 0
    consumer = Mock(app=app, hostname="celery@here")
    for step in (Gossip, Heart, Mingle):
        assert not step(consumer, **given).enabled, step


def test_a_worker_waits_for_the_broker_however_long_it_is_away() -> None:
    """Celery's own end of patience comes after a hundred attempts, with a trace in the log."""
    assert app.conf.broker_connection_max_retries is None


def test_a_broker_that_is_away_is_a_line_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caplog.handler, "filters", [RepeatedFaults()])
    ticking = clock.Clock([Tick("mailer.tasks.poll", 0.0), Tick("mailer.tasks.process", 0.0)])

    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            ticking.tick()

    said = [(one.name, one.getMessage(), one.exc_info) for one in caplog.records]
    [(name, sentence, trace)] = said
    assert (name, trace) == ("diplomacy_server.clock", None)
    assert re.fullmatch(r"No job .* the broker does not answer \(.*onnect.*\)", sentence)


def test_a_broker_that_is_slow_gets_its_ticks_though_nobody_waits_for_it_with_a_nudge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []

    def connect(_: str, transport_options: dict[str, float]) -> None:
        waited.append(transport_options["socket_timeout"])
        raise OSError

    monkeypatch.setattr(nudges, "Connection", connect)
    clock.Clock([Tick("mailer.tasks.poll", 0.0)]).tick()
    nudges.Nudges().send("poll")
    for_a_tick, for_a_nudge = waited
    assert for_a_tick > for_a_nudge


def test_jobs_are_asked_for_by_seconds_that_nobody_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the machine's clock, none was sent for two hours once it was set back by two hours."""
    asked: list[dict[str, float]] = []
    monkeypatch.setattr(clock, "ask_for", lambda tasks, _: asked.append(tasks))
    seconds = [1000.0, 1006.0, 1008.0, 1011.0]
    read = iter([995.0, *(each for each in seconds for _ in ("at the beginning", "at the end"))])
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: next(read)))
    ticking = clock.Clock([Tick("poll", 5.0), Tick("process", 5.0), Tick("forget", 900.0)])
    assert [ticking.tick() for _ in seconds] == [5.0, 5.0, 3.0, 5.0]
    assert asked == 3 * [{"poll": 5.0, "process": 5.0}]


def test_the_first_process_of_a_worker_asks_for_jobs_until_it_is_told_to_end(
    redis_server: Redis,
) -> None:
    """It is busy with a task here, and still asks."""
    code = """
from diplomacy_server import worker
class Busy:
    def start(self):
        while True:
            pass
worker.Finishing = lambda **_: Busy()
worker.work(1, worker.options_of([]))
"""
    env = {**os.environ, "CELERY_BROKER_URL": redis_server.url, "TICK_SECONDS": "1"}
    with (
        subprocess.Popen([sys.executable, "-c", code], env=env, stderr=PIPE, text=True) as busy,
        redis.Redis.from_url(redis_server.url) as broker,
    ):
        try:
            for _ in range(2):
                _, message = broker.blpop(["deadlines"], timeout=60)
                assert json.loads(message)["headers"]["task"] == "mailer.tasks.deadlines"
        finally:
            busy.terminate()
        assert not busy.communicate(timeout=60)[1]


def test_only_the_first_process_of_a_worker_is_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    made = SimpleNamespace(start=lambda: started.append("worker"), exitcode=0)
    monkeypatch.setattr(worker, "start_clock", lambda: started.append("clock"))
    monkeypatch.setattr(worker, "Finishing", lambda **_: made)
    monkeypatch.setattr(worker, "let_no_task_hang", lambda: None)
    monkeypatch.setattr(app, "conf", SimpleNamespace(update=lambda **_: None))
    for number in (1, 2):
        worker.work(number, Namespace(hostname=None, queues=None))
    assert started == ["clock", "worker", "worker"]


def test_celery_s_own_clock_which_the_first_units_start_keeps_no_file() -> None:
    """It could not write one, and ticks have nothing to remember."""
    assert symbol_by_name(Beat(app=app).scheduler_cls) is Scheduler
