"""Carries out one job of the server in a process that kills itself at a chosen step.

A step is anything whose effect could be lost or doubled: an SQL statement that writes, a commit,
a command to the IMAP or SMTP server, an answer from the SMTP server. The steps are counted by
wrapping the libraries underneath; the code under test has no hooks and notices nothing.

Reads requests as JSON lines, forks for each, and answers with a JSON line. Forking spares a
thousand starts of Django; this process itself has neither threads nor connections.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import importlib
import json
import os
import signal
import smtplib
import sys
import traceback
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from tests import warm

WRITES = ("INSERT", "UPDATE", "DELETE")


class Steps:
    """Counts steps, and ends this process as a power cut would at number `kill_at`, or at the first
    whose name has `kill_in`."""

    def __init__(self, kill_at: int, kill_in: str, report: int) -> None:
        self.kill_at = kill_at
        self.kill_in = kill_in
        self.report = report
        self.taken = 0

    def take(self, name: str) -> None:
        self.taken += 1
        if self.taken == self.kill_at or (self.kill_in and self.kill_in in name):
            os.write(self.report, json.dumps({"killed": True, "step": name}).encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Wrap what talks to the world: one step before each command, one after what is final."""
        connection.execute_wrappers.append(self._statement)
        self._wrap(BaseDatabaseWrapper, "_commit", "commit", after=True)
        self._wrap(imaplib.IMAP4, "send", "IMAP command", after=False)
        self._wrap(smtplib.SMTP, "send", "SMTP command", after=False)
        self._wrap(smtplib.SMTP, "getreply", "SMTP answer", after=True)

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith(WRITES):
            self.take(f"before {sql[:120]}")
        return execute(sql, params, many, context)

    def _wrap(self, owner: type, method: str, name: str, *, after: bool) -> None:
        original = getattr(owner, method)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.take(f"before {name} {args[1:2]!r:.60}")
            result = original(*args, **kwargs)
            if after:
                self.take(f"after {name} {result!r:.60}")
            return result

        setattr(owner, method, wrapped)


def carry_out(request: dict[str, Any], report: int) -> None:
    """In the child: one job under the request's settings, up to the fatal step."""
    job = getattr(importlib.import_module("mailer.jobs"), request["job"])
    for name, value in request["settings"].items():
        setattr(settings, name, value)
    steps = Steps(request["kill_at"], request["kill_in"], report)
    steps.watch()
    job(dt.datetime.fromisoformat(request["now"]))
    os.write(report, json.dumps({"killed": False, "step": f"all {steps.taken}"}).encode())


def fork(request: dict[str, Any]) -> dict[str, Any]:
    """Carry the request out in a child and return its last word."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            carry_out(request, write_end)
        except BaseException:
            os.write(write_end, json.dumps({"error": traceback.format_exc()}).encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        last_word = pipe.read()
    os.waitpid(child, 0)
    answer: dict[str, Any] = json.loads(last_word)
    return answer


def main() -> None:
    django.setup()
    warm.make_ready("mailer.jobs", statements=True)
    for line in sys.stdin:
        print(json.dumps(fork(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
