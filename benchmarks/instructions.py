"""How many machine instructions the judge takes for each part of a phase, whatever else runs.

    python -m benchmarks.instructions                   (this checkout)
    python -m benchmarks.instructions --against main~5  (a revision beside it)

Times on a busy machine differ by a tenth from run to run; instructions, counted by valgrind's
callgrind, by less than one in fifty. But instructions are not times: they say whether a change
makes the judge faster, and `benchmarks.judge` says by how much. Takes half a minute for each
revision.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.standard_pays import ROOT, unpack
from benchmarks.turns import mid_game

WARM_UP, MEASURED = 40, 60
SUMMARY = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)

# It runs in a process of its own, on the judge of either revision. It calls `os.getppid`, as
# nothing else does, where callgrind should write down what it has counted and begin again.
WORKER = """
import gc, io, json, os, sys
from judge import DATC, Position, load_variant
from judge.adjudicate import adjudicate_sheets, checked_sheets
from judge.jsonl import serve
warm_up, turns = json.load(sys.stdin)
variant = load_variant("standard")
gc.disable()
done = []
def stage(name, work, prepared):
    for one in prepared[:warm_up]:
        work(*one)
    os.getppid()
    for one in prepared[warm_up:]:
        work(*one)
    os.getppid()
    done.append(name)
def fresh():
    return [Position.from_state(variant, state) for state, _ in turns]
def asked(**more):
    return [(json.dumps({**state, "orders": lines, **more}).encode(),) for state, lines in turns]
fresh()
lines = [lines for _, lines in turns]
stage("reading a state", lambda state, _: Position.from_state(variant, state), turns)
read = lambda position, lines: checked_sheets(position, lines, DATC)
stage("reading new lines", read, list(zip(fresh(), lines)))
stage("reading known lines", read, list(zip(fresh(), lines)))
ready = [(position, read(position, lines)) for position, lines in zip(fresh(), lines)]
outcomes = []
stage("adjudicating", lambda *one: outcomes.append((adjudicate_sheets(*one),)), ready)
stage("words", lambda outcome: outcome.words, outcomes)
again = [(adjudicate_sheets(*one),) for one in ready]
stage("results with reasons", lambda outcome: outcome.results, again)
again = [(adjudicate_sheets(*one),) for one in ready]
stage("results without", lambda outcome: outcome.results_without_reasons(), again)
stage("the next state", lambda outcome: outcome.next.to_state(), again)
stage("door, known lines", lambda line: serve([line], io.BytesIO()), asked())
stage("door, no reasons", lambda line: serve([line], io.BytesIO()), asked(reasons=False))
print(json.dumps(done))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--against", help="a revision before")
    given = options.parse_args()
    turns = mid_game(WARM_UP + MEASURED)
    told = json.dumps([WARM_UP, [(turn.position.to_state(), turn.texts) for turn in turns]])
    now = counted(ROOT, told)
    before = now
    if given.against:
        with tempfile.TemporaryDirectory() as folder:
            unpack(given.against, Path(folder))
            before = counted(Path(folder), told)
    print(f"{'thousands of instructions a phase':36}{given.against or '':>10}{'now':>10}")
    for name, number in now.items():
        share = f"{number / before[name]:9.3f}" if given.against else ""
        print(f"{name:36}{before[name] / 1000:10.1f}{number / 1000:10.1f}{share}")


def counted(root: Path, told: str) -> dict[str, float]:
    """Return the instructions that a phase takes in each part of the judge in that folder."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", "--dump-before=getppid"]
        command += [f"--callgrind-out-file={out}", sys.executable, "-c", WORKER]
        env = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
        ran = subprocess.run(command, input=told, capture_output=True, text=True, env=env, cwd=root)
        if ran.returncode:
            raise SystemExit(ran.stderr)
        # The first dump has all that comes before the first part, the second that part, the third
        # what lies between it and the next.
        return {
            name: total(out.with_name(f"out.{2 * at + 2}")) / MEASURED
            for at, name in enumerate(json.loads(ran.stdout))
        }


def total(dump: Path) -> int:
    """Return the instructions of one dump of callgrind."""
    found = SUMMARY.search(dump.read_text())
    if found is None:
        raise SystemExit(f"{dump} has no total.")
    return int(found[1])


if __name__ == "__main__":
    main()
