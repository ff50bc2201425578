"""Conditions that nobody can decide: what stands below them is asked about, what stands above
counts; and second thoughts about orders sent ahead."""

from __future__ import annotations

import pytest

from games.queries.orders.advance_orders import orders_kept
from games.queries.orders.current_orders import current_decisions
from tests.cast import Cast
from tests.mailer.correspondence import answer_to, flat, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def say(cast: Cast, text: str) -> str:
    to = to_seat(cast)
    return flat(answer_to(write("Carla", text, to=to)).body)


def ordered(cast: Cast) -> list[str]:
    decisions = current_decisions(cast.phase, cast.seat("France").power)
    return [order for _, order in decisions if order]


@each_row(
    "heading",
    [
        *("If Germany attacks Burgundy:", "IF Germany attacks Burgundy", "In case Italy moves,"),
        *(
            "Unless Italy says no",
            "But if England goes to the Channel then",
            "Falls Italien zieht:",
        ),
    ],
)
@each_row("end", ["", "\nELSE\nF Bre - Eng", "\nENDIF", "\notherwise\nF Bre - Eng"])
def test_what_stands_above_such_a_condition_counts_and_nothing_below(
    marne: Cast, heading: str, end: str
) -> None:
    said = say(marne, f"A Par - Bur\n\n{heading}\nA Mar S A Par - Bur{end}")
    assert ordered(marne) == ["A Paris - Burgundy"]
    assert "not a condition" in said
    assert f"It stands below “{heading}”, so we do not follow it." in said


def test_nor_what_stands_above_for_a_unit_that_is_ordered_otherwise_below(marne: Cast) -> None:
    said = say(marne, "A Par - Bur\nA Mar - Spa\nIF it rains\nA Mar H\nA Par - Bur\nENDIF")
    assert ordered(marne) == ["A Paris - Burgundy"]
    assert "“A Mar - Spa”: Below “IF it rains” you order it otherwise" in said


def test_a_block_above_that_can_be_decided_is(marne: Cast) -> None:
    say(marne, "IF I HOLD Paris\nA Par - Bur\nELSE\nA Par H\nENDIF\nIF it rains\nA Mar H\nENDIF")
    assert ordered(marne) == ["A Paris - Burgundy"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("If it rains:\nA Par - Bur", "That is not a condition that we can decide."),
        ("A Par - Bur\nELSE\nA Par H", "“ELSE” leaves the choice to us, and we make none."),
        ("A Par - Bur\nor failing that:\nA Par H", "“or failing that” leaves the choice to us"),
    ],
)
def test_without_an_order_that_is_clearly_wanted_nothing_changes(
    marne: Cast, text: str, why: str
) -> None:
    assert why in say(marne, text)
    assert ordered(marne) == []


@each_row(
    "talk",
    [
        *("If you have questions, just ask me.", "If it rains again, I will cry."),
        *("Should I have written before?", "Once more, sorry.", "If only I knew!"),
    ],
)
def test_talk_that_begins_like_a_condition_costs_no_order(marne: Cast, talk: str) -> None:
    say(marne, f"{talk}\nA Par - Bur\nA Mar - Spa")
    assert ordered(marne) == ["A Marseilles - Spain", "A Paris - Burgundy"]


def test_an_order_that_says_sorry_is_not_followed_beside_another_of_its_unit(marne: Cast) -> None:
    say(marne, "A Par - Bur\nA Mar - Spa\nsorry, A Par - Pic")
    assert ordered(marne) == ["A Marseilles - Spain"]
    say(marne, "sorry, A Par - Pic")
    assert ordered(marne) == ["A Paris - Picardy"]


# --- Sent ahead -----------------------------------------------------------------------------


def kept(cast: Cast) -> list[str]:
    return [text for one in orders_kept(cast.seat("France")) for _, text in one.lines]


@each_row("sorry", ["sorry, A Bur - Par", "No wait, A Bur - Par", "PS: A Bur - Par"])
def test_second_thoughts_about_orders_sent_ahead_are_heeded(marne: Cast, sorry: str) -> None:
    said = say(marne, f"PHASE F1901M\nA Bur - Bel\nA Spa - Por\n{sorry}")
    assert "A Bur - Bel" not in kept(marne)
    assert "A Spa - Por" in kept(marne)
    assert "“A Bur - Bel”: Further down you wrote" in said
    assert "Write PHASE F1901M, AMEND on the next line, and below it the order" in said


def test_builds_sent_ahead_are_taken_back_too(marne: Cast) -> None:
    say(marne, "PHASE W1901A\nBuild A Par\nBuild F Bre\nsorry, not A Par but A Mar")
    assert "Build F Bre" in kept(marne)
    assert "Build A Par" not in kept(marne)


def test_what_is_called_off_above_is_not_kept(marne: Cast) -> None:
    say(marne, "PHASE F1901M\nA Bur - Bel\nF Mid - Por\nignore the above\nA Bur - Par")
    assert kept(marne) == ["A Bur - Par"]


def test_where_nothing_is_left_the_answer_says_why(marne: Cast) -> None:
    say(marne, "PHASE F1901M\nA Bur H")
    said = say(marne, "PHASE F1901M\nA Bur - Bel\nsorry, A Bur - Par")
    assert "None of these orders is kept" in said
    assert "“A Bur - Bel”: Further down you wrote “sorry, A Bur - Par”" in said
    assert kept(marne) == ["A Bur H"]


def test_conditions_of_orders_sent_ahead_are_no_second_thoughts(marne: Cast) -> None:
    text = "IF I HOLD Bur\nA Bur - Mun\nELSE\nA Par - Bur\nENDIF\nWAIT"
    say(marne, f"PHASE F1901M\n{text}")
    assert kept(marne) == text.split("\n")
