"""The formulas of the scoring systems; `games.scoring.systems` says in words what each gives.

They are those of the tournaments and sites that the systems are named after, as collected from
UEWBot/dipvis, webDiplomacy, njudge's documentation, dixiecon.com and the Diplomacy Player's
Technical Guide, chapter II.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from games.scoring.score_input import Final, Scores, for_each_power, share_places


def _scores_of_solo(
    final: Final, winner: int | Fraction, loser: Callable[[str], int | Fraction] = lambda _: 0
) -> Scores:
    return for_each_power(final, lambda power: winner if power == final.solo else loser(power))


def draw_size(final: Final) -> Scores:
    share = Fraction(100, len(final.winners))
    return for_each_power(final, lambda power: share if power in final.winners else 0)


def njudge(final: Final) -> Scores:
    lost = len(final.centers) - len(final.winners)
    ratio = Fraction(lost, len(final.winners))
    return for_each_power(final, lambda power: ratio if power in final.winners else 0)


def dptg(final: Final) -> Scores:
    pot = Fraction(60 * len(final.centers), len(final.winners))
    return for_each_power(final, lambda power: (pot if power in final.winners else 0) - 60)


def sum_of_squares(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 100)
    squares = sum(number**2 for number in final.centers.values())
    return for_each_power(final, lambda power: Fraction(100 * final.centers[power] ** 2, squares))


def unranked(final: Final) -> Scores:
    return for_each_power(final, lambda power: 0)


def places(solo: int, played: int, *places: int) -> Callable[[Final], Scores]:
    """Return a formula: `solo` for a winner alone; otherwise `played` for everybody, a point for
    each centre, and what the places are worth, the first of them first."""

    def scores(final: Final) -> Scores:
        if final.solo:
            return _scores_of_solo(final, solo)
        bonus = share_places({power: (number,) for power, number in final.centers.items()}, places)
        return for_each_power(final, lambda power: played + final.centers[power] + bonus[power])

    return scores


def _ladder(final: Final, rungs: int, per_center: int, *, years: int = 0) -> Scores:
    """Places worth `rungs` times 7, 6, 5 …, plus points for each centre, plus some for each year
    up to an elimination."""
    every = {power: final.rank(power) for power in final.centers}
    places = [rungs * number for number in range(len(every), 0, -1)]
    ranked = share_places(every, places)
    return for_each_power(
        final,
        lambda power: (
            ranked[power] + per_center * final.centers[power] + years * final.out.get(power, 0)
        ),
    )


def carnage(final: Final) -> Scores:
    everything = _ladder(final, 1000, 1)
    if final.solo:
        return _scores_of_solo(final, sum(everything.values(), Fraction(0)))
    return everything


def carnage_centers(final: Final) -> Scores:
    everything = _ladder(final, 1001, 500)
    if not final.solo:
        return everything
    lost = 1000 * (len(final.centers) - 1)
    return _scores_of_solo(final, sum(everything.values(), Fraction(-lost)), lambda _: 1000)


def sydney(final: Final) -> Scores:
    plain = _ladder(final, 100, 25, years=1)
    if not final.solo:
        return plain
    return for_each_power(
        final, lambda power: plain[power] * Fraction(3 if power == final.solo else 1, 2)
    )


def tribute(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 100)
    survival = Fraction(66, len(final.alive))
    gift = min(survival, Fraction(max(0, final.top - 6)))
    others = [power for power in final.alive if power not in final.leaders]
    income = gift * len(others) / len(final.leaders)

    def worth(power: str) -> Fraction | int:
        if power not in final.alive:
            return 0
        paid = -gift if power in others else income
        return final.centers[power] + survival + paid

    return for_each_power(final, worth)


def open_tribute(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 340)
    income = sum(final.behind(power) for power in final.centers) // len(final.leaders) ** 2

    def worth(power: str) -> int:
        if power not in final.alive:
            return 0
        paid = income if power in final.leaders else -final.behind(power)
        return 34 + 3 * final.centers[power] + paid

    return for_each_power(final, worth)


def bangkok(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 41, lambda power: Fraction(final.centers[power], 2))
    shares = {power: max(0, 3 - final.behind(power)) for power in final.alive}

    def worth(power: str) -> Fraction | int:
        if power not in final.alive:
            return Fraction(3, 10) * final.survived(power)
        return final.centers[power] + 3 + Fraction(12 * shares[power], sum(shares.values()))

    return for_each_power(final, worth)


def manorcon(final: Final) -> Scores:
    weights = {power: number**2 + 4 * number + 16 for power, number in final.centers.items()}

    def worth(power: str) -> Fraction | int:
        if final.solo or power not in final.alive:
            return 75 if power == final.solo else Fraction(final.survived(power), 10)
        return Fraction(100 * weights[power], sum(weights.values()))

    return for_each_power(final, worth)


def dixiecon(final: Final) -> Scores:
    ranks = {
        power: (1,) if power in final.winners else (0, *final.rank(power))
        for power in final.centers
    }
    places = share_places(ranks, [270, 70, 50, 34, 20, 10, 0])
    return for_each_power(final, lambda power: places[power] + 4 * final.centers[power])


def world_classic(final: Final) -> Scores:
    def worth(power: str) -> Fraction | int:
        if final.solo or power not in final.alive:
            return 420 if power == final.solo else final.survived(power)
        bonus = Fraction(48, len(final.leaders)) if power in final.leaders else 0
        return 10 * final.centers[power] + 30 + bonus

    return for_each_power(final, worth)


def southern_sun(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 500)
    ranks = {power: (final.centers[power],) for power in final.alive}
    places = share_places(ranks, [130, 80, 50, 30, 20, 10, 10])

    def worth(power: str) -> int:
        if power not in final.alive:
            return 3 * final.out.get(power, 0)
        return 30 + 10 * final.centers[power] + round(places[power])

    return for_each_power(final, worth)


def omg(final: Final) -> Scores:
    if final.solo:
        return _scores_of_solo(final, 100)
    counts = sorted(final.centers.values(), reverse=True)
    gap = counts[0] - counts[1]
    tops = [Fraction(9, 2), Fraction(3), Fraction(3, 2)]
    places = share_places({power: (final.centers[power],) for power in final.centers}, tops)

    def own(power: str) -> Fraction:
        survival = 9 if power in final.alive else 0
        return Fraction(3, 2) * final.centers[power] + survival + places[power]

    def tribute(power: str) -> Fraction:
        return min(Fraction(gap), own(power) / 2)

    income = sum((tribute(power) for power in final.centers), Fraction(0))
    return for_each_power(
        final,
        lambda power: own(power) - tribute(power) + (income if power in final.leaders else 0),
    )
