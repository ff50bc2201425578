"""Conditions of orders, asked of real positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.queries import board
from games.queries.board import Step
from games.queries.parsing.conditions import read_condition

START = board.position_of("standard", board.first_state("standard"))
BURGUNDY_LOST = board.position_of(
    "standard",
    {
        "phase": "F1902R",
        "units": {"France": ["A Paris", "F Spain(sc)"], "Germany": ["A Burgundy"]},
        "centers": {"France": ["Paris", "Spain"], "Germany": ["Munich", "Belgium"]},
        "dislodged": [{"power": "France", "unit": "A Burgundy", "retreats": ["Gascony"]}],
    },
)


def holds(text: str, *, position: board.Position = START, power: str = "France") -> bool:
    step = position.phase.step
    return read_condition(text, variant="standard", power=power, step=step)(position)


@pytest.mark.parametrize(
    "text",
    [
        "I HOLD Paris",
        "i hold par",
        "I hold A Paris",
        "we hold army paris",
        "France holds Paris",
        "Germany HOLDS Munich",
        "Ger holds Mun",
        "NOT Germany holds Paris",
        "Germany does not hold Paris",
        "NOT NOT I HOLD Paris",
        "nobody holds Burgundy",
        "no one holds Bur",
        "anybody holds Munich",
        "I OWN Brest",
        "Russia owns St Petersburg",
        "nobody owns Belgium",
        "somebody owns Munich",
        "Russia holds St Petersburg (sc)",
        "I hold Paris and Germany holds Munich",
        "I hold Burgundy or Germany holds Munich",
        "I hold Paris or I hold Brest and I hold Burgundy",
        "not (I hold Burgundy or I hold Gascony)",
        "(I hold Paris) and (not I hold Gascony)",
    ],
)
def test_what_is_so_is_met(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "I hold Burgundy",
        "I hold F Paris",
        "Germany holds Paris",
        "anybody holds Burgundy",
        "nobody holds Paris",
        "I do not hold Paris",
        "I own Belgium",
        "nobody owns Paris",
        "I hold Paris and Germany holds Burgundy",
        "(I hold Paris or I hold Brest) and I hold Burgundy",
    ],
)
def test_what_is_not_so_is_not_met(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "A Burgundy is dislodged",
        "my A Bur is dislodged",
        "Burgundy dislodged",
        "I do not hold Burgundy",
        "Germany holds Burgundy and A Burgundy is dislodged",
        "not A Paris is dislodged",
        "not F Burgundy is dislodged",
        "I hold Spain",
    ],
)
def test_own_dislodgement_is_known_in_retreat_phases(text: str) -> None:
    assert holds(text, position=BURGUNDY_LOST)


def test_the_dislodged_units_of_others_are_not_ones_own() -> None:
    assert not holds("A Burgundy is dislodged", position=BURGUNDY_LOST, power="Germany")


def test_i_is_whoever_asks() -> None:
    assert holds("I hold Munich", power="Germany")
    assert not holds("I hold Munich", power="France")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "A condition is missing"),
        ("I hold Paris and", "A condition is missing"),
        ("A Paris", "is not a condition"),
        ("it rains", "is not a condition"),
        ("I hold Atlantis", "no province"),
        ("Poland holds Paris", "no power"),
        ("I own Burgundy", "not a supply centre"),
        ("(I hold Paris", "closing bracket"),
        ("I hold Paris)", "brackets"),
        ("A Paris is dislodged", "retreat phases only"),
        ("(" * 400 + "I hold Paris" + ")" * 400, "too many brackets"),
        ("not " * 240 + "I hold Paris", "too many brackets"),
    ],
)
def test_what_is_no_condition_is_explained(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        holds(text)


WORDS = ["I", "hold", "own", "Paris", "Germany", "and", "or", "not", "(", ")", "is", "dislodged"]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(["M", "R", "A"]))
def test_any_words_are_a_condition_or_a_sentence(words: list[str], step: Step) -> None:
    assert asked_or_explained(" ".join(words), step) in ("True", "False", ".")


def asked_or_explained(text: str, step: Step) -> str:
    """The answer, or how the explanation ends."""
    try:
        asked = read_condition(text, variant="standard", power="France", step=step)
    except BadInput as error:
        return str(error)[-1:]
    return str(asked(START))
