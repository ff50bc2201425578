"""The outside door: a line of the judge's JSON in, a picture out; a bad line gets a sentence."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from atlas import draw
from atlas.__main__ import main
from atlas.door import BadLine, read_subject
from judge import adjudicate
from tests.atlas.games import crowded
from tests.examples import times
from tests.rows import each_row

ROOT = Path(__file__).parent.parent.parent
QUESTION: dict[str, Any] = {
    "phase": "S1901M",
    "units": {"France": ["A Paris", "F Brest"], "Germany": ["A Munich"]},
    "centers": {"France": ["Paris", "Brest"]},
    "orders": {"France": ["A Paris - Burgundy", "F Brest - MAO"], "Germany": ["A Munich - Bur"]},
}


def run(module: str, line: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", module, *options]
    return subprocess.run(command, input=line.encode(), capture_output=True, cwd=ROOT, check=False)


Door = Callable[..., tuple[int, bytes, bytes]]
"""A line and options in; status, standard output and standard error out."""


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Door:
    """The atlas's door without a process of its own."""

    def asked(line: str, *options: str) -> tuple[int, bytes, bytes]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
        status = main(options)
        return status, *capsysbinary.readouterr()

    return asked


def judged(question: dict[str, Any]) -> str:
    """The line for the atlas that the judge's own answer makes."""
    asked = json.dumps(question)
    return json.dumps({"question": question, "answer": json.loads(answer_of(asked))})


@cache
def answer_of(question: str) -> bytes:
    return run("judge", question + "\n").stdout


def test_the_judges_answer_becomes_a_png() -> None:
    done = run("atlas", judged(QUESTION), "--format", "png", "--width", "600")

    assert (done.returncode, done.stderr) == (0, b"")
    picture = Image.open(io.BytesIO(done.stdout))
    assert (picture.format, picture.width) == ("PNG", 600)
    assert done.stdout == draw(read_subject(judged(QUESTION)), "orders").png(600)


def test_the_view_of_a_picture_is_chosen(door: Door) -> None:
    answer = door(judged(QUESTION), "--view", "board", "--format", "png", "--width", "600")

    assert answer == (0, draw(read_subject(judged(QUESTION)), "board").png(600), b"")


def test_the_judges_answer_becomes_an_svg(door: Door) -> None:
    options = "--format", "svg", "--names", "full", "--title", "Marne"
    status, drawn, error = door(judged(QUESTION), *options)

    text = drawn.decode()
    assert (status, error) == (0, b"")
    assert "France: A Paris - Burgundy: fails." in text
    assert ">Marne<" in text
    ET.fromstring(text)


def test_each_line_becomes_a_file_that_its_id_names(door: Door, tmp_path: Path) -> None:
    out = tmp_path / "new" / "boards"
    ids: list[object] = ["marne S1901M", 7, "../up", "", None, "7", "x" * 300, ".x", "Zürich"]
    lines = [json.dumps({"question": QUESTION | {"id": name}}) for name in ids]
    lines[4:4] = ["", "{"]

    status, drawn, error = door("\n".join(lines), "--format", "svg", "--out", str(out))

    assert (status, drawn) == (1, b"")
    assert sorted(file.name for file in out.iterdir()) == [
        "7.svg",
        "Zürich.svg",
        "marne S1901M.svg",
    ]
    assert list((tmp_path / "new").iterdir()) == [out]
    told = error.decode().splitlines()
    assert [line.split(":")[0] for line in told] == [f"Line {n}" for n in (3, 4, 6, 7, 8, 9, 10)]
    assert told[3:5] == [
        'Line 7: The question needs an "id", which names the file.',
        "Line 8: An earlier line has the id “7”, too.",
    ]
    position = read_subject(lines[0])
    assert (out / "7.svg").read_text() == draw(position).svg()


@pytest.mark.parametrize("options", [(), ("--out", "/dev/null/boards")])
def test_a_picture_that_cannot_be_written_is_told_in_a_sentence(options: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "atlas", *options],
            input=json.dumps({"question": QUESTION}).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
        )

    assert done.returncode == 1
    assert re.fullmatch("The picture cannot be written: [A-Z][a-z ]+\\.\n", done.stderr.decode())


def test_the_door_needs_no_django_and_no_database() -> None:
    code = "import sys, atlas, atlas.__main__; print({m.split('.')[0] for m in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert not {"'django'", "'games'", "'mailer'", "'numpy'", "'shapely'"} & set(
        done.stdout.strip(" {}\n").split(", ")
    )


def test_a_line_and_the_values_it_stands_for_are_the_same_picture() -> None:
    for subject in crowded(3):
        assert subject.next is not None
        line = {
            "question": subject.position.to_state(),
            "answer": {
                "orders": [result._asdict() for result in subject.results],
                "next": subject.next.to_state(),
            },
        }
        read = read_subject(json.dumps(line))

        assert draw(read).svg() == draw(subject).svg()
        assert draw(read, "board").svg() == draw(subject, "board").svg()


def test_a_question_without_an_answer_is_the_position() -> None:
    subject = read_subject(json.dumps({"question": QUESTION}))

    assert subject.results == ()
    assert len(subject.position.units) == 3


def test_the_map_is_the_one_that_the_question_chose() -> None:
    leaving = {"power": "Japan", "unit": "A Vladivostok", "retreats": ["Sakhalin"]}
    question = {
        "variant": "colonial",
        "map_options": {"land_bridges": "hawes"},
        "phase": "S1870R",
        "units": {"Russia": ["A Vladivostok"]},
        "dislodged": [leaving],
    }
    svg = draw(read_subject(judged(question))).svg()

    assert "Sakhalin borders Vladivostok" in svg
    assert "Sakhalin borders Otaru" not in svg
    assert "Otaru borders Sakhalin" not in svg


BAD = {
    "nothing": "",
    "no JSON": "{",
    "a list": "[]",
    "no question": "{}",
    "no object": '{"question": 3}',
    "unknown variant": '{"question": {"variant": "narnia", "phase": "S1901M"}}',
    "variant is no name": '{"question": {"variant": 3, "phase": "S1901M"}}',
    "no phase": '{"question": {"units": {}}}',
    "unknown place": '{"question": {"phase": "S1901M", "units": {"France": ["A Narnia"]}}}',
    "an error of the judge": '{"question": {"phase": "S1901M"}, "answer": {"error": "Line 1: no"}}',
    "no next": '{"question": {"phase": "S1901M"}, "answer": {"orders": []}}',
    "no orders": '{"question": {"phase": "S1901M"}, "answer": {"next": {"phase": "F1901M"}}}',
    "odd order": '{"question": {"phase": "S1901M"},'
    ' "answer": {"orders": [3], "next": {"phase": "F1901M"}}}',
    "order without power": '{"question": {"phase": "S1901M"},'
    ' "answer": {"orders": [{"result": []}], "next": {"phase": "F1901M"}}}',
    "a power of another game": '{"question": {"phase": "S1901M"}, "answer":'
    ' {"orders": [{"power": "Narnia", "result": []}], "next": {"phase": "F1901M"}}}',
    "an order that is no text": '{"question": {"phase": "S1901M"}, "answer": {"orders":'
    ' [{"power": "Italy", "result": [], "order": [1]}], "next": {"phase": "F1901M"}}}',
    "a long number": '{"question": ' + "9" * 5000 + "}",
    "edits that are no object": '{"question": {"phase": "S1901M", "edits": [1]}}',
    "options that are no object": '{"question": {"phase": "S1901M", "map_options": [1]}}',
    "an unknown option": '{"question": {"phase": "S1901M", "map_options": {"x": "y"}}}',
    "an unknown edit": '{"question": {"phase": "S1901M", "edits": {"x": []}}}',
}


@each_row("name", BAD)
def test_a_bad_line_gets_one_sentence(name: str) -> None:
    with pytest.raises(BadLine) as raised:
        read_subject(BAD[name])

    assert str(raised.value).endswith((".", "no"))
    assert "\n" not in str(raised.value)


def test_a_bad_line_ends_with_status_1_and_no_traceback(door: Door) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "atlas"], input=b"\xff", capture_output=True, cwd=ROOT, check=False
    )
    in_process = door("{")

    for status, drawn, error in ((done.returncode, done.stdout, done.stderr), in_process):
        assert (status, drawn, error.count(b"\n")) == (1, b"", 1)


@each_row("width", ["0", "99", "4001", "x", "-5"])
def test_a_width_beyond_reason_is_refused(width: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([f"--width={width}"])

    assert ended.value.code == 2
    assert "a number of pixels from 100 to 4000" in capsys.readouterr().err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["variant", "phase", "units", "centers", "dislodged", "edits", "orders"])
OBJECTS = st.dictionaries(FIELDS | st.sampled_from(["next", "error"]), JSON, max_size=6)


@given(st.fixed_dictionaries({"question": OBJECTS | JSON}, optional={"answer": OBJECTS | JSON}))
def test_whatever_a_line_holds_it_is_read_or_refused(line: dict[str, Any]) -> None:
    question = {**QUESTION, **line["question"]} if isinstance(line["question"], dict) else 0
    with suppress(BadLine):
        read_subject(json.dumps({**line, "question": question}))


@times(0.5)
@given(field=st.sampled_from(["power", "text", "order", "result", "reason"]), value=JSON)
def test_whatever_an_order_of_an_answer_holds_it_is_drawn_or_refused(
    field: str, value: Any
) -> None:
    position = read_subject(json.dumps({"question": QUESTION})).position
    outcome = adjudicate(position, QUESTION["orders"])
    orders = [result._asdict() for result in outcome.results]
    orders[0][field] = value
    answer = {"orders": orders, "next": outcome.next.to_state()}
    with suppress(BadLine):
        draw(read_subject(json.dumps({"question": QUESTION, "answer": answer}))).svg()
