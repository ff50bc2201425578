"""Variants that need only data and one option: Chaos (DATC 11) and 1898 (DATC 12)."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import pytest

from judge import (
    Position,
    Rulebook,
    UnknownVariant,
    adjudicate,
    all_power_names,
    legal_orders,
    load_variant,
    variant_names,
)
from judge.rulebook import preset_names
from tests.judge.table import play, stand, units, words
from tests.rows import each_row


def test_variants_are_found_by_their_folders():
    assert {"standard", "chaos", "1898"} <= set(variant_names())


def test_an_unknown_variant_is_refused_with_those_there_are():
    with pytest.raises(UnknownVariant, match=r"atlantis.*1898.*chaos.*standard"):
        load_variant("atlantis")


def test_the_powers_of_all_variants_are_known_without_their_maps():
    powers = {power for name in variant_names() for power in load_variant(name).powers}
    assert all_power_names() == powers


def test_a_variant_is_loaded_once():
    assert load_variant("standard") is load_variant()


def test_variants_on_the_same_board_share_it():
    assert load_variant("chaos").board is load_variant("standard").board


def test_standard_is_what_everybody_knows():
    standard = load_variant("standard")
    assert standard.powers == (
        "Austria",
        "England",
        "France",
        "Germany",
        "Italy",
        "Russia",
        "Turkey",
    )
    assert standard.adjective("England") == "English"
    assert [str(p) for p in standard.home_centers("France")] == ["Brest", "Marseilles", "Paris"]
    assert standard.victory_centers == 18


def test_chaos_starts_with_34_powers_that_build_their_first_unit():
    position = Position.start(load_variant("chaos"))
    assert (len(position.variant.powers), str(position.phase)) == (34, "W1900A")
    assert position.units == ()
    assert len(position.powers_to_order()) == 34
    orders = {power: [f"Build A {power}"] for power in position.variant.powers}
    spring = adjudicate(position, orders).next
    assert (len(spring.units), str(spring.phase)) == (34, "S1901M")


def test_in_chaos_any_owned_center_is_a_building_site():
    position = stand({}, phase="W1901A", centers={"Berlin": ["Naples", "Berlin"]}, variant="chaos")
    outcome = play(position, {"Berlin": ["Build F Naples", "Build A Berlin"]})
    assert units(outcome.next) == ["Berlin: A Berlin", "Berlin: F Naples"]


@each_row("rules", preset_names())
def test_datc_11a_in_chaos_an_owned_center_counts_as_home(rules: str):
    position = stand(
        {"Berlin": ["A Prussia", "A Apulia"]},
        phase="W1901A",
        centers={"Berlin": ["Naples"]},
        variant="chaos",
    )
    outcome = play(position, {}, Rulebook.named(rules))
    assert words(outcome) == {"Disband A Prussia": "succeeds"}


def test_1898_starts_with_one_unit_and_one_center_each():
    position = Position.start(load_variant("1898"))
    assert (len(position.units), len(position.centers)) == (7, 7)
    assert {str(options) for options in legal_orders(position)} == set(position.variant.powers)


def test_datc_12a_a_home_center_must_be_captured_first():
    position = stand(
        {"Germany": ["A Kiel"]},
        phase="W1899A",
        centers={"Germany": ["Kiel", "Denmark"]},
        variant="1898",
    )
    assert words(play(position, {"Germany": ["Build A Munich"]})) == {"Build A Munich": "illegal"}


def test_datc_12b_a_captured_home_center_is_a_building_site():
    position = stand(
        {"Germany": ["A Kiel"]},
        phase="W1899A",
        centers={"Germany": ["Kiel", "Munich"]},
        variant="1898",
    )
    assert words(play(position, {"Germany": ["Build A Munich"]})) == {"Build A Munich": "succeeds"}


def test_datc_12c_other_centers_are_not():
    position = stand(
        {"Germany": ["A Kiel"]},
        phase="W1899A",
        centers={"Germany": ["Kiel", "Warsaw", "Munich"]},
        variant="1898",
    )
    assert words(play(position, {"Germany": ["Build A Warsaw"]})) == {"Build A Warsaw": "illegal"}


@each_row("rules", preset_names())
def test_datc_12d_removal_still_counts_from_home_centers(rules: str):
    position = stand(
        {"Russia": ["F Black Sea", "F Norwegian Sea"]},
        phase="W1899A",
        centers={"Russia": ["St Petersburg"]},
        variant="1898",
    )
    outcome = play(position, {}, Rulebook.named(rules))
    assert words(outcome) == {"Disband F Norwegian Sea": "succeeds"}


def test_a_coast_that_can_convoy_is_an_edit_of_the_board():
    """DATC chapter 9 in small: Denmark convoys once the map says so, with no rule changed."""
    variant = load_variant("standard").edited({"convoyable_coasts_add": ["Denmark"]})
    state = {"phase": "S1901M", "units": {"Germany": ["A Kiel", "F Denmark"]}}
    orders = {"Germany": ["A Kiel - Norway", "F Denmark Convoys A Kiel - Norway"]}
    plain = adjudicate(Position.from_state(load_variant("standard"), state), orders)
    assert [one.result for one in plain.results[:2]] == [("illegal",), ("illegal",)]
    swede = {"Germany": ["A Kiel - Sweden", "F Denmark Convoys A Kiel - Sweden"]}
    edited = adjudicate(Position.from_state(variant, state), swede)
    assert [one.result for one in edited.results[:2]] == [("succeeds",), ("available",)]


def test_a_game_may_choose_how_many_centers_win_and_where_units_are_built():
    variant = load_variant("standard+victory=24+builds=owned")
    assert (variant.victory_centers, variant.build_sites) == (24, "owned")
    assert variant.chosen == (
        "It takes 24 centres to win, not 18.",
        "Units are built in any free centre that their power owns, not in home centres only.",
    )
    assert load_variant("standard").victory_centers == 18
    assert pickle.loads(pickle.dumps(variant)) is variant


@pytest.mark.parametrize("name", ["standard+victory=18+builds=home", "chaos+builds=owned"])
def test_nobody_is_told_of_a_choice_that_changes_nothing(name):
    assert load_variant(name).chosen == ()
    assert load_variant(name).differs == load_variant(name.partition("+")[0]).differs


@each_row(
    ("name", "untrue", "chosen"),
    [
        ("chaos+builds=home", "Units are built in any free", "Units are built in home centres"),
        ("1898+builds=owned", "Units are built in home", "Units are built in any free centre"),
        ("germany_italy+builds=owned", "Nobody can build", "Units are built in any free centre"),
        ("1900+builds=owned", "but neither can build there", "Units are built in any free"),
        ("fleet_rome+start=winter", "Italy begins with a fleet", "The game begins with builds"),
        ("hundred+start=winter", "France begins with one more unit", "The game begins with builds"),
        ("colonial+land_bridges=hawes", "from Otaru to Sakhalin", "The land bridges of Sakhalin"),
    ],
)
def test_what_a_game_chose_stands_in_place_of_what_it_makes_untrue(name, untrue, chosen):
    """Both once stood in the start mail, and a player could believe either."""
    assert untrue in " ".join(load_variant(name.partition("+")[0]).differs)
    told = " ".join(load_variant(name).differs)
    assert untrue not in told
    assert chosen in told


@each_row("name", variant_names())
def test_what_a_variant_says_of_itself_can_be_read(name):
    variant = load_variant(name)
    assert not any(sign in paragraph for paragraph in variant.differs for sign in "[]")
    choices = {"builds", "start", "victory", *variant.map_options}
    assert {one.untrue_with for one in variant.paragraphs} <= {"", *choices}
    for power in variant.powers:
        assert re.fullmatch(r"[A-Z][\w ]+", variant.adjective(power)), power


def test_a_game_may_begin_with_builds():
    position = Position.start(load_variant("standard+start=winter"))
    assert (str(position.phase), position.units, position.adjustment("Russia")) == ("W1900A", (), 4)
    built = play(position, {"Russia": ["Build A Sevastopol", "Build F St Petersburg(nc)"]})
    assert units(built.next) == ["Russia: A Sevastopol", "Russia: F St Petersburg(nc)"]
    assert str(built.next.phase) == "S1901M"


def test_the_winter_before_the_year_1_is_one_of_1_bc():
    variant = load_variant("ancient_med+start=winter")
    assert str(variant.first_phase) == "W1BCA"
    assert variant.differs[-1].startswith("The game begins with builds in Winter 1 BC:")
    assert str(adjudicate(Position.start(variant), {}).next.phase) == "S1M"


def test_only_what_can_be_chosen_is_offered():
    with pytest.raises(UnknownVariant, match=r"choose victory=2 to victory=7, .*start=winter"):
        load_variant("pure+victory=20")
    with pytest.raises(UnknownVariant, match=r"choose victory=2 to victory=34, .*=owned.$"):
        load_variant("chaos+start=winter")


def test_a_game_may_choose_the_map():
    variant = load_variant("colonial+land_bridges=hawes")
    assert variant.chosen == (
        "The land bridges of Sakhalin: from Vladivostok, as its designer meant it.",
    )
    position = Position.start(variant)
    orders = {"Russia": ["A Vladivostok - Sakhalin"]}
    assert words(play(position, orders))["A Vladivostok - Sakhalin"] == "succeeds"
    assert Position.from_state(variant, position.to_state()) == position


@each_row(
    "name",
    [
        *("standard+victory=3", "standard+victory=40", "standard+victory=many"),
        *("standard+victory=020", "standard+victory= 20", "standard+victory=２０"),
        *("standard+builds=anywhere", "standard+oz=1", "standard+", "chaos+start=winter"),
        *("standard+victory=20+victory=21", "standard+start=winter+start=winter"),
        *("standard+land_bridges=hawes", "colonial+land_bridges=oz", "atlantis+victory=20"),
    ],
)
def test_what_cannot_be_chosen_is_refused(name: str):
    with pytest.raises(UnknownVariant, match=r"You can choose|There (is|are)"):
        load_variant(name)


def test_england_begins_at_sea_in_its_duel_with_turkey():
    """As it is played on the web (England* vs Turkey): from London both fleets would come late."""
    assert units(Position.start(load_variant("england_turkey"))) == [
        "England: A London",
        "England: F English Channel",
        "England: F North Sea",
        "Turkey: A Constantinople",
        "Turkey: A Smyrna",
        "Turkey: F Ankara",
    ]


def test_italy_england_and_russia_begin_with_four_units_each():
    """As they are played on the web (Italy+ vs England+ vs Russia)."""
    variant = load_variant("italy_england_russia")
    start = Position.start(variant)
    assert Counter(unit.power for unit in start.units) == dict.fromkeys(variant.powers, 4)
    assert {"England: A Holland", "Italy: F Trieste"} <= set(units(start))
    assert all(start.adjustment(power) == 0 for power in variant.powers)


@each_row("name", variant_names())
def test_a_variant_says_who_designed_it_or_who_says_that_nobody_knows(name: str):
    facts = load_variant(name).facts
    assert facts["designer"] or facts["designer_source"]


def test_armies_get_to_baleares_by_convoy_only():
    """Tarraconensis and Baleares border on each other, but for fleets alone."""
    crossing = "A Tarraconensis - Baleares"
    convoy = f"F Ligurian Sea Convoys {crossing}"
    position = stand(
        {"Carthage": ["A Tarraconensis", "F Ligurian Sea"]}, phase="S1M", variant="ancient_med"
    )
    alone = play(position, {"Carthage": [crossing]})
    assert "Carthage: A Tarraconensis" in units(alone.next)
    convoyed = play(position, {"Carthage": [crossing, convoy]})
    assert "Carthage: A Baleares" in units(convoyed.next)
