"""Who sent orders in time is written down when a phase is processed."""

from __future__ import annotations

import datetime as dt

import pytest

from games.errors import BadInput, NotAllowed, NotFound
from games.models import Attendance, Game, Phase, Power, Seat
from games.queries.players.attendance import misses, misses_in_a_row, reliabilities, reliability
from games.services.accounts.absences import absence_declare
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.attendance import excuse
from games.services.clock.deadlines import Mover, deadline_move
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import seat_replace, seat_take
from games.services.seating.standby import standby_join
from tests.cast import DAY, HOUR, NOW, NOWHERE, OPENINGS, Cast, make_player, submit

DUE = NOW + 3 * DAY
Came = Attendance.Came


def process(cast: Cast, at: dt.datetime = DUE) -> Phase:
    """Process the open phase and return it."""
    phase = cast.phase
    phase_process(game_id=cast.game.pk, now=at)
    phase.refresh_from_db()
    assert phase.status == Phase.Status.PROCESSED
    return phase


def came(phase: Phase) -> dict[str, str]:
    """Return what came, by power."""
    return dict(phase.attendance.values_list("seat__power__name", "came"))


def in_a_row(seat: Seat) -> int:
    """Return how many phases in a row the seat has missed."""
    return misses_in_a_row([seat])[seat.pk]


def order(cast: Cast, *powers: str, at: dt.datetime = NOW + HOUR) -> None:
    """Have these powers send their first orders."""
    for power in powers:
        submit(cast, power, OPENINGS[power], at)


def test_each_power_with_a_decision_has_a_row(marne: Cast) -> None:
    order(marne, "France", "Turkey")
    assert came(process(marne)) == {
        power: Came.IN_TIME if power in ("France", "Turkey") else Came.MISSED for power in OPENINGS
    }


def test_ready_is_an_answer(marne: Cast) -> None:
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="ready", now=NOW)
    assert came(process(marne))["Italy"] == Came.IN_TIME


def test_who_has_nothing_to_decide_has_no_row(marne: Cast) -> None:
    process(marne)
    phase = process(marne, DUE + 3 * DAY)
    assert phase.name == "F1901M"
    marne.game.refresh_from_db()
    # Nobody moved: no power may build or has to disband, so winter is skipped.
    assert not Attendance.objects.filter(phase__name__endswith="A").exists()


def test_of_those_who_play_on_only_who_has_a_build_to_order_has_a_row_in_winter(
    marne: Cast,
) -> None:
    order(marne, "France")
    process(marne)
    process(marne, DUE + 3 * DAY)
    winter = process(marne, DUE + 30 * DAY)
    assert (winter.name, came(winter)) == ("W1901A", {"France": Came.MISSED})


def test_what_comes_while_the_game_waits_is_late(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(when_missing=Game.WhenMissing.WAIT)
    order(marne, *[power for power in OPENINGS if power != "Italy"])
    assert phase_process(game_id=marne.game.pk, now=DUE).kind == "orders_overdue"
    order(marne, "Italy", at=DUE + HOUR)
    assert came(process(marne, DUE + HOUR)) == {
        power: Came.LATE if power == "Italy" else Came.IN_TIME for power in OPENINGS
    }


def test_the_second_chance_is_used_late_too(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(when_missing=Game.WhenMissing.EXTEND)
    order(marne, "France")
    assert phase_process(game_id=marne.game.pk, now=DUE).kind == "deadline_moved"
    order(marne, "Italy", at=DUE + HOUR)
    found = came(process(marne, DUE + DAY))
    assert (found["France"], found["Italy"]) == (Came.IN_TIME, Came.LATE)
    assert found["Austria"] == Came.MISSED


def test_a_deadline_that_somebody_moved_makes_nobody_late(marne: Cast) -> None:
    deadline_move(game=marne.game, to=DUE + DAY, why="Holidays.", by=Mover("gm"), now=NOW)
    order(marne, "France", at=DUE + HOUR)
    assert came(process(marne, DUE + DAY))["France"] == Came.IN_TIME


def test_nobody_is_blamed_for_a_phase_that_was_processed_before_its_deadline(marne: Cast) -> None:
    phase = marne.phase
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    rows = phase.attendance.all()
    assert {row.came for row in rows} == {Came.MISSED}
    assert all(row.excused_by == "the server" for row in rows)
    assert reliability(marne.player("Ana"), now=NOW + HOUR).percent == 100


def test_an_absence_that_was_announced_excuses(marne: Cast) -> None:
    day = DUE.date()
    absence_declare(player=marne.player("Ana"), first=day, last=day, now=NOW)
    phase = process(marne)
    row = phase.attendance.get(seat=marne.seat("Austria"))
    assert (row.excused_by, row.excused_why) == ("the server", "An absence had been announced.")
    assert phase.attendance.get(seat=marne.seat("England")).excused_at is None


def test_an_absence_on_other_days_excuses_nothing(marne: Cast) -> None:
    day = DUE.date() + DAY
    absence_declare(player=marne.player("Ana"), first=day, last=day, now=NOW)
    assert process(marne).attendance.get(seat=marne.seat("Austria")).excused_at is None


def test_an_absence_announced_after_the_deadline_excuses_nothing(marne: Cast) -> None:
    day = DUE.date()
    absence_declare(player=marne.player("Ana"), first=day, last=day, now=DUE + HOUR)
    assert process(marne, DUE + HOUR).attendance.get(seat=marne.seat("Austria")).excused_at is None


def test_orders_that_the_gm_set_are_no_orders_of_the_player(marne: Cast) -> None:
    order(marne, "Italy")
    marne.phase.order_sets.update(by="gm", seat=None)
    assert came(process(marne))["Italy"] == Came.MISSED


def test_a_phase_in_civil_disorder_is_marked(marne: Cast) -> None:
    marne.game.powers.filter(name="Italy").update(disorder_since=NOW)
    phase = process(marne)
    assert phase.attendance.get(seat=marne.seat("Italy")).disorder
    assert reliability(marne.player("Emma"), now=DUE).abandoned == 1


def test_a_phase_without_a_player_has_no_row(marne: Cast) -> None:
    marne.game.powers.get(name="Italy").seats.update(until=NOW)
    assert "Italy" not in came(process(marne))


def test_an_excuse_is_kept_with_its_reason_and_told_by_an_event(marne: Cast) -> None:
    phase, seat = process(marne), marne.seat("Austria")
    before = reliability(seat.player, now=DUE)
    event = excuse(seat=seat, phase=phase, why=" The mail was down. ", by="gm", now=DUE + HOUR)
    row = phase.attendance.get(seat=seat)
    assert (row.excused_by, row.excused_why) == ("gm", "The mail was down.")
    assert row.excused_at == DUE + HOUR
    assert event.kind == "miss_excused"
    assert event.payload["power"] == "Austria"
    after = reliability(seat.player, now=DUE)
    assert (before.percent, after.percent) == (90, 100)
    assert (after.missed, after.excused) == (0, 1)


def test_only_what_was_missed_can_be_excused_and_only_once(marne: Cast) -> None:
    order(marne, "France")
    opened, seat = marne.phase, marne.seat("Austria")
    with pytest.raises(NotFound, match="had nothing to answer for"):
        excuse(seat=seat, phase=opened, why="Ill.", by="gm", now=NOW)
    phase = process(marne)
    with pytest.raises(BadInput, match="say why"):
        excuse(seat=seat, phase=phase, why="  ", by="gm", now=DUE)
    with pytest.raises(BadInput, match=r"Spring 1901 movement came in time\."):
        excuse(seat=marne.seat("France"), phase=phase, why="Ill.", by="gm", now=DUE)
    excuse(seat=seat, phase=phase, why="Ill.", by="gm", now=DUE)
    with pytest.raises(BadInput, match="is already excused"):
        excuse(seat=seat, phase=phase, why="Ill.", by="gm", now=DUE)


def test_what_a_rollback_undoes_is_kept_and_counts_no_more(marne: Cast) -> None:
    process(marne)
    game_rollback(game=marne.game, phase="S1901M", why="A mistake.", by="gm", now=DUE)
    assert Attendance.objects.count() == 7
    assert not reliability(marne.player("Ana"), now=DUE).is_known
    assert in_a_row(marne.seat("Austria")) == 0


def test_a_phase_that_a_rollback_took_back_meanwhile_is_not_excused(marne: Cast) -> None:
    """The GM's two mails are worked on at once: what to excuse was chosen before the rollback."""
    phase, seat = process(marne), marne.seat("Austria")
    game_rollback(game=marne.game, phase="S1901M", why="A mistake.", by="gm", now=DUE)
    with pytest.raises(NotFound, match="Spring 1901 movement was taken back"):
        excuse(seat=seat, phase=phase, why="Ill.", by="gm", now=DUE)
    assert marne.events("miss_excused") == []


def test_misses_in_a_row_end_with_orders_and_pass_over_excuses(marne: Cast) -> None:
    seat = marne.seat("Austria")
    assert in_a_row(seat) == 0
    first = process(marne)
    assert in_a_row(seat) == 1
    second = process(marne, DUE + 3 * DAY)
    assert in_a_row(seat) == 2
    assert [row.phase for row in misses([seat])] == [second, first]
    excuse(seat=seat, phase=second, why="Ill.", by="gm", now=DUE + 3 * DAY)
    assert in_a_row(seat) == 1
    submit(marne, "Austria", ["A Vienna Holds"], DUE + 6 * DAY - HOUR)
    process(marne, DUE + 6 * DAY)
    assert in_a_row(seat) == 0


def test_only_the_last_year_counts(marne: Cast) -> None:
    process(marne)
    player = marne.player("Ana")
    assert reliability(player, now=DUE + 364 * DAY).missed == 1
    assert not reliability(player, now=DUE + 366 * DAY).is_known


def test_many_players_take_one_query(marne: Cast, django_assert_num_queries: object) -> None:
    order(marne, "France")
    process(marne)
    players = [marne.player(name) for name in ("Ana", "Carla", "Hugo")]
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = reliabilities(players, now=DUE)
    assert [found[player.pk].percent for player in players] == [90, 100, 100]


def test_who_was_taken_over_because_nothing_came_has_left_their_power(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(when_missing=Game.WhenMissing.WAIT)
    order(marne, *[power for power in OPENINGS if power != "Italy"])
    assert phase_process(game_id=marne.game.pk, now=DUE)
    italy, emma = marne.seat("Italy").power, marne.player("Emma")
    seat_open(italy)
    seat_take(game=marne.game, power=italy, player=marne.player("Hugo"), now=DUE + HOUR)
    order(marne, "Italy", at=DUE + 2 * HOUR)
    phase = process(marne, DUE + 4 * DAY)
    rows = phase.attendance.filter(seat__power=italy).order_by("seat")
    assert [(row.seat.player.name, row.came, row.disorder) for row in rows] == [
        ("Emma", Came.MISSED, True),
        ("Hugo", Came.LATE, False),
    ]
    assert reliability(emma, now=DUE + 4 * DAY).abandoned == 1


def taken_over(cast: Cast, name: str, player: str, at: dt.datetime) -> Seat:
    """Let the player take over the power, from which nothing came; return the seat before."""
    seat = cast.seat(name)
    seat_open(seat.power)
    seat_take(game=cast.game, power=seat.power, player=cast.player(player), now=at)
    return seat


def test_who_left_is_blamed_for_the_phase_in_which_they_did_and_for_none_after_it(
    marne: Cast,
) -> None:
    Game.objects.filter(pk=marne.game.pk).update(when_missing=Game.WhenMissing.WAIT)
    assert phase_process(game_id=marne.game.pk, now=DUE)
    emma = taken_over(marne, "Italy", "Hugo", DUE + HOUR)
    phase_process_now(game_id=marne.game.pk, now=DUE + 4 * DAY)
    make_player("Ines")
    later = DUE + 30 * DAY
    phase_process(game_id=marne.game.pk, now=later)
    taken_over(marne, "Turkey", "Ines", later + HOUR)
    phase_process_now(game_id=marne.game.pk, now=later + 4 * DAY)
    assert [row.phase.name for row in emma.attendance.all()] == ["S1901M"]


def test_who_was_replaced_by_the_gm_has_not_left(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(when_missing=Game.WhenMissing.WAIT)
    assert phase_process(game_id=marne.game.pk, now=DUE)
    taken_over(marne, "Italy", "Hugo", DUE + HOUR)
    greta, ines = marne.seat("Turkey"), make_player("Ines")
    seat_replace(
        game=marne.game, power=greta.power, player=ines, why="Ill.", by="gm", now=DUE + HOUR
    )
    phase_process_now(game_id=marne.game.pk, now=DUE + 4 * DAY)
    assert not greta.attendance.exists()
    assert reliability(marne.player("Greta"), now=DUE + 4 * DAY).abandoned == 0


def seat_open(power: Power) -> None:
    """Let whoever wants to take this power's seat."""
    Power.objects.filter(pk=power.pk).update(open_since=DUE)


def test_a_game_that_wants_reliable_players_wants_such_substitutes(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(min_reliability=95)
    hugo, italy = marne.player("Hugo"), marne.seat("Italy").power
    phase = process(marne)
    seat_open(italy)
    yser = Game.objects.create(name="yser", created_at=NOW)
    power = yser.powers.create(name="France")
    other = yser.phases.create(
        number=1, name="S1901M", status="processed", position=NOWHERE, opened_at=NOW
    )
    tenure = power.seats.create(player=hugo, since=NOW)
    Attendance.objects.create(seat=tenure, phase=other, came=Came.MISSED, recorded_at=NOW)
    with pytest.raises(NotAllowed, match=r"reliability is 95% or more\. Yours is 90%"):
        seat_take(game=marne.game, power=italy, player=hugo, now=DUE)
    standby_join(player=hugo, now=DUE)
    assert not italy.offers.exists()
    excuse(seat=tenure, phase=other, why="Ill.", by="mo", now=DUE)
    standby_join(player=hugo, now=DUE)
    assert italy.offers.get().player == hugo
    assert seat_take(game=marne.game, power=italy, player=hugo, now=DUE).player == hugo
    assert phase.attendance.count() == 7
