"""Adjudicating phases: when, once, and what is left when it breaks."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest
from django.db import connection

from games import log
from games.errors import WrongState
from games.models import Event, Game, Phase
from games.proofs.digests import result_digest
from games.queries.audit.seals import sealed_orders
from games.queries.orders.current_orders import counting
from games.services.adjudication import phase_completion, phases
from games.services.adjudication.due_games import phases_due
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from tests.cast import DAY, HOUR, NOW, NOWHERE, OPENINGS, Cast, seat_fill

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR


def submit(cast: Cast, power: str, lines: Sequence[str]) -> None:
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=NOW + HOUR,
        source=f"<{cast.phase.name}@players.test>",
        now=NOW + HOUR,
    )


def process(cast: Cast, at: int = 72) -> Event | None:
    return phase_process(game_id=cast.game.pk, now=NOW + at * HOUR)


def test_a_phase_is_due_at_its_deadline_and_not_before(marne: Cast) -> None:
    assert phases_due(now=DUE - HOUR) == []
    assert phases_due(now=DUE) == [marne.game.pk]
    assert process(marne, at=71) is None
    assert marne.phase.name == "S1901M"


def test_of_the_phases_that_are_due_the_longest_overdue_comes_first(marne: Cast) -> None:
    for name, due_at in (("yser", DUE + HOUR), ("somme", DUE - HOUR)):
        game = Game.objects.create(name=name, status=Game.Status.ACTIVE, created_at=NOW)
        game.phases.create(number=1, name="S1901M", position=NOWHERE, opened_at=NOW, due_at=due_at)
    names = dict(Game.objects.values_list("pk", "name"))
    assert [names[pk] for pk in phases_due(now=DUE + DAY)] == ["somme", "marne", "yser"]


def test_a_phase_is_due_as_soon_as_every_order_is_in(marne: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)
    assert phases_due(now=NOW + HOUR) == [marne.game.pk]
    assert process(marne, at=1) is not None
    assert marne.phase.name == "F1901M"


def test_the_outcome_and_the_next_phase_are_stored(marne: Cast) -> None:
    for power in ("Austria", "Russia", "France"):
        submit(marne, power, OPENINGS[power])
    event = process(marne)
    first, second = marne.game.phases.all()
    assert (first.status, first.processed_at) == (Phase.Status.PROCESSED, DUE)
    assert first.orders is not None
    assert first.outcome is not None
    assert first.orders["France"] == OPENINGS["France"]
    assert first.orders_sha256 == log.digest(first.orders)
    bounced = [one for one in first.outcome["results"] if one["order"] == "A Vienna - Galicia"]
    assert bounced[0]["result"] == ["fails"]
    assert "Warsaw" in (bounced[0]["reason"] or "")
    assert (second.name, second.number, second.opened_at) == ("F1901M", 2, DUE)
    assert second.due_at == DUE + 72 * HOUR
    assert "A Burgundy" in second.position["units"]["France"]
    assert event is not None
    assert event.kind == "phase_processed"
    sealed = sealed_orders(first, counting(first.order_sets.all()))
    assert sealed.keys() == {"Austria", "France", "Russia"}
    assert event.payload == {
        "phase": "S1901M",
        "next": "F1901M",
        "missing": ["England", "Germany", "Italy", "Turkey"],
        "eliminated": [],
        "winner": None,
        "position_sha256": log.digest(first.position),
        "orders_sha256": log.digest(first.orders),
        "outcome_sha256": log.digest(first.outcome),
        "seals": {power: one.seal for power, one in sealed.items()},
        "result_sha256": result_digest(
            orders={power: one.orders for power, one in sealed.items()},
            following=second.position,
            winner=None,
        ),
    }


def test_units_without_orders_hold(marne: Cast) -> None:
    before = marne.phase.position["units"]
    process(marne)
    assert marne.phase.position["units"] == before


def test_a_phase_is_processed_once(marne: Cast) -> None:
    assert process(marne) is not None
    assert process(marne) is None
    assert [event.payload["phase"] for event in marne.events("phase_processed")] == ["S1901M"]


def test_a_phase_waits_while_the_barrier_is_down(marne: Cast) -> None:
    assert phase_process(game_id=marne.game.pk, now=DUE, ready=lambda phase: False) is None
    assert marne.phase.name == "S1901M"
    assert marne.phase.attempts == 0


def test_a_gm_may_process_before_the_deadline(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW) is not None
    assert marne.phase.due_at == NOW + 72 * HOUR


def test_phases_in_which_nobody_decides_are_skipped(marne: Cast) -> None:
    """Nobody is dislodged and nobody takes a centre: Spring, Fall, then Spring again."""
    process(marne, at=72)
    process(marne, at=144)
    names = list(marne.game.phases.values_list("name", flat=True))
    assert names == ["S1901M", "F1901M", "S1902M"]


def play(cast: Cast, orders: dict[str, list[str]]) -> None:
    for power, lines in orders.items():
        submit(cast, power, lines)
    phase_process_now(game_id=cast.game.pk, now=NOW + HOUR)


def test_a_year_has_its_retreats_and_its_builds(marne: Cast) -> None:
    play(marne, {"Germany": ["A Munich - Burgundy", "A Berlin - Munich"]})
    play(
        marne,
        {
            "France": ["A Paris - Burgundy", "A Marseilles Supports A Paris - Burgundy"],
            "Germany": ["F Kiel - Denmark"],
        },
    )
    assert marne.phase.name == "F1901R"
    (driven_out,) = marne.phase.position["dislodged"]
    assert driven_out["power"] == "Germany"
    assert marne.phase.due_at == NOW + 25 * HOUR
    play(marne, {"Germany": ["A Burgundy - Belgium"]})
    assert marne.phase.name == "W1901A"
    play(marne, {"Germany": ["Build A Berlin", "Build F Kiel"]})
    assert marne.phase.name == "S1902M"
    assert len(marne.phase.position["units"]["Germany"]) == 5


def give_centers(phase: Phase, power: str, number: int) -> None:
    """Let the power own this many centres, and nobody else stand in them."""
    centers = phase.position["centers"]
    for owner in [one for one in sorted(centers) if one != power]:
        while centers[owner] and len(centers[power]) < number:
            centers[power].append(centers[owner].pop())
    phase.position["centers"] = {one: owned for one, owned in centers.items() if owned}
    phase.position["units"] = {
        owner: [
            unit for unit in units if owner == power or unit[2:].split("(")[0] not in centers[power]
        ]
        for owner, units in phase.position["units"].items()
    }
    phase.save()


def test_eighteen_centres_at_a_years_end_win_the_game(marne: Cast) -> None:
    process(marne, at=72)
    give_centers(marne.phase, "France", 17)
    submit(marne, "France", ["A Marseilles - Spain"])
    event = process(marne, at=144)
    assert event is not None
    assert event.payload["winner"] == "France"
    assert event.payload["next"] is None
    game = Game.objects.get()
    assert (game.status, game.winner, game.finished_at) == ("finished", "France", DUE + 3 * DAY)
    assert not game.phases.exclude(status=Phase.Status.PROCESSED).exists()
    assert phases_due(now=NOW + 1000 * HOUR) == []


def test_a_power_without_centres_and_units_is_eliminated(marne: Cast) -> None:
    phase = marne.phase
    phase.position["centers"].pop("Italy")
    phase.position["units"]["Italy"] = ["A Rome"]
    phase.position["units"]["Austria"] = ["A Venice", "A Apulia", "F Naples"]
    phase.position["dislodged"] = []
    phase.name = phase.position["phase"] = "W1901A"
    phase.save()
    event = process(marne)
    assert event is not None
    assert event.payload["eliminated"] == ["Italy"]
    assert "Italy" not in marne.phase.position["units"]


def spoil(phase: Phase) -> None:
    """Damage the stored position so that its adjudication breaks."""
    phase.position["units"]["France"] = ["A Atlantis"]
    phase.save()


def test_a_phase_that_breaks_is_tried_again_later_and_nothing_of_it_is_stored(
    marne: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(marne.phase)
    with caplog.at_level(logging.ERROR):
        assert process(marne) is None
    assert "Adjudicating marne S1901M failed" in caplog.text
    phase = marne.phase
    assert (phase.status, phase.attempts) == (Phase.Status.OPEN, 1)
    assert "Error in " in phase.error
    assert "Atlantis" not in phase.error, "an error's text may quote orders"
    assert phases_due(now=DUE) == []
    assert phases_due(now=DUE + HOUR) == [marne.game.pk]
    assert marne.game.phases.count() == 1


@pytest.mark.usefixtures("caplog")
@pytest.mark.parametrize(
    "unreadable", [{"timezone": "Nowhere/City"}, {"movement_clock": "noon"}, {"days_off": "never"}]
)
def test_a_game_whose_settings_nobody_can_read_stops_no_other(
    marne: Cast, unreadable: dict[str, str]
) -> None:
    Game.objects.update(**unreadable)
    assert phases_due(now=DUE) == [marne.game.pk]
    assert process(marne) is None
    assert marne.phase.attempts == 1
    assert marne.phase.error


@pytest.mark.usefixtures("caplog")
def test_after_the_third_time_a_phase_is_stuck_and_a_human_is_told(marne: Cast) -> None:
    spoil(marne.phase)
    for hour in (72, 73, 74):
        process(marne, at=hour)
    assert marne.phase.status == Phase.Status.STUCK
    assert len(marne.events("phase_stuck")) == 1
    assert phases_due(now=NOW + 1000 * HOUR) == []


@pytest.mark.usefixtures("caplog")
def test_a_phase_that_keeps_us_busy_is_stopped_and_tried_again_as_after_any_fault(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spin(*_: object) -> None:
        while True:
            pass

    with monkeypatch.context() as patch:
        patch.setattr(phases, "LONGEST", 0.05)
        patch.setattr(phase_completion, "_review", spin)
        assert process(marne) is None
    phase = marne.phase
    assert (phase.name, phase.status, phase.attempts) == ("S1901M", Phase.Status.OPEN, 1)
    assert phase.error.startswith("TookTooLong in ")
    assert process(marne, at=73)


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.usefixtures("caplog")
def test_a_phase_over_which_the_database_fails_is_tried_again_however_often(marne: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION pg_temp.fail() RETURNS trigger AS $$ BEGIN "
            "RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql"
        )
        cursor.execute(
            "CREATE TRIGGER fails BEFORE UPDATE ON games_phase FOR EACH ROW "
            f"WHEN (NEW.processed_at < '{NOW + 76 * HOUR}') EXECUTE FUNCTION pg_temp.fail()"
        )
    for hour in (72, 73, 74, 75):
        assert process(marne, at=hour) is None
        assert phases_due(now=NOW + hour * HOUR) == [], "it waits a little"
    phase = marne.phase
    assert (phase.status, phase.attempts) == (Phase.Status.OPEN, 0)
    assert phase.error.startswith("OperationalError in ")
    assert process(marne, at=76)


@pytest.mark.usefixtures("caplog")
def test_a_stuck_phase_goes_on_when_a_human_mends_it(marne: Cast) -> None:
    good = dict(marne.phase.position["units"])
    spoil(marne.phase)
    for hour in (72, 73, 74):
        process(marne, at=hour)
    phase = marne.phase
    phase.position["units"] = good
    phase.save()
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 80 * HOUR) is not None
    assert marne.phase.name == "F1901M"


@pytest.mark.parametrize("status", ["forming", "paused", "finished"])
def test_a_game_that_is_not_played_is_not_processed(marne: Cast, status: str) -> None:
    Game.objects.update(status=status)
    assert phases_due(now=NOW + 1000 * HOUR) == []
    assert process(marne, at=1000) is None
    with pytest.raises(WrongState):
        phase_process_now(game_id=marne.game.pk, now=NOW + 1000 * HOUR)
    assert marne.phase.name == "S1901M"


def test_the_same_orders_give_the_same_digest_whatever_their_order(marne: Cast) -> None:
    assert log.digest({"A": ["x"], "B": ["y"]}) == log.digest({"B": ["y"], "A": ["x"]})
    assert log.digest({"A": ["x", "y"]}) != log.digest({"A": ["y", "x"]})


def test_a_word_from_a_power_without_a_decision_is_refused(marne: Cast) -> None:
    play(marne, {"Germany": ["A Munich - Burgundy", "F Kiel - Denmark"]})
    play(marne, {})
    assert marne.phase.name == "W1901A"
    with pytest.raises(WrongState, match="Turkey has nothing to decide in Winter 1901"):
        readiness_set(seat=marne.seat("Turkey"), phase=marne.phase, word="READY", now=NOW)


def test_the_seat_that_changes_hands_keeps_the_game_going(marne: Cast) -> None:
    seat_fill(
        game=marne.game, power=marne.seat("Italy").power, player=marne.player("Hugo"), now=NOW
    )
    assert process(marne) is not None
