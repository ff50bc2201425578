"""The JSON Lines door, tried from outside: a real process, lines in, lines out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.random_games import random_orders
from judge import Phase, Position, adjudicate, load_variant
from judge.__main__ import USAGE
from judge.jsonl import answer_line, answer_text
from judge.jsonl_text import state_text
from judge.units import Dislodged, Unit
from tests.examples import times
from tests.rows import each_row

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "judge"]
ENVIRONMENT = {"PATH": os.environ["PATH"]}
NORTH_SEA = {
    "id": "one",
    "phase": "S1901M",
    "units": {"England": ["F North Sea"], "France": ["F Spain(nc)"]},
    "orders": {"England": ["F North Sea - Picardy"]},
}


def run(*lines: bytes | dict[str, Any] | str) -> tuple[int, list[dict[str, Any]]]:
    """One process: its exit status and its answers. Standard error must stay empty."""
    done = subprocess.run(
        COMMAND,
        input=b"".join(encoded(line) for line in lines),
        capture_output=True,
        check=False,
        cwd=ROOT,
        env=ENVIRONMENT,
        timeout=60,
    )
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def answers(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers without a process: what the door would write, read again."""
    return [json.loads(answer_text(encoded(line))[0]) for line in lines]


def encoded(line: bytes | dict[str, Any] | str) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode() + b"\n"


def error_of(**changes: Any) -> str:
    """The error for the North Sea line with some fields changed."""
    answer = answer_line(json.dumps(NORTH_SEA | changes).encode(), 7)
    assert answer["id"] == "one"
    assert set(answer) == {"id", "error"}, answer
    return str(answer["error"])


def test_a_line_is_answered_with_orders_next_state_and_winner():
    status, [answer] = run(NORTH_SEA)
    assert status == 0
    assert list(answer) == ["id", "orders", "next", "winner"]
    written, french = answer["orders"][0], answer["orders"][-1]
    assert written["power"] == "England"
    assert written["text"] == written["order"] == "F North Sea - Picardy"
    assert written["result"] == ["illegal"]
    assert "Picardy" in written["reason"]
    assert french == {
        "power": "France",
        "text": None,
        "order": "F Spain(nc) Holds",
        "result": ["stands"],
        "reason": None,
    }
    assert answer["next"] == {
        "phase": "F1901M",
        "units": {"England": ["F North Sea"], "France": ["F Spain(nc)"]},
        "centers": {},
        "dislodged": [],
    }
    assert answer["winner"] is None


def test_answers_come_in_the_order_of_the_lines_and_errors_do_not_stop_them():
    status, answers = run(NORTH_SEA, "no json", NORTH_SEA | {"id": "three"}, "[]")
    assert status == 1
    assert [answer["id"] for answer in answers] == ["one", None, "three", None]
    assert ["error" in answer for answer in answers] == [False, True, False, True]
    assert answers[1]["error"].startswith("Line 2: This is not JSON")


def test_no_line_at_all_is_no_error():
    assert run() == (0, [])


def test_a_last_line_without_newline_is_answered():
    status, answers = run(json.dumps(NORTH_SEA).encode())
    assert (status, len(answers)) == (0, 1)


def test_each_answer_is_there_before_the_next_line_is_written():
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("first", "second", "third"):
            process.stdin.write(encoded(NORTH_SEA | {"id": name}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_reader_that_goes_away_sees_no_traceback():
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(encoded(NORTH_SEA))
        process.stdin.close()
        assert process.wait(timeout=60) == 1
        assert process.stderr.read() == b""


def test_a_full_disk_is_named_in_a_sentence():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            COMMAND,
            input=encoded(NORTH_SEA),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "The answers cannot be written: No space left on device.\n"


@pytest.mark.parametrize(("option", "status"), [("--help", 0), ("-h", 0), ("--questions", 2)])
def test_whoever_asks_the_door_for_help_is_told_how_it_is_used(option: str, status: int):
    done = subprocess.run(
        [*COMMAND, option],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=60,
        env=ENVIRONMENT,
    )
    told = done.stdout if status == 0 else done.stderr
    assert (done.returncode, told) == (status, USAGE)
    [example] = [line for line in USAGE.splitlines() if line.startswith("{")]
    assert answer_line(example.encode())["orders"][0]["result"] == ["succeeds"]


def test_the_door_needs_nothing_but_the_standard_library():
    program = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import judge.__main__
print([name for name in ('django', 'celery') if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "[]", "")


def test_the_next_state_is_the_next_question_until_the_year_is_over():
    """Retreats, a skipped phase, captured centres and builds, all by sending `next` back."""
    start = Position.start(load_variant("standard")).to_state()
    spring = {
        "Germany": ["A Berlin - Prussia", "A Munich - Silesia"],
        "Russia": ["A Warsaw - Galicia"],
    }
    fall = {"Germany": ["A Prussia - Warsaw", "A Silesia S A Prussia - Warsaw"]}
    [moved] = answers(start | {"orders": spring})
    assert moved["next"]["phase"] == "F1901M"
    [captured] = answers(moved["next"] | {"orders": fall})
    assert captured["next"]["phase"] == "W1901A"
    assert "Warsaw" in captured["next"]["centers"]["Germany"]
    assert "Warsaw" not in captured["next"]["centers"]["Russia"]
    [built] = answers(captured["next"] | {"orders": {"Germany": ["Build A Berlin"]}})
    assert built["next"]["phase"] == "S1902M"
    assert "A Berlin" in built["next"]["units"]["Germany"]
    automatic = [entry for entry in built["orders"] if entry.get("automatic")]
    assert [(entry["power"], entry["text"], entry["result"]) for entry in automatic] == [
        ("Russia", None, ["succeeds"])
    ]


def test_a_dislodged_unit_comes_back_with_the_places_it_may_retreat_to():
    line = {
        "phase": "S1901M",
        "units": {"Austria": ["A Venice"], "Italy": ["A Rome", "A Apulia"]},
        "orders": {"Italy": ["A Rome - Venice", "A Apulia S A Rome - Venice"]},
    }
    [answer] = answers(line)
    assert answer["next"]["phase"] == "S1901R"
    assert answer["next"]["dislodged"] == [
        {
            "power": "Austria",
            "unit": "A Venice",
            "retreats": ["Piedmont", "Trieste", "Tuscany", "Tyrolia"],
        }
    ]
    assert answer["next"]["units"] == {"Italy": ["A Apulia", "A Venice"]}


def test_one_line_with_two_orders_is_answered_twice():
    line = NORTH_SEA | {
        "orders": {"England": ["F North Sea - Norway"], "France": ["F Spa - Mid; A Par H"]}
    }
    [answer] = answers(line)
    french = [entry for entry in answer["orders"] if entry["power"] == "France"]
    assert french[0]["order"] == "F Spain(nc) - Mid-Atlantic Ocean"
    assert french[0]["result"] == ["succeeds"]
    assert french[1]["result"] == ["illegal"]


def test_a_question_may_leave_the_reasons_out():
    crowd = NORTH_SEA | {
        "units": {"England": ["F North Sea", "A Yorkshire"], "France": ["A Belgium"]},
        "orders": {"England": ["F North Sea - Picardy", "A Yorkshire Holds"], "France": []},
    }
    [full, short] = answers(crowd, crowd | {"reasons": False})
    assert any(entry["reason"] for entry in full["orders"])
    for entry in full["orders"]:
        del entry["reason"]
    assert short == full


def test_reasons_are_wanted_or_not():
    assert error_of(reasons="no") == 'Line 7: "reasons" must be true or false.'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["F North Sea Holds"] * 501, "has 501 lines; a power may write 500 at most."),
        (["x" * 1999] * 11, "has 21,989 characters; a power may write 20,000 at most."),
    ],
)
def test_more_lines_than_anybody_means_are_refused_in_one_sentence(lines, told):
    assert error_of(orders={"England": lines}) == f'Line 7: "orders" of England {told}'


def test_as_many_lines_as_are_allowed_are_answered_one_by_one():
    line = NORTH_SEA | {"orders": {"England": ["F North Sea Holds"] * 500}}
    assert [entry["text"] for entry in answer_line(json.dumps(line).encode())["orders"]] == [
        *["F North Sea Holds"] * 500,
        None,
    ]


def test_more_fields_or_edits_than_anybody_means_are_refused():
    assert error_of(**{f"mine{n}": n for n in range(1000)}).endswith("1000 are the most.")
    edits = {"difficult_borders_add": [["Par", "Bur"]] * 501}
    assert error_of(edits=edits).endswith("has more than 500 entries.")


@pytest.mark.parametrize("piece", ["A Par, ", "A Lodnon S A Par - Brt; "])
def test_rubbish_costs_no_more_than_the_patience_of_the_next_line(piece):
    lines = [(piece * 300)[: 2_000 - number] for number in range(10)]
    begun = process_time()
    answer_line(json.dumps(NORTH_SEA | {"orders": {"England": lines}}).encode())
    assert process_time() - begun < 20 / len(load_variant().powers)


def test_an_unreadable_line_is_illegal_and_has_no_canonical_order():
    [answer] = answers(NORTH_SEA | {"orders": {"England": ['F North Sea whistles "Dixie"']}})
    whistle, hold = answer["orders"][:2]
    assert whistle["order"] is None
    assert whistle["result"] == ["illegal"]
    assert whistle["reason"]
    assert (hold["text"], hold["order"]) == (None, "F North Sea Holds")


def test_the_name_of_a_line_is_echoed_or_null():
    nameless = {name: value for name, value in NORTH_SEA.items() if name != "id"}
    names = ["ünïcode 🌊", 17, ""]
    _, answers = run(nameless, *(NORTH_SEA | {"id": name} for name in names))
    assert [answer["id"] for answer in answers] == [None, *names]


BAD_LINES = {
    b"\n": "not JSON",
    b"{\n": "not JSON",
    b'"S1901M"\n': "not a JSON object",
    b"\xff\xfe\n": "not UTF-8 at byte 1",
    b'{"id": NaN}\n': "NaN is not a JSON",
    b'{"id": 1e999}\n': '"id" must be a string',
    b'{"id": {"a": 1}}\n': '"id" must be a string',
    b'{"id": true}\n': '"id" must be a string or a whole number',
    b"[" * 200_000 + b"\n": "nested too deeply",
    b'{"id": ' + b"9" * 10_000 + b"}\n": "too long",
    b'{"orders": {"England": [], "England": []}}\n': '"England" is there twice',
}


def test_a_line_that_is_no_proper_json_gets_one_sentence_and_the_next_its_answer():
    status, told = run(*(line for bad in BAD_LINES for line in (bad, NORTH_SEA)))
    assert status == 1
    for part, answer, after in zip(BAD_LINES.values(), told[::2], told[1::2], strict=True):
        assert part in answer["error"]
        assert answer["id"] is None
        assert "error" not in after


LONDON_BELGIUM = {
    "phase": "S1901M",
    "units": {
        "England": ["A London", "F North Sea", "F English Channel"],
        "France": ["F Brest", "F Irish Sea"],
    },
    "orders": {
        "England": ["A Lon - Bel", "F Nth C A Lon - Bel", "F Eng C A Lon - Bel"],
        "France": ["F Bre - Eng", "F Iri S F Bre - Eng"],
    },
}


@each_row(
    ("rules", "result"),
    [
        ("DATC", "succeeds"),
        ("1971", "fails"),
        ("1982", "succeeds"),
        ({"preset": "DATC", "4.A.1": "a"}, "fails"),
        ({"preset": "1971", "4.A.1": "b"}, "succeeds"),
        ({"4.A.1": "a"}, "fails"),
    ],
)
def test_rules_are_a_preset_or_single_issues_on_top_of_one(rules: object, result: str):
    """DATC 6.F.9: one of two routes is lost, which in 1971 was the end of the convoy."""
    answer = answer_line(json.dumps(LONDON_BELGIUM | {"rules": rules}).encode())
    assert answer["orders"][0]["result"] == [result]


def test_another_variant_has_its_own_powers_and_building_places():
    line = {
        "variant": "chaos",
        "phase": "W1901A",
        "units": {"Paris": ["A Burgundy"]},
        "centers": {"Paris": ["Paris", "Marseilles"]},
        "orders": {"Paris": ["Build A Marseilles"]},
    }
    answer = answer_line(json.dumps(line).encode())
    assert answer["orders"][0]["result"] == ["succeeds"]
    assert answer["next"]["units"] == {"Paris": ["A Burgundy", "A Marseilles"]}


def test_the_map_can_be_edited_for_one_position_and_no_other():
    """With a convoyable coast a fleet in Denmark takes an army along; without, it is illegal."""
    line = {
        "phase": "S1901M",
        "units": {"Germany": ["A Kiel", "F Denmark"]},
        "orders": {"Germany": ["A Kiel - Sweden", "F Denmark C A Kiel - Sweden"]},
    }
    edited = line | {"edits": {"convoyable_coasts_add": ["Denmark"]}}
    results = [
        [entry["result"] for entry in answer_line(json.dumps(asked).encode())["orders"][:2]]
        for asked in (line, edited, line)
    ]
    assert results == [
        [["illegal"], ["illegal"]],
        [["succeeds"], ["available"]],
        [["illegal"], ["illegal"]],
    ]


def test_a_border_added_for_fleets_is_no_way_for_an_army():
    units = {"Germany": ["A Berlin", "F Baltic Sea"]}
    edits = {"fleet_borders_add": [["Berlin", "Denmark"]]}
    for lines, end in (
        (["A Berlin - Denmark"], "A Berlin"),
        (["A Berlin - Denmark", "F Baltic Sea C A Berlin - Denmark"], "A Denmark"),
    ):
        question = NORTH_SEA | {"units": units, "edits": edits, "orders": {"Germany": lines}}
        answer = answer_line(json.dumps(question).encode())
        assert end in answer["next"]["units"]["Germany"]


def test_an_edit_that_makes_no_sense_is_named():
    assert "Atlantis" in error_of(edits={"convoyable_coasts_add": ["Atlantis"]})
    assert "moat" in error_of(edits={"moat": ["Sweden"]})
    assert "two places" in error_of(edits={"army_borders_add": [["Sweden"]]})
    assert "No fleet can stand in Paris" in error_of(edits={"convoyable_coasts_add": ["Paris"]})
    for kind, one, other, told in [
        ("army", "Paris", "Paris", "not Paris with itself"),
        ("army", "Brest", "North Sea", "No army can stand in North Sea"),
        ("army", "Gascony", "Spain(nc)", "No army can stand in Spain(nc)"),
        ("fleet", "Paris", "North Sea", "No fleet can stand in Paris"),
        ("fleet", "Spain", "North Sea", "No fleet can stand in Spain"),
        ("difficult", "Brest", "North Sea", "No army can stand in North Sea"),
    ]:
        assert told in error_of(edits={f"{kind}_borders_add": [[one, other]]})


def test_an_unknown_variant_is_named():
    assert "'mars'" in error_of(variant="mars")
    assert '"variant" must be the name' in error_of(variant=["standard"])
    assert "'../standard'" in error_of(variant="../standard")


@pytest.mark.parametrize(
    ("name", "meant"), [("rule", "rules"), ("Orders", "orders"), ("centres", "centers")]
)
def test_a_field_that_is_nearly_one_is_refused_with_the_one_meant(name: str, meant: str):
    """Adjudicated under other rules than those meant, the answer would be wrong and not look it."""
    assert f'There is no field "{name}"; do you mean "{meant}"?' in error_of(**{name: "1982"})


def test_a_field_of_the_senders_own_is_passed_over():
    fields = NORTH_SEA | {"comment": "from a table", "winner": None, "case": "6.A.1", "": 1}
    assert answer_line(json.dumps(fields).encode()) == answer_line(json.dumps(NORTH_SEA).encode())


def test_map_options_may_be_there_and_empty():
    assert "error" not in answer_line(json.dumps(NORTH_SEA | {"map_options": {}}).encode())


def test_the_variants_are_listed_with_their_map_options():
    answer = answer_line(b'{"id": 1, "list": "variants"}')
    by_name = {one["name"]: one for one in answer["variants"]}
    assert by_name["standard"]["designer"] == "Allan B. Calhamer"
    assert by_name["standard"]["map_options"] == {}
    bridges = by_name["colonial"]["map_options"]["land_bridges"]
    assert bridges["default"] == "second_print"
    assert set(bridges["choices"]) >= {"first_print", "hawes", "moulmein"}
    assert "error" in answer_line(b'{"list": "rules"}')


@each_row(
    ("choice", "otaru", "vladivostok", "akita"),
    [
        ("second_print", "succeeds", "illegal", "illegal"),
        ("first_print", "illegal", "illegal", "illegal"),
        ("hawes", "illegal", "succeeds", "illegal"),
        ("moulmein", "succeeds", "illegal", "succeeds"),
        ("njudge_colonial96", "succeeds", "succeeds", "illegal"),
    ],
)
def test_the_land_bridges_of_colonial_are_a_map_option(
    choice: str, otaru: str, vladivostok: str, akita: str
):
    for start, end, word in (
        ("Otaru", "Sakhalin", otaru),
        ("Vladivostok", "Sakhalin", vladivostok),
        ("Akita", "Otaru", akita),
    ):
        fields = {
            "variant": "colonial",
            "map_options": {"land_bridges": choice},
            "phase": "S1870M",
            "units": {"Japan": [f"A {start}"]},
            "orders": {"Japan": [f"A {start} - {end}"]},
        }
        entry = answer_line(json.dumps(fields).encode())["orders"][0]
        assert entry["result"] == [word]


def test_a_map_option_that_there_is_not_is_named_with_those_there_are():
    assert "land_bridges" in error_of(variant="colonial", map_options={"bridges": "hawes"})
    assert "moulmein" in error_of(variant="colonial", map_options={"land_bridges": "oz"})
    assert "map_options" in error_of(map_options=["hawes"])


def test_an_unknown_rulebook_is_named():
    assert "1863" in error_of(rules="1863")
    assert "4.Z.1" in error_of(rules={"preset": "DATC", "4.Z.1": "a"})
    assert '"rules" must be' in error_of(rules=7)


def test_what_cannot_be_on_a_board_is_named():
    assert "Mars" in error_of(units={"Mars": ["A Paris"]})
    assert "cannot both stand" in error_of(
        units={"England": ["A Spain"], "France": ["F Spain(nc)"]}
    )
    assert "Atlantis" in error_of(units={"England": ["F Atlantis"]})
    assert "cannot stand in Paris" in error_of(units={"France": ["F Paris"]})
    assert "coast" in error_of(units={"France": ["F Spain"]})
    assert "Burgundy" in error_of(centers={"France": ["Burgundy"]})
    assert "belongs to" in error_of(centers={"France": ["Brest"], "England": ["Brest"]})
    assert "not a retreat phase" in error_of(
        dislodged=[{"power": "France", "unit": "A Paris", "retreats": []}]
    )


def test_a_missing_or_wrong_phase_is_named():
    assert "X1901M" in error_of(phase="X1901M")
    assert "S1901A" in error_of(phase="S1901A")
    without = {name: value for name, value in NORTH_SEA.items() if name != "phase"}
    assert "phase is missing" in answer_line(json.dumps(without).encode())["error"]


def test_fields_of_the_wrong_shape_are_named():
    assert '"orders" must be an object' in error_of(orders=["F North Sea - Norway"])
    assert '"orders" of England must be a list' in error_of(
        orders={"England": "F North Sea - Norway"}
    )
    assert '"orders" of England must be a list' in error_of(orders={"England": [None]})
    assert "'Mars', which is not a power" in error_of(orders={"Mars": []})
    assert "units" in error_of(units=["F North Sea"])
    assert "must be a list" in error_of(units={"England": "F North Sea"})
    assert '"edits" must be an object' in error_of(edits=["Sweden"])
    assert "map_options" in error_of(map_options={"land_bridges": "hawes"})


def test_powers_may_be_written_in_any_case():
    fields = NORTH_SEA | {"units": {"ENGLAND": ["F North Sea"]}, "orders": {"england": ["hold"]}}
    [answer] = answer_line(json.dumps(fields).encode())["orders"][-1:]
    assert answer["power"] == "England"
    assert '"orders" has England twice' in error_of(orders={"England": [], "ENGLAND": []})


def test_an_error_says_on_which_line_it_is():
    assert error_of(variant="mars").startswith("Line 7: ")


@pytest.mark.parametrize("field", ["variant", "rules", "phase"])
def test_an_error_quotes_no_megabytes(field: str):
    told = error_of(**{field: "x" * 1_000_000})
    assert told.startswith("Line 7: There is no " if field != "phase" else "Line 7: “xxx")
    assert len(told) < 1100
    assert "x…" in told or "…x" in told


def odd_lines() -> Iterator[st.SearchStrategy[bytes]]:
    """Arbitrary bytes, arbitrary JSON, and the North Sea line with one field replaced."""
    values = st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
        ),
        max_leaves=8,
    )
    names = ["id", "variant", "rules", "phase", "units", "centers", "dislodged", "orders", "edits"]
    yield st.binary(max_size=80)
    yield values.map(lambda value: json.dumps(value).encode())
    yield st.tuples(st.sampled_from(names), values).map(
        lambda change: json.dumps(NORTH_SEA | {change[0]: change[1]}).encode()
    )


@times(3)
@given(st.one_of(*odd_lines()))
def test_whatever_is_sent_is_answered_and_never_by_a_fault(line: bytes):
    answer = answer_line(line)
    assert "judge itself failed" not in answer.get("error", "")
    json.dumps(answer, allow_nan=False)


@each_row("reasons", [True, False])
@each_row(
    "changes",
    [
        {
            "orders": {
                "England": ["F Nth - Lon", 'say "Dixie" \\ \n\u007f', "Łódź \U0001f600 \ud800"]
            }
        },
        {"id": 'é"', "orders": {"France": ["all units hold"]}},
        {"id": None, "phase": "W1901A", "units": {"England": ["F North Sea"]}, "orders": {}},
        {"units": {}, "orders": {}},
        {"variant": "colonial", "phase": "S1870M", "units": {"Russia": ["A Moscow"]}}
        | {"orders": {"Russia": ["A Moscow - TSR - Vladivostok"]}},
    ],
)
def test_an_answer_is_written_as_json_would_write_it(changes: dict[str, Any], reasons: bool):
    text, status = answer_text(json.dumps(NORTH_SEA | changes | {"reasons": reasons}).encode())
    assert status == 0
    assert json.dumps(json.loads(text)) == text
    assert all(("reason" in entry) is reasons for entry in json.loads(text)["orders"])


@each_row("line", ["F Nth – Lon", "F Nth - Lon\\", "F Nth\t- Lon", "“F North Sea - London”"])
def test_a_line_that_counts_is_written_as_json_would_write_it(line: str):
    question = NORTH_SEA | {"units": {"England": ["F North Sea"]}}
    question |= {"orders": {"England": [line]}}
    for is_ascii in (True, False):
        text, status = answer_text(json.dumps(question, ensure_ascii=is_ascii).encode())
        assert (json.dumps(json.loads(text)), status) == (text, 0)
        assert json.loads(text)["orders"][0]["order"] == "F North Sea - London"


@each_row(
    "line",
    [
        "F Nth &quot;- Lon&quot;; F Edi H",
        "F Nth &#92;- Lon; F Edi H",
        "F Nth - L&ouml;ndon; F Edi H",
    ],
)
def test_orders_read_from_html_are_written_as_json_would_write_them(line: str):
    question = NORTH_SEA | {"units": {"England": ["F North Sea", "F Edinburgh"]}}
    text, status = answer_text(json.dumps(question | {"orders": {"England": [line]}}).encode())
    assert (json.dumps(json.loads(text)), status) == (text, 0)


@each_row("power", ["France", "", 'C"', "E\\", "\x7f", "\n", "Ö", '", "'])
def test_a_state_names_powers_units_and_centres_as_json_writes_them(power: str):
    france = load_variant("standard")
    france = replace(france, by_name={power: france.by_name["France"]})
    paris, brest = (france.board.location(france.board.province(id)) for id in ("par", "bre"))
    units = (Unit("F", brest, power), Unit("A", paris, power))
    centers = {paris.province: power, brest.province: power}
    dislodged = (Dislodged(units[0], ()), Dislodged(units[1], (brest,)))
    position = Position(france, Phase.parse("S1901R"), units, centers, dislodged)
    assert france.has_plain_names is (power in ("France", ""))
    for _ in range(2):
        assert state_text(position, france.has_plain_names) == json.dumps(position.to_state())


def test_a_name_beyond_ascii_is_written_as_json_would_write_it_though_the_question_has_none():
    standard = load_variant("standard")
    named = (
        replace(one, name="Orléans") if one.id == "par" else one for one in standard.board.provinces
    )
    gaul = replace(standard.on_board(standard.board.changed(provinces=named)), name="gaul")
    question = {"variant": "gaul", "phase": "S1901M", "units": {"France": ["A par", "F bre"]}}
    question |= {"orders": {"France": ["A par H", "F bre - mid"]}}
    text, status = answer_text(json.dumps(question).encode(), own={"gaul": gaul})
    assert (json.dumps(json.loads(text)), status) == (text, 0)
    assert json.loads(text)["next"]["units"] == {"France": ["A Orléans", "F Mid-Atlantic Ocean"]}


def test_answers_are_the_same_whether_or_not_json_would_change_a_text_in_the_question():
    rng, position, by_columns = Random(1959), Position.start(load_variant("standard")), 0
    for _ in range(30):
        orders = random_orders(position, rng)
        lines = {power: [str(order) for order in given] for power, given in orders.items()}
        if rng.random() < 0.3:
            lines["Italy"] = [*lines.get("Italy", ()), "a ven h", "A Paris - Burgundy", "?"]
            lines.pop("Turkey")
        for reasons in (True, False):
            question = {"id": "é", **position.to_state(), "orders": lines, "reasons": reasons}
            escaped = answer_text(json.dumps(question).encode())
            plain = answer_text(json.dumps(question | {"id": "e"}).encode())
            assert plain == (escaped[0].replace("\\u00e9", "e", 1), 0)
        outcome = adjudicate(position, lines)
        by_columns += outcome.columns() is not None
        position = outcome.next
    assert 8 <= by_columns <= 22
