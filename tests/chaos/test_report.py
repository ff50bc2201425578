"""What a run prints, and when it fails."""

from __future__ import annotations

import pytest

from tests.chaos.__main__ import faults_of_relay, report
from tests.chaos.count import Count
from tests.chaos.storm import History

WELL = Count("phases were adjudicated once", 12)
LOST = Count("mails sent were delivered", 90, [f"<{number}> never came" for number in range(12)])


def test_a_run_without_faults_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    history = History(kills=["poller", "redis", "poller"], relay_faults=["451"])
    assert not report([WELL], history)
    printed = capsys.readouterr().out
    assert "kills: 3" in printed
    assert "2 poller" in printed
    assert "1 451" in printed
    assert "12 phases were adjudicated once" in printed
    assert printed.endswith("Nothing was lost.\n")


def test_a_broken_promise_fails_the_run_and_names_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([WELL, LOST], History())
    printed = capsys.readouterr().out
    assert "FAILED" in printed
    assert "<9> never came" in printed
    assert "<10> never came" not in printed
    assert "… and 2 more" in printed


def test_a_web_that_stays_away_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([WELL], History(faults=["the web did not answer at the end of a calm"]))
    assert "the web did not answer" in capsys.readouterr().out


def test_only_the_relay_s_own_lines_are_its_faults() -> None:
    log = "fault lost-250\nTraceback: a fault 3\nfault 451\n\n"
    assert faults_of_relay(log) == ["lost-250", "451"]
