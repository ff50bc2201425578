"""What a result mail can say, and what it must not say."""

from __future__ import annotations

import pytest

from games.board_json import StateJson
from games.models import Power
from games.queries.board import position_of
from games.queries.phases.centers import YearEnd, board_text, center_history
from games.queries.reports.phase_report import phase_report, seen_by
from games.queries.reports.start_report import start_report
from games.queries.reports.summary import game_summary
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.orders import orders_submit
from games.services.setup.games import game_create
from tests.cast import HOUR, NOW, OPENINGS, POWERS, Cast, submit

pytestmark = pytest.mark.django_db


def play(cast: Cast, orders: dict[str, list[str]]) -> None:
    """Let the powers mail these orders, then process the phase."""
    for power, lines in orders.items():
        submit(cast, power, lines)
    phase_process_now(game_id=cast.game.pk, now=NOW)


def power(cast: Cast, name: str) -> Power:
    return cast.game.powers.get(name=name)


def test_every_order_is_reported_with_its_outcome_and_its_reason(marne: Cast) -> None:
    play(marne, OPENINGS)
    report = phase_report(marne.game.phases.get(name="S1901M"), power(marne, "France"))
    assert (report.game, report.title, report.step) == ("marne", "Spring 1901 movement", "M")
    assert [one.power for one in report.orders] == sorted(POWERS.values())
    lines = {one.power: {line.order: line for line in one.lines} for one in report.orders}
    assert lines["France"]["A Paris - Burgundy"].result == ("succeeds",)
    bounced = lines["Austria"]["A Vienna - Galicia"]
    assert bounced.result == ("fails",)
    assert bounced.reason
    assert "A Warsaw" in bounced.reason


def test_the_report_says_what_its_reader_must_do_next_and_until_when(marne: Cast) -> None:
    play(marne, OPENINGS)
    report = phase_report(marne.game.phases.get(name="S1901M"), power(marne, "France"))
    assert report.next is not None
    assert (report.next.name, report.next.title) == ("F1901M", "Fall 1901 movement")
    assert report.next.due_at == NOW + 72 * HOUR
    assert report.next.duty is not None
    assert sorted(report.next.duty.units) == ["A Burgundy", "A Spain", "F Mid-Atlantic Ocean"]


def test_an_onlooker_is_told_no_duty(marne: Cast) -> None:
    play(marne, OPENINGS)
    report = phase_report(marne.game.phases.get(name="S1901M"), None)
    assert report.next is not None
    assert report.next.duty is None


def test_what_another_power_wrote_in_vain_is_not_shown(marne: Cast) -> None:
    """It may be anything: a word to a friend that got among the orders."""
    play(marne, {"Italy": ["A Venice - Moscow", "Let us attack Ana tomorrow", "A Rome - Apulia"]})
    first = marne.game.phases.get(name="S1901M")
    seen = {
        name: [
            line.text
            for one in phase_report(first, power(marne, name)).orders
            if one.power == "Italy"
            for line in one.lines
            if line.text
        ]
        for name in ("Austria", "Italy")
    }
    assert seen["Austria"] == ["A Rome - Apulia"]
    assert "Let us attack Ana tomorrow" in seen["Italy"]
    assert "A Venice - Moscow" in seen["Italy"]
    public = str(phase_report(first, None))
    assert "attack Ana" not in public
    assert "A Venice - Moscow" not in public


def capture_munich(cast: Cast) -> None:
    """Play 1901 so that Germany is driven out of Burgundy and France builds."""
    play(cast, {"Germany": ["A Munich - Burgundy"]})
    play(
        cast,
        {
            "France": ["A Paris - Burgundy", "A Marseilles Supports A Paris - Burgundy"],
            "Germany": ["F Kiel - Denmark"],
        },
    )


def test_a_dislodged_unit_and_its_retreats_are_reported_to_all(marne: Cast) -> None:
    capture_munich(marne)
    for name in ("Germany", "France"):
        report = phase_report(marne.game.phases.get(name="F1901M"), power(marne, name))
        (driven_out,) = report.dislodged
        assert (driven_out.power, driven_out.unit) == ("Germany", "A Burgundy")
        assert "Belgium" in driven_out.retreats
    german = phase_report(marne.game.phases.get(name="F1901M"), power(marne, "Germany")).next
    french = phase_report(marne.game.phases.get(name="F1901M"), power(marne, "France")).next
    assert german is not None
    assert german.duty is not None
    assert german.duty.retreats == (driven_out,)
    assert french is not None
    assert french.duty is None


def test_captured_centres_and_builds_are_reported(marne: Cast) -> None:
    capture_munich(marne)
    play(marne, {"Germany": ["A Burgundy - Belgium"]})
    report = phase_report(marne.game.phases.get(name="F1901R"), power(marne, "Germany"))
    captures = {(one.center, one.before, one.after) for one in report.captures}
    assert captures == {("Belgium", None, "Germany"), ("Denmark", None, "Germany")}
    assert report.next is not None
    assert report.next.name == "W1901A"
    assert report.next.duty is not None
    assert (report.next.duty.builds, report.next.duty.disbands) == (2, 0)
    assert report.next.duty.sites == ("Kiel", "Munich")


def test_the_story_of_the_centres_is_told_year_by_year(marne: Cast) -> None:
    capture_munich(marne)
    play(marne, {"Germany": ["A Burgundy - Belgium"]})
    play(marne, {"Germany": ["Build A Munich", "Build F Kiel"]})
    history = center_history(marne.game)
    assert [year.year for year in history] == [1900, 1901]
    assert history[0] == YearEnd(1900, {p: 4 if p == "Russia" else 3 for p in POWERS.values()})
    assert history[1].centers["Germany"] == 5


@pytest.mark.parametrize(
    ("variant", "names", "years"),
    [
        ("hundred", ["S1425M", "F1430M", "S1435M", "F1440M", "S1445M"], ["1424", "1430", "1440"]),
        ("chaos", ["W1900A", "S1901M", "F1901M", "S1902M"], ["1900", "1901"]),
        ("ancient_med", ["S1M", "F1M", "S2M"], ["1 BC", "1"]),
        ("ancient_med", ["W1BCA", "S1M", "F1M", "S2M"], ["1 BC", "1"]),
    ],
)
def test_only_years_whose_centres_were_counted_are_told(
    db: None, variant: str, names: list[str], years: list[str]
) -> None:
    game = game_create(name="somme", variant=variant, now=NOW)
    for number, name in enumerate(names, start=1):
        state = StateJson(phase=name, units={}, centers={}, dislodged=[])
        game.phases.create(
            number=number, name=name, position=state, opened_at=NOW, status="processed"
        )
    assert [one.title for one in center_history(game)] == years


def test_the_board_is_complete_in_lines_that_begin_with_the_power(marne: Cast) -> None:
    board = board_text(position_of("standard", marne.phase.position))
    lines = board.splitlines()
    assert all(line.startswith(tuple(POWERS.values())) for line in lines)
    assert max(map(len, lines)) <= 72
    assert "Russia, 4 centres: Moscow, Sevastopol, St Petersburg, Warsaw" in lines
    assert board.count("F St Petersburg(sc)") == 1
    assert len([line for line in lines if ", units: " in line]) >= 7


def test_the_start_report_introduces_everybody(marne: Cast) -> None:
    report = start_report(marne.seat("France"))
    assert {one.player: one.power for one in report.possessions} == POWERS
    assert (report.power, report.player, report.victory_centers) == ("France", "Carla", 18)
    assert report.next.duty is not None
    assert sorted(report.next.duty.units) == ["A Marseilles", "A Paris", "F Brest"]
    assert report.next.due_at == NOW + 72 * HOUR


def test_a_summary_tells_who_is_missing_and_nothing_secret(marne: Cast) -> None:
    orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=list(enumerate(OPENINGS["France"])),
        amend=False,
        received_at=NOW,
        source="<1@players.test>",
        now=NOW,
    )
    summary = game_summary(marne.game)
    assert (summary.phase, summary.status) == ("S1901M", "active")
    assert summary.gm == "", "the GM has set no name, and is called the GM"
    assert "France" not in summary.waiting_for
    assert len(summary.waiting_for) == 6
    assert "Burgundy" not in str(summary)


def test_a_report_seen_by_a_power_is_the_report_made_for_it(marne: Cast) -> None:
    play(marne, OPENINGS)
    first = marne.game.phases.get(name="S1901M")
    public = phase_report(first, None)
    for name in POWERS.values():
        viewer = power(marne, name)
        assert seen_by(viewer, public, first, marne.phase) == phase_report(first, viewer)


def test_the_board_as_text_never_breaks_a_unit_in_two(marne: Cast) -> None:
    state = marne.phase.position
    many = ["A Moscow", "A Warsaw", "A Ukraine", "F Sevastopol", "F Rumania"]
    state["units"]["Russia"] = [*many, "F St Petersburg(sc)"]
    lines = board_text(position_of("standard", state)).splitlines()
    units = [line for line in lines if line.startswith("Russia, units: ")]
    assert len(units) == 2
    assert sum("F St Petersburg(sc)" in line for line in units) == 1
    assert all(len(line) <= 72 for line in lines)


def test_an_order_that_is_given_again_is_reported_once(marne: Cast) -> None:
    for number, amend in enumerate((False, True)):
        orders_submit(
            seat=marne.seat("France"),
            phase=marne.phase,
            lines=[(1, "A Par - Bur"), (2, "A Paris - Burgundy"), (3, "A Moscow - Ukraine")],
            amend=amend,
            received_at=NOW,
            source=f"<{number}@players.test>",
            now=NOW,
        )
    phase_process_now(game_id=marne.game.pk, now=NOW)
    for viewer in ("France", "Italy"):
        report = phase_report(marne.game.phases.get(name="S1901M"), power(marne, viewer))
        france = next(one.lines for one in report.orders if one.power == "France")
        assert [line.order for line in france].count("A Paris - Burgundy") == 1


def test_every_build_that_is_left_out_is_reported(marne: Cast) -> None:
    phase = marne.phase
    phase.name = phase.position["phase"] = "W1901A"
    phase.position["centers"]["France"] += ["Spain", "Portugal"]
    phase.position["units"]["France"] = ["A Spain", "A Portugal", "F Brest"]
    phase.save()
    play(marne, {"France": ["Waive", "Waive"]})
    report = phase_report(marne.game.phases.get(name="W1901A"), None)
    france = next(one.lines for one in report.orders if one.power == "France")
    assert [line.order for line in france] == ["Waive", "Waive"]
