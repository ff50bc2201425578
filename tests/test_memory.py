"""The tests' files are in memory where that has room for them."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import __main__ as whole_run
from tests import memory

GIGABYTE = 2**30


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """One with five gigabytes for files in memory, and eight for everything."""
    about = SimpleNamespace(f_bavail=5 * 2**18, f_frsize=4096, f_flag=0)
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:       16000000 kB\nMemAvailable:    8388608 kB\n")
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    monkeypatch.setattr(memory, "MEMINFO", meminfo)
    monkeypatch.setattr(os, "statvfs", lambda _: about)
    return about


def test_files_are_in_memory_where_there_is_room(machine: SimpleNamespace) -> None:
    assert memory.in_memory(5 * GIGABYTE, 3 * GIGABYTE) == memory.MEMORY


def test_files_are_on_a_disk_where_memory_has_no_room_for_them(machine: SimpleNamespace) -> None:
    """In a container 64 MB are usual."""
    assert memory.in_memory(5 * GIGABYTE + 1) is None


def test_files_are_on_a_disk_where_programs_would_lack_the_memory(
    machine: SimpleNamespace,
) -> None:
    assert memory.in_memory(5 * GIGABYTE, 3 * GIGABYTE + 1) is None


def test_files_are_on_a_disk_where_none_in_memory_could_be_run(machine: SimpleNamespace) -> None:
    machine.f_flag = os.ST_NOEXEC
    assert memory.in_memory(1) is None


def test_files_are_on_a_disk_where_there_is_nothing_in_memory(
    machine: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MEMORY", Path("/nowhere"))
    assert memory.in_memory(1) is None


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run says of temporary files is forgotten after the test."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", "set, so that it is put back")
    monkeypatch.delenv("TMPDIR")


def test_all_files_of_a_run_are_in_one_folder_that_goes_with_it(
    temporary: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_run, "in_memory", lambda *of: tmp_path)
    with whole_run.temporary_files() as folder:
        assert folder.parent == tmp_path
        assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o711, "servers get through, nobody looks in"
        (folder / "left").touch()
    assert list(tmp_path.iterdir()) == []


def test_whoever_says_where_temporary_files_go_has_them_there(
    temporary: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with whole_run.temporary_files() as folder:
        assert folder.parent == tmp_path
