from __future__ import annotations

import pytest

from judge import Phase, PhaseError, load_variant
from judge.phase import Calendar
from tests.rows import each_row


@each_row(
    ("code", "name"),
    [
        ("S1901M", "Spring 1901 movement"),
        ("S1901R", "Spring 1901 retreats"),
        ("F1901M", "Fall 1901 movement"),
        ("F1901R", "Fall 1901 retreats"),
        ("W1901A", "Winter 1901 adjustments"),
        ("S1M", "Spring 1 movement"),
    ],
)
def test_a_phase_prints_as_it_is_written_and_has_a_long_name(code: str, name: str):
    assert str(Phase.parse(code)) == code
    assert Phase.parse(code).long_name == name


def test_a_year_runs_from_spring_to_winter_and_on():
    phase = Phase.parse("S1901M")
    codes = [str(phase)]
    for _ in range(5):
        phase = phase.following()
        codes.append(str(phase))
    assert codes == ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]
    moves = [Phase.parse("S1901M"), Phase.parse("F1901M")]
    assert [str(phase.following(retreats=False)) for phase in moves] == ["F1901M", "W1901A"]


def test_earlier_phases_sort_first_whatever_the_letters_say():
    codes = ["W1900A", "S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]
    assert [str(phase) for phase in sorted(map(Phase.parse, reversed(codes)))] == codes


@each_row("code", ["", "1901", "X1901M", "S1901A", "W1901M", "F1901A", "S1901MM"])
def test_what_is_no_phase_is_refused_with_an_example(code: str):
    with pytest.raises(PhaseError, match="S1901M"):
        Phase.parse(code)


@pytest.mark.parametrize("code", ["S0M", "W0000A", "S0BCM"])
def test_there_is_no_year_0(code: str):
    with pytest.raises(PhaseError, match="no year 0"):
        Phase.parse(code)


def test_small_letters_and_blanks_are_read():
    assert Phase.parse(" s1901m ") == Phase.parse("S1901M")


def codes_of(first: str, calendar: Calendar, number: int) -> list[str]:
    phase = Phase.parse(first)
    codes = [str(phase)]
    for _ in range(number):
        phase = phase.following(calendar)
        codes.append(str(phase))
    return codes


def test_years_may_pass_in_steps():
    hundred = load_variant("hundred").calendar
    expected = ["S1425M", "S1425R", "F1430M", "F1430R", "W1430A", "S1435M", "S1435R", "F1440M"]
    assert codes_of("S1425M", hundred, 7) == expected


def test_a_year_may_have_one_season_with_moves():
    assert codes_of("F1901M", Calendar(seasons="F"), 3) == ["F1901M", "F1901R", "W1901A", "F1902M"]
    assert codes_of("S1901M", Calendar(seasons="S"), 3) == ["S1901M", "S1901R", "W1901A", "S1902M"]


def test_years_before_christ_run_towards_year_1():
    assert codes_of("F2BCR", Calendar(), 5)[2:] == ["S1BCM", "S1BCR", "F1BCM", "F1BCR"]
    assert codes_of("W1BCA", Calendar(), 1) == ["W1BCA", "S1M"]
    assert codes_of("S3BCM", Calendar(spring_to_fall=5), 2)[-1] == "F3M"
    assert Phase.parse("S480BCM").long_name == "Spring 480 BC movement"
    assert Phase.parse("S480BCM") < Phase.parse("F479BCM") < Phase.parse("S1M")
