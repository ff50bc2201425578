"""The sentence behind each result, and the chain of causes on request."""

from __future__ import annotations

import pytest

from judge import Rulebook, with_reason
from tests.judge.table import play, reasons, stand
from tests.rows import each_row

STANDOFF = {"Austria": ["A Vienna"], "Italy": ["A Venice"]}


def reason_of(units: dict, orders: dict, order: str, rules: str = "DATC") -> str | None:
    outcome = play(stand(units), orders, Rulebook.named(rules))
    return reasons(outcome)[order]


@each_row(
    ("words", "reason", "told"),
    [
        ("stands", "", "stands."),
        ("fails", "Beaten by A Vienna - Tyrolia.", "fails. Beaten by A Vienna - Tyrolia."),
        (
            "cut, dislodged",
            "Dislodged by A Vienna - Tyrolia.",
            "cut, dislodged by A Vienna - Tyrolia.",
        ),
        ("invalid, dislodged", "A Serbia was", "invalid, dislodged. A Serbia was"),
        (
            "fails, dislodged",
            "F Rostov held. Dislodged by A Kharkov - Volga.",
            "fails, dislodged by A Kharkov - Volga. F Rostov held.",
        ),
        (
            "cut, dislodged",
            "Cut and dislodged by A Munich - Silesia.",
            "cut, dislodged by A Munich - Silesia.",
        ),
    ],
)
def test_a_result_and_its_reason_say_nothing_twice(words: str, reason: str, told: str) -> None:
    assert with_reason(words, reason) == told


def test_a_bounce_names_the_other_move():
    orders = {"Austria": ["A Vienna - Tyrolia"], "Italy": ["A Venice - Tyrolia"]}
    assert reason_of(STANDOFF, orders, "A Vienna - Tyrolia") == "Bounced with A Venice - Tyrolia."


def test_a_bounce_of_three_names_both_others():
    units = STANDOFF | {"Germany": ["A Munich"]}
    orders = {
        "Austria": ["A Vienna - Tyrolia"],
        "Italy": ["A Venice - Tyrolia"],
        "Germany": ["A Munich - Tyrolia"],
    }
    sentence = reason_of(units, orders, "A Vienna - Tyrolia")
    assert sentence == "Bounced with A Munich - Tyrolia and A Venice - Tyrolia."


def test_who_loses_a_race_is_told_the_winner():
    units = {"Austria": ["A Vienna", "A Bohemia"], "Italy": ["A Venice"]}
    orders = {
        "Austria": ["A Vienna - Tyrolia", "A Bohemia Supports A Vienna - Tyrolia"],
        "Italy": ["A Venice - Tyrolia"],
    }
    assert reason_of(units, orders, "A Venice - Tyrolia") == "Beaten by A Vienna - Tyrolia."


def test_a_bounce_names_no_rival_that_was_beaten_head_to_head():
    units = {"Germany": ["A Munich", "A Silesia"], "Russia": ["A Berlin"]}
    units |= {"France": ["A Burgundy"], "Austria": ["A Bohemia"]}
    orders = {
        "Germany": ["A Munich - Berlin", "A Silesia Supports A Munich - Berlin"],
        "Russia": ["A Berlin - Munich"],
        "France": ["A Burgundy - Munich"],
        "Austria": ["A Bohemia - Munich"],
    }
    sentence = reason_of(units, orders, "A Bohemia - Munich")
    assert sentence == "Bounced with A Burgundy - Munich."


def test_a_garrison_is_named_with_its_supporters():
    units = {"Austria": ["A Trieste"], "Italy": ["A Venice", "A Tyrolia"]}
    orders = {"Austria": ["A Trieste - Venice"], "Italy": ["A Tyrolia Supports A Venice"]}
    sentence = reason_of(units, orders, "A Trieste - Venice")
    assert sentence == "A Venice held with the support of A Tyrolia."


def test_a_cut_support_names_the_move_that_cut_it():
    units = {"Germany": ["A Munich"], "Russia": ["A Silesia", "A Prussia"]}
    orders = {
        "Germany": ["A Munich - Silesia"],
        "Russia": ["A Silesia Supports A Prussia", "A Prussia Holds"],
    }
    sentence = reason_of(units, orders, "A Silesia Supports A Prussia")
    assert sentence == "Cut by A Munich - Silesia."


def test_a_dislodged_supporter_is_told_so_in_one_sentence():
    units = {"Germany": ["A Munich", "A Berlin"], "Russia": ["A Silesia", "A Prussia"]}
    orders = {
        "Germany": ["A Munich - Silesia", "A Berlin Supports A Munich - Silesia"],
        "Russia": ["A Silesia Supports A Prussia"],
    }
    sentence = reason_of(units, orders, "A Silesia Supports A Prussia")
    assert sentence == "Cut and dislodged by A Munich - Silesia."


def test_a_support_that_matched_nothing_is_never_called_cut():
    units = {"Turkey": ["A Bulgaria"], "Russia": ["A Serbia", "A Rumania"]}
    orders = {
        "Turkey": ["A Bulgaria Supports A Serbia"],
        "Russia": ["A Serbia - Bulgaria", "A Rumania Supports A Serbia - Bulgaria"],
    }
    why = "A Serbia was ordered to move: A Serbia - Bulgaria. Dislodged by A Serbia - Bulgaria."
    assert reason_of(units, orders, "A Bulgaria Supports A Serbia") == why
    [first, *_] = explain(units, orders, "A Bulgaria")
    assert first == f"A Bulgaria Supports A Serbia: invalid. {why}"


def test_a_unit_beaten_head_to_head_is_told_so_in_one_sentence():
    units = {"Germany": ["A Berlin", "A Silesia"], "Russia": ["A Prussia"]}
    orders = {
        "Germany": ["A Berlin - Prussia", "A Silesia Supports A Berlin - Prussia"],
        "Russia": ["A Prussia - Berlin"],
    }
    sentence = reason_of(units, orders, "A Prussia - Berlin")
    assert sentence == "Beaten and dislodged by A Berlin - Prussia."


def test_a_destroyed_unit_is_told_that_it_had_nowhere_to_go():
    units = {"England": ["F Mid-Atlantic Ocean", "A Spain"], "France": ["A Portugal"]}
    orders = {"England": ["F Mid-Atlantic Ocean Supports A Spain - Portugal", "A Spain - Portugal"]}
    sentence = reason_of(units, orders, "A Portugal Holds")
    assert sentence == "Dislodged by A Spain - Portugal, with nowhere to retreat to."


def test_nobody_dislodges_their_own_unit():
    units = {"Germany": ["A Berlin", "F Kiel", "A Munich"]}
    orders = {"Germany": ["F Kiel - Berlin", "A Munich Supports F Kiel - Berlin"]}
    sentence = reason_of(units, orders, "F Kiel - Berlin")
    assert sentence == "A Berlin of the same power stayed there."


def test_nobody_helps_to_dislodge_their_own_unit():
    units = {"Austria": ["F Trieste", "A Vienna"], "Italy": ["A Venice"]}
    orders = {"Austria": ["A Vienna Supports A Venice - Trieste"], "Italy": ["A Venice - Trieste"]}
    sentence = reason_of(units, orders, "A Venice - Trieste")
    assert sentence == "A Vienna cannot help to dislodge F Trieste of the same power."


def test_who_waits_for_a_unit_that_does_not_leave_is_told_which():
    units = {"Germany": ["A Berlin", "A Kiel"], "Russia": ["A Warsaw"]}
    orders = {
        "Germany": ["A Berlin - Prussia", "A Kiel - Berlin"],
        "Russia": ["A Warsaw - Prussia"],
    }
    sentence = reason_of(units, orders, "A Kiel - Berlin")
    assert sentence == "A Berlin of the same power did not get away."


def test_a_disrupted_convoy_names_the_fleet_and_who_dislodged_it():
    units = {
        "England": ["F North Sea", "A London"],
        "Germany": ["F Helgoland Bight", "F Skagerrak"],
    }
    orders = {
        "England": ["F North Sea Convoys A London - Holland", "A London - Holland"],
        "Germany": [
            "F Skagerrak - North Sea",
            "F Helgoland Bight Supports F Skagerrak - North Sea",
        ],
    }
    sentence = reason_of(units, orders, "A London - Holland")
    assert sentence == "F North Sea was dislodged by F Skagerrak - North Sea."


def test_an_army_without_a_convoy_order_is_told_so():
    units = {"England": ["F North Sea", "A London"]}
    sentence = reason_of(units, {"England": ["A London - Holland"]}, "A London - Holland")
    assert sentence == "No fleet was ordered to convoy A London to Holland."


def test_half_a_convoy_is_not_enough():
    units = {"England": ["F North Sea", "F Skagerrak", "F Norwegian Sea", "A London"]}
    orders = {"England": ["F Norwegian Sea Convoys A London - Norway", "A London - Norway"]}
    position = stand({"England": ["F English Channel", "F Mid-Atlantic Ocean", "A London"]})
    half = {"England": ["F English Channel Convoys A London - Portugal", "A London - Portugal"]}
    assert reasons(play(position, half))["A London - Portugal"] == (
        "F English Channel alone cannot convoy it to Portugal."
    )
    assert reason_of(units, orders, "A London - Norway") == (
        "No fleet was ordered to convoy A London to Norway."
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("A Tyrolia Supports A Venice", "A Venice was ordered to move: A Venice - Rome."),
        (
            "A Tyrolia Supports A Venice - Trieste",
            "A Venice was not ordered to move to Trieste: A Venice - Rome.",
        ),
    ],
)
def test_a_support_that_does_not_match_says_what_was_ordered(line: str, sentence: str):
    units = {"Austria": ["A Tyrolia"], "Italy": ["A Venice"]}
    assert reason_of(units, {"Austria": [line], "Italy": ["A Venice - Rome"]}, line) == sentence


def test_a_convoy_that_does_not_match_says_what_was_ordered():
    units = {"Germany": ["A Berlin"], "Russia": ["F Baltic Sea"]}
    orders = {"Russia": ["F Baltic Sea Convoys A Berlin - Livonia"]}
    sentence = reason_of(units, orders, "F Baltic Sea Convoys A Berlin - Livonia")
    assert sentence == "A Berlin was not ordered to move to Livonia: A Berlin Holds."


PARADOX = {
    "England": ["F London", "F Wales"],
    "France": ["A Brest", "F English Channel"],
    "Germany": ["F North Sea", "F Belgium"],
}
PARADOX_ORDERS = {
    "England": ["F London Supports F Wales - English Channel", "F Wales - English Channel"],
    "France": ["A Brest - London", "F English Channel Convoys A Brest - London"],
    "Germany": ["F North Sea Supports F Belgium - English Channel", "F Belgium - English Channel"],
}


def test_a_paradox_is_called_one_with_the_rule_that_broke_it():
    sentence = reason_of(PARADOX, PARADOX_ORDERS, "A Brest - London")
    assert sentence == (
        "The convoy by F English Channel is part of a paradox "
        "(4.A.2 Szykman: the convoying fleets of the paradox fail to convoy)."
    )


BETRAYAL = {
    "England": ["F North Sea", "A London", "F English Channel"],
    "France": ["F Belgium"],
    "Germany": ["F Helgoland Bight", "F Skagerrak"],
}
BETRAYAL_ORDERS = {
    "England": [
        "F North Sea Convoys A London - Belgium",
        "A London - Belgium",
        "F English Channel Supports A London - Belgium",
    ],
    "France": ["F Belgium Supports F North Sea"],
    "Germany": ["F Helgoland Bight Supports F Skagerrak - North Sea", "F Skagerrak - North Sea"],
}


@pytest.mark.parametrize("rules", ["1971", "2000"])
def test_a_rulebook_without_an_answer_says_which_rule_it_fell_back_on(rules: str):
    sentence = reason_of(BETRAYAL, BETRAYAL_ORDERS, "A London - Belgium", rules)
    assert sentence == (
        "The convoy by F North Sea is part of a paradox "
        f"(4.A.2: the {rules} rules give no answer, so Szykman's rule is used: "
        "the convoying fleets of the paradox fail to convoy)."
    )


def test_what_succeeds_needs_no_reason():
    units = {"France": ["A Paris", "A Gascony"]}
    orders = {"France": ["A Paris - Burgundy", "A Gascony Supports A Paris - Burgundy"]}
    assert set(reasons(play(stand(units), orders)).values()) == {None}


def test_the_chain_behind_a_result_goes_to_the_last_cause():
    units = {
        "Austria": ["A Serbia", "A Budapest", "A Vienna"],
        "Russia": ["A Rumania", "A Galicia"],
        "Turkey": ["A Bulgaria"],
    }
    orders = {
        "Austria": ["A Serbia - Rumania", "A Budapest Supports A Serbia - Rumania"],
        "Russia": ["A Galicia - Budapest"],
        "Turkey": ["A Bulgaria Supports A Rumania"],
    }
    position = stand(units)
    serbia = position.units_of("Austria")[0]
    assert play(position, orders).explain(serbia) == (
        "A Serbia - Rumania: fails. A Rumania held with the support of A Bulgaria.",
        "A Budapest Supports A Serbia - Rumania: cut. Cut by A Galicia - Budapest.",
        "A Bulgaria Supports A Rumania: given.",
        "A Rumania Holds: stands, supported by A Bulgaria.",
        "A Galicia - Budapest: fails. A Budapest held.",
    )


def test_the_chain_ends_where_causes_go_in_a_circle():
    units = {"Austria": ["A Vienna"], "Italy": ["A Venice"]}
    orders = {"Austria": ["A Vienna - Tyrolia"], "Italy": ["A Venice - Tyrolia"]}
    position = stand(units)
    assert play(position, orders).explain(position.units[0]) == (
        "A Vienna - Tyrolia: fails. Bounced with A Venice - Tyrolia.",
        "A Venice - Tyrolia: fails. Bounced with A Vienna - Tyrolia.",
    )


def explain(units: dict, orders: dict, unit: str) -> tuple[str, ...]:
    position = stand(units)
    [asked] = [one for one in position.units if str(one) == unit]
    return play(position, orders).explain(asked)


def test_the_chain_of_a_dislodged_unit_has_the_support_that_was_lost():
    units = {
        "Austria": ["F Adriatic Sea", "A Trieste", "A Vienna"],
        "Italy": ["A Venice", "A Tyrolia"],
    }
    orders = {
        "Austria": [
            "A Trieste - Venice",
            "F Adriatic Sea Supports A Trieste - Venice",
            "A Vienna - Tyrolia",
        ],
        "Italy": ["A Tyrolia Supports A Venice"],
    }
    chain = explain(units, orders, "A Venice")
    assert chain[0] == "A Venice Holds. Dislodged by A Trieste - Venice."
    assert "A Tyrolia Supports A Venice: cut. Cut by A Vienna - Tyrolia." in chain


def test_the_chain_of_a_circle_that_stood_still_names_the_unit_from_outside():
    units = {"Turkey": ["F Ankara", "A Constantinople", "A Smyrna", "A Bulgaria"]}
    orders = {
        "Turkey": [
            "F Ankara - Constantinople",
            "A Constantinople - Smyrna",
            "A Smyrna - Ankara",
            "A Bulgaria - Constantinople",
        ]
    }
    assert explain(units, orders, "A Constantinople") == (
        "A Constantinople - Smyrna: fails. A Smyrna of the same power did not get away.",
        "A Smyrna - Ankara: fails. F Ankara of the same power did not get away.",
        "F Ankara - Constantinople: fails. Bounced with A Bulgaria - Constantinople.",
        "A Bulgaria - Constantinople: fails. Bounced with F Ankara - Constantinople.",
    )


def test_the_chain_of_a_paradox_names_all_who_make_it():
    chain = explain(PARADOX, PARADOX_ORDERS, "A Brest")
    london = "F London Supports F Wales - English Channel: given. "
    assert london + "Not cut by A Brest - London, whose convoy failed." in chain
    assert any(line.startswith("F English Channel Convoys") for line in chain)
    assert any(line.startswith("F Belgium - English Channel: fails despite") for line in chain)


def test_the_winner_of_a_head_to_head_battle_is_named_before_who_follows_it():
    units = {"Germany": ["A Berlin", "F Kiel", "A Silesia"], "Russia": ["A Prussia"]}
    orders = {
        "Germany": [
            "A Berlin - Prussia",
            "F Kiel - Berlin",
            "A Silesia Supports A Berlin - Prussia",
        ],
        "Russia": ["A Prussia - Berlin"],
    }
    sentence = reason_of(units, orders, "A Prussia - Berlin")
    assert sentence == "Beaten and dislodged by A Berlin - Prussia."


def test_units_of_a_power_that_try_to_trade_places_are_told_so():
    units = {"Germany": ["A Berlin", "F Kiel"]}
    orders = {"Germany": ["A Berlin - Kiel", "F Kiel - Berlin"]}
    sentence = reason_of(units, orders, "A Berlin - Kiel")
    assert sentence == "F Kiel of the same power came the opposite way."


def test_help_that_does_not_count_is_named_where_it_would_have_beaten_the_others():
    units = {
        "England": ["F North Sea", "F Yorkshire"],
        "Germany": ["F Holland", "F Helgoland Bight"],
        "Russia": ["F Skagerrak", "F Norway"],
    }
    orders = {
        "England": ["F Yorkshire Supports F Norway - North Sea"],
        "Germany": [
            "F Holland Supports F Helgoland Bight - North Sea",
            "F Helgoland Bight - North Sea",
        ],
        "Russia": ["F Skagerrak Supports F Norway - North Sea", "F Norway - North Sea"],
    }
    assert reason_of(units, orders, "F Norway - North Sea") == (
        "Bounced with F Helgoland Bight - North Sea. "
        "F Yorkshire cannot help to dislodge F North Sea of the same power."
    )


def test_a_retreat_explains_itself():
    position = stand(
        {},
        phase="S1901R",
        dislodged=[
            {"power": "Italy", "unit": "A Vienna", "retreats": ["Tyrolia"]},
            {"power": "Italy", "unit": "A Bohemia", "retreats": ["Tyrolia"]},
        ],
    )
    outcome = play(position, {"Italy": ["A Vienna - Tyrolia", "A Bohemia - Tyrolia"]})
    assert outcome.explain(position.dislodged[0].unit) == (
        "A Vienna - Tyrolia: fails. Disbanded: A Bohemia retreated to the same province.",
    )


def refusals(lines: list[str], **overrides: str) -> list[str | None]:
    rules = Rulebook.from_json({"preset": "DATC", **overrides})
    outcome = play(stand({"Austria": ["A Vienna"]}), {"Austria": lines}, rules)
    return [result.reason for result in outcome.results]


def test_a_line_beside_another_for_its_unit_says_which_counts():
    lines = ["A Vienna - Galicia", "A Vienna Holds"]
    assert refusals(lines) == [None, "A Vienna has its order already: A Vienna - Galicia."]
    later = "A later order for A Vienna counts: A Vienna Holds."
    assert refusals(lines, **{"4.D.3": "b"}) == [later, None]
    neither = "No order counts where a unit is given two different ones."
    assert refusals(lines, **{"4.D.3": "c"}) == [neither, neither, None]


def test_a_unit_that_may_not_be_supported_says_by_which_rule():
    units = {"Austria": ["A Vienna"], "Russia": ["A Budapest"]}
    line = "A Budapest Supports A Vienna"
    idle = Rulebook.from_json({"preset": "DATC", "4.D.9": "a"})
    told = reasons(play(stand(units), {"Russia": [line]}, idle))[line]
    assert told == "A Vienna may not be supported: its power gave no orders (4.D.9)."
    guide = Rulebook.named("DPTG")
    told = reasons(play(stand(units), {"Russia": [line], "Austria": ["A Vienna - Rome"]}, guide))
    assert told[line] == (
        "A Vienna may not be supported: it was ordered to make an illegal move (4.E.1)."
    )


def test_a_convoy_by_another_way_than_the_one_named_says_so():
    rules = Rulebook.from_json({"preset": "DATC", "4.A.6": "b"})
    units = {"England": ["A London", "F North Sea", "F English Channel"]}
    orders = {"England": ["A Lon - Eng - Bel", "F Nth C A Lon - Bel"]}
    told = reasons(play(stand(units), orders, rules))["A London - English Channel - Belgium"]
    assert told == "No fleet was ordered to convoy A London to Belgium by the way named."


@each_row(
    ("units", "orders", "told"),
    [
        (
            {"Russia": ["F Constantinople", "F Black Sea"], "Turkey": ["F Ankara"]},
            {
                "Russia": ["F Con S F Bla - Ank", "F Bla - Ank"],
                "Turkey": ["F Ank - Con"],
            },
            "F Constantinople Supports F Black Sea - Ankara: given. "
            "Not cut by F Ankara - Constantinople, against which it supports.",
        ),
        (
            {"Russia": ["F Constantinople", "F Black Sea", "A Smyrna"], "Turkey": ["F Ankara"]},
            {"Russia": ["F Con S F Bla - Ank", "F Bla - Ank", "A Smy - Con"]},
            "F Constantinople Supports F Black Sea - Ankara: given. "
            "Not cut by A Smyrna - Constantinople, which is of the same power.",
        ),
        (
            {
                "England": ["F North Sea", "A London"],
                "Germany": ["A Holland", "A Ruhr", "F Skagerrak", "F Denmark"],
                "France": ["A Belgium"],
            },
            {
                "England": ["F Nth C A Lon - Hol", "A Lon - Hol"],
                "Germany": [
                    "A Hol S A Ruh - Bel",
                    "A Ruh - Bel",
                    "F Ska - Nth",
                    "F Den S F Ska - Nth",
                ],
            },
            "A Holland Supports A Ruhr - Belgium: given. "
            "Not cut by A London - Holland, whose convoy failed.",
        ),
        (
            {
                "England": ["F North Sea", "A London"],
                "Germany": ["A Holland", "A Ruhr"],
                "France": ["A Belgium"],
            },
            {
                "England": ["F Nth H", "A Lon - Hol"],
                "Germany": ["A Hol S A Ruh - Bel", "A Ruh - Bel"],
            },
            "A Holland Supports A Ruhr - Belgium: given. "
            "Not cut by A London - Holland, which had no convoy.",
        ),
    ],
    ids=["it is against the attacker", "an own unit", "a convoy that failed", "no convoy at all"],
)
def test_the_chain_says_why_a_support_under_attack_was_not_cut(units, orders, told):
    assert explain(units, orders, told.partition(" Supports ")[0]) == (told,)
