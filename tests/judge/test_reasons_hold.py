"""Every reason held against the equations: who is named must really have done it.

The equations are those of `benchmarks.equations`, which shares no code with the judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

from benchmarks.equations import Claim, claim, flat, moved_by_us
from benchmarks.every_rulebook import rulebooks
from benchmarks.random_games import Orders, crowd_together, random_orders
from judge import Outcome, Position, Rulebook, Unit, adjudicate, load_variant, preset_names
from judge.board import mask_of
from judge.movement.reasons_at_sight import reasons_at_sight
from judge.movement.report import MovementReport
from judge.orders import Move
from judge.outcome import OrderResult
from tests.rows import each_row

STANDARD = load_variant("standard")

RIVALS = re.compile(r"(?:Bounced with|Beaten(?: and dislodged)? by) ([^,.]+ - .+)\.$")
STAYED = re.compile(r"Bounced with (.+), which did not get away\.$")
GARRISON = re.compile(r"^(.+?) held(?: with the support of (.+))?\.$")
COUNTRYMAN = re.compile(
    r"^(.+) of the same power (?:stayed there|did not get away|came the opposite way)\.$"
)
UNHELPFUL = re.compile(r"^(.+) cannot help to dislodge (.+) of the same power\.$")
CUT = re.compile(r"Cut(?: and dislodged)? by (.+)\.$")
DISLODGED = re.compile(r"^Dislodged by (.+)\.$")
LOST = re.compile(r"^(F .+) was dislodged by (.+)\.$")


class Checker:
    """The claims that the sentences of one outcome make, one method for each kind."""

    def __init__(self, claimed: Claim, rules: Rulebook) -> None:
        self.claimed = claimed
        self.rules = rules
        self.units = {str(unit): unit for unit in claimed.position.units}
        self.unit_of = {str(order): unit for unit, order in claimed.orders.items()}

    def check(self, order: str, sentence: str) -> str:
        """Check one sentence about an order; return what kind it was."""
        sentence = sentence.replace(", with nowhere to retreat to.", ".")
        for pattern, check in (
            (STAYED, self.stayed),
            (RIVALS, self.rivals),
            (GARRISON, self.garrison),
            (COUNTRYMAN, self.countryman),
            (UNHELPFUL, self.unhelpful),
            (CUT, self.cut),
            (DISLODGED, self.dislodged),
            (LOST, self.lost),
        ):
            found = pattern.search(sentence)
            if found:
                check(self.units[re.split(" Holds| Supports| Convoys| - ", order)[0]], found)
                return check.__name__
        raise AssertionError(f"{order}: {sentence} makes no claim that is known here")

    def move(self, unit: Unit) -> Move:
        order = self.claimed.orders[unit]
        assert isinstance(order, Move)
        return order

    def strength(self, unit: Unit, *, against_rivals: bool = False) -> int:
        """The strength of the attack; under the DPTG's reading all help counts against rivals.

        It does against those who kept a unit from following one of its own power, too, which has
        no attack at all.
        """
        move = self.move(unit)
        there = self.claimed.position.unit_at[move.to.province.index]
        follows = there is not None and there.power == unit.power
        if against_rivals and (follows or self.rules.help_against_own_unit == "DPTG"):
            return 1 + len(self.claimed.supporters(unit, move.to.province))
        return self.claimed.attack(unit, move)

    def rivals(self, unit: Unit, found: re.Match[str]) -> None:
        for name in listed(found[1]):
            rival = self.unit_of[name]
            if self.claimed.head_to_head(unit, self.move(unit)) == rival:
                assert self.claimed.defend(rival) >= self.strength(unit)
            elif self.move(rival).to.province == unit.location.province:
                # Under Brannan's rule (4.A.4) it lands here from the water where the unit goes.
                water = self.claimed.last_water(rival, self.move(rival))
                assert water == self.move(unit).to.province
                assert self.claimed.defend(rival) >= self.strength(unit)
            else:
                assert self.move(rival).to.province == self.move(unit).to.province
                most = self.strength(unit, against_rivals=True)
                assert self.claimed.prevent(rival, self.move(rival)) >= most

    def stayed(self, unit: Unit, found: re.Match[str]) -> None:
        there = self.units[found[1]]
        assert there.location.province == self.move(unit).to.province
        assert there not in self.claimed.moved
        assert self.claimed.hold(there.location.province) >= self.strength(unit)

    def garrison(self, unit: Unit, found: re.Match[str]) -> None:
        there = self.units[found[1]].location.province
        assert there == self.move(unit).to.province
        assert self.claimed.hold(there) >= self.strength(unit)
        backing = {str(helper) for helper in self.claimed.supporters(self.units[found[1]], None)}
        assert set(listed(found[2] or "")) == backing

    def countryman(self, unit: Unit, found: re.Match[str]) -> None:
        there = self.units[found[1]]
        assert there.power == unit.power
        assert there.location.province == self.move(unit).to.province
        assert there not in self.claimed.moved

    def unhelpful(self, unit: Unit, found: re.Match[str]) -> None:
        there = self.units[found[2]]
        goal = self.move(unit).to.province
        assert there.location.province == goal
        helpers = [self.units[name] for name in listed(found[1])]
        assert set(helpers) <= set(self.claimed.supporters(unit, goal))
        assert {helper.power for helper in helpers} == {there.power}
        assert self.strength(unit) + len(helpers) > self.claimed.opposition(unit, self.move(unit))

    def cut(self, unit: Unit, found: re.Match[str]) -> None:
        for name in listed(found[1]):
            attacker = self.unit_of[name]
            assert attacker.power != unit.power
            assert self.move(attacker).to.province == unit.location.province
            assert self.claimed.has_path(attacker, self.move(attacker))

    def dislodged(self, unit: Unit, found: re.Match[str]) -> None:
        attacker = self.unit_of[found[1]]
        assert attacker in self.claimed.moved
        assert self.move(attacker).to.province == unit.location.province

    def lost(self, unit: Unit, found: re.Match[str]) -> None:
        fleet, attacker = self.units[found[1]], self.unit_of[found[2]]
        assert fleet in set(self.claimed.convoyers(unit, self.move(unit)))
        assert attacker in self.claimed.moved
        assert self.move(attacker).to.province == fleet.location.province


def listed(text: str) -> list[str]:
    return [name for part in text.split(" and ") for name in part.split(", ") if name]


def sentences(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Each sentence of each reason of an order that was legal, with the order."""
    for result in outcome.results:
        told = result.result[0] != "illegal" and (result.order or "") and result.reason
        if told and result.result[0] == "invalid":
            # What a support or convoy matched is said first; then only who dislodged the unit.
            assert not re.search("Cut|Beaten", told), result
            told = told[told.find("Dislodged by") :] if "Dislodged by" in told else ""
        if told and result.order:
            for sentence in re.findall(r"[^.]+\.", told):
                yield result.order, sentence.strip()


def told_by_columns(outcome: Outcome) -> bool:
    """Whether the results can be had by columns, too, and then as they are line by line."""
    columns = outcome.columns()
    if columns is not None:
        powers, texts, orders, words, reasons = columns
        fives = zip(powers, texts, orders, words, reasons, strict=True)
        rows = [OrderResult(*row) for row in fives]
        assert rows == [OrderResult(*row) for row in outcome.rows()] == [*outcome.results]
    return columns is not None


def told_at_sight(outcome: Outcome) -> int:
    """How many reasons are plain to see: each is the one that comparing the strengths gives."""
    report = outcome._report
    assert isinstance(report, MovementReport)
    plain, told = reasons_at_sight(report.reasons)
    reasons = {unit: report.reasons.of(unit) for unit in plain}
    assert plain == {unit: reason and reason[0] for unit, reason in reasons.items()}
    assert told == mask_of(plain)
    return len(plain)


@cache
def phases() -> list[tuple[Position, Orders]]:
    """The same for every rulebook."""
    rng = Random(1959)
    positions = (crowd_together(STANDARD, rng.randint(6, 16), rng) for _ in range(1200))
    return [(one, random_orders(one, rng, convoyed=rng.choice((0.3, 0.9)))) for one in positions]


@each_row("name", [*preset_names(), "6.E.7 DPTG", "4.A.4 Brannan"])
def test_who_is_named_really_did_it(name: str):
    rules = rulebooks()[name]
    kinds: Counter[str] = Counter()
    for position, orders in phases()[: 1200 if name == "DATC" else 700]:
        outcome = adjudicate(position, orders, rules)
        kinds["at sight"] += told_at_sight(outcome)
        kinds["by columns"] += told_by_columns(outcome)
        if any("paradox" in (result.reason or "") for result in outcome.results):
            continue
        given = list(flat(orders))
        claimed = claim(position, outcome, given, moved_by_us(outcome, given), rules)
        checker = Checker(claimed, rules)
        for order, sentence in sentences(outcome):
            kinds[checker.check(order, sentence)] += 1
    assert min(kinds[kind] for kind in ("rivals", "garrison")) > 400
    assert min(kinds[kind] for kind in ("cut", "countryman")) > 150
    # Where other rivals count, no reason is plain (Brannan's only if a convoy has one last fleet).
    assert (kinds["at sight"] > 500) == (rules.help_against_own_unit == "DATC")
    assert kinds["by columns"] > 100
    assert min(kinds[kind] for kind in ("stayed", "dislodged", "lost")) >= 3
    # Under the DPTG's reading of 6.E.7 a rival is hardly ever the reason for such a failure.
    assert kinds["unhelpful"] > 20
