"""Commands of manage.py, each in a process of its own, as cron or an operator would call them.

Each is forked from this process, which has loaded the code once: that spares a second of processor
time a tick, and a game takes hundreds. What a command is told stands in its environment, as always:
its process reads the settings from it again.

Listens on the socket whose number it is given. A request is a line of JSON with the environment and
the arguments; the answer is the exit code and all that the command wrote. This process itself has
neither threads nor connections, and ends with its input: that is the leash (a named pipe) which
all hold who may ask.
"""

from __future__ import annotations

import importlib
import json
import os
import selectors
import socket
import socketserver
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path

import django
from django.conf import settings
from django.db import connections
from django.utils.functional import empty
from django.utils.log import configure_logging

import manage
from diplomacy_server import settings as module
from tests import warm
from tests.migrated import one_at_a_time


class Command(socketserver.StreamRequestHandler):
    """One request, in a process of its own."""

    def handle(self) -> None:
        request = json.loads(self.rfile.readline())
        with tempfile.TemporaryFile() as output:
            os.dup2(output.fileno(), sys.stdout.fileno())
            os.dup2(output.fileno(), sys.stderr.fileno())
            code = carry_out(request["arguments"], request["environment"])
            output.seek(0)
            words = output.read().decode(errors="replace")
        self.wfile.write(json.dumps({"code": code, "words": words}).encode())


class Forking(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    """Forks for each request, for several at once, too."""


def carry_out(arguments: list[str], environment: dict[str, str]) -> int:
    """Do as `manage.py` does; return its exit code."""
    try:
        read_settings_anew(environment)
        manage.run(["manage.py", *arguments])
    except SystemExit as end:
        return exit_code(end.code)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def exit_code(ended_with: object) -> int:
    """Return what Python makes of it: nothing is 0, and a sentence is written down and is 1."""
    if ended_with is None or isinstance(ended_with, int):
        return ended_with or 0
    print(ended_with, file=sys.stderr)
    return 1


def read_settings_anew(environment: dict[str, str]) -> None:
    """What was made of the settings before is made again of those of this environment."""
    os.environ.clear()
    os.environ.update(environment, DJANGO_SETTINGS_MODULE=module.__name__)
    importlib.reload(module)
    settings._wrapped = empty
    connections.settings = connections.configure_settings(None)
    with suppress(AttributeError):  # nobody has asked for it
        del connections["default"]
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


def main() -> None:
    django.setup()
    commands = "diplomacy_server.management.commands"
    warm.make_ready("mailer.jobs", f"{commands}.tick", "diplomacy_server.urls")
    leash, number = Path(sys.argv[1]), int(sys.argv[2])
    with (
        Forking("", Command, bind_and_activate=False) as server,
        selectors.DefaultSelector() as ready,
    ):
        server.socket.close()
        server.socket = socket.socket(fileno=number)
        ready.register(server, selectors.EVENT_READ)
        ready.register(sys.stdin, selectors.EVENT_READ)
        while True:
            if not is_let_go(ready):
                server.handle_request()
            elif gone(leash, ready):
                break


def is_let_go(ready: selectors.BaseSelector, timeout: float | None = None) -> bool:
    """Wait until somebody asks, or until nobody holds the leash any more, which is the input."""
    return sys.stdin in [key.fileobj for key, _ in ready.select(timeout)]


def gone(leash: Path, ready: selectors.BaseSelector) -> bool:
    """Take the leash away, so that another process is started for whoever comes; say no when
    somebody has taken it meanwhile."""
    # The run may have deleted the folder of both.
    with suppress(FileNotFoundError), one_at_a_time("ticker"):
        if not is_let_go(ready, 0):
            return False
        leash.unlink()
    return True


if __name__ == "__main__":
    main()
