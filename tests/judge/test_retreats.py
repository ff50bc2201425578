from __future__ import annotations

from judge import Rulebook
from tests.judge.table import play, reasons, stand, units, words
from tests.rows import each_row


def retreats(outcome) -> dict[str, list[str]]:
    return {
        str(one.unit): sorted(str(place) for place in one.retreats)
        for one in outcome.next.dislodged
    }


def test_a_dislodged_unit_may_go_where_nobody_is_nobody_bounced_and_nobody_came_from():
    position = stand(
        {
            "Austria": ["A Trieste", "A Budapest"],
            "Italy": ["A Vienna"],
            "Germany": ["A Munich", "A Silesia"],
        }
    )
    outcome = play(
        position,
        {
            "Austria": ["A Trieste - Vienna", "A Budapest Supports A Trieste - Vienna"],
            "Germany": ["A Munich - Bohemia", "A Silesia - Bohemia"],
        },
    )
    assert retreats(outcome) == {"A Vienna": ["Galicia", "Tyrolia"]}
    assert str(outcome.next.phase) == "S1901R"


def test_a_fleet_retreats_coast_by_coast():
    position = stand(
        {"France": ["F Portugal"], "England": ["F Mid-Atlantic Ocean", "F North Atlantic Ocean"]}
    )
    orders = {
        "France": ["F Portugal Holds"],
        "England": [
            "F Mid-Atlantic Ocean - Portugal",
            "F North Atlantic Ocean - Mid-Atlantic Ocean",
        ],
    }
    assert retreats(play(position, orders)) == {}
    stronger = stand(
        {"France": ["F Portugal"], "England": ["F Mid-Atlantic Ocean", "A Spain"]},
    )
    won = play(
        stronger,
        {
            "England": [
                "F Mid-Atlantic Ocean - Portugal",
                "A Spain Supports F Mid-Atlantic Ocean - Portugal",
            ]
        },
    )
    assert words(won)["F Portugal Holds"] == "destroyed"
    free = stand(
        {"France": ["F Western Mediterranean"], "Italy": ["F Tunis", "F Tyrrhenian Sea"]},
    )
    lost = play(
        free,
        {
            "Italy": [
                "F Tyrrhenian Sea - Western Mediterranean",
                "F Tunis Supports F Tyrrhenian Sea - Western Mediterranean",
            ]
        },
    )
    assert retreats(lost) == {
        "F Western Mediterranean": [
            "Gulf of Lyon",
            "Mid-Atlantic Ocean",
            "North Africa",
            "Spain(sc)",
        ]
    }


@each_row("rules", [{}, {"4.B.1": "default", "4.B.2": "b", "4.B.3": "a"}])
@each_row(
    ("unit", "line", "followed"),
    [
        ("F Gascony", "F Gas - Spa", "F Gascony - Spain(nc)"),
        ("F Gascony", "F Gas - Spa(sc)", None),
        ("F Portugal", "F Por - Spa", None),
        ("F Portugal", "F Por - Spa(sc)", "F Portugal - Spain(sc)"),
    ],
)
def test_a_retreat_needs_its_coast_where_two_are_open_whatever_the_rules_on_moves(
    rules: dict[str, str], unit: str, line: str, followed: str | None
):
    open_to = {"F Gascony": ["Spain(nc)", "Brest"], "F Portugal": ["Spain(nc)", "Spain(sc)"]}
    leaving = {"power": "France", "unit": unit, "retreats": open_to[unit]}
    position = stand({"Germany": [unit]}, phase="S1901R", dislodged=[leaving])
    [result, *_] = play(position, {"France": [line]}, Rulebook.from_json(rules)).results
    assert (result.order if result.result == ("succeeds",) else None) == followed


def test_a_unit_without_retreat_is_destroyed_and_there_is_no_retreat_phase():
    position = stand({"England": ["F Mid-Atlantic Ocean", "A Spain"], "France": ["A Portugal"]})
    outcome = play(
        position,
        {"England": ["A Spain - Portugal", "F Mid-Atlantic Ocean Supports A Spain - Portugal"]},
    )
    assert str(outcome.next.phase) == "F1901M"
    assert units(outcome.next) == ["England: A Portugal", "England: F Mid-Atlantic Ocean"]


def test_the_way_of_a_convoyed_attacker_is_closed_only_by_the_old_rulebooks():
    position = stand(
        {
            "France": [
                "A Gascony",
                "A Burgundy",
                "F Mid-Atlantic Ocean",
                "F Western Mediterranean",
                "F Gulf of Lyon",
            ],
            "Italy": ["A Marseilles"],
        }
    )
    orders = {
        "France": [
            "A Gascony - Marseilles via convoy",
            "A Burgundy Supports A Gascony - Marseilles",
            "F Mid-Atlantic Ocean Convoys A Gascony - Marseilles",
            "F Western Mediterranean Convoys A Gascony - Marseilles",
            "F Gulf of Lyon Convoys A Gascony - Marseilles",
        ]
    }
    assert "Gascony" in retreats(play(position, orders))["A Marseilles"]
    old = Rulebook.from_json({"preset": "DATC", "4.A.5": "a"})
    assert "Gascony" not in retreats(play(position, orders, old))["A Marseilles"]


DISLODGED = [
    {"power": "Italy", "unit": "A Vienna", "retreats": ["Tyrolia", "Galicia"]},
    {"power": "Italy", "unit": "A Bohemia", "retreats": ["Tyrolia"]},
]


def test_units_that_retreat_to_different_provinces_get_there():
    position = stand({"Austria": ["A Vienna"]}, phase="F1901R", dislodged=DISLODGED)
    outcome = play(position, {"Italy": ["A Vienna - Galicia", "A Bohemia - Tyrolia"]})
    assert units(outcome.next) == ["Austria: A Vienna", "Italy: A Galicia", "Italy: A Tyrolia"]
    assert outcome.next.dislodged == ()


def test_two_that_retreat_to_one_province_are_disbanded_and_told_of_each_other():
    position = stand({}, phase="S1901R", dislodged=DISLODGED)
    outcome = play(position, {"Italy": ["A Vienna - Tyrolia", "A Bohemia - Tyrolia"]})
    assert units(outcome.next) == []
    assert words(outcome) == {"A Vienna - Tyrolia": "fails", "A Bohemia - Tyrolia": "fails"}
    assert reasons(outcome)["A Vienna - Tyrolia"] == (
        "Disbanded: A Bohemia retreated to the same province."
    )


def test_who_is_not_ordered_to_retreat_is_disbanded_automatically():
    position = stand({}, phase="S1901R", dislodged=DISLODGED)
    outcome = play(position, {"Italy": ["A Bohemia - Tyrolia"]})
    automatic = [result for result in outcome.results if result.automatic]
    assert [(one.power, one.text, one.order) for one in automatic] == [
        ("Italy", None, "Disband A Vienna")
    ]
    assert units(outcome.next) == ["Italy: A Tyrolia"]


def test_a_written_disband_is_not_automatic():
    position = stand({}, phase="S1901R", dislodged=DISLODGED[:1])
    outcome = play(position, {"Italy": ["Disband A Vienna"]})
    assert [(one.result, one.automatic) for one in outcome.results] == [(("succeeds",), False)]


def test_an_illegal_retreat_disbands_the_unit_and_both_are_reported():
    position = stand({}, phase="S1901R", dislodged=DISLODGED[1:])
    outcome = play(position, {"Italy": ["A Bohemia - Munich"]})
    assert [(one.order, one.result) for one in outcome.results] == [
        ("A Bohemia - Munich", ("illegal",)),
        ("Disband A Bohemia", ("succeeds",)),
    ]
