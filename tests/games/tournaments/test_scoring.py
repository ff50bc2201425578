"""The scoring systems against their sources' figures, and what must hold of every final position.

The two boards and their scores are those on which two independent implementations agree; of
Bangkok's two readings it is the lower one, where a year counts once it is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.scoring.score_input import Final
from games.scoring.systems import SYSTEMS, score, score_text, system_named

POWERS = "AEFGIRT"


def board(centers: str, out: dict[str, int], years: int = 8, winners: str = "") -> Final:
    """Read "0 10 8 0 4 4 8" as the centres of A, E, F, G, I, R, T; no winners: all survivors."""
    counts = dict(zip(POWERS, map(int, centers.split()), strict=True))
    sharing = tuple(winners or (power for power in POWERS if counts[power]))
    return Final(counts, sharing, out, years)


FIRST = board("0 10 8 0 4 4 8", {"A": 3, "G": 5})
SECOND = board("1 8 7 0 4 8 6", {"G": 6})
SOLO = board("0 18 8 0 0 4 4", {"A": 3, "G": 5, "I": 7}, years=9, winners="E")

DRAWS = {
    # in turn A, E, F, G, I, R, T: on the first board, and on the second
    "draw-size": ("0 20 20 0 20 20 20", "16.67 16.67 16.67 0 16.67 16.67 16.67"),
    "wta": ("0 20 20 0 20 20 20", "16.67 16.67 16.67 0 16.67 16.67 16.67"),
    "sum-of-squares": (
        "0 38.46 24.62 0 6.15 6.15 24.62",
        "0.43 27.83 21.3 0 6.96 27.83 15.65",
    ),
    "carnage": (
        "1000 7010 5508 2000 3504 3504 5508",
        "2001 6508 5007 1000 3004 6508 4006",
    ),
    "c-diplo-100": ("1 49 19.5 1 5 5 19.5", "2 35 15 1 5 35 7"),
    "tribute": ("0 39.2 17.2 0 13.2 13.2 17.2", "10 23 16 0 13 23 15"),
    "open-tribute": ("0 100 56 0 40 40 56", "30 63 54 0 42 63 50"),
    "bangkok": ("0.6 20.2 13.4 1.2 7 7 13.4", "4 15 12.67 1.5 7 15 10.33"),
    "manorcon": (
        "0.2 30.71 22.05 0.4 9.45 9.45 22.05",
        "4.39 23.43 19.46 0.5 10.04 23.43 15.9",
    ),
    "dixiecon": (
        "0 128.8 120.8 10 104.8 104.8 120.8",
        "79.67 107.67 103.67 0 91.67 107.67 99.67",
    ),
}

SOLOS = {
    "draw-size": "0 100 0 0 0 0 0",
    "sum-of-squares": "0 100 0 0 0 0 0",
    "dptg": "-60 360 -60 -60 -60 -60 -60",
    "njudge": "0 6 0 0 0 0 0",
    "c-diplo-100": "0 100 0 0 0 0 0",
    "c-diplo-80": "0 80 0 0 0 0 0",
    "carnage": "0 28034 0 0 0 0 0",
    "carnage-centers": "1000 39028 1000 1000 1000 1000 1000",
    "tribute": "0 100 0 0 0 0 0",
    "open-tribute": "0 340 0 0 0 0 0",
    "bangkok": "0 41 4 0 0 2 2",
    "manorcon": "0.2 75 0.8 0.4 0.6 0.8 0.8",
    "world-classic": "2 420 8 4 6 8 8",
    "southern-sun": "0 500 0 0 0 0 0",
    "omg": "0 100 0 0 0 0 0",
    "duct-tape": "0 75 0 0 0 0 0",
    "unranked": "0 0 0 0 0 0 0",
    # 270 and 72; the others by centres and year of elimination
    "dixiecon": "0 342 102 10 20 58 58",
    # 700 and 450, half as much again; 600 and 200 halved, the eliminated 1 a year on top
    "sydney-league": "51.5 1725 400 102.5 153.5 275 275",
}


def scores(system: str, final: Final) -> str:
    """The scores as they are written, in the powers' turn."""
    given = score(system, final)
    return " ".join(score_text(given[power]) for power in POWERS)


@pytest.mark.parametrize("system", DRAWS)
def test_a_draw_is_scored_as_the_sources_have_it(system):
    assert (scores(system, FIRST), scores(system, SECOND)) == DRAWS[system]


@pytest.mark.parametrize("system", SOLOS)
def test_a_solo_is_scored_as_the_sources_have_it(system):
    assert scores(system, SOLO) == SOLOS[system]


@pytest.mark.parametrize(
    ("winners", "drawn", "lost"),
    [
        ("EF", "150", "-60"),
        ("EFT", "80", "-60"),
        ("EFTI", "45", "-60"),
        ("EFTIR", "24", "-60"),
        ("EFTIRA", "10", "-60"),
    ],
)
def test_the_technical_guide_has_a_table_for_draws(winners, drawn, lost):
    given = score("dptg", board("1 8 7 1 4 7 6", {}, winners=winners))

    assert score_text(given["E"]) == drawn
    assert score_text(given["G"]) == lost


def test_a_draw_of_all_seven_is_worth_nothing_in_the_technical_guide():
    assert set(score("dptg", board("1 8 7 1 4 7 6", {})).values()) == {0}


@pytest.mark.parametrize(("winners", "ratio"), [("EF", "2.5"), ("EFT", "1.33"), ("EFTI", "0.75")])
def test_njudge_divides_the_losers_by_the_winners(winners, ratio):
    assert (
        score_text(score("njudge", board("0 8 8 2 6 4 6", {"A": 3}, winners=winners))["F"]) == ratio
    )


def test_those_left_out_of_a_draw_share_none_of_it():
    assert scores("draw-size", board("2 8 7 1 4 8 4", {}, winners="ER")) == "0 50 0 0 0 50 0"


@pytest.mark.parametrize(
    ("winners", "share"), [("ER", 170), ("ERF", 130), ("ERFT", 106), ("ERFTI", Fraction("88.8"))]
)
def test_dixiecon_shares_the_first_places_among_the_draw(winners, share):
    given = score("dixiecon", board("1 8 7 1 4 8 5", {}, winners=winners))

    assert given["E"] == share + 32


def test_the_top_gets_what_is_for_the_top():
    assert scores("world-classic", FIRST) == "2 178 110 4 70 70 110"
    assert scores("c-diplo-80", FIRST) == "0 35 18.5 0 4 4 18.5"
    assert scores("duct-tape", FIRST) == "3 50 27.5 3 11.5 11.5 27.5"


def test_a_solo_board_top_takes_the_first_rank_and_others_share():
    assert scores("southern-sun", FIRST) == "9 260 175 15 95 95 175"
    assert scores("carnage-centers", FIRST) == "1001 12007 9505.5 2002 5503.5 5503.5 9505.5"
    # 1 and 3 or 5: the eliminated by their year; 25 a centre
    assert scores("sydney-league", FIRST) == "103 950 750 205 450 450 750"


def test_the_leader_is_paid_their_lead():
    # E has 15 + 9 + 4.5, pays itself; F and T 12 + 9 + 2.25, I and R 6 + 9; the gap is 2
    assert scores("omg", FIRST) == "0 36.5 21.25 0 13 13 21.25"
    assert scores("omg", SECOND) == "10.5 24.75 21 0 15 24.75 18"


def test_nobody_has_a_score_when_a_game_ends_without_a_result():
    assert score("draw-size", Final({"A": 3, "E": 3}, (), {}, 1)) == {}


def test_an_unknown_system_is_answered_with_those_there_are():
    with pytest.raises(BadInput, match=r"no scoring system “elo”.*draw-size, wta"):
        system_named("elo")


@pytest.mark.parametrize(
    ("number", "text"),
    [("100", "100"), ("17.2", "17.2"), ("100/6", "16.67"), ("-60", "-60"), ("-1/200", "0")],
)
def test_a_score_is_rounded_when_it_is_written(number, text):
    whole, _, part = number.partition("/")
    assert score_text(Fraction(whole) / int(part or 1)) == text


@st.composite
def finals(draw: st.DrawFn) -> Final:
    """Any end of a game on a board of 34 centres: a draw of some survivors, or one winner."""
    cuts = sorted(draw(st.lists(st.integers(0, 34), min_size=6, max_size=6)))
    counts = [after - before for before, after in zip([0, *cuts], [*cuts, 34], strict=True)]
    counts = draw(st.permutations(counts))
    centers = dict(zip(POWERS, counts, strict=True))
    alive = [power for power in POWERS if centers[power]]
    winners = draw(st.lists(st.sampled_from(alive), min_size=1, unique=True))
    years = draw(st.integers(1, 40))
    out = {power: draw(st.integers(1, years)) for power in POWERS if not centers[power]}
    return Final(centers, tuple(winners), out, years)


@given(finals())
def test_shared_pots_are_given_out_whole(final):
    sums = {system: sum(score(system, final).values()) for system in SYSTEMS}

    assert sums["draw-size"] == sums["wta"] == sums["sum-of-squares"] == 100
    assert sums["dptg"] == 0
    assert sums["carnage"] == 28_034
    assert sums["carnage-centers"] == 45_028
    assert sums["dixiecon"] == 454 + 4 * 34
    assert sums["tribute"] == 100
    assert sums["njudge"] == 7 - len(final.winners)
    if not final.solo:
        assert sums["c-diplo-100"] == 1 * 7 + 34 + 38 + 14 + 7
        assert sums["c-diplo-80"] == 34 + 25 + 14 + 7
        assert sums["duct-tape"] == 34 + 100
        assert sums["omg"] == Fraction(3, 2) * 34 + 9 * len(final.alive) + 9


@given(finals(), st.sampled_from(sorted(SYSTEMS)))
def test_powers_that_ended_alike_score_alike_and_more_centres_are_never_worth_less(final, system):
    given = score(system, final)

    for one in POWERS:
        for other in POWERS:
            if (one in final.winners) != (other in final.winners):
                continue
            if final.rank(one) == final.rank(other):
                assert given[one] == given[other]
            elif final.centers[one] > final.centers[other] > 0:
                assert given[one] >= given[other]


@given(finals(), st.sampled_from(sorted(SYSTEMS)))
def test_every_power_has_a_score_that_can_be_written(final, system):
    given = score(system, final)

    assert set(given) == set(POWERS)
    assert all(abs(Fraction(score_text(one)) - one) <= Fraction(1, 200) for one in given.values())


def numbers(system: str) -> list[Fraction]:
    """The numbers that a system's summary names, in its order."""
    return [Fraction(one) for one in re.findall(r"\d+(?:\.\d+)?", SYSTEMS[system].summary)]


def _c_diplo(solo: Fraction, played: Fraction | int, *rest: Fraction) -> Example:
    centre, first, second, third = rest
    largest, next_one = played + 10 * centre + first, played + 8 * centre + (second + third) / 2
    return (solo, 0, 0), (largest, next_one, played)


def _carnage(one: int, *n: Fraction) -> Example:
    first, second, last, centre = n
    assert first - second == last
    return (one, 0, 0), (first + 10 * centre, (second + (second - last)) / 2 + 8 * centre, last)


def _carnage_centers(solo: Fraction, lost: Fraction, *n: Fraction) -> Example:
    return (solo, lost, lost), _carnage(0, *n)[1]


def _dixiecon(*n: Fraction) -> Example:
    *places, centre = n
    drawn = sum(places[:5], Fraction()) / 5  # five survive
    won, second, last = places[0] + 18 * centre, places[1] + 8 * centre, places[6]
    return (won, second, last), (drawn + 10 * centre, drawn + 8 * centre, places[6])


def _sydney(first: Fraction, second: Fraction, last: Fraction, *n: Fraction) -> Example:
    centre, year = n
    drawn = first + 10 * centre, (second + second - last) / 2 + 8 * centre, last + 3 * year
    won, lost = (first + 18 * centre) * 3 / 2, (second + 8 * centre) / 2
    return (won, lost, (last + 3 * year) / 2), drawn


def _omg(solo: Fraction, *n: Fraction) -> Example:
    centre, alive, first, second, third = n
    lead = 2
    largest, next_one = 10 * centre + alive + first, 8 * centre + alive + (second + third) / 2
    return (solo, 0, 0), (largest + 4 * lead, next_one - lead, 0)  # four others survive


Example = tuple[tuple[Fraction | int, ...], tuple[Fraction | int, ...]]
TOLD: dict[str, Callable[..., Example]] = {
    # Of SOLO and of FIRST: the largest, the second, and one eliminated in the third year, computed
    # by hand as the sentences say it, from the numbers in them.
    "draw-size": lambda solo: ((solo, 0, 0), (solo / 5, solo / 5, 0)),
    "wta": lambda solo: ((solo, 0, 0), (solo / 5, solo / 5, 0)),
    "sum-of-squares": lambda solo, drawn, *_: (
        (solo, 0, 0),
        (drawn * 10**2 / (10**2 + 2 * 8**2 + 2 * 4**2), drawn * 64 / 260, 0),
    ),
    "dptg": lambda paid, solo, _, lost: (
        (solo, -lost, -lost),
        (paid * 7 / 5 - paid, paid * 7 / 5 - paid, -lost),
    ),
    "njudge": lambda each, solo, _: ((solo, 0, 0), (each * 2 / 5, each * 2 / 5, 0)),
    "c-diplo-100": _c_diplo,
    "c-diplo-80": lambda solo, *n: _c_diplo(solo, 0, *n),
    "carnage": _carnage,
    "carnage-centers": _carnage_centers,
    "tribute": lambda solo, pot, centre, each, few, _: (
        (solo, 0, 0),
        (pot / 5 + 10 * centre + 4 * each * (10 - few), pot / 5 + 8 - each * (10 - few), 0),
    ),
    "open-tribute": lambda solo, alive, centre, each: (
        (solo, 0, 0),
        (alive + 10 * centre + (2 + 2 + 6 + 6 + 10 + 10) * each, alive + 8 * centre - 2 * each, 0),
    ),
    "bangkok": lambda solo, lost, alive, centre, pot, a, b, c, *n: (
        (solo, 8 * lost, 0),
        (
            alive + 10 * centre + pot * a / (a + 2 * c),
            alive + 8 * centre + pot * c / (a + 2 * c),
            n[-1] * 2,
        ),
    ),
    "manorcon": lambda solo, drawn, times, more, year: (
        (solo, 8 * year, 2 * year),
        (
            drawn * (100 + 10 * times + more) / (260 + 34 * times + 7 * more),
            drawn * (64 + 8 * times + more) / (260 + 34 * times + 7 * more),
            2 * year,
        ),
    ),
    "dixiecon": _dixiecon,
    "world-classic": lambda solo, alive, centre, first, year: (
        (solo, 8 * year, 2 * year),
        (alive + 10 * centre + first, alive + 8 * centre, 2 * year),
    ),
    "southern-sun": lambda solo, alive, centre, *n: (
        (solo, 0, 0),
        (alive + 10 * centre + n[0], alive + 8 * centre + (n[1] + n[2]) / 2, 3 * n[-1]),
    ),
    "sydney-league": _sydney,
    "omg": _omg,
    "duct-tape": lambda solo, centre, *n: (
        (solo, 0, 0),
        (10 * centre + n[0], 8 * centre + (n[1] + n[2]) / 2, (n[5] + n[6]) / 2),
    ),
    "unranked": lambda: ((0, 0, 0), (0, 0, 0)),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_summary_gives_by_its_own_numbers_what_the_formula_gives(system):
    told = TOLD[system](*numbers(system))
    found = (score(system, SOLO), score(system, FIRST))
    assert tuple(tuple(one[power] for power in "EFA") for one in found) == told


@pytest.mark.parametrize(
    "system", sorted(SYSTEMS.keys() - {"unranked", "dixiecon", "sydney-league"})
)
def test_a_summary_says_what_a_solo_and_a_draw_give_without_shorthand(system):
    summary = SYSTEMS[system].summary
    assert "solo" in summary
    assert " draw" in summary
    assert "; else" not in summary
    assert len(summary) < 300


def test_examples_in_summaries_hold():
    """Two in a draw of seven, and ten centres against five."""
    two = board("2 8 7 1 4 8 4", {}, winners="ER")
    assert score("dptg", two)["E"] == numbers("dptg")[2]
    assert score("njudge", two)["E"] == numbers("njudge")[2]
    squares = score("sum-of-squares", board("5 10 5 4 4 4 2", {}))
    ten, five = numbers("sum-of-squares")[2], numbers("sum-of-squares")[4]
    assert (ten, five) == (10, 5)
    assert squares["E"] / squares["A"] == numbers("sum-of-squares")[3]


def test_the_largest_power_takes_no_more_than_a_share_in_tribute():
    """66 shared by two is 33, and less than 34 - 6 asks; by six it is 11, and 17 - 6 is as much."""
    final = board("0 24 2 2 2 2 2", {"A": 3}, winners="EF")
    pot, most = numbers("tribute")[1], numbers("tribute")[5]
    assert (pot, most) == (66, 66)
    assert score("tribute", final)["F"] == 2 + pot / 6 - most / 6


def test_the_largest_takes_at_most_half_in_open_mind_the_gap():
    given = score("omg", board("0 14 1 1 0 0 0", {"A": 3, "I": 4, "R": 4, "T": 4}, winners="EFG"))
    own = Fraction(3, 2) + 9 + (3 + Fraction(3, 2)) / 2
    assert given["F"] == own / 2


def test_every_system_tells_what_it_gives():
    for name, system in SYSTEMS.items():
        assert len(name) <= 20
        assert system.title
        assert system.summary.endswith(".")


def test_the_manual_of_gms_lists_every_system_as_it_is():
    manual = Path("docs/gms.md").read_text()
    for name, system in SYSTEMS.items():
        assert f"| `{name}` | {system.title} | {system.summary} |" in manual
