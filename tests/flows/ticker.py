"""`manage.py tick` again and again, each time in a process of its own, as cron would call it.

Each is forked from this process, which has loaded the code once: that spares a second of processor
time a tick, and a game takes hundreds. Reads a line for each tick, answers with its exit code and
with all it wrote, as JSON. This process itself has neither threads nor connections.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback

import django
from django.core.management import execute_from_command_line

from tests import warm


def tick() -> dict[str, object]:
    """Run the command in a child and return its last word."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), sys.stdout.fileno())
            os.dup2(output.fileno(), sys.stderr.fileno())
            os._exit(_command())
        _, status = os.waitpid(child, 0)
        output.seek(0)
        words = output.read().decode(errors="replace")
    return {"code": os.waitstatus_to_exitcode(status), "words": words}


def _command() -> int:
    """Do as `manage.py tick` does; return its exit code."""
    try:
        execute_from_command_line(["manage.py", "tick"])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def main() -> None:
    django.setup()
    commands = "diplomacy_server.management.commands"
    warm.make_ready("mailer.jobs", f"{commands}.tick", "diplomacy_server.urls")
    for _ in sys.stdin:
        print(json.dumps(tick()), flush=True)


if __name__ == "__main__":
    main()
