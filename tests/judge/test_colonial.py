"""Colonial's canal and railway: what they refuse, and why a passage failed, word for word."""

from __future__ import annotations

import pytest

from judge import (
    Permit,
    Position,
    Ride,
    UnreadableOrder,
    adjudicate,
    load_variant,
    may_be_orders,
    parse_order,
    read_orders,
    reads_as_orders,
    variant_names,
)
from judge.text.reader_cache import example_on
from tests.rows import each_row

COLONIAL = load_variant("colonial")
Units = dict[str, list[str]]


def at(units: Units) -> Position:
    return Position.from_state(COLONIAL, {"phase": "S1871M", "units": units})


@each_row(
    ("units", "power", "line", "sentence"),
    [
        (
            {"Britain": ["A Egypt"], "France": ["F Mediterranean Sea"]},
            "France",
            "SC F Mediterranean Sea - Red Sea",
            "Only the power with a unit in Egypt lets fleets through the Suez Canal.",
        ),
        (
            {"Britain": ["A Egypt"], "France": ["F Mediterranean Sea"]},
            "Britain",
            "A Egypt C F Med - Red",
            "To let a fleet through the Suez Canal, write “SC F Mediterranean Sea - Red Sea”.",
        ),
        (
            {"Britain": ["A Egypt"], "France": ["F Mediterranean Sea"]},
            "Britain",
            "A Egypt S F Med - Red",
            "To let a fleet through the Suez Canal, write “SC F Mediterranean Sea - Red Sea”.",
        ),
        (
            {"Britain": ["A Egypt"], "France": ["F Mediterranean Sea"]},
            "Britain",
            "SC F Mediterranean Sea - Syria",
            "The Suez Canal joins Mediterranean Sea and Red Sea.",
        ),
        (
            {"Britain": ["A Egypt"]},
            "Britain",
            "SC F Mediterranean Sea - Red Sea",
            "There is no fleet in Mediterranean Sea to let through the Suez Canal.",
        ),
        (
            {"France": ["F Mediterranean Sea"]},
            "France",
            "F Mediterranean Sea - Red Sea",
            "F Mediterranean Sea cannot go through the Suez Canal: there is no unit in Egypt that "
            "could give leave.",
        ),
        (
            {"Russia": ["F Vladivostok"]},
            "Russia",
            "F Vladivostok - TSR - Moscow",
            "F Vladivostok is a fleet, and only armies go by rail.",
        ),
        (
            {"Russia": ["A Moscow"]},
            "Russia",
            "A Moscow - TSR - Peking",
            "The Trans-Siberian Railroad does not go from Moscow to Peking. It has these stops: "
            "Moscow, Perm, Omsk, Krasnoyarsk, Irkutsk, Vladivostok.",
        ),
        (
            {"China": ["A Vladivostok"]},
            "China",
            "A Vladivostok - TSR - Moscow",
            "Only Russia may use the Trans-Siberian Railroad.",
        ),
        (
            {"Russia": ["A Moscow"], "China": ["A Vladivostok"]},
            "China",
            "A Moscow - TSR - Vladivostok",
            "A Moscow belongs to Russia.",
        ),
    ],
)
def test_who_may_not_pass_reads_why(units: Units, power: str, line: str, sentence: str) -> None:
    [reading] = read_orders(at(units), power, [line])
    assert reading.problem.sentence == sentence


@pytest.mark.parametrize(
    ("units", "orders", "sentence"),
    [
        (
            {"Britain": ["A Egypt", "F Mediterranean Sea"]},
            {"Britain": ["A Egypt - Syria", "F Mediterranean Sea - Red Sea"]},
            "The Suez Canal is closed: A Egypt - Syria left it.",
        ),
        (
            {
                "Britain": ["A Egypt"],
                "France": ["F Mediterranean Sea"],
                "Turkey": ["A Syria", "A Sudan"],
            },
            {
                "Britain": ["SC F Mediterranean Sea - Red Sea"],
                "France": ["F Mediterranean Sea - Red Sea"],
                "Turkey": ["A Sudan - Egypt", "A Syria Supports A Sudan - Egypt"],
            },
            "The Suez Canal is closed: A Egypt was dislodged by A Sudan - Egypt.",
        ),
    ],
    ids=["left", "dislodged"],
)
def test_the_canal_is_closed_without_its_keeper(units: Units, orders: Units, sentence: str) -> None:
    fleet = adjudicate(at(units), orders)["F Mediterranean Sea"]
    assert fleet.result == ("fails",)
    assert fleet.reason == sentence


@pytest.mark.parametrize(
    ("units", "orders", "unit", "result", "reason"),
    [
        (
            # It is open until late whether Odessa's support is cut.
            {
                "Russia": ["A Moscow"],
                "Britain": ["A Perm", "A Odessa"],
                "Turkey": ["A Constantinople", "F Black Sea"],
                "France": ["F Mediterranean Sea", "F Rumania"],
            },
            {
                "Russia": ["A Moscow - TSR - Omsk"],
                "Britain": ["A Perm - Moscow", "A Odessa S A Perm - Moscow"],
                "Turkey": ["A Constantinople - Odessa", "F Black C A Constantinople - Odessa"],
                "France": ["F Med - Black Sea", "F Rumania S F Med - Black Sea"],
            },
            "A Moscow",
            ("fails", "dislodged"),
            "Beaten and dislodged by A Perm - Moscow.",
        ),
        (
            {"Russia": ["A Moscow", "A Perm"], "Britain": ["A Orenburg", "A Omsk"]},
            {
                "Russia": ["A Moscow - TSR - Omsk", "A Perm H"],
                "Britain": ["A Orenburg - Perm", "A Omsk S A Orenburg - Perm"],
            },
            "A Moscow",
            ("fails",),
            "Does not leave: A Perm was dislodged by A Orenburg - Perm.",
        ),
        (
            {
                "Britain": ["A Egypt"],
                "France": ["F Mediterranean Sea"],
                "Turkey": ["F Gulf of Aden"],
            },
            {
                "Britain": ["SC F Mediterranean Sea - Red Sea"],
                "France": ["F Mediterranean Sea - Red Sea"],
                "Turkey": ["F Gulf of Aden - Red Sea"],
            },
            "F Mediterranean Sea",
            ("fails",),
            "Bounced with F Gulf of Aden - Red Sea.",
        ),
    ],
    ids=[
        "beaten head to head",
        "own army dislodged",
        "bounce behind the canal",
    ],
)
def test_who_does_not_get_through_reads_why(
    units: Units, orders: Units, unit: str, result: tuple[str, ...], reason: str | None
) -> None:
    line = adjudicate(at(units), orders)[unit]
    assert (line.result, line.reason) == (result, reason)


def test_rides_and_permissions_are_read_without_a_position() -> None:
    ride = parse_order("A Moscow - TSR - Vladivostok", COLONIAL)
    assert isinstance(ride, Ride)
    assert str(ride) == "A Moscow - TSR - Vladivostok"
    permit = parse_order("SC F Mediterranean Sea - Red Sea", COLONIAL)
    assert isinstance(permit, Permit)
    assert str(permit) == "SC F Mediterranean Sea - Red Sea"


@each_row(
    ("line", "read"),
    [
        ("A Vla - Irk (TSR)", "A Vladivostok - TSR - Irkutsk"),
        ("A Vla - Irk TSR", "A Vladivostok - TSR - Irkutsk"),
        ("A Vla - Irk (by train)", "A Vladivostok - TSR - Irkutsk"),
        ("A Vla - Irk (train)", "A Vladivostok - TSR - Irkutsk"),
        ("A Mos (TSR) - Vla", "A Moscow - TSR - Vladivostok"),
        ("TSR A Moscow - Irkutsk", "A Moscow - TSR - Irkutsk"),
        ("TSR: A Mos - Irk", "A Moscow - TSR - Irkutsk"),
        ("A Mos rides TSR to Irkutsk", "A Moscow - TSR - Irkutsk"),
        ("A Mos takes the train to Irkutsk", "A Moscow - TSR - Irkutsk"),
        ("A Mos by train to Irkutsk", "A Moscow - TSR - Irkutsk"),
        ("A Mos - RR - Irk", "A Moscow - TSR - Irkutsk"),
        ("A Irk S A Mos - Vla (TSR)", "A Irkutsk Supports A Moscow - Vladivostok"),
        ("A Vla - Irk (as promised)", "A Vladivostok - Irkutsk"),
    ],
)
def test_a_railway_is_no_note_wherever_it_stands(line: str, read: str) -> None:
    """In brackets it was passed over, so that the train became a march to the next province."""
    assert str(parse_order(line, COLONIAL)) == read


@each_row(
    ("line", "sentence"),
    [
        ("A Mos-Prm-Oms-Kra-Irk by TSR", ""),
        ("A Mos - Ore - Irk by TSR", "Ore is not on the railway."),
    ],
)
def test_the_stops_of_a_train_may_be_written_but_no_other_place(line: str, sentence: str) -> None:
    (reading,) = read_orders(Position.start(COLONIAL), "Russia", [line])
    assert str(reading.order) == "A Moscow - TSR - Irkutsk"
    assert (reading.problem.sentence if reading.problem else "") == sentence


def test_a_train_in_brackets_is_a_note_where_no_railway_is() -> None:
    assert str(parse_order("A Par - Bur (train)")) == "A Paris - Burgundy"


@each_row("line", ["hello there", "A Del -", "xyz A Del - Luc", "F Ecs C A Kyu"])
def test_what_cannot_be_read_is_explained_with_names_of_the_map(line: str) -> None:
    own = "“(A Delhi - Lucknow|A Delhi Holds|F Ecs C A Kyu - ...)”"
    with pytest.raises(UnreadableOrder, match=own):
        parse_order(line, COLONIAL)


@each_row("name", variant_names())
def test_the_example_of_a_map_is_a_move_that_it_allows(name: str) -> None:
    variant = load_variant(name)
    example = example_on(variant)
    board = variant.board
    start, to = board.place(example.unit[2:]), board.place(example.to)
    assert to.index in board.goals["A"][start.index]


@each_row(
    "line",
    [
        "F Med - Red via canal",
        "F Med - Red (SC)",
        "F Med - Suez - Red",
        "F Med - SC - Red",
        "F Med - Suez Canal - Red",
        "F Med through Suez to Red Sea",
        "F Med through the canal - Red",
    ],
)
def test_a_fleet_may_say_that_it_goes_through_the_canal(line: str) -> None:
    assert str(parse_order(line, COLONIAL)) == "F Mediterranean Sea - Red Sea"


@pytest.mark.parametrize("line", ["SC F Med - Red", "Suez: F Med - Red", "TSR A Mos - Irk"])
def test_a_line_may_begin_with_a_passage_and_be_an_order(line: str) -> None:
    assert may_be_orders(line, COLONIAL)
    assert reads_as_orders(line, COLONIAL)
