"""The files that operators take: alarms, boards, units, images name what the server really has."""

from __future__ import annotations

import datetime as dt
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path

import pytest
from django.core.management import get_commands

from atlas import tokens
from benchmarks.processes import sparing
from diplomacy_server.health import metrics, signs
from mailer.outbound.probe import RoundTrip
from tests.servers.process import Server, free_ports, program, wait_until

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NAME = re.compile(r"\bdiplomacy_\w+")
COMMAND = r"^    command: \[(.+)\]"
KNOWN = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def figures() -> set[str]:
    """The names on /metrics."""
    none = signs.Queue(0, None)
    delay = signs.Delay(0, 0.0, 0.0)
    now = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)
    box = signs.MailboxSign("imap://judge@mail.test/INBOX", now, None)
    trip = RoundTrip(3.0, None)
    taken = signs.Signs(
        *(
            now,
            "",
            (box,),
            none,
            none,
            none,
            none,
            none,
            None,
            0,
            none,
            none,
            0,
            0,
            0,
            0,
            0,
            delay,
            delay,
        ),
        *(trip, 0),
    )
    page = metrics.text(taken).decode()
    return {line.split("{")[0].split()[0] for line in page.splitlines() if not line.startswith("#")}


@pytest.mark.parametrize("file", ["prometheus/alerts.yml", "grafana/diplomacy.json"])
def test_alarms_and_boards_ask_for_figures_that_there_are(file: str) -> None:
    asked = set(NAME.findall((DEPLOY / file).read_text()))
    assert len(asked) > 5
    assert asked <= figures()


def test_every_figure_stands_on_the_board() -> None:
    assert set(NAME.findall((DEPLOY / "grafana/diplomacy.json").read_text())) == figures()


def test_the_board_is_json_with_a_panel_for_each_place() -> None:
    board = json.loads((DEPLOY / "grafana/diplomacy.json").read_text())
    places = [(one["gridPos"]["x"], one["gridPos"]["y"]) for one in board["panels"]]
    assert len(set(places)) == len(places) > 5


def test_what_fails_for_status_calls_somebody() -> None:
    """A quarter of an hour is the patience of all: `diplomacy_up` and the alarms say the same."""
    rules = (DEPLOY / "prometheus/alerts.yml").read_text()
    assert set(re.findall(r"_seconds > (\d+)", rules)) == {"900"}
    assert "diplomacy_up == 0" in rules


def test_a_server_set_up_by_the_page_answers_the_prometheus_of_the_example() -> None:
    """Whoever asks for a host that is not among ALLOWED_HOSTS gets 400."""
    page = (ROOT / "docs/operators.md").read_text()
    (allowed,) = re.findall(r"^ALLOWED_HOSTS=(.+)$", page, re.MULTILINE)
    example = (DEPLOY / "prometheus/prometheus.yml").read_text()
    targets = re.findall(r'targets: \["([^":]+):\d+"\]', example)
    assert targets
    assert set(targets) <= set(allowed.split(","))


def manage_commands(text: str) -> set[str]:
    return set(re.findall(r"manage\.py\"?,? \"?(\w+)", text))


@pytest.mark.parametrize("file", [*UNITS, DEPLOY / "compose.yaml", DEPLOY / "Dockerfile"])
def test_commands_that_are_run_are_there(file: Path) -> None:
    assert manage_commands(file.read_text()) <= set(get_commands())


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_are_what_the_page_for_operators_names(unit: Path) -> None:
    assert f"`{unit.stem}" in (ROOT / "docs" / "operators.md").read_text()


@pytest.mark.parametrize("name", ["poller", "worker", "web"])
def test_units_and_containers_start_the_same(name: str) -> None:
    """And with no number of processes: that depends on the machine."""
    unit = (DEPLOY / f"systemd/diplomacy-{name}.service").read_text()
    (command,) = re.findall(r"^ExecStart=.*/bin/(.+?)(?: --bind.*)?$", unit, re.MULTILINE)
    file, found = ("Dockerfile", r"^CMD \[(.+)\]") if name == "web" else ("compose.yaml", COMMAND)
    started = re.findall(found, (DEPLOY / file).read_text(), re.MULTILINE)
    words = [" ".join(re.findall(r'"([^"]+)"', one)) for one in started]
    assert command in [one.partition(" --bind")[0] for one in words]
    assert not re.search(r"--(workers|threads|concurrency|preload|pool)", command)


def test_the_image_has_no_secrets_and_no_tests() -> None:
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert {".env", ".git", "var", "tests"} <= set(left_out)


def test_code_that_may_not_compile_itself_is_compiled_beforehand() -> None:
    """Neither a unit nor a container may write beside the code: each start would compile it."""
    image = (DEPLOY / "Dockerfile").read_text()
    page = (ROOT / "docs" / "operators.md").read_text().splitlines()
    after = [page[at + 1] for at, line in enumerate(page) if "pip install -r" in line]

    assert "python -m compileall" in image.partition("COPY . .")[2]
    assert len(after) == 2, "once to install, once to upgrade"
    assert all("python -m compileall" in line for line in after)


def test_compose_sets_what_the_server_reads() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    block = text.partition("environment: &environment\n")[2].partition("  restart:")[0]
    assert set(re.findall(r"^    ([A-Z_]+):", block, re.MULTILINE)) <= KNOWN


def test_the_web_container_believes_the_proxy_that_is_another_container() -> None:
    """Without it we believe 127.0.0.1 alone, and all looks like plain http: no HSTS."""
    compose = (DEPLOY / "compose.yaml").read_text()
    web = compose.partition("\n  web:\n")[2].partition("\n\n")[0]
    assert 'FORWARDED_ALLOW_IPS: "*"' in web
    assert "ports:" not in web


def test_no_log_of_a_container_grows_for_ever() -> None:
    """Docker's own default keeps all of each, until the disk is full."""
    services = (DEPLOY / "compose.yaml").read_text().partition("\nservices:\n")[2]
    each = re.split(r"\n  (?=\w+:\n)", "\n" + services.partition("\nvolumes:\n")[0])[1:]
    assert len(each) == 8
    assert [one for one in each if "<<: *server" not in one and "*logging" not in one] == []
    assert "logging: &logging\n    driver: local\n" in (DEPLOY / "compose.yaml").read_text()


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy here")
def test_the_proxys_file_is_valid(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    file = str(DEPLOY / "proxy/Caddyfile")
    done = subprocess.run(
        ["caddy", "validate", "--config", file],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-300:]


def test_both_proxies_keep_the_same_secrets_out_of_their_logs() -> None:
    texts = [(DEPLOY / "proxy" / name).read_text() for name in ("Caddyfile", "nginx.conf")]
    secret = [re.findall(r"/\((?:\?:)?(calendar[^)]*)\)/", text) for text in texts]
    assert secret == [["calendar|admin/password|unsubscribe|games/[^/?]+/orders"]] * 2


class Proxy(Server):
    """Caddy by our file, on a port of this machine, with nothing behind it unless told so."""

    name, package = "Caddy", "caddy"

    def __init__(self, web: str = "127.0.0.1:1") -> None:
        super().__init__()
        self.web = web

    def prepare(self) -> None:
        (port,) = free_ports(1)
        self.site = f"http://127.0.0.1:{port}"
        shutil.copy(DEPLOY / "proxy/down.html", self.folder)
        text = (DEPLOY / "proxy/Caddyfile").read_text()
        for ours, here in (
            ("{$DIPLOMACY_SITE:games.example.org}", self.site),
            ("{$DIPLOMACY_WEB:127.0.0.1:8000}", self.web),
            ("root * /etc/caddy", f"root * {self.folder}"),
            ("{\n\tlog", "{\n\tadmin off\n\tlog"),
        ):
            assert ours in text
            text = text.replace(ours, here, 1)
        (self.folder / "Caddyfile").write_text(text)

    def command(self) -> list[str]:
        file = str(self.folder / "Caddyfile")
        return [program("caddy", self.package), "run", "--adapter", "caddyfile", "--config", file]

    def answers(self) -> bool:
        return self.ask("/games/marne/")

    def ask(self, path: str) -> bool:
        """Ask with a cookie; whether anybody answers."""
        try:
            self.get(path)
        except OSError:
            return False
        return True

    def get(self, path: str) -> tuple[int, Message, str]:
        """Return status, header and body of the answer, whatever it is."""
        asked = urllib.request.Request(self.site + path, headers={"Cookie": "id=abcdefgh"})
        try:
            answer = urllib.request.urlopen(asked, timeout=10)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.headers, answer.read().decode()


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy here")
def test_the_proxy_logs_no_secret_address_and_no_cookie() -> None:
    with Proxy() as proxy:
        for path in (
            "/calendar/3-abcdefghijklmnopqrst.ics",
            "/admin/password/MQ/d1a2b3-abcdefgh0123456789/",
            "/games/marne/orders/abcdefgh/?phase=S1901M&order=abcdefgh",
            "/unsubscribe/12:abcdefgh0123456789/",
        ):
            assert proxy.ask(path)
        wait_until(lambda: proxy.log.read_text().count("/unsubscribe/") == 1, "the log", 30)
        logged = proxy.log.read_text()
    secret = ("calendar", "admin/password", "unsubscribe", "games/marne/orders")
    for hidden in (f"/{before}/SECRET" for before in secret):
        assert logged.count(hidden) == 1
    assert "/games/marne/" in logged
    assert "abcdefgh" not in logged


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy here")
def test_visitors_of_a_server_that_is_down_read_so_and_programs_when_to_ask_again() -> None:
    with Proxy() as proxy:
        status, header, page = proxy.get("/games/marne/F1901M/?v=3")
    assert page == DOWN.read_text()
    assert (status, header["Retry-After"], header["Cache-Control"]) == (503, "60", "no-store")


class Failing(http.server.BaseHTTPRequestHandler):
    """What our own /healthz says when something fails."""

    def do_GET(self) -> None:
        self.send_response(503)
        self.end_headers()
        self.wfile.write(b"FAILS: mailbox\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy here")
def test_what_the_server_itself_says_of_its_faults_gets_through_the_proxy() -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Failing) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        with Proxy(f"127.0.0.1:{web.server_port}") as proxy:
            status, _, said = proxy.get("/healthz")
        web.shutdown()
    assert (status, said) == (503, "FAILS: mailbox\n")


DOWN = DEPLOY / "proxy/down.html"


def test_the_page_of_a_server_that_is_down_looks_like_the_others_and_needs_nothing_else() -> None:
    page = DOWN.read_text()
    light, _, dark = page.partition("prefers-color-scheme: dark")
    for shown, known in ((light, tokens.LIGHT), (dark, tokens.DARK)):
        colours = dict(re.findall(r"--(\w+): (#\w+);", shown))
        assert {"paper", "ink", "accent"} <= colours.keys()
        assert colours.items() <= known.items()
    assert all(font in page for font in (tokens.SANS, tokens.SERIF))
    assert re.findall(r"(?:src|href|url)[=(][\"']?([^\"')>]*)", page) == [""]


def test_containers_and_the_page_for_operators_put_that_page_where_the_proxy_looks() -> None:
    (folder,) = re.findall(r"root \* (\S+)", (DEPLOY / "proxy/Caddyfile").read_text())
    assert f"./proxy/down.html:{folder}/down.html:ro" in (DEPLOY / "compose.yaml").read_text()
    page = (ROOT / "docs/operators.md").read_text()
    assert f"sudo cp deploy/proxy/down.html {folder}/" in page


SYSTEMD = Path("/usr/lib/systemd/system")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_are_valid_and_hardened(unit: Path, tmp_path: Path) -> None:
    """systemd's own tools, on a root of their own where the programs are but names."""
    shutil.copytree(DEPLOY / "systemd", tmp_path / "etc/systemd/system")
    programs = tmp_path / "opt/diplomacy/server/.venv/bin"
    programs.mkdir(parents=True)
    for name in ("python", "celery"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    shutil.copytree(SYSTEMD, tmp_path / "usr/lib/systemd/system", ignore_dangling_symlinks=True)
    analyze, root = "systemd-analyze", f"--root={tmp_path}"
    verify = [analyze, "verify", root, "--man=no", unit.name]
    said = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert "diplomacy" not in said.stderr
    security = [analyze, "security", root, "--offline=true", "--threshold=20", unit.name]
    done = subprocess.run(security, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:]


def test_units_and_image_give_memory_back_alike() -> None:
    wish = re.compile(r"\bMALLOC_\w+=\d+")
    common = DEPLOY / "systemd/diplomacy-.service.d/10-common.conf"
    wishes = wish.findall(common.read_text())
    assert len(wishes) == 3
    assert wish.findall((DEPLOY / "Dockerfile").read_text()) == wishes
    assert [f"{name}={value}" for name, value in sparing().items()] == wishes
