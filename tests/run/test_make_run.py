"""`make run` from outside: it starts, the game moves by mail, it stops and goes on."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.migrated import sqlite_file
from tests.run.running import MakeRun, Newcomer, eventually, text_of

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[MakeRun]:
    """For the first time on a machine: in an empty folder, without a database."""
    server = MakeRun(tmp_path / "var")
    yield server
    server.end()


@pytest.fixture
def run(fresh: MakeRun) -> MakeRun:
    """With the tables already made, which takes longer than all else."""
    sqlite_file(fresh.var / "server.sqlite3")
    return fresh


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeRun]:
    """Started once, for tests that need it running."""
    server = MakeRun(tmp_path_factory.mktemp("shared") / "var")
    sqlite_file(server.var / "server.sqlite3")
    server.start()
    yield server
    server.end()


def test_a_game_moves_by_mail_and_goes_on_after_a_stop(fresh: MakeRun) -> None:
    run = fresh
    run.start()
    assert f"{run.site}/" in run.console
    assert "admin, password" in run.console
    eventually(lambda: run.phases("sample"), seconds=180, what="a phase processed")

    # The orders came by SMTP and IMAP, as mails, and the results went out by mail.
    ordered = run.rows("SELECT count(*) FROM games_orderset WHERE counts")
    assert ordered[0][0] >= 1
    assert run.rows("SELECT count(*) FROM mailer_ordermail")[0][0] >= 1
    eventually(
        lambda: run.rows(
            "SELECT 1 FROM mailer_outboundmail WHERE kind = 'phase_processed' AND state = 'sent'"
        ),
        seconds=60,
        what="a result mail sent",
    )
    assert "/games/sample/" in run.page("/")
    assert "movement" in run.page("/games/sample/")
    assert "results" in run.page("/demo/")

    run.press_ctrl_c()
    assert run.processes() == {}
    played = run.phases("sample")
    mails = run.rows("SELECT count(*) FROM mailer_inboundmail")[0][0]

    run.start()
    eventually(
        lambda: len(run.phases("sample")) > len(played),
        seconds=120,
        what="the next phase processed",
    )
    assert run.phases("sample")[: len(played)] == played
    # What was in the mailboxes before the stop is recognised, not stored again.
    again = run.rows("SELECT sha256 FROM mailer_inboundmail GROUP BY sha256 HAVING count(*) > 1")
    assert again == []
    assert run.rows("SELECT count(*) FROM mailer_inboundmail")[0][0] >= mails
    registered = run.rows("SELECT count(*) FROM mailer_inboundmail WHERE subject LIKE 'I would %'")
    assert registered[0][0] == 7
    run.press_ctrl_c()


def test_killing_any_parent_leaves_no_process_and_no_lock(run: MakeRun) -> None:
    run.start()
    os.kill(run.supervisor(), signal.SIGKILL)
    eventually(lambda: not run.processes(), seconds=60, what="the end of every process")

    run.start()
    assert run.process is not None
    os.kill(run.process.pid, signal.SIGKILL)
    eventually(lambda: not run.processes(), seconds=60, what="the end of every process")

    run.start()
    run.process.terminate()
    eventually(lambda: not run.processes(), seconds=60, what="the end of every process")


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


class TestWhileItRuns:
    """They share one server: to start it takes longest."""

    def test_a_newcomer_registers_joins_and_plays_against_six(self, shared: MakeRun) -> None:
        me = Newcomer(shared, "nora@players.example")
        assert "Sent." in me.write_on_the_page("REGISTER Nora Newcomer")
        me.write("yes", answers=me.awaits("confirm"))
        welcome = me.awaits("Welcome")
        eventually(
            lambda: shared.rows(
                "SELECT 1 FROM games_application a JOIN games_game g ON g.id = a.game_id "
                "WHERE g.name = 'yours' GROUP BY g.id HAVING count(*) = 6"
            ),
            seconds=60,
            what="six players in the game",
        )
        me.write("JOIN yours Turkey\n", answers=welcome)
        start = me.awaits(r"\[yours\] The game starts, you play Turkey")
        assert "A Constantinople" in text_of(start)

        me.write("A Con-Bul\nA Smy H\nF Ank-Bla\n", answers=start)
        receipt = me.awaits(r"Re: \[yours\] The game starts, you play Turkey")
        assert "A Constantinople - Bulgaria" in text_of(receipt)
        # All orders are in now: nobody waits for the deadline in half an hour.
        result = me.awaits(r"\[yours\] Spring 1901 movement: results", seconds=120)
        assert "Turkey: A Constantinople - Bulgaria: succeeds." in text_of(result)

    def test_a_process_that_dies_is_started_again(self, shared: MakeRun) -> None:
        poller = shared.process_named("poll_mail")
        assert poller
        os.kill(poller, signal.SIGKILL)
        eventually(
            lambda: shared.process_named("poll_mail") not in (None, poller),
            seconds=60,
            what="a new poller",
        )
        eventually(
            lambda: "“poller” ended (-9) and is started again." in shared.console,
            seconds=60,
            what="a word about it",
        )

    def test_a_second_start_on_the_same_folder_is_refused(
        self, shared: MakeRun, tmp_path: Path
    ) -> None:
        (tmp_path / "other").mkdir()
        other = MakeRun(tmp_path / "other" / "var")
        other.var.symlink_to(shared.var)
        other.start(ready=False)
        eventually(other.ended, seconds=120, what="the refusal")
        assert "The server already runs" in other.console
        assert "Traceback" not in other.console
