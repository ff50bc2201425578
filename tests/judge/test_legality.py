"""Why an order is illegal, in the words the player gets; legality itself is tested by the DATC."""

from __future__ import annotations

import pytest

from judge import Move, Position, Rulebook, Unit, adjudicate, load_variant, read_orders
from tests.judge.table import play, reasons, stand, units, words
from tests.rows import each_row

STAND = {
    "England": ["F North Sea", "A Yorkshire", "F Edinburgh"],
    "France": ["A Paris", "F Brest", "F Spain(nc)"],
    "Germany": ["A Kiel", "F Holland"],
}


@each_row(
    ("power", "line", "sentence"),
    [
        (
            "France",
            "A Paris - Moscow",
            "A Paris cannot reach Moscow. It can go to Brest, Burgundy, Gascony or Picardy.",
        ),
        ("France", "A Paris - Paris", "A Paris is already in Paris."),
        (
            "France",
            "F Brest - Paris",
            "F Brest cannot go to Paris: fleets do not go inland. It can go to "
            "English Channel, Gascony, Mid-Atlantic Ocean or Picardy.",
        ),
        (
            "England",
            "A Yorkshire - North Sea",
            "A Yorkshire cannot go to North Sea: armies do not go to sea. "
            "It can go to Edinburgh, Liverpool, London or Wales.",
        ),
        (
            "England",
            "A Yorkshire - Spain",
            "A Yorkshire cannot reach Spain: it is not adjacent, and there are no fleets that "
            "could convoy it. It can go to Edinburgh, Liverpool, London or Wales.",
        ),
        (
            "Germany",
            "A Kiel - Holland via convoy",
            "There are no fleets that could convoy A Kiel to Holland.",
        ),
        ("France", "A Munich - Tyrolia", "There is no unit in Munich."),
        ("France", "A Kiel - Munich", "A Kiel belongs to Germany."),
        ("France", "A Paris Supports A Paris", "A Paris cannot support itself."),
        (
            "France",
            "F Brest Supports A Paris - Brest",
            "F Brest cannot support an attack on its own province.",
        ),
        ("France", "A Paris Supports A Burgundy", "There is no unit in Burgundy to support."),
        (
            "France",
            "F Brest Supports A Paris - Burgundy",
            "F Brest cannot support into Burgundy, which it cannot reach itself. "
            "It can support into English Channel, Gascony, Mid-Atlantic Ocean or Picardy.",
        ),
        (
            "England",
            "F North Sea Convoys A Yorkshire - Yorkshire",
            "A Yorkshire is already in Yorkshire.",
        ),
        (
            "England",
            "F Edinburgh Convoys A Yorkshire - Norway",
            "F Edinburgh cannot convoy: only a fleet at sea can.",
        ),
        (
            "England",
            "F North Sea Convoys F Holland - Norway",
            "F Holland is a fleet, and only armies can be convoyed.",
        ),
        (
            "England",
            "F North Sea Convoys A Belgium - Norway",
            "There is no army in Belgium to convoy.",
        ),
        (
            "England",
            "F North Sea Convoys A Yorkshire - Munich",
            "A convoy goes from coast to coast, not from Yorkshire to Munich.",
        ),
        (
            "England",
            "F North Sea Convoys A Yorkshire - Brest",
            "F North Sea is on no route from Yorkshire to Brest with the fleets now at sea.",
        ),
        (
            "France",
            "Build A Paris",
            "In a movement phase a unit can hold, move, support or convoy.",
        ),
    ],
)
def test_an_illegal_order_says_why(power: str, line: str, sentence: str):
    outcome = play(stand(STAND), {power: [line]})
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].reason == sentence


def test_a_fleet_that_needs_a_coast_is_told_both():
    outcome = play(stand({"France": ["F Portugal"]}), {"France": ["F Portugal - Spain"]})
    assert outcome.results[0].reason is not None
    assert "Spain(nc)" in outcome.results[0].reason
    assert "Spain(sc)" in outcome.results[0].reason


def test_a_fleet_sent_to_the_wrong_coast_is_told_the_right_one():
    outcome = play(stand({"France": ["F Gascony"]}), {"France": ["F Gascony - Spain(sc)"]})
    assert outcome.results[0].reason == "F Gascony cannot reach Spain(sc), only Spain(nc)."


def test_values_are_judged_like_text():
    position = stand(STAND)
    paris = position.units_of("France")[0]
    moscow = position.variant.board.place("Moscow")
    outcome = adjudicate(position, {"France": [Move(paris, moscow)]})
    assert outcome.results[0].text == "A Paris - Moscow"
    assert outcome.results[0].reason == (
        "A Paris cannot reach Moscow. It can go to Brest, Burgundy, Gascony or Picardy."
    )


def test_a_value_must_name_the_unit_that_stands_there():
    position = stand(STAND)
    board = position.variant.board
    fleet = Unit("F", board.place("Paris"), "France")
    outcome = adjudicate(position, {"France": [Move(fleet, board.place("Picardy"))]})
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].reason == "The unit in Paris is A Paris, not F Paris."


def test_an_illegal_line_leaves_no_trace_and_the_next_one_counts():
    outcome = play(stand(STAND), {"France": ["A Paris - Moscow", "A Paris - Burgundy"]})
    assert words(outcome)["A Paris - Burgundy"] == "succeeds"


def test_the_second_legal_order_is_told_the_first():
    outcome = play(stand(STAND), {"France": ["A Paris - Gascony", "A Paris - Burgundy"]})
    assert words(outcome)["A Paris - Gascony"] == "succeeds"
    assert words(outcome)["A Paris - Burgundy"] == "illegal"
    assert reasons(outcome)["A Paris - Burgundy"] == (
        "A Paris has its order already: A Paris - Gascony."
    )


@each_row("choice", ["1971", "1982", "2000fallback"])
@each_row("line", ["A Paris - Picardy via Convoy", "A London - Wales via Convoy"])
def test_via_convoy_without_fleets_goes_over_land_where_the_rules_fall_back(line: str, choice: str):
    rules = Rulebook.from_json({"preset": "DATC", "4.A.3": choice})
    position = stand({"France": ["A Paris", "A London"]})
    assert words(play(position, {"France": [line]}, rules))[line] == "succeeds"


def test_via_convoy_inland_says_how_to_go_over_land():
    outcome = play(stand({"France": ["A Paris"]}), {"France": ["A Paris - Picardy via Convoy"]})
    assert reasons(outcome)["A Paris - Picardy via Convoy"] == (
        "No convoy goes from Paris to Picardy, as Paris has no coast: "
        "leave out “via Convoy” to go over land."
    )


def test_the_same_order_twice_counts_once():
    outcome = play(stand(STAND), {"France": ["A Paris - Burgundy", "A Paris - Burgundy"]})
    assert [result.result for result in outcome.results[:2]] == [("succeeds",), ("succeeds",)]
    assert units(outcome.next).count("France: A Burgundy") == 1


@each_row(
    ("line", "sentence"),
    [
        (
            "A Vienna - Trieste",
            "A Vienna may not retreat to Trieste: the attack came from there, or others bounced "
            "there. It may retreat to Bohemia.",
        ),
        ("A Vienna - Venice", "A Vienna cannot reach Venice. It may retreat to Bohemia."),
        (
            "A Vienna - Budapest",
            "A Vienna cannot retreat to Budapest, where A Budapest stands. "
            "It may retreat to Bohemia.",
        ),
        ("A Vienna Holds", "In a retreat phase a dislodged unit can only retreat or disband."),
        ("A Budapest - Galicia", "A Budapest is not dislodged."),
        ("A Rome - Tuscany", "There is no dislodged unit in Rome."),
    ],
)
def test_an_illegal_retreat_says_why(line: str, sentence: str):
    position = stand(
        {"Austria": ["A Budapest"], "Italy": ["A Vienna"]},
        phase="S1901R",
        dislodged=[{"power": "Austria", "unit": "A Vienna", "retreats": ["Bohemia"]}],
    )
    outcome = play(position, {"Austria": [line]})
    assert outcome.results[0].result == ("illegal",)
    assert outcome.results[0].reason == sentence


@each_row(
    ("line", "sentence"),
    [
        ("Build A Warsaw", "Warsaw is not a home centre of Germany. Germany can build in Munich."),
        (
            "Build A Berlin",
            "Berlin belongs to Russia, not to Germany. Germany can build in Munich.",
        ),
        ("Build A Kiel", "Kiel is occupied by F Kiel. Germany can build in Munich."),
        ("Build F Munich", "Munich has no coast: no fleet can be built there."),
        ("Build A Ruhr", "Ruhr is not a supply centre. Germany can build in Munich."),
        ("Disband F Kiel", "Germany does not have to disband a unit."),
    ],
)
def test_an_illegal_build_says_why(line: str, sentence: str):
    position = stand(
        {"Germany": ["F Kiel"]},
        phase="W1901A",
        centers={"Germany": ["Kiel", "Munich", "Warsaw"], "Russia": ["Berlin"]},
    )
    assert play(position, {"Germany": [line]}).results[0].reason == sentence


def test_who_must_disband_cannot_build():
    position = stand(
        {"Germany": ["F Kiel", "A Ruhr"]}, phase="W1901A", centers={"Germany": ["Munich"]}
    )
    outcome = play(position, {"Germany": ["Build A Munich", "Disband A Ruhr"]})
    assert outcome.results[0].reason == "Germany has more units than centres and cannot build."
    assert outcome.results[1].result == ("succeeds",)


def test_a_unit_that_reaches_nothing_by_itself_is_told_so():
    """An army on an island without a land bridge, as in the first print of Colonial."""
    position = stand({"Japan": ["A Otaru"]}, variant="colonial+land_bridges=first_print")
    [reading] = read_orders(position, "Japan", ["A Otaru - Sakhalin"])
    assert reading.problem
    assert reading.problem.sentence.endswith("By itself it reaches no other province.")


@pytest.mark.parametrize(
    ("name", "power", "fleet", "army", "where"),
    [
        ("colonial", "Britain", "F Aden", "A Delhi - Ceylon", "Cebu"),
        ("ancient_med", "Rome", "F Neapolis", "A Rome - Sicilia", "Baleares"),
    ],
)
def test_who_cannot_convoy_reads_where_a_fleet_can(name, power, fleet, army, where):
    position = Position.start(load_variant(name))
    [reading] = read_orders(position, power, [f"{fleet} C {army}"])
    said = f"{fleet} cannot convoy: only a fleet at sea or in {where} can."
    assert reading.problem.sentence == said
