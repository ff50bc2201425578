"""What the end of a game is worth to each power, by the system that the game names.

Pure, and in fractions: a score is rounded only when it is written. Where the sources of a system
differ, its summary says what is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.errors import BadInput
from games.scoring import formulas
from games.scoring.score_input import Final, Scores


@dataclass(frozen=True, slots=True)
class System:
    """A scoring system: its title, and in one line what it gives."""

    title: str
    summary: str
    scores: Callable[[Final], Scores]


def score(system: str, final: Final) -> Scores:
    """Return the score of every power; nobody has one when the game ended without a result."""
    return system_named(system).scores(final) if final.winners else {}


def system_named(name: str) -> System:
    """Return the system of that name. Raises BadInput with the names there are."""
    if name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise BadInput(f"There is no scoring system “{name}”. There are: {known}.")
    return SYSTEMS[name]


def written(score: Fraction) -> str:
    """Write a score with two decimals at most: 38.46, 17.2, 100, -60."""
    hundredths = round(score * 100)
    sign = "-" if hundredths < 0 else ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{rest:02}".rstrip("0").rstrip(".")


SYSTEMS: Mapping[str, System] = {
    "draw-size": System(
        "Draw size (Calhamer)",
        "100 points, shared equally by those who win or draw.",
        formulas.draw_size,
    ),
    "wta": System(
        "Winner takes all", "The same points as draw-size by another name.", formulas.draw_size
    ),
    "sum-of-squares": System(
        "Sum of squares",
        "A solo 100; else 100 points by the squares of the centres, unrounded.",
        formulas.sum_of_squares,
    ),
    "dptg": System(
        "Diplomacy Player's Technical Guide",
        "Sums to nothing: win 360; draws of 2 to 7: 150, 80, 45, 24, 10, 0; loss -60.",
        formulas.dptg,
    ),
    "njudge": System(
        "njudge's hall of fame",
        "Losers divided by winners: win 6; draws of 2, 3, 4 …: 2.5, 1.33, 0.75 …; loss 0.",
        formulas.njudge,
    ),
    "c-diplo-100": System(
        "C-Diplo 100",
        "A solo 100, the others 0; else 1 for playing, 1 a centre, and 38, 14, 7 to the top three.",
        formulas.places(100, 1, 38, 14, 7),
    ),
    "c-diplo-80": System(
        "C-Diplo 80",
        "A solo 80, the others 0; else 1 a centre, and 25, 14, 7 to the top three.",
        formulas.places(80, 0, 25, 14, 7),
    ),
    "carnage": System(
        "Carnage",
        "7000, 6000 … 1000 by rank (the eliminated by their year) and 1 a centre; a solo takes all "
        "28034.",
        formulas.carnage,
    ),
    "carnage-centers": System(
        "Carnage by centres",
        "7007, 6006 … 1001 by rank and 500 a centre; a solo 39028, the others 1000 each.",
        formulas.carnage_centers,
    ),
    "tribute": System(
        "Tribute",
        "A solo 100; else 1 a centre, 66 shared by the survivors, who pay the leaders 1 for each "
        "centre of theirs beyond 6.",
        formulas.tribute,
    ),
    "open-tribute": System(
        "OpenTribute",
        "A solo 340; else survivors have 34 and 3 a centre, and all pay the leaders 1 for each "
        "centre they are behind.",
        formulas.open_tribute,
    ),
    "bangkok": System(
        "Bangkok",
        "A solo 41, the others 0.5 a centre; else 1 a centre, 3 for surviving, 12 shared 3:2:1 by "
        "those 0, 1, 2 centres off the top; eliminated 0.3 for each year survived before the last.",
        formulas.bangkok,
    ),
    "manorcon": System(
        "ManorCon",
        "A solo 75; else 100 points by centres squared + 4 centres + 16; whoever is eliminated, or "
        "loses to a solo, 0.1 for each year survived before the last.",
        formulas.manorcon,
    ),
    "dixiecon": System(
        "Dixiecon",
        "270, 70, 50, 34, 20, 10, 0 by rank, those of the draw sharing the first places, and 4 a "
        "centre.",
        formulas.dixiecon,
    ),
    "world-classic": System(
        "World Classic",
        "A solo 420; else survivors have 30 and 10 a centre, the leaders 48; the others 1 for each "
        "year survived before the last.",
        formulas.world_classic,
    ),
    "southern-sun": System(
        "Southern Sun",
        "A solo 500; else survivors have 30, 10 a centre, and 130, 80, 50, 30, 20, 10, 10 by rank "
        "(rounded); eliminated 3 a year.",
        formulas.southern_sun,
    ),
    "sydney-league": System(
        "Sydney League",
        "700, 600 … 100 by rank, 25 a centre, eliminated 1 a year; after a solo the winner's half "
        "as much again, the others' halved.",
        formulas.sydney,
    ),
    "omg": System(
        "Open Mind the Gap",
        "A solo 100; else 1.5 a centre, 9 for surviving, 4.5, 3, 1.5 to the top three; all pay "
        "the leader the lead, at most half of what they have.",
        formulas.omg,
    ),
    "duct-tape": System(
        "Duct Tape V2",
        "A solo 75; else 1 a centre, and 40, 24, 15, 9, 6, 3, 3 by rank, the eliminated sharing.",
        formulas.places(75, 0, 40, 24, 15, 9, 6, 3, 3),
    ),
    "unranked": System("Unranked", "Nothing is scored.", formulas.unranked),
}
"""Every system by the name that a game's setting has."""
