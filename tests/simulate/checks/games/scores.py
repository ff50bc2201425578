"""What the end of a game is worth, worked out from the board: all read the same, and it adds up."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from fractions import Fraction

from tests.simulate.checks.evidence import Broken, Evidence

Centres = Mapping[str, int]
Formula = Callable[[str, Centres, list[str]], Fraction | int]

TABLE = re.compile(r"^THE SCORE\n\n(.*?)^[A-Z ,]+$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^(\w+): (-?[\d.]+) points?, (?:(\d+) centre|nothing)", re.MULTILINE)
ROUNDED = Fraction(1, 100)


def _shared(power: str, centres: Centres, winners: list[str]) -> Fraction | int:
    return Fraction(100, len(winners)) if power in winners else 0


def _squares(power: str, centres: Centres, winners: list[str]) -> Fraction | int:
    if len(winners) == 1:
        return 100 if power in winners else 0
    return Fraction(100 * centres[power] ** 2, sum(one**2 for one in centres.values()))


def _pot(power: str, centres: Centres, winners: list[str]) -> Fraction | int:
    return (Fraction(60 * len(centres), len(winners)) if power in winners else 0) - 60


def _from_losers(power: str, centres: Centres, winners: list[str]) -> Fraction | int:
    losers = len(centres) - len(winners)
    return Fraction(losers, len(winners)) if power in winners else 0


FORMULAS: Mapping[str, Formula] = {
    "draw-size": _shared,
    "wta": _shared,
    "sum-of-squares": _squares,
    "dptg": _pot,
    "njudge": _from_losers,
}


def mail(seen: Evidence, mail: sqlite3.Row) -> None:
    """Check a mail that was queued in the last step. Raises Broken."""
    if mail["kind"] != "game_finished" or not (table := TABLE.search(mail["body"])):
        return
    query = """
        select game.* from games_game game join games_event event on event.game_id = game.id
         where event.id = ?
    """
    [game] = seen.rows(query, mail["event_id"])
    winners = json.loads(game["winners"])
    if game["scoring"] not in FORMULAS or not winners:
        return
    centres = _centres(seen, game["id"])
    said = {power: (Fraction(points), int(n or 0)) for power, points, n in LINE.findall(table[1])}
    what = f"the mail {mail['subject']!r} to {mail['recipient']} scores {said}"
    if {power: n for power, (_, n) in said.items()} != centres:
        raise Broken(f"{what}, and the centres are {centres}")
    for power, (points, _) in said.items():
        due = FORMULAS[game["scoring"]](power, centres, winners)
        if abs(points - due) >= ROUNDED:
            raise Broken(f"{what}, and {power} should have scored {float(due)}")


def _centres(seen: Evidence, game: int) -> dict[str, int]:
    query = """select position, outcome from games_phase where game_id = ? and status != 'undone'
                order by number desc limit 1"""
    [last] = seen.rows(query, game)
    board = json.loads(last["outcome"])["next"] if last["outcome"] else json.loads(last["position"])
    powers = seen.rows("select name from games_power where game_id = ?", game)
    return {row["name"]: len(board["centers"].get(row["name"], ())) for row in powers}
