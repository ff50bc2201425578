"""Rulebooks: every disputable issue of DATC 3.2 chapter 4 that the judge decides, as a setting.

Each field carries the DATC issue number and the choices with their meaning. A `Rulebook` is a value
that you hand to the judge; presets name the combinations of the printed rulebooks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from typing import Any, Literal

from judge.errors import JudgeError
from judge.presets import PRESETS, SETTLED_ELSEWHERE


class UnknownRule(JudgeError):
    """There is no such preset, issue or choice; the message lists those that exist.

    `issue` is set if the issue itself does not exist.
    """

    def __init__(self, message: str, issue: str = "") -> None:
        super().__init__(message)
        self.issue = issue


def _rule(issue: str, default: str, choices: Mapping[str, str]) -> Any:
    return field(default=default, metadata={"issue": issue, "choices": choices})


def _check_choice(issue: str, choice: str, known: Mapping[str, str]) -> None:
    if choice not in known:
        raise UnknownRule(f"Rule {issue} has no choice {choice!r}, only {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The choices in force. The defaults are the preferences of DATC 3.2. Raises UnknownRule.

    Each type lists its choices, so that mypy catches a comparison with one that does not exist.
    """

    multi_route_convoys: Literal["a", "b", "DPTG"] = _rule(
        "4.A.1",
        "b",
        {
            "a": "a convoy is disrupted when a fleet on any of its routes is dislodged (1971)",
            "b": "a convoy is disrupted when no complete route is left (1982 and later)",
            "DPTG": (
                "a convoy is disrupted when a fleet on any of its routes is dislodged; where "
                "fleets of the army's power make a route, only they count"
            ),
        },
    )
    convoy_paradoxes: Literal[
        "1971", "1982", "2000", "AllHold", "Verheijden", "Szykman", "DPTG"
    ] = _rule(
        "4.A.2",
        "Szykman",
        {
            "1971": "a convoyed army cuts no support of a fleet by a fleet against its own convoy",
            "1982": "a convoyed army cuts no support by a fleet into water with a convoying fleet",
            "2000": "a convoyed army cuts no support of an attack on a fleet its convoy needs",
            "AllHold": "all moves of the paradox fail",
            "Verheijden": "the convoyed attack of the paradox does not take place",
            "Szykman": "the convoying fleets of the paradox fail to convoy",
            "DPTG": (
                "the convoying fleets of the paradox fail to convoy where that is consistent, "
                "else all its moves fail"
            ),
        },
    )
    adjacent_convoys: Literal["1971", "1982", "2000", "2000fallback", "2025EE", "DPTG"] = _rule(
        "4.A.3",
        "2025EE",
        {
            "1971": (
                "an army next to its goal goes by convoy only when that is not disrupted and "
                "the units trade places"
            ),
            "1982": (
                "an army next to its goal goes by convoy when a fleet of its power convoys it, "
                "or a unit of its power comes the opposite way"
            ),
            "2000": (
                "an army next to its goal goes by convoy when a fleet of its power convoys it "
                "or its order says so, and then never over land"
            ),
            "2000fallback": (
                "an army next to its goal goes by convoy when a fleet of its power convoys it "
                "or its order says so, but over land when the convoy is not ordered or is "
                "disrupted"
            ),
            "2025EE": (
                "an army next to its goal goes by convoy when a fleet of its power convoys it "
                "or its order says so, and then never over land"
            ),
            "DPTG": "an army next to its goal goes by convoy only when its order says so",
        },
    )
    convoyed_attack: Literal["start", "Brannan", "DPTG"] = _rule(
        "4.A.4",
        "start",
        {
            "start": "a convoyed attack comes from the army's province",
            "Brannan": "a convoyed attack comes from the last convoying fleet",
            "DPTG": (
                "a convoyed attack comes from the army's province, but cuts even the support of "
                "an attack on that province"
            ),
        },
    )
    retreat_from_convoy: Literal["a", "b"] = _rule(
        "4.A.5",
        "b",
        {
            "a": "no retreat to the province that a convoyed attacker came from",
            "b": "a unit dislodged by a convoyed army may retreat to its starting province",
        },
    )
    convoy_paths: Literal["a", "b", "c"] = _rule(
        "4.A.6",
        "a",
        {
            "a": "a path written in a convoyed move is ignored",
            "b": "a path may be written",
            "c": "a path must be written",
        },
    )
    dislodged_bounce: Literal["a", "b"] = _rule(
        "4.A.7",
        "b",
        {
            "a": "a dislodged unit never has an effect on the province its attacker came from",
            "b": (
                "a dislodged unit has no effect on the province its attacker came from only "
                "after a head-to-head battle with it"
            ),
        },
    )
    two_coasts_possible: Literal["fails", "default"] = _rule(
        "4.B.1",
        "fails",
        {
            "fails": "a fleet's move that must name a coast and does not is illegal",
            "default": "a fleet's move that must name a coast and does not goes to a default one",
        },
    )
    one_coast_possible: Literal["a", "b"] = _rule(
        "4.B.2",
        "a",
        {
            "a": "a coast left out is the only one possible",
            "b": "a move to a province with two coasts that names none is illegal",
        },
    )
    impossible_coast: Literal["a", "b"] = _rule(
        "4.B.3",
        "b",
        {
            "a": "an impossible coast is read as the possible one",
            "b": "a move to an impossible coast is illegal",
        },
    )
    support_coast: Literal["a", "b", "c", "DPTG"] = _rule(
        "4.B.4",
        "c",
        {
            "a": "a support that leaves the coast out is illegal where two are possible",
            "b": (
                "a support that leaves the coast out is illegal where two are possible, unless "
                "it is for a unit of the same power"
            ),
            "c": "a support without a coast is good for every coast",
            "DPTG": "coasts in support orders are disregarded",
        },
    )
    wrong_coast: Literal["a", "b"] = _rule(
        "4.B.5",
        "b",
        {
            "a": "a wrong coast where none is needed makes the order illegal",
            "b": "a wrong coast where none is needed is ignored",
        },
    )
    unknown_coast: Literal["a", "b"] = _rule(
        "4.B.6",
        "b",
        {
            "a": "an unknown or irrelevant coast makes the order illegal",
            "b": "an unknown or irrelevant coast is ignored",
        },
    )
    build_coast: Literal["fails", "default"] = _rule(
        "4.B.7",
        "fails",
        {
            "fails": "a fleet build that must name a coast and does not fails",
            "default": "a fleet build that must name a coast and does not takes a default one",
        },
    )
    missing_letter: Literal["a", "b"] = _rule(
        "4.C.1",
        "b",
        {"a": "an order without unit letter is illegal", "b": "the unit letter may be left out"},
    )
    wrong_letter: Literal["a", "b"] = _rule(
        "4.C.2",
        "b",
        {"a": "a wrong unit letter makes the order illegal", "b": "a wrong unit letter is ignored"},
    )
    build_letter: Literal["rulebook", "coast"] = _rule(
        "4.C.3",
        "rulebook",
        {
            "rulebook": "a build needs its letter on a coast; inland it is an army",
            "coast": (
                "a build needs its letter on a coast, unless it names one, which makes it a "
                "fleet; inland it is an army (DATC 2.x)"
            ),
        },
    )
    inland_fleet: Literal["a", "b"] = _rule(
        "4.C.4",
        "a",
        {
            "a": "a fleet build inland is illegal",
            "b": "an army is built where a fleet is ordered inland",
        },
    )
    missing_nationality: Literal["a", "b"] = _rule(
        "4.C.5",
        "b",
        {
            "a": "a support must name a foreign unit's power",
            "b": "the power of a foreign unit may be left out of a support",
        },
    )
    wrong_nationality: Literal["a", "b"] = _rule(
        "4.C.6",
        "b",
        {"a": "a wrong power makes the order illegal", "b": "a wrong power is ignored"},
    )
    repeated_orders: Literal["a", "b", "c"] = _rule(
        "4.D.3",
        "a",
        {
            "a": "the first legal order for a unit counts",
            "b": "the last legal order for a unit counts",
            "c": "two different orders for a unit cancel each other",
        },
    )
    surplus_builds: Literal["a", "b", "c"] = _rule(
        "4.D.4",
        "b",
        {
            "a": "with too many builds none is made",
            "b": "the first legal builds are made",
            "c": "the last legal builds are made",
        },
    )
    builds_in_one_province: Literal["a", "b", "c"] = _rule(
        "4.D.5",
        "b",
        {
            "a": "two builds in a province both fail",
            "b": "the first build in a province is made",
            "c": "the last build in a province is made",
        },
    )
    surplus_disbands: Literal["a", "b", "c"] = _rule(
        "4.D.6",
        "b",
        {
            "a": "with too many disbands all are chosen by civil disorder",
            "b": "the first legal disbands are made",
            "c": "the last legal disbands are made",
        },
    )
    declined_builds: Literal["a", "b"] = _rule(
        "4.D.7",
        "a",
        {"a": "a build may be declined", "b": "a build may not be declined"},
    )
    civil_disorder: Literal["1971/1982", "2000", "2023/2025EE", "DPTG"] = _rule(
        "4.D.8",
        "2023/2025EE",
        {
            "1971/1982": (
                "civil disorder disbands what is farthest from its nearest home centre by its "
                "own moves, with convoys"
            ),
            "2000": "civil disorder disbands what is farthest from its country",
            "2023/2025EE": (
                "civil disorder disbands what is farthest from a centre of its power, over "
                "whatever provinces"
            ),
            "DPTG": (
                "civil disorder disbands what is farthest from home, fleets by fleet moves, "
                "armies over land and water"
            ),
        },
    )
    civil_disorder_support: Literal["a", "b"] = _rule(
        "4.D.9",
        "b",
        {
            "a": "units of a power without orders receive no hold support",
            "b": "units of a power without orders may be supported",
        },
    )
    illegal_orders: Literal["preference", "DPTG"] = _rule(
        "4.E.1",
        "preference",
        {
            "preference": "an illegal order is ignored; the unit holds and may be supported",
            "DPTG": "a unit ordered to make an illegal move holds and may not be supported",
        },
    )
    implicit_orders: Literal["a", "b"] = _rule(
        "4.E.3",
        "b",
        {
            "a": "a unit without an order makes the move that a support or convoy implies",
            "b": "a unit is ordered by its own order only",
        },
    )
    help_against_own_unit: Literal["DATC", "DPTG"] = _rule(
        "6.E.7",
        "DATC",
        {
            "DATC": "support against a unit of the same power counts against nobody at all",
            "DPTG": "support against a unit of the same power counts against rival attackers",
        },
    )

    def __repr__(self) -> str:
        if name := next((name for name in PRESETS if _preset(name) == self), None):
            return f"<Rulebook {name}>"
        usual, chosen = DATC.to_json(), self.to_json()
        other = [f"{issue} {choice}" for issue, choice in chosen.items() if choice != usual[issue]]
        return f"<Rulebook DATC, but {', '.join(other)}>"

    def __post_init__(self) -> None:
        for rule in fields(self):
            meta = rule.metadata
            _check_choice(meta["issue"], getattr(self, rule.name), meta["choices"])

    @staticmethod
    def named(name: str) -> Rulebook:
        """Return a preset, the same object each time: DATC, 1971, 1982, 2000, 2023, 2025EE or DPTG.

        Raises UnknownRule.
        """
        return _preset(name)

    @staticmethod
    def from_json(value: object) -> Rulebook:
        """Read "DATC" or {"preset": "DATC", "4.A.2": "1982"}. Raises UnknownRule."""
        if isinstance(value, str):
            return _preset(value)
        if not isinstance(value, Mapping):
            raise UnknownRule("The rules must be a preset's name or an object of issues.")
        return _from_choices(tuple((str(issue), str(choice)) for issue, choice in value.items()))

    def to_json(self) -> dict[str, str]:
        """Return every issue with the choice in force, which `from_json` reads back."""
        return {issue: getattr(self, attribute) for issue, attribute in _attributes().items()}


def refuse_no_rulebook(rules: object) -> None:
    """Raise UnknownRule for anything but a rulebook, such as the name of one."""
    if not isinstance(rules, Rulebook):
        raise UnknownRule(f"{rules!r} is not a Rulebook; Rulebook.named(...) makes one.")


DATC = Rulebook()
"""The preferences of DATC 3.2."""


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple(PRESETS)


def issue_choices(issue: str) -> Mapping[str, str]:
    """Return the choices of a DATC issue with their meaning. Raises UnknownRule."""
    if issue in SETTLED_ELSEWHERE:
        return SETTLED_ELSEWHERE[issue]
    for rule in fields(Rulebook):
        if rule.metadata["issue"] == issue:
            found: Mapping[str, str] = rule.metadata["choices"]
            return found
    known = ", ".join(issue_numbers())
    raise UnknownRule(f"There is no rule {issue!r}; there are {known}.", issue)


def issue_numbers() -> tuple[str, ...]:
    """Return the numbers of all issues that may be named, in the order of the DATC."""
    return tuple(sorted({*_attributes(), *SETTLED_ELSEWHERE}))


@cache
def _preset(name: str) -> Rulebook:
    if name not in PRESETS:
        raise UnknownRule(f"There is no rulebook {name!r}; there are {', '.join(PRESETS)}.")
    return _override(DATC, PRESETS[name])


@lru_cache(maxsize=256)
def _from_choices(said: tuple[tuple[str, str], ...]) -> Rulebook:
    overrides = dict(said)
    return _override(_preset(overrides.pop("preset", "DATC")), overrides)


@cache
def _attributes() -> Mapping[str, str]:
    return {rule.metadata["issue"]: rule.name for rule in fields(Rulebook)}


def _override(rules: Rulebook, overrides: Mapping[str, str]) -> Rulebook:
    changes: dict[str, Any] = {}
    for issue, choice in overrides.items():
        _check_choice(issue, choice, issue_choices(issue))
        if issue not in SETTLED_ELSEWHERE:
            changes[_attributes()[issue]] = choice
    return replace(rules, **changes)
