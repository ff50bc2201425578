"""In whatever style an order is written, it is read as that order; a slip makes no other one."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from judge.legality.options import legal_orders
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.places import Location
from judge.position import Position
from judge.text.read import Reading, read_orders
from judge.text.reader_cache import line_reader_of
from judge.units import Unit
from judge.variants import load_variant
from tests.examples import times

STANDARD = load_variant("standard")
NAMES = line_reader_of(STANDARD).gazetteer
WHERE = Position.from_state(
    STANDARD,
    {
        "phase": "F1904M",
        "units": {
            "England": [
                "F North Sea",
                "F Norwegian Sea",
                "A Yorkshire",
                "F English Channel",
                "A Norway",
            ],
            "France": [
                "A Burgundy",
                "A Gascony",
                "F Mid-Atlantic Ocean",
                "F Spain(sc)",
                "A Picardy",
            ],
            "Germany": ["A Munich", "A Ruhr", "F Kiel", "F Denmark", "A Holland"],
            "Italy": ["A Venice", "F Ionian Sea", "F Tyrrhenian Sea", "A Apulia"],
            "Austria": ["A Vienna", "A Serbia", "F Trieste", "A Budapest"],
            "Russia": [
                "F St Petersburg(nc)",
                "A Livonia",
                "F Black Sea",
                "A Ukraine",
                "F Gulf of Bothnia",
            ],
            "Turkey": ["F Bulgaria(ec)", "A Constantinople", "F Aegean Sea", "A Smyrna"],
        },
    },
)
ORDERS = [
    (power, order)
    for power, units in legal_orders(WHERE).items()
    for choices in units.values()
    for order in choices
]

COASTS = {
    "nc": ("(nc)", "/nc", " (north coast)", " NC", "-nc"),
    "sc": ("(SC)", " south coast", "/sc"),
    "ec": ("(ec)", "/ec", " (E.C.)"),
}
DASHES = st.sampled_from((" - ", "-", " – ", "—", " -> ", "→", " to ", " moves to ", " > "))
SUPPORTS = st.sampled_from((" S ", " s ", " supports ", " Supp. ", " support "))
CONVOYS = st.sampled_from((" C ", " convoys ", " c ", " transports "))
HOLDS = st.sampled_from((" H", " holds", " hold", " - hold", " stands"))
LEADS = st.sampled_from(("", "- ", "• ", "3. ", "(2) ", "* "))
TAILS = st.sampled_from(("", ".", " !", " (as agreed)", "  ", ";"))
STYLES: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)
CASES = st.sampled_from(STYLES)


def places(at: Location) -> st.SearchStrategy[str]:
    name = at.province.name
    short = NAMES.abbreviation(at.province.index)
    names = st.sampled_from((name, short, name.replace(" ", "  "), f"{short}."))
    return st.builds(str.__add__, names, st.sampled_from(COASTS[at.coast])) if at.coast else names


def units(unit: Unit) -> st.SearchStrategy[str]:
    letters = st.sampled_from(
        {"A": ("A ", "Army ", "army in ", ""), "F": ("F ", "Fleet ", "F. ", "")}[unit.kind]
    )
    return st.builds(str.__add__, letters, places(unit.location))


@st.composite
def written(draw: st.DrawFn, order: Order) -> str:
    """The order in somebody's style."""
    if isinstance(order, Hold):
        text = draw(units(order.unit)) + draw(HOLDS)
    elif isinstance(order, Move):
        text = draw(units(order.unit)) + draw(DASHES) + draw(places(order.to))
        text += draw(st.sampled_from((" via convoy", " by convoy", " via"))) * order.via_convoy
    elif isinstance(order, Support):
        text = draw(units(order.unit)) + draw(SUPPORTS) + draw(units(order.supported))
        text += (
            draw(DASHES) + draw(places(order.to))
            if order.to
            else draw(st.sampled_from(("", " H", " to hold")))
        )
    else:
        assert isinstance(order, Convoy)
        text = draw(units(order.unit)) + draw(CONVOYS) + draw(units(order.army))
        text += draw(DASHES) + draw(places(order.to))
    return draw(LEADS) + draw(CASES)(text) + draw(TAILS)


def read(power: str, line: str) -> Reading:
    readings = read_orders(WHERE, power, [line])
    assert len(readings) == 1, readings
    return readings[0]


@given(st.sampled_from(ORDERS), st.data())
@times(2.5)
def test_every_style_is_read_as_the_order_that_was_meant(one, data):
    power, order = one
    line = data.draw(written(order))
    reading = read(power, line)
    assert reading.problem is None, (line, reading)
    assert str(reading.order) == str(order), line


@given(st.sampled_from(ORDERS), st.data())
@times(2.5)
def test_a_slip_of_the_finger_is_read_as_meant_or_asked_back_but_never_as_another_order(one, data):
    power, order = one
    text = str(order)
    at = data.draw(
        st.sampled_from([i for i, letter in enumerate(text) if letter.isalpha() and i > 1])
    )
    letter = data.draw(st.sampled_from("aeiourstnlkz"))
    slip = data.draw(st.sampled_from(("lost", "wrong", "doubled", "swapped")))
    middle = {
        "lost": "",
        "wrong": letter,
        "doubled": text[at] * 2,
        "swapped": text[at : at + 2][::-1],
    }[slip]
    line = text[:at] + middle + text[at + (2 if slip == "swapped" else 1) :]
    for reading in read_orders(WHERE, power, [line]):
        if reading.counts:
            assert without_coasts(str(reading.order)) == without_coasts(text), (line, reading)


def without_coasts(text: str) -> str:
    """A coast that cannot be read is an unknown one, and is ignored (4.B.6)."""
    return re.sub(r"\(..\)", "", text)
