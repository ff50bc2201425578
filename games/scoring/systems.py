"""What the end of a game is worth to each power, by the system that the game names.

Pure, and in fractions: a score is rounded only when it is written. Where the sources of a system
differ, docs/gms.md says what is done here.
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
    """A scoring system: its title, and in a few sentences what it gives a solo, a draw and the
    rest, for somebody who has never scored a game."""

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


def score_text(score: Fraction) -> str:
    """Write a score with two decimals at most: 38.46, 17.2, 100, -60."""
    hundredths = round(score * 100)
    sign = "-" if hundredths < 0 else ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{rest:02}".rstrip("0").rstrip(".")


UNRANKED = "unranked"
"""The name of the system by which nothing is scored."""
_RANKED = "all powers rank by centres, those without by how long they lasted"

SYSTEMS: Mapping[str, System] = {
    "draw-size": System(
        "Draw size (Calhamer)",
        "A solo wins 100 points, and those in a draw share them equally. Everybody else gets "
        "nothing, however many centres they have.",
        formulas.draw_size,
    ),
    "wta": System(
        "Winner takes all",
        "It is Draw size by another name: a solo wins 100 points, and those in a draw share them "
        "equally. Everybody else gets nothing.",
        formulas.draw_size,
    ),
    "sum-of-squares": System(
        "Sum of squares",
        "A solo wins 100 points, the others nothing. In a draw all powers, in it or not, share 100 "
        "in proportion to the squares of their centres: 10 centres get 4 times as much as 5.",
        formulas.sum_of_squares,
    ),
    "dptg": System(
        "Diplomacy Player's Technical Guide",
        "Each power puts in 60 points; a solo takes them all, or those in a draw share them "
        "equally. Of seven powers a solo gains 360, each of two in a draw 150, and everybody else "
        "loses 60.",
        formulas.dptg,
    ),
    "njudge": System(
        "njudge's hall of fame",
        "A solo gets 1 point for each power beaten: 6 of seven. Those in a draw share a point for "
        "each power left out: two get 2.5 each. Everybody else gets nothing.",
        formulas.njudge,
    ),
    "c-diplo-100": System(
        "C-Diplo 100",
        "A solo wins 100 points, the others nothing. In a draw every power, in it or not, gets 1 "
        "point for playing and 1 for each centre; the three largest get 38, 14 and 7 more.",
        formulas.places(100, 1, 38, 14, 7),
    ),
    "c-diplo-80": System(
        "C-Diplo 80",
        "A solo wins 80 points, the others nothing. In a draw every power, in it or not, gets 1 "
        "point for each centre; the three largest get 25, 14 and 7 more.",
        formulas.places(80, 0, 25, 14, 7),
    ),
    "carnage": System(
        "Carnage",
        f"A solo takes all the points: 28034 on the standard map. In a draw {_RANKED}: 7000 points "
        "for the first of seven, 6000 for the next, down to 1000, and 1 for each centre.",
        formulas.carnage,
    ),
    "carnage-centers": System(
        "Carnage by centres",
        f"On the standard map a solo wins 39028 points, the others 1000 each. In a draw {_RANKED}: "
        "7007 points for the first of seven, 6006 for the next, down to 1001, and 500 for each "
        "centre.",
        formulas.carnage_centers,
    ),
    "tribute": System(
        "Tribute",
        "A solo wins 100 points, the others nothing. In a draw the survivors share 66 points and "
        "get 1 for each centre. Then each pays the largest power 1 for every centre that this one "
        "has beyond 6, but no more than a share of the 66.",
        formulas.tribute,
    ),
    "open-tribute": System(
        "OpenTribute",
        "A solo wins 340 points, the others nothing. In a draw each survivor gets 34 points and 3 "
        "for each centre, and pays the largest power 1 for each centre it is behind. The "
        "eliminated get nothing, but the largest is paid for them, too.",
        formulas.open_tribute,
    ),
    "bangkok": System(
        "Bangkok",
        "A solo wins 41 points, the others 0.5 for each centre. In a draw each survivor gets 3 "
        "points and 1 for each centre; 12 more are shared as 3 to 2 to 1 by the largest and those "
        "1 and 2 centres behind. The eliminated get 0.3 for each year they survived.",
        formulas.bangkok,
    ),
    "manorcon": System(
        "ManorCon",
        "A solo wins 75 points. In a draw 100 points are shared out in proportion to each power's "
        "centres squared, plus 4 times its centres, plus 16. The eliminated, and all who lose to a "
        "solo, get only 0.1 for each year they survived.",
        formulas.manorcon,
    ),
    "dixiecon": System(
        "Dixiecon",
        "A solo takes the first place, or those in a draw share the first places; the others "
        "follow by centres, then by how long they lasted. Places are worth 270, 70, 50, 34, 20, 10 "
        "and 0 points, and each centre 4 more.",
        formulas.dixiecon,
    ),
    "world-classic": System(
        "World Classic",
        "A solo wins 420 points. In a draw each survivor gets 30 points and 10 for each centre, "
        "and the largest 48 more. The eliminated, and all who lose to a solo, get 1 for each year "
        "they survived.",
        formulas.world_classic,
    ),
    "southern-sun": System(
        "Southern Sun",
        "A solo wins 500 points, the others nothing. In a draw each survivor gets 30 points, 10 "
        "for each centre, and by rank 130, 80, 50, 30, 20, 10 or 10; equals share, rounded. The "
        "eliminated get 3 for each year up to their last.",
        formulas.southern_sun,
    ),
    "sydney-league": System(
        "Sydney League",
        f"At the end {_RANKED}: 700 points for the first of seven, 600 for the next, down to 100, "
        "25 for each centre, and for the eliminated 1 for each year up to their last. A solo then "
        "gets half as much again, and the others half.",
        formulas.sydney,
    ),
    "omg": System(
        "Open Mind the Gap",
        "A solo wins 100 points, the others nothing. In a draw each power gets 1.5 points for each "
        "centre, 9 if it survives, and the three largest 4.5, 3 and 1.5 more. Then the "
        "largest takes from each a point for every centre of its lead, but at most half of what "
        "they have.",
        formulas.omg,
    ),
    "duct-tape": System(
        "Duct Tape V2",
        "A solo wins 75 points, the others nothing. In a draw every power, in it or not, gets 1 "
        "point for each centre, and by rank 40, 24, 15, 9, 6, 3 or 3; equals share.",
        formulas.places(75, 0, 40, 24, 15, 9, 6, 3, 3),
    ),
    UNRANKED: System("Unranked", "Nothing is scored.", formulas.unranked),
}
"""Every system by the name that a game's setting has."""
