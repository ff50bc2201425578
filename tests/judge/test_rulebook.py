from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from judge import DATC, Rulebook, UnknownRule
from judge.rulebook import issue_choices, issue_numbers, preset_names
from tests.rows import each_row


def test_the_default_is_the_preference_of_the_datc():
    assert Rulebook() == DATC == Rulebook.named("DATC") == Rulebook.from_json("DATC")
    assert DATC.to_json()["4.A.2"] == "Szykman"
    assert DATC.to_json()["4.D.8"] == "2023/2025EE"


def test_there_is_a_preset_for_each_printed_rulebook_and_the_guide():
    assert preset_names() == ("DATC", "1971", "1982", "2000", "2023", "2025EE", "DPTG")


@each_row("name", preset_names())
def test_a_preset_is_made_of_known_choices_and_reads_back(name: str):
    rules = Rulebook.named(name)
    written = rules.to_json()
    assert all(choice in issue_choices(issue) for issue, choice in written.items())
    assert Rulebook.from_json(written) == rules


def test_single_issues_override_a_preset():
    rules = Rulebook.from_json({"preset": "1971", "4.A.2": "Szykman", "4.A.7": "b"})
    assert rules.to_json()["4.A.1"] == "a"
    assert rules.convoy_paradoxes == "Szykman"
    assert rules.dislodged_bounce == "b"


@each_row(
    ("value", "wrong"),
    [
        ("1901", "1901"),
        ({"preset": "house"}, "house"),
        ({"4.A.9": "a"}, "4.A.9"),
        ({"4.A.1": "z"}, "4.A.1 has no choice 'z'"),
        (["DATC"], "preset's name"),
        (7, "preset's name"),
    ],
)
def test_an_unknown_rule_is_refused_with_those_there_are(value: object, wrong: str):
    with pytest.raises(UnknownRule, match=wrong):
        Rulebook.from_json(value)


def test_every_issue_of_chapter_4_may_be_named_with_the_preference_of_the_datc():
    counts = {"4.A": 7, "4.B": 7, "4.C": 6, "4.D": 9, "4.E": 6}
    chapter = [f"{part}.{at}" for part, count in counts.items() for at in range(1, count + 1)]
    assert sorted([*chapter, "6.E.7"]) == list(issue_numbers())
    elsewhere = {"4.D.1": "c", "4.D.2": "b", "4.E.2": "terms", "4.E.4": "b", "4.E.5": "c"}
    named = {"preset": "DATC", **DATC.to_json(), **elsewhere, "4.E.6": "removal"}
    assert named.keys() - {"preset"} == set(issue_numbers())
    assert Rulebook.from_json(named) == DATC


def test_what_who_collects_the_orders_settles_changes_nothing_here():
    elsewhere = {"4.D.1": "d", "4.D.2": "a", "4.E.4": "a", "4.E.5": "b"}
    assert Rulebook.from_json({"preset": "DATC", **elsewhere}) == DATC
    with pytest.raises(UnknownRule, match=r"4\.E\.5 has no choice 'd', only a, b, c"):
        Rulebook.from_json({"preset": "DATC", "4.E.5": "d"})


def test_every_setting_names_its_issue_and_explains_its_choices():
    issues = [rule.metadata["issue"] for rule in fields(Rulebook)]
    assert len(set(issues)) == len(issues)
    for rule in fields(Rulebook):
        meanings = rule.metadata["choices"]
        assert rule.default in meanings
        assert len(meanings) > 1
        assert all(len(meaning) > 10 for meaning in meanings.values())


def test_the_documentation_has_every_issue_with_every_choice_and_its_meaning():
    text = (Path(__file__).parents[2] / "docs" / "judge-rules.md").read_text("utf-8")
    for issue in issue_numbers():
        section = text.partition(f"### {issue} ")[2].partition("\n### ")[0]
        for choice, meaning in issue_choices(issue).items():
            assert f"- `{choice}`" in section, (issue, choice)
            assert " ".join(meaning.split()) in " ".join(section.split()), (issue, choice)


@each_row("name", preset_names())
def test_the_documentation_says_what_each_preset_changes(name: str):
    text = (Path(__file__).parents[2] / "docs" / "judge-rules.md").read_text("utf-8")
    preferred = DATC.to_json()
    changed = {
        issue: choice
        for issue, choice in Rulebook.named(name).to_json().items()
        if choice != preferred[issue]
    }
    row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
    written = dict(part.split(" ") for part in row.split("|")[2].strip().split(", ") if part != "-")
    assert written == changed


def test_a_rulebook_is_json():
    assert json.loads(json.dumps(DATC.to_json())) == DATC.to_json()


def test_the_type_of_every_setting_has_its_choices():
    types = get_type_hints(Rulebook)
    for rule in fields(Rulebook):
        assert set(get_args(types[rule.name])) == set(rule.metadata["choices"])
        assert rule.default in rule.metadata["choices"]
