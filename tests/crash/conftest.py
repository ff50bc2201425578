"""The driver process, and how a test asks it to die at a step."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import JudgeMailbox
from tests.flows.server import database_url, environment
from tests.migrated import ROOT
from tests.servers import Dovecot, Relay


@dataclass(frozen=True)
class End:
    """How a job ended: `killed` at `step`, or carried out to the last one."""

    killed: bool
    step: str


@dataclass
class Driver:
    """The forking process of driver.py."""

    process: subprocess.Popen[str]
    mailbox: JudgeMailbox

    def carry_out(self, job: str, *, now: dt.datetime, kill_at: int = 0, kill_in: str = "") -> End:
        """One job in a process of its own, killed at its step number `kill_at` (0: never), or at
        the first whose name has `kill_in`."""
        request = {
            "job": job,
            "now": now.isoformat(),
            "kill_at": kill_at,
            "kill_in": kill_in,
            "settings": {
                "JUDGE_ADDRESS": self.mailbox.address,
                "IMAP_URLS": [self.mailbox.imap_url],
                "EMAIL_URL": self.mailbox.smtp.url,
            },
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return End(answer["killed"], answer["step"])


@pytest.fixture(scope="session")
def driving(
    django_db_setup: None,
    dovecot: Dovecot,
    session_relay: Relay,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[subprocess.Popen[str]]:
    """One driver for all tests: each request names the mailbox it is for."""
    nobody = JudgeMailbox("judge@game.test", dovecot.url("judge@game.test"), dovecot, session_relay)
    env = environment(nobody, tmp_path_factory.mktemp("driver")) | {
        "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
        "DATABASE_URL": database_url(),
        "LOG_LEVEL": "CRITICAL",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.driver"],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def driver(
    transactional_db: None, judge_mailbox: JudgeMailbox, driving: subprocess.Popen[str]
) -> Driver:
    return Driver(driving, judge_mailbox)
