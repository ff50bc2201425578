"""The judge by itself: its wheel, built, installed into an empty environment, and adjudicating."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from judge import ENGINE_VERSION

ROOT = Path(__file__).parents[2]
JUDGE = ROOT / "judge"
PROJECT = tomllib.loads((JUDGE / "pyproject.toml").read_text("utf-8"))
README = JUDGE / "README.md"


def run(*command: object, cwd: Path, text: str = "") -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing is left in the tree, and without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "judge"
    shutil.copytree(JUDGE, source, ignore=shutil.ignore_patterns("__pycache__", "build"))
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir", "-q"]
    run(sys.executable, "-m", "pip", "wheel", *options, "-w", folder, source, cwd=folder)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has nothing but the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install"]
    run(*pip, "--no-index", "--no-deps", "-q", wheel, cwd=folder)
    return python


def test_the_wheel_has_the_code_its_types_its_data_and_its_licence(wheel: Path):
    names = set(ZipFile(wheel).namelist())
    modules = (path.relative_to(ROOT) for path in JUDGE.rglob("*.py"))
    # `pip wheel ./judge` leaves the modules that it built in a folder of that name.
    code = {str(path) for path in modules if path.parts[1] != "build"}
    data = {str(path.relative_to(ROOT)) for path in (JUDGE / "data").rglob("*") if path.is_file()}
    assert code | data | {"judge/py.typed"} <= names
    assert any(name.endswith("LICENSE") for name in names)
    assert not any(name.split("/")[0] not in ("judge", metadata(wheel)) for name in names)


def metadata(wheel: Path) -> str:
    return f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"


def test_it_adjudicates_in_an_empty_environment(python: Path, tmp_path: Path):
    program = (
        "import judge\n"
        "position = judge.Position.start(judge.load_variant('standard'))\n"
        "orders = {'France': ['A Par - Bur'], 'Germany': ['A Mun - Bur']}\n"
        "outcome = judge.adjudicate(position, orders)\n"
        "print(outcome['A Paris'].reason, judge.__file__)\n"
    )
    told = run(python, "-I", "-c", program, cwd=tmp_path)
    assert told.startswith("Bounced with A Munich - Burgundy.")
    assert str(python.parents[1]) in told


@pytest.mark.parametrize("command", [["python", "-m", "judge"], ["diplomacy-judge"]])
def test_its_door_answers_in_an_empty_environment(command: list[str], python: Path, tmp_path: Path):
    question = {
        "phase": "S1901M",
        "units": {"France": ["A Paris"]},
        "orders": {"France": ["Par-Bur"]},
    }
    program = [python.parent / command[0], *command[1:]]
    answer = json.loads(run(*program, cwd=tmp_path, text=json.dumps(question) + "\n"))
    assert answer["orders"][0]["result"] == ["succeeds"]


def test_the_examples_of_its_page_run_there(python: Path, tmp_path: Path):
    shutil.copy(README, tmp_path)
    program = (
        "import doctest\n"
        "ran = doctest.testfile('README.md', module_relative=False)\n"
        "print(ran.failed, ran.attempted > 10)\n"
    )
    assert run(python, "-I", "-c", program, cwd=tmp_path) == "0 True\n"


def test_its_version_and_licence_are_those_of_the_code():
    assert PROJECT["project"]["version"] == ENGINE_VERSION
    assert (JUDGE / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    packages = {f"judge.{path.parent.name}" for path in JUDGE.glob("*/__init__.py")}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == {"judge"} | packages
