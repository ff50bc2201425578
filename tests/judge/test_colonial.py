"""Colonial's canal and railway: what they refuse, and why a passage failed, word for word."""

from __future__ import annotations

import pytest

from judge import Permit, Position, Ride, adjudicate, load_variant, parse_order, read_orders

COLONIAL = load_variant("colonial")
Units = dict[str, list[str]]


def at(units: Units) -> Position:
    return Position.from_state(COLONIAL, {"phase": "S1871M", "units": units})


@pytest.mark.parametrize(
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
            "Only Russia may use the Trans-Siberian Railroad (DATC 7.B.34).",
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


def test_rides_and_permissions_are_read_without_a_position() -> None:
    ride = parse_order("A Moscow - TSR - Vladivostok", COLONIAL)
    assert isinstance(ride, Ride)
    assert str(ride) == "A Moscow - TSR - Vladivostok"
    permit = parse_order("SC F Mediterranean Sea - Red Sea", COLONIAL)
    assert isinstance(permit, Permit)
    assert str(permit) == "SC F Mediterranean Sea - Red Sea"
