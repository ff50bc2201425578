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
from tests.flows.server import ROOT, database_url, environment


@dataclass(frozen=True)
class End:
    """How a duty ended: `killed` at `step`, or carried out to the last one."""

    killed: bool
    step: str


@dataclass
class Driver:
    """The forking process of driver.py."""

    process: subprocess.Popen[str]
    mailbox: JudgeMailbox

    def carry_out(self, duty: str, *, now: dt.datetime, kill_at: int = 0) -> End:
        """One duty in a process of its own, killed at its step number `kill_at` (0: never)."""
        request = {
            "duty": duty,
            "now": now.isoformat(),
            "kill_at": kill_at,
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


@pytest.fixture
def driver(transactional_db: None, judge_mailbox: JudgeMailbox, tmp_path: Any) -> Iterator[Driver]:
    env = environment(judge_mailbox, tmp_path) | {
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
        yield Driver(process, judge_mailbox)
        assert process.stdin is not None
        process.stdin.close()
