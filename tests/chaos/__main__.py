"""Kill everything at random for some minutes, then count; exit 1 when something was lost."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psycopg

from tests.chaos import gather
from tests.chaos.count import Count, Whose, counts
from tests.chaos.storm import History, Weather
from tests.chaos.world import GM, JUDGE, PLAYERS, World

MOST_SHOWN = 10


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="of storms and calms: 60")
    parser.add_argument("--seed", type=int, default=1901, help="of the kills: 1901")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    print(f"{given.minutes:g} minutes, seed {given.seed}, in {folder}", flush=True)
    found, history = run(folder, given.minutes, given.seed)
    lost = report(found, history)
    if lost:
        print(f"The logs are in {folder}.")
    else:
        shutil.rmtree(folder)
    return 1 if lost else 0


def run(folder: Path, minutes: float, seed: int) -> tuple[list[Count], History]:
    """Let it storm, wait until all is done, and count."""
    begun = time.monotonic()

    def say(sentence: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {sentence}", flush=True)

    with World(folder, seed) as world:
        weather = Weather(world, seed, say)
        weather.blow(minutes * 60)
        weather.settle(lambda: settled(world))
        say("counting")
        facts = gather.gather(world, weather.history.calms)
        weather.history.relay_faults = faults_of_relay(facts.logs["relay"])
        found = counts(facts, Whose(judge=JUDGE, gm=GM, players=PLAYERS))
    return found, weather.history


def faults_of_relay(log: str) -> list[str]:
    """What it did wrong, as `relay.py` writes it: "lost-250", "451", …"""
    lines = (line.partition("fault ") for line in log.splitlines())
    return [what for before, word, what in lines if word and not before]


def settled(world: World) -> bool:
    """Whether the players have nothing to send and the server has nothing to do."""
    if world.players_write():
        return False
    try:
        return not any(gather.undone(world))
    except psycopg.OperationalError:
        return False


def report(found: list[Count], history: History) -> bool:
    """Print what was counted; whether anything was lost."""
    print(f"\nkills: {len(history.kills)}")
    _print_tally(history.kills)
    print(f"ended by themselves, started again: {len(history.endings)}")
    _print_tally(history.endings)
    print(f"faults of the relay: {len(history.relay_faults)}")
    _print_tally(history.relay_faults)
    print(f"calms of a minute and more: {len(history.calms)}\n")
    for count in found:
        _print_count(count)
    for fault in history.faults:
        print(f"FAILED {fault}")
    lost = bool(history.faults) or any(count.faults for count in found)
    print("\nSomething was lost, doubled or late." if lost else "\nNothing was lost.")
    return lost


def _print_tally(names: list[str]) -> None:
    for name, times in Counter(names).most_common():
        print(f"  {times:4} {name}")


def _print_count(count: Count) -> None:
    print(f"{'FAILED' if count.faults else 'ok':6} {count.cases:6} {count.what}")
    more = len(count.faults) - MOST_SHOWN
    remarks = [f"({count.remark})"] if count.remark else []
    remarks += count.faults[:MOST_SHOWN]
    remarks += [f"… and {more} more"] if more > 0 else []
    for remark in remarks:
        print(f"{'':14}{remark}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
    sys.exit(main())
