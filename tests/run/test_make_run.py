"""`make run` from outside: it starts, the game moves by mail, it stops and goes on."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.running import MakeRun, Newcomer, eventually, text_of

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[MakeRun]:
    """For the first time on a machine: in an empty folder, without a database."""
    server = MakeRun(tmp_path / "var")
    yield server
    server.end()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeRun]:
    """One folder in which it is started again and again, for the first time on a machine."""
    server = MakeRun(tmp_path_factory.mktemp("shared") / "var")
    yield server
    server.end()


@pytest.fixture
def running(shared: MakeRun) -> MakeRun:
    """The server of that folder; it runs."""
    if shared.process is None or shared.ended():
        shared.start()
    return shared


def test_a_taken_port_is_named_with_the_variable_that_chooses_another(run: MakeRun) -> None:
    with socket.create_server(("127.0.0.1", run.web)):
        run.start(ready=False)
        eventually(run.ended, seconds=120, what="the refusal")
    assert run.process is not None
    assert run.process.returncode != 0
    assert f"Port {run.web} for the web page is taken." in run.console
    assert f"WEB_PORT={run.web + 1000} make run" in run.console
    assert "Traceback" not in run.console
    assert run.processes() == {}


class TestOneFolder:
    """They share one server, and one process runs all of them: to start it takes longest."""

    def test_a_game_moves_by_mail(self, running: MakeRun) -> None:
        assert f"{running.site}/" in running.console
        assert "admin, password" in running.console
        eventually(lambda: running.phases("sample"), seconds=180, what="a phase processed")

        # The orders came by SMTP and IMAP, as mails, and the results went out by mail.
        ordered = running.rows("SELECT count(*) FROM games_orderset WHERE counts")
        assert ordered[0][0] >= 1
        assert running.rows("SELECT count(*) FROM mailer_ordermail")[0][0] >= 1
        eventually(
            lambda: running.rows(
                "SELECT 1 FROM mailer_outboundmail "
                "WHERE kind = 'phase_processed' AND state = 'sent'"
            ),
            seconds=60,
            what="a result mail sent",
        )
        assert "/games/sample/" in running.page("/")
        assert "movement" in running.page("/games/sample/")
        assert "results" in running.page("/demo/")
        files = [path for path in running.var.rglob("*") if path.is_file()]
        assert [file for file in files if file.stat().st_mode & 0o077] == []

    def test_a_newcomer_registers_joins_and_plays_against_six(self, running: MakeRun) -> None:
        me = Newcomer(running, "nora@players.example")
        assert "Sent." in me.write_on_the_page("REGISTER Nora Newcomer")
        me.write("yes", answers=me.awaits("confirm"))
        welcome = me.awaits("Welcome")
        eventually(
            lambda: running.rows(
                "SELECT 1 FROM games_application a JOIN games_game g ON g.id = a.game_id "
                "WHERE g.name = 'yours' GROUP BY g.id HAVING count(*) = 6"
            ),
            seconds=60,
            what="six players in the game",
        )
        me.write("JOIN yours Turkey\n", answers=welcome)
        start = me.awaits(r"\[yours\] The game starts and you play Turkey")
        assert "A Constantinople" in text_of(start)

        me.write("A Con-Bul\nA Smy H\nF Ank-Bla\n", answers=start)
        receipt = me.awaits(r"Re: \[yours\] The game starts and you play Turkey")
        assert "A Constantinople - Bulgaria" in text_of(receipt)
        # All orders are in now: nobody waits for the deadline in half an hour.
        result = me.awaits(r"\[yours\] Spring 1901 movement: results", seconds=120)
        assert "Turkey: A Constantinople - Bulgaria: succeeds." in text_of(result)

    def test_a_process_that_dies_is_started_again(self, running: MakeRun) -> None:
        poller = running.process_named("poll_mail")
        assert poller
        os.kill(poller, signal.SIGKILL)
        eventually(
            lambda: running.process_named("poll_mail") not in (None, poller),
            seconds=60,
            what="a new poller",
        )
        eventually(
            lambda: "“poller” ended (-9) and is started again." in running.console,
            seconds=60,
            what="a word about it",
        )

    def test_a_second_start_on_the_same_folder_is_refused(
        self, running: MakeRun, tmp_path: Path
    ) -> None:
        (tmp_path / "other").mkdir()
        other = MakeRun(tmp_path / "other" / "var")
        other.var.symlink_to(running.var)
        other.start(ready=False)
        eventually(other.ended, seconds=120, what="the refusal")
        assert "The server already runs" in other.console
        assert "Traceback" not in other.console

    def test_after_a_stop_the_game_goes_on(self, running: MakeRun) -> None:
        eventually(lambda: running.phases("sample"), seconds=180, what="a phase processed")
        running.press_ctrl_c()
        assert running.processes() == {}
        played = running.phases("sample")
        mails = running.rows("SELECT count(*) FROM mailer_inboundmail")[0][0]

        running.start()
        eventually(
            lambda: len(running.phases("sample")) > len(played),
            seconds=120,
            what="the next phase processed",
        )
        assert running.phases("sample")[: len(played)] == played
        # What was in the mailboxes before the stop is recognised, not stored again.
        again = running.rows(
            "SELECT sha256 FROM mailer_inboundmail GROUP BY sha256 HAVING count(*) > 1"
        )
        assert again == []
        assert running.rows("SELECT count(*) FROM mailer_inboundmail")[0][0] >= mails
        registered = running.rows(
            "SELECT count(*) FROM mailer_inboundmail WHERE subject LIKE 'I would %'"
        )
        assert registered[0][0] == 7

    def test_killing_any_parent_leaves_no_process_and_no_lock(self, running: MakeRun) -> None:
        os.kill(running.supervisor(), signal.SIGKILL)
        eventually(lambda: not running.processes(), seconds=60, what="the end of every process")

        running.start()
        assert running.process is not None
        os.kill(running.process.pid, signal.SIGKILL)
        eventually(lambda: not running.processes(), seconds=60, what="the end of every process")

        running.start()
        running.process.terminate()
        eventually(lambda: not running.processes(), seconds=60, what="the end of every process")
