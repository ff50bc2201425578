"""How the pages are served: `python -m diplomacy_server.web --bind 127.0.0.1:8000`.

Waitress reads a whole request before one of its threads answers, and sends the answer by itself: a
reader who is slow, or pretends to be, keeps none of them busy. With gunicorn eight half-sent forms
kept everybody from every page. It also had a process of 13 MB that answered nothing.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from django.utils.module_loading import import_string
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

from diplomacy_server.together import work_together

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Network = IPv4Network | IPv6Network

LONGEST_END = 30.0
"""For how many seconds those who have asked still get their answers once we are told to end."""
HIGHEST_PORT = 65_535
WAITING = 1024
"""How many may wait for us to take their connection, for example while we start."""
HOW: dict[str, Any] = {
    "threads": 8,
    # In seconds: a reader who sends nothing of a form, or takes nothing of what we answer.
    "channel_timeout": 60,
    "cleanup_interval": 5,
    # Each takes 5 kB and one of the 1,024 files that a process may have open.
    "connection_limit": 900,
    "asyncore_use_poll": True,
    "max_request_header_size": 64 << 10,
    # More than our proxies let through. Beyond `inbuf_overflow`, what is half sent lies in a file.
    "max_request_body_size": 2 << 20,
    "inbuf_overflow": 64 << 10,
    # signin/addresses.py reads X-Forwarded-For, and decides whom to believe.
    "clear_untrusted_proxy_headers": False,
    "ident": "",
    "log_socket_errors": False,
}


def main(argv: Sequence[str]) -> int:
    """Answer until told to end; return the exit status."""
    given = options_of(argv)
    believed = believed_proxies(os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1"))
    # Whoever asks while the pages are loaded waits, and is not sent away.
    listening = listen(*given.bind)
    pages: Application = import_string("diplomacy_server.wsgi.application")
    discreet_logs()
    pages = believing(pages, believed)
    if given.processes > 1:
        work_together(given.processes, lambda _: serve(pages, listening))
    return serve(pages, listening)


def options_of(argv: Sequence[str]) -> argparse.Namespace:
    """Read the options."""
    asked = argparse.ArgumentParser(prog="diplomacy_server.web", description=__doc__)
    asked.add_argument(
        "-b", "--bind", type=_address, default=("127.0.0.1", 8000), metavar="ADDRESS:PORT"
    )
    asked.add_argument("--processes", type=int, default=1, help="for many readers and many cores")
    given = asked.parse_args(argv)
    if given.processes < 1:
        asked.error("--processes: it takes at least one")
    return given


def _address(said: str) -> tuple[str, int]:
    host, _, port = said.rpartition(":")
    if not host or not port.isdecimal() or int(port) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(
            f"“{said}” is not an address and a port, such as 127.0.0.1:8000"
        )
    return host.strip("[]"), int(port)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket on which readers can ask; if that cannot be had, end this process with a
    sentence."""
    six = ":" in host
    family = socket.AF_INET6 if six else socket.AF_INET
    both = six and socket.has_dualstack_ipv6()  # `[::]` is every address, of both kinds
    try:
        return socket.create_server(
            (host, port), family=family, backlog=WAITING, dualstack_ipv6=both
        )
    except OSError as error:
        sys.exit(f"No pages can be served on {host}, port {port}: {error}")


def believed_proxies(said: str) -> list[Network]:
    """Return the networks of these addresses and networks, which have commas between them; `*` is
    all of them. If one is neither, end this process with a sentence."""
    try:
        return [
            ip_network(each, strict=False)
            for one in filter(None, map(str.strip, said.split(",")))
            for each in (("0.0.0.0/0", "::/0") if one == "*" else (one,))
        ]
    except ValueError as error:
        sys.exit(f"FORWARDED_ALLOW_IPS: {error}")


def discreet_logs() -> None:
    """Have Waitress name no address that somebody hung up on, since there may be a secret in it,
    and not complain whenever nine ask at once."""
    logging.getLogger("waitress").setLevel(logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


def believing(application: Application, proxies: Sequence[Network]) -> Application:
    """Believe these proxies, and nobody else, that they were asked by https."""

    def answered(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("HTTP_X_FORWARDED_PROTO") == "https":
            address = ip_address(environ["REMOTE_ADDR"])
            if any(address in network for network in proxies):
                environ["wsgi.url_scheme"] = "https"
        return application(environ, start)

    return answered


def serve(application: Application, listening: socket.socket) -> int:
    """Answer until we are told to end, and then whoever has asked by then; return 0.

    On SIGTERM, Waitress itself would cut off whoever is still waiting for an answer or reading one
    (Pylons/waitress, issue 198).
    """
    line: dict[int, Any] = {}
    create_server(application, map=line, sockets=[listening], backlog=WAITING, **HOW)
    (server,) = (one for one in line.values() if isinstance(one, BaseWSGIServer))
    told: list[int] = []

    def end(number: int, _: object) -> None:
        told.append(number)
        server.pull_trigger()

    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, end)
    while not told:
        wasyncore.loop(timeout=1, use_poll=True, map=line, count=1)
    wasyncore.dispatcher.close(server)  # no more connections
    latest = time.monotonic() + LONGEST_END
    while time.monotonic() < latest and any(map(is_owed, list(line.values()))):
        wasyncore.loop(timeout=1, use_poll=True, map=line, count=1)
    return 0


def is_owed(one: object) -> bool:
    """Whether this is a reader who has begun to ask and has not got all of the answer."""
    return isinstance(one, HTTPChannel) and bool(
        one.request or one.requests or one.total_outbufs_len
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
