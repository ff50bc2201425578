"""What is started, on which ports, with which variables, and how broken processes are treated."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from diplomacy_server.embedded import plan, supervisor
from diplomacy_server.embedded.__main__ import greeting, main
from diplomacy_server.embedded.plan import Port, Program
from diplomacy_server.embedded.supervisor import CannotStart, Group
from tests.run.running import eventually
from tests.servers.process import free_ports


@pytest.fixture
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    settings.SECRET_KEY = settings.UNSAFE_SECRET_KEY
    settings.DEMO_SECRET_KEY_FILE = tmp_path / "secret-key"
    settings.DEMO_PASSWORD_FILE = tmp_path / "admin-password"
    return tmp_path


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    one = Group(tmp_path, dict(os.environ))
    yield one
    one.stop()


def python(name: str, code: str) -> Program:
    return Program(name, (sys.executable, "-c", code))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_port_is_free_until_somebody_listens() -> None:
    port = Port(free_ports(1)[0], "test", "TEST_PORT")
    assert port.is_free()
    assert not port.answers()
    with socket.create_server(("127.0.0.1", port.number)):
        assert not port.is_free()
        assert port.answers()


def test_every_part_of_the_server_is_a_program_of_the_plan(var: Path) -> None:
    names = [program.name for program in plan.programs()]
    assert names == ["broker", "mailserver", "web", "poller", "worker", "players"]
    assert all(Path(program.arguments[0]).exists() for program in plan.programs())


def test_without_a_broker_a_plain_loop_does_the_jobs_and_says_so(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "get_binary_path", None)
    names = [program.name for program in plan.programs()]
    assert names == ["mailserver", "web", "poller", "clock", "players"]
    assert "No broker exists for this machine" in greeting()


def test_the_processes_know_this_demo_and_no_real_server(
    var: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("IMAP_URL", "imaps://judge:secret@mail.example.org/INBOX")
    monkeypatch.setenv("EMAIL_URL", "smtp://mail.example.org")
    monkeypatch.setenv("ALLOWED_HOSTS", "games.example.org")
    variables = plan.environment()
    assert variables["DEMO"] == "1"
    assert variables["DEBUG"] == "0"
    assert "example.org" not in " ".join(
        variables[name] for name in ("IMAP_URL", "EMAIL_URL", "ALLOWED_HOSTS", "SITE_URL")
    )
    assert len(variables["SECRET_KEY"]) > 50


def test_secrets_are_drawn_once_and_readable_by_nobody_else(var: Path) -> None:
    first = plan.secret_key(), plan.admin_password()
    assert (plan.secret_key(), plan.admin_password()) == first
    for name in ("secret-key", "admin-password"):
        assert (var / name).stat().st_mode & 0o077 == 0


def test_a_secret_key_that_is_set_is_kept(var: Path, settings: Settings) -> None:
    # `manage.py` beside the demo must make the same reply addresses.
    settings.SECRET_KEY = "set by hand " * 5
    assert plan.environment()["SECRET_KEY"] == settings.SECRET_KEY
    assert not (var / "secret-key").exists()


def test_a_deep_folder_gets_a_short_path_for_the_brokers_socket(
    settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path / ("deep" * 30)
    path = plan.broker_socket()
    assert len(str(path)) < plan.LONGEST_SOCKET_PATH
    assert path == plan.broker_socket()
    settings.VAR_DIR = tmp_path / ("other" * 30)
    assert path != plan.broker_socket()


def test_the_greeting_says_where_to_look_and_who_to_be(var: Path, settings: Settings) -> None:
    said = greeting()
    assert f"http://127.0.0.1:{settings.WEB_PORT}/" in said
    assert plan.admin_password() in said
    assert "REGISTER" in said
    assert "Ctrl-C" in said
    assert max(len(line) for line in said.splitlines()) <= 100


def test_stopping_ends_even_what_ignores_the_wish(
    group: Group, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "STOP_SECONDS", 0.5)
    stubborn = group.start(
        python(
            "stubborn",
            "import signal, time; signal.signal(15, signal.SIG_IGN)\n"
            "print('deaf', flush=True); time.sleep(600)",
        )
    )
    parent = group.start(
        python("parent", "import os, time; print(os.fork(), flush=True); time.sleep(600)")
    )
    for name in ("stubborn", "parent"):
        eventually((tmp_path / f"{name}.log").read_text, seconds=60, what=f"the {name} process")
    group.stop()
    assert not is_running(stubborn.pid)
    assert not is_running(parent.pid)


def test_a_grandchild_is_ended_with_the_group(group: Group, tmp_path: Path) -> None:
    code = "import os, time; pid = os.fork(); pid and print(pid, flush=True); time.sleep(60)"
    group.start(python("parent", code))
    log = tmp_path / "parent.log"
    grandchild = int(eventually(log.read_text, seconds=60, what="the grandchild"))
    assert is_running(grandchild)
    group.stop()
    eventually(lambda: not is_running(grandchild), seconds=60, what="the end of the grandchild")


def test_what_others_need_is_ended_after_them(group: Group, tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "def end(*_): time.sleep({}); print(time.time(), flush=True); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); print('ready', flush=True); time.sleep(60)"
    )
    broker = python("broker", code.format(0))
    group.start(Program(broker.name, broker.arguments, service=True))
    group.start(python("worker", code.format(0.5)))

    def ready(name: str) -> bool:
        return (tmp_path / f"{name}.log").read_text().startswith("ready")

    eventually(lambda: ready("broker") and ready("worker"), seconds=60, what="both processes")
    group.stop()

    def ended(name: str) -> float:
        return float((tmp_path / f"{name}.log").read_text().split()[-1])

    assert ended("worker") < ended("broker")


def test_what_ends_again_and_again_is_given_up_with_its_last_words(
    group: Group, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "RESTART_PAUSE", 0.0)
    program = python("broken", "raise SystemExit('the disk is full')")
    group.start(program)
    for _ in range(supervisor.MOST_RESTARTS):
        group.process(program).wait(60)
        group.watch(program)
    group.process(program).wait(60)
    with pytest.raises(CannotStart, match=r"“broken” ended 5 times(.|\n)*the disk is full"):
        group.watch(program)
    assert capsys.readouterr().out.count("is started again") == supervisor.MOST_RESTARTS


def test_what_ends_now_and_then_is_started_again_for_ever(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "RESTART_PAUSE", 0.0)
    monkeypatch.setattr(supervisor, "RESTART_SECONDS", 0.0)
    program = python("brief", "pass")
    group.start(program)
    for _ in range(supervisor.MOST_RESTARTS + 2):
        group.process(program).wait(60)
        group.watch(program)


def test_a_server_that_does_not_come_up_says_where_to_look(
    group: Group, var: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEB_PORT, settings.SMTP_PORT, settings.IMAP_PORT = free_ports(3)
    monkeypatch.setattr(supervisor, "START_SECONDS", 0.0)
    with pytest.raises(CannotStart, match=f"did not come up; see {var}"):
        supervisor.wait_until_ready(group, ())


def test_a_step_that_fails_stops_the_start_with_its_last_words(group: Group) -> None:
    with pytest.raises(CannotStart, match=r"“prepare” failed:(.|\n)*no such table"):
        group.run_once(python("prepare", "raise SystemExit('no such table')"))


def test_the_loss_of_the_keeper_ends_the_server(group: Group) -> None:
    # Without it a kill -9 of the supervisor would leave the others running.
    group.require_keeper()
    group._keeper.kill()
    group._keeper.wait(60)
    with pytest.raises(CannotStart, match="keeper"):
        group.require_keeper()


def test_a_long_log_begins_anew_and_keeps_the_old_one(
    group: Group, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "LOG_BYTES", 3)
    group.run_once(python("talk", "print('first')"))
    group.run_once(python("talk", "print('second')"))
    assert (tmp_path / "talk.log").read_text() == "second\n"
    assert (tmp_path / "talk.log.1").read_text() == "first\n"


def test_only_one_server_at_a_time_works_on_a_folder(var: Path) -> None:
    lock = var / "run.lock"
    with (
        supervisor.only_one_at_a_time(lock),
        pytest.raises(CannotStart, match="already runs"),
        supervisor.only_one_at_a_time(lock),
    ):
        raise AssertionError("two servers on one folder")
    with supervisor.only_one_at_a_time(lock):
        pass


@pytest.mark.parametrize("number", supervisor.STOP_SIGNALS)
def test_every_way_of_asking_for_the_end_is_the_same(number: signal.Signals) -> None:
    before = {one: signal.getsignal(one) for one in supervisor.STOP_SIGNALS}
    supervisor.stop_at_signals()
    try:
        with pytest.raises(supervisor.StopRequested):
            signal.raise_signal(number)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def test_whoever_asks_for_help_starts_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 2
    assert "WEB_PORT=8001" in capsys.readouterr().out
