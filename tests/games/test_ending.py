"""Ends of a game: by rule, by the GM, and what remains of it afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from games.board_json import StateJson
from games.errors import BadInput, WrongState
from games.models import Game, Phase, Proposal
from games.queries.endings.ending import End, end_after, result_sentence, rules_of_end, sentence_of
from games.queries.phases.centers import center_history
from games.queries.reports.end_report import end_report, final_of
from games.queries.reports.wording import draw_among
from games.scoring.systems import SYSTEMS
from games.services.adjudication.due_games import phases_due
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.endings.ending import game_end
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import proposals_close
from games.services.ordering.gm_orders import preview
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, POWERS, Cast, make_cast

EVERY = sorted(POWERS.values())
Ending = Game.Ending

pytestmark = pytest.mark.django_db


def play_years(cast: Cast, years: int) -> None:
    """Let everybody hold: no orders, no captures, hence no adjustments."""
    for _ in range(2 * years):
        assert phase_process_now(game_id=cast.game.pk, now=NOW)


def game_of(cast: Cast) -> Game:
    return Game.objects.get(pk=cast.game.pk)


def own(cast: Cast, center: str, power: str) -> None:
    """Put a free centre into the power's hands, with a unit, as if captured the year before."""
    phase = cast.phase
    phase.position["centers"][power].append(center)
    phase.position["units"][power].append(f"A {center}")
    phase.save()


def test_a_fixed_last_year_ends_the_game_when_its_centres_are_counted() -> None:
    cast = make_cast(last_year=1902)
    play_years(cast, 1)
    assert game_of(cast).status == "active"
    play_years(cast, 1)
    game = game_of(cast)
    assert (game.status, game.ending, game.winners) == ("finished", "last_year", EVERY)
    assert not game.phases.exclude(status=Phase.Status.PROCESSED).exists()
    assert phases_due(now=NOW + 99 * DAY) == []
    assert result_sentence(game).startswith(
        "1902 was the last year, which makes it a draw among Austria, England"
    )


def test_so_does_a_number_of_years() -> None:
    cast = make_cast(most_years=3)
    play_years(cast, 2)
    assert game_of(cast).status == "active"
    play_years(cast, 1)
    assert game_of(cast).ending == "most_years"
    assert result_sentence(game_of(cast)).startswith(
        "the game has lasted 3 years, which makes it a draw among"
    )


def test_so_do_years_in_a_row_without_a_capture() -> None:
    cast = make_cast(quiet_years=2)
    play_years(cast, 2)
    game = game_of(cast)
    assert game.ending == "quiet_years"
    assert "no centre was captured for 2 years" in result_sentence(game)


@pytest.mark.parametrize(("years", "ends"), [(6, True), (7, False)])
def test_so_do_they_where_years_pass_between_the_moves(db: None, years: int, ends: bool) -> None:
    game = game_create(name="somme", variant="hundred", quiet_years=years, now=NOW)
    owned = {"England": ["London"]}
    position = StateJson(phase="S1425M", units={}, centers=owned, dislodged=[])
    for number, name in enumerate(["S1425M", "F1430M"], start=1):
        game.phases.create(
            number=number, name=name, position=position, opened_at=NOW, status="processed"
        )
    end = end_after(game, "F1430M", {**position, "phase": "S1435M"}, "")
    assert (end is not None) == ends


def test_a_capture_begins_the_count_anew() -> None:
    cast = make_cast(quiet_years=3)
    play_years(cast, 2)
    own(cast, "Tunis", "Italy")
    play_years(cast, 2)
    assert game_of(cast).status == "active"
    play_years(cast, 1)
    assert game_of(cast).ending == "quiet_years"


def test_a_centre_that_is_taken_back_was_captured_all_the_same() -> None:
    cast = make_cast(quiet_years=2)
    play_years(cast, 1)
    own(cast, "Tunis", "Italy")  # at the end of 1901, as it were
    play_years(cast, 1)
    phase = cast.phase
    phase.position["centers"]["Italy"].remove("Tunis")
    phase.position["units"]["Italy"].remove("A Tunis")
    phase.save()
    play_years(cast, 1)
    assert game_of(cast).status == "active"


def test_those_without_a_centre_have_no_share_in_a_draw_by_rule() -> None:
    cast = make_cast(last_year=1901)
    play_years(cast, 0)
    phase = cast.phase
    phase.position["centers"].pop("Italy")
    phase.position["units"]["Italy"] = ["A Piedmont"]
    phase.save()
    phase_process_now(game_id=cast.game.pk, now=NOW)
    phase_process_now(game_id=cast.game.pk, now=NOW)
    assert "Italy" not in game_of(cast).winners


@pytest.mark.parametrize(
    ("phase", "following", "ends"),
    [
        ("S1901M", "F1901M", False),
        ("S1901R", "F1901M", False),
        ("F1901M", "F1901R", False),
        ("F1901M", "W1901A", True),
        ("F1901R", "W1901A", True),
        ("F1901M", "S1902M", True),
        ("F1901R", "S1902M", True),
        ("W1901A", "S1902M", False),
        ("S1901M", "F1906M", False),
        ("S1901M", "F1906R", False),
        ("F1901M", "S1906M", True),
    ],
)
def test_a_year_is_over_when_its_fall_is(
    marne: Cast, phase: str, following: str, ends: bool
) -> None:
    marne.game.last_year = 1901
    after = {**marne.phase.position, "phase": following}
    end = end_after(marne.game, phase, after, "")
    assert (end is not None) == ends


def test_a_solo_goes_before_every_other_end(marne: Cast) -> None:
    marne.game.last_year = 1901
    after = {**marne.phase.position, "phase": "W1901A"}
    assert end_after(marne.game, "F1901M", after, "France") == End(Ending.SOLO, ("France",))


def test_without_a_setting_a_game_goes_on(marne: Cast) -> None:
    play_years(marne, 8)
    assert game_of(marne).status == "active"


def test_the_gm_ends_a_game_and_what_is_open_is_closed(marne: Cast) -> None:
    event = game_end(
        game=marne.game, winners=["turkey", "France"], why="Late.", by="the GM", now=NOW
    )
    game = game_of(marne)
    assert (game.ending, game.winners, game.winner) == ("gm", ["France", "Turkey"], "")
    assert game.phases.get().status == Phase.Status.CLOSED
    assert event.kind == "game_finished"
    assert event.payload["how"] == "the GM has decided on a draw between France and Turkey"
    assert (event.payload["why"], event.payload["by"]) == ("Late.", "the GM")


def test_the_gm_gives_the_victory_to_one(marne: Cast) -> None:
    game_end(game=marne.game, winners=["Turkey"], why="", by="the GM", now=NOW)
    game = game_of(marne)
    assert (game.winner, game.winners) == ("Turkey", ["Turkey"])
    assert result_sentence(game) == "the GM has decided on a win for Turkey"


@pytest.mark.parametrize(
    ("winner", "said"), [("Narnia", "no power “Narnia”"), ("Italy", "Italy has neither")]
)
def test_nobody_wins_who_is_not_there(marne: Cast, winner: str, said: str) -> None:
    phase = marne.phase
    phase.position["centers"].pop("Italy")
    phase.position["units"].pop("Italy")
    phase.save()
    with pytest.raises(BadInput, match=said):
        game_end(game=marne.game, winners=[winner], why="", by="the GM", now=NOW)


def test_a_game_ends_once(marne: Cast) -> None:
    game_end(game=marne.game, winners=[], why="", by="the GM", now=NOW)
    with pytest.raises(WrongState, match="is over"):
        game_end(game=marne.game, winners=[], why="", by="the GM", now=NOW)


def test_a_game_can_end_before_it_has_started(db: None) -> None:
    game = game_create(name="somme", now=NOW)
    game_end(game=game, winners=[], why="Nobody came.", by="the GM", now=NOW)
    game.refresh_from_db()
    assert result_sentence(game) == "it had not started, and will not be played"


def test_a_rollback_of_a_game_that_ended_by_rule_lets_it_end_again() -> None:
    cast = make_cast(last_year=1901)
    play_years(cast, 1)
    game_rollback(game=game_of(cast), phase="F1901M", why="A slip.", by="gm", now=NOW)
    assert game_of(cast).ending == ""
    assert phase_process_now(game_id=cast.game.pk, now=NOW)
    assert game_of(cast).ending == "last_year"


def test_a_game_won_before_there_were_other_ends_is_a_solo(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(status="finished", winner="France")
    game = game_of(marne)
    assert result_sentence(game) == "France has won with 3 centres"
    assert end_report(game).winners == ("France",)


def test_a_game_that_goes_on_has_no_end_to_tell(marne: Cast) -> None:
    assert result_sentence(marne.game) == ""


@pytest.mark.parametrize("how", Ending)
@pytest.mark.parametrize("winners", [(), ("France",), ("France", "Italy")])
def test_every_end_is_one_readable_sentence(
    marne: Cast, how: Game.Ending, winners: Sequence[str]
) -> None:
    marne.game.last_year, marne.game.quiet_years, marne.game.most_years = 1910, 7, 35
    said = sentence_of(how, winners, marne.phase.position, marne.game)
    assert said
    assert not said.endswith(".")
    assert all(winner in said for winner in winners)
    assert "None" not in said


@pytest.mark.parametrize("how", [Ending.QUIET_YEARS, Ending.MOST_YEARS])
def test_an_end_after_one_year_says_year(marne: Cast, how: Game.Ending) -> None:
    marne.game.quiet_years = marne.game.most_years = 1
    said = sentence_of(how, ("France", "Italy"), marne.phase.position, marne.game)
    assert " 1 year, which makes it a draw between France and Italy" in said


def test_the_centres_of_a_year_are_told_though_the_game_ended_in_its_winter(marne: Cast) -> None:
    phase_process_now(game_id=marne.game.pk, now=NOW)
    phase = marne.phase
    phase.position["units"]["Italy"][0] = "A Tunis"
    phase.save()
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert marne.phase.name == "W1901A"
    game_end(game=marne.game, winners=EVERY, why="", by="the GM", now=NOW)
    history = center_history(game_of(marne))
    assert [one.year for one in history] == [1900, 1901]
    assert history[1].centers["Italy"] == 4


def test_the_score_knows_when_a_power_was_eliminated() -> None:
    cast = make_cast(last_year=1903, scoring="bangkok")
    phase_process_now(game_id=cast.game.pk, now=NOW)
    phase = cast.phase  # the fall of 1901, at the end of which nothing is left of Italy
    phase.position["centers"].pop("Italy")
    phase.position["units"].pop("Italy")
    phase.save()
    phase_process_now(game_id=cast.game.pk, now=NOW)
    play_years(cast, 2)
    game = game_of(cast)
    final = final_of(game, center_history(game))
    assert (final.out, final.years) == ({"Italy": 1}, 3)
    assert end_report(game).scores[-1].out == 1901
    assert "Italy" not in final.winners


def settings_said(**settings: object) -> str:
    return " ".join(rules_of_end(make_cast(**settings).game))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "may vote for a draw among all survivors or to concede the victory; votes are secret"),
        ({"draws": "subset", "concessions": False}, "for a draw among any of the survivors; votes"),
        ({"draws": "none"}, "The players may vote to concede the victory; votes are secret."),
        ({"draws": "none", "concessions": False}, "Nobody votes on the end of the game."),
        ({"secret_votes": False}, "everybody is told how each power votes."),
        ({"last_year": 1910}, "It ends after 1910 at the latest, as a draw among all"),
        ({"quiet_years": 7}, "After 7 years in a row without a capture it ends"),
        ({"most_years": 35}, "After 35 years it ends"),
        ({"quiet_years": 1}, "After 1 year without a capture it ends"),
        ({"most_years": 1}, "After 1 year it ends"),
        ({"scoring": "dptg"}, "Scoring: Diplomacy Player's Technical Guide. Each power puts in"),
    ],
)
def test_a_game_says_how_it_may_end(db: None, settings: Mapping[str, object], said: str) -> None:
    assert said in settings_said(**settings)


def test_a_game_needs_a_scoring_system_that_exists_and_a_last_year_it_reaches(db: None) -> None:
    with pytest.raises(BadInput, match="no scoring system “elo”"):
        game_create(name="somme", scoring="elo", now=NOW)
    with pytest.raises(BadInput, match="begins in 1901, so it cannot end after 1850"):
        game_create(name="somme", last_year=1850, now=NOW)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_scores_a_game_as_it_is_stored(marne: Cast, system: str) -> None:
    Game.objects.filter(pk=marne.game.pk).update(scoring=system)
    play_years(marne, 1)
    game_end(game=marne.game, winners=EVERY, why="", by="the GM", now=NOW)
    report = end_report(game_of(marne))
    assert {one.power for one in report.scores} == set(EVERY)
    assert all(one.points for one in report.scores)
    # nobody captured anything: Russia has four centres, the others three
    assert report.scores[0].power in ("Russia", "Austria")
    assert len({one.points for one in report.scores if one.power != "Russia"}) == 1


@pytest.mark.parametrize(
    ("winners", "by", "said"),
    [
        (EVERY, "the GM", ""),
        (EVERY, "the", "the"),
        ([], "the GM", "the GM"),
        ([], "there", "there"),
    ],
)
def test_a_report_names_who_ended_the_game_unless_its_sentence_does(
    marne: Cast, winners: list[str], by: str, said: str
) -> None:
    game_end(game=marne.game, winners=winners, why="", by=by, now=NOW)
    assert end_report(game_of(marne)).by == said


def test_a_proposal_that_was_void_in_the_moment_of_the_end_was_not_open_then(marne: Cast) -> None:
    draw_propose(seat=marne.seat("France"), winners=[], now=NOW)
    proposals_close(game_of(marne), Proposal.State.VOID, "is void", NOW)
    draw_propose(seat=marne.seat("France"), winners=[], now=NOW)
    game_end(game=marne.game, winners=[], why="", by="the GM", now=NOW)
    states = [one.state for one in end_report(game_of(marne)).verdicts]
    assert states == ["void", "still open when the game ended"]


def test_a_preview_says_that_the_game_would_end(db: None) -> None:
    cast = make_cast(last_year=1901)
    assert preview(cast.game).ending == ""
    assert phase_process_now(game_id=cast.game.pk, now=NOW)
    assert preview(game_of(cast)).ending.startswith("1901 was the last year")
    assert game_of(cast).status == "active"


def test_a_draw_is_between_two_and_among_more() -> None:
    assert draw_among(["Italy", "Turkey"]) == "a draw between Italy and Turkey"
    assert draw_among(["France", "Italy", "Turkey"]) == "a draw among France, Italy and Turkey"
