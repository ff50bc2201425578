"""The web service: who slows down whom, who is believed, and how it ends."""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.request import urlopen

import pytest

from diplomacy_server import web
from tests.servers.process import free_ports

PAGES = """
import os, socket, sys, time
from diplomacy_server.together import work_together
from diplomacy_server.web import serve
def pages(environ, start):
    body = environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/slow":
        os.write(1, b"asked\\n")
        time.sleep(1)
    size = 6 << 20 if environ["PATH_INFO"] == "/large" else 10
    start("200 OK", [("Content-Length", str(size))])
    return [b"x" * size]
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=100)
if sys.argv[2] == "2":
    work_together(2, lambda _: serve(pages, listening))
sys.exit(serve(pages, listening))
"""
HALF_A_FORM = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\nabc"
ASKS_MUCH = b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
PATIENCE = 30.0


@contextmanager
def served(processes: int = 1) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A service of small pages: its port and its process."""
    (port,) = free_ports(1)
    command = [sys.executable, "-c", PAGES, str(port), str(processes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            until_it_listens(port)
            yield port, process
        finally:
            process.kill()


def until_it_listens(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.02)
        else:
            return


def until_it_refuses(port: int) -> None:
    """Raises OSError once it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        asked(port, "/")


def asked(port: int, path: str) -> bytes:
    """What the service answers."""
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return bytes(answer.read())


@contextmanager
def begun(port: int, sent: bytes) -> Iterator[socket.socket]:
    """A connection on which this has been sent, and nothing read."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as one:
        one.sendall(sent)
        yield one


def rest_of(one: socket.socket) -> bytes:
    """What comes on a connection until the service ends it."""
    return b"".join(iter(lambda: one.recv(1 << 20), b""))


def test_half_sent_forms_keep_nobody_from_the_pages() -> None:
    """Eight of them, through Caddy, which hands on what it has, kept everybody from every page."""
    with served() as (port, _), ExitStack() as open_ones:
        for _ in range(30):
            open_ones.enter_context(begun(port, HALF_A_FORM))
        assert asked(port, "/") == b"x" * 10


def test_slow_readers_keep_nobody_from_the_pages() -> None:
    with served() as (port, _), ExitStack() as open_ones:
        for _ in range(20):
            assert open_ones.enter_context(begun(port, ASKS_MUCH)).recv(1)
        assert asked(port, "/") == b"x" * 10


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_who_has_begun_to_ask_gets_the_whole_answer_from_a_service_that_is_told_to_end(
    told: signal.Signals,
) -> None:
    with (
        served() as (port, process),
        begun(port, ASKS_MUCH) as reading,
        begun(port, HALF_A_FORM) as writing,
        ThreadPoolExecutor() as readers,
    ):
        assert reading.recv(1)
        waiting = readers.submit(asked, port, "/slow")
        assert process.stdout.readline() == b"asked\n"
        process.send_signal(told)
        with pytest.raises(OSError):
            until_it_refuses(port)
        writing.sendall(b"def123")
        assert rest_of(writing).endswith(b"x" * 10)
        assert len(rest_of(reading)) > 6 << 20
        assert waiting.result(PATIENCE) == b"x" * 10
        assert process.wait(PATIENCE) == 0


def test_a_form_larger_than_any_of_ours_is_refused_before_it_is_read() -> None:
    sent = HALF_A_FORM.replace(b": 9", b": 1000000000")
    with served() as (port, _), begun(port, sent) as one:
        assert one.recv(100).startswith(b"HTTP/1.1 413 ")


def test_two_processes_answer_on_one_address_and_end_together() -> None:
    with served(2) as (port, process):
        assert {asked(port, "/") for _ in range(10)} == {b"x" * 10}
        process.terminate()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("proxies", "address", "said", "scheme"),
    [
        ("127.0.0.1,::1", "127.0.0.1", "https", "https"),
        ("127.0.0.1,::1", "::1", "https", "https"),
        ("127.0.0.1,::1", "192.0.2.7", "https", "http"),
        ("127.0.0.1,::1", "127.0.0.1", "http", "http"),
        ("127.0.0.1,::1", "127.0.0.1", "https, http", "http"),
        ("10.1.0.0/16, 192.0.2.7", "10.1.2.3", "https", "https"),
        ("10.1.0.0/16, 192.0.2.7", "127.0.0.1", "https", "http"),
        ("*", "198.51.100.4", "https", "https"),
        ("", "127.0.0.1", "https", "http"),
    ],
)
def test_only_our_proxies_are_believed_that_they_were_asked_by_https(
    proxies: str, address: str, said: str, scheme: str
) -> None:
    environ = {"REMOTE_ADDR": address, "HTTP_X_FORWARDED_PROTO": said, "wsgi.url_scheme": "http"}
    seen: list[str] = []

    def application(environ: dict[str, Any], _: object) -> list[bytes]:
        seen.append(environ["wsgi.url_scheme"])
        return []

    web.believing(application, web.believed_proxies(proxies))(environ, lambda *_: None)
    assert seen == [scheme]


@pytest.mark.parametrize(
    ("options", "proxies", "said"),
    [
        (["--bind", "8000"], "", "“8000” is not an address and a port"),
        (["--bind", "localhost:http"], "", "“localhost:http” is not an address and a port"),
        (["--bind", "127.0.0.1:99999"], "", "“127.0.0.1:99999” is not an address and a port"),
        (["--bind", "192.0.2.1:8000"], "", "No pages can be served on 192.0.2.1, port 8000"),
        (["--processes", "0"], "", "--processes: it takes at least one"),
        ([], "10.0.0.0/8; 127.0.0.1", "FORWARDED_ALLOW_IPS: '10.0.0.0/8; 127.0.0.1' does not"),
    ],
)
def test_what_it_cannot_be_started_with_is_said_in_a_sentence(
    options: list[str],
    proxies: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    with pytest.raises(SystemExit) as ended:
        web.main(options)
    assert said in f"{ended.value} {capsys.readouterr().err}"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
@pytest.mark.parametrize("asked_for", ["127.0.0.1", "::1"])
def test_every_address_is_one_of_either_kind(asked_for: str) -> None:
    (port,) = free_ports(1)
    with web.listen("::", port), socket.create_connection((asked_for, port)) as one:
        assert one.getpeername()[1] == port


def test_no_log_names_the_address_that_somebody_hung_up_on() -> None:
    """It may be that of a calendar."""
    levels = {name: logging.getLogger(name).level for name in ("waitress", "waitress.queue")}
    try:
        web.discreet_logs()
        assert not logging.getLogger("waitress").isEnabledFor(logging.INFO)
        assert not logging.getLogger("waitress.queue").isEnabledFor(logging.WARNING)
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
