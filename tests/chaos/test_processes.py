"""Killing takes the whole family, and what ends by itself is started again after a while."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.chaos import processes
from tests.chaos.processes import Program, children, family
from tests.servers.process import wait_until

PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
time.sleep(600)
"""


def program(code: str, folder: Path) -> Program:
    return Program("one", ["-c", code], dict(os.environ), folder)


def test_killing_a_program_kills_what_it_started_in_other_sessions_too(tmp_path: Path) -> None:
    one = program(PARENT, tmp_path)
    one.start()
    process = one.process
    assert process is not None
    pid = process.pid
    wait_until(lambda: len(children(pid)) == 1, "the child running", 30)
    (child,) = children(pid)
    assert family(pid) == [pid, child]

    one.kill()

    wait_until(lambda: child not in processes._parents(), "the child being gone", 10)
    assert one.process is None
    one.kill()  # harmless


def test_what_ends_by_itself_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "RESTART_SECONDS", 0.05)
    one = program("print('here', flush=True); raise SystemExit(3)", tmp_path)
    one.start()
    assert one.process is not None
    one.process.wait(30)

    assert one.restart_if_ended() == 3
    assert one.restart_if_ended() is None, "it is said once"
    time.sleep(0.1)
    assert one.restart_if_ended() is None
    one.process.wait(30)

    assert one.log.read_text().count("here") == 2
    one.kill()


def test_what_was_killed_stays_down_until_it_is_started(tmp_path: Path) -> None:
    one = program("import time; time.sleep(600)", tmp_path)
    one.start()
    one.kill()
    assert one.restart_if_ended() is None
    assert one.process is None


def test_what_does_not_listen_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.2)
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('deaf', flush=True); time.sleep(600)"
    )
    one = program(code, tmp_path)
    one.start()
    process = one.process
    assert process is not None
    wait_until(lambda: "deaf" in one.log.read_text(), "the program running", 30)
    one.stop()
    assert process.returncode == -signal.SIGKILL
