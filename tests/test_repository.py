"""The repository around the code: licence, one version, one list of packages, what CI runs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSION = str(PROJECT["project"]["version"])
RELEASE = re.compile(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)")
PIN = re.compile(r"[\w-]+(\[\w+\])?==[\w.]+(; .+)?")
DEVELOPMENT = ".dev0"


def sections() -> list[str]:
    """The headings of the changelog, newest first."""
    return re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def releases() -> list[tuple[str, str]]:
    """Version and date of every release in the changelog, newest first."""
    found = [RELEASE.fullmatch(title) for title in sections() if title != "Unreleased"]
    assert None not in found, "a release is headed by its version and (date)"
    return [(match[1], match[2]) for match in found if match]


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.removesuffix(DEVELOPMENT).split("."))


def pins(name: str) -> list[str]:
    """The lines of a list of packages, without its comments."""
    lines = [line.partition(" #")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


# --- The version --------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["version", "--version"])
def test_the_command_line_says_the_version_and_nothing_else(word: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", word], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{VERSION}\n"


@pytest.mark.django_db
def test_the_foot_of_an_admin_page_says_the_version_to_those_who_may_enter(client: Client) -> None:
    assert VERSION not in client.get("/admin/login/").content.decode()
    client.force_login(User.objects.create_superuser("operator"))
    assert f"Diplomacy by mail {VERSION} ·" in client.get("/admin/").content.decode()


def test_the_docs_say_the_version() -> None:
    assert f"These pages describe version {VERSION}." in (ROOT / "docs" / "index.md").read_text()


def test_the_changelog_begins_with_the_version() -> None:
    """On the way to a release it begins with "Unreleased", and the last one was an earlier one."""
    if VERSION.endswith(DEVELOPMENT):
        assert sections()[0] == "Unreleased"
        assert number(releases()[0][0]) < number(VERSION)
    else:
        assert releases()[0][0] == VERSION
        assert "Unreleased" not in sections()


def test_releases_stand_in_order_each_with_its_date() -> None:
    for (newer, newer_date), (older, older_date) in pairwise(releases()):
        assert number(newer) > number(older)
        assert newer_date >= older_date
    assert releases()[-1] == ("0.1.0", "2026-11-21")


# --- Packages -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_packages_are_pinned_exactly(name: str) -> None:
    lines = [line for line in pins(name) if line != "-r requirements.txt"]
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    assert len(lines) > 5


def test_what_the_server_needs_is_listed_once() -> None:
    """pyproject.toml reads requirements.txt, which requirements-dev.txt includes."""
    assert PROJECT["project"]["dynamic"] == ["dependencies"]
    assert PROJECT["tool"]["setuptools"]["dynamic"] == {
        "dependencies": {"file": ["requirements.txt"]}
    }
    assert "-r requirements.txt" in pins("requirements-dev.txt")
    twice = set(pins("requirements.txt")) & set(pins("requirements-dev.txt"))
    assert twice == set()


def test_the_licence_is_the_one_the_project_names() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License\n")
    assert "the diplomacy-server authors" in text


# --- What runs on other machines -----------------------------------------------------------


def test_the_workflow_of_every_change_runs_what_a_person_runs() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert "make test" in re.findall(r"- run: (.+)", text)
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'python: ["{oldest}",' in text


def test_every_change_is_audited_for_known_holes() -> None:
    """In a job of its own: `make test` needs no network, and no new hole breaks a test."""
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    jobs = re.split(r"^  (?=\w+:$)", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    audits = [job for job in jobs if "pip-audit" in job]
    assert len(audits) == 1
    assert "make test" not in audits[0]
    assert re.search(r"pip-audit==[\d.]+$", audits[0], re.MULTILINE)
    assert "pip-audit --strict -r requirements.txt" in audits[0]


def test_workflows_run_only_what_the_makefile_has() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    wanted = {word for path in workflows for word in re.findall(r"make (\w+)", path.read_text())}
    assert "test" in wanted
    assert wanted <= targets


def test_hooks_before_a_commit_use_the_tools_of_the_checks() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"repo: (\w+)", text) == ["local"]
    pinned = {line.partition("==")[0] for line in pins("requirements-dev.txt")}
    assert set(re.findall(r"entry: \.venv/bin/(\w+)", text)) == {"ruff", "codespell"} <= pinned


# --- Documents ----------------------------------------------------------------------------


def test_every_page_is_on_the_index() -> None:
    text = (ROOT / "docs" / "index.md").read_text()
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert [name for name in sorted(pages) if f"]({name})" not in text] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_newcomers_are_led_to_the_index(name: str) -> None:
    assert "(docs/index.md)" in (ROOT / name).read_text()


@pytest.mark.parametrize("profile", ["nightly", "search"])
def test_other_examples_are_tried_every_night_in_ci_too(profile: str) -> None:
    assert not settings.get_profile(profile).derandomize
