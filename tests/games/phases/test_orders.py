"""Order sets under the DATC's preferences (4.D): which one counts, and what its sender is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.errors import BadInput, NotAllowed, WrongState
from games.models import OrderSet
from games.queries.orders.current_orders import current_lines
from games.queries.orders.waiting import missing_powers, powers_not_in
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.order_receipts import OrderReceipt
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, seat_fill

pytestmark = pytest.mark.django_db


def submit(
    cast: Cast,
    power: str,
    *lines: str,
    at: int = 1,
    amend: bool = False,
    source: str = "",
) -> OrderReceipt:
    """Let the power's player mail these lines, received `at` hours after NOW."""
    received_at = NOW + at * HOUR
    return orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=amend,
        received_at=received_at,
        source=source or f"<{at}@players.test>",
        now=received_at,
    )


def current(cast: Cast, power: str) -> Sequence[str]:
    return current_lines(cast.phase, cast.seat(power).power)


def test_every_line_is_answered_with_how_it_was_understood(marne: Cast) -> None:
    receipt = submit(marne, "France", "a par-bur", "A Mar S A Par - Bur", "F Bre - MAO")
    assert [line.order for line in receipt.lines] == [
        "A Paris - Burgundy",
        "A Marseilles Supports A Paris - Burgundy",
        "F Brest - Mid-Atlantic Ocean",
    ]
    assert (receipt.game, receipt.power, receipt.phase) == ("marne", "France", "S1901M")
    assert receipt.phase_title == "Spring 1901 movement"
    assert receipt.missing == ()
    assert receipt.due_at == marne.phase.due_at


def test_one_bad_line_costs_no_good_one(marne: Cast) -> None:
    receipt = submit(marne, "France", "A Par - Bur", "F Bre - Atlantis", "A Mar - Mun")
    good, unreadable, illegal = receipt.lines
    assert good.counts
    assert (unreadable.counts, unreadable.kind) == (False, "unreadable")
    assert (illegal.counts, illegal.kind) == (False, "illegal")
    assert unreadable.problem
    assert illegal.problem
    assert "Munich" in illegal.problem
    assert receipt.missing == ("A Marseilles", "F Brest")
    assert receipt.counts


def test_the_number_of_a_line_is_that_in_the_mail(marne: Cast) -> None:
    receipt = orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=[(3, "A Par - Bur; F Bre - MAO"), (7, "A Mar H")],
        amend=False,
        received_at=NOW,
        source="<1@players.test>",
        now=NOW,
    )
    assert [line.number for line in receipt.lines] == [3, 3, 7]


def test_the_latest_set_replaces_the_earlier_one(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", "F Bre - MAO", at=1)
    receipt = submit(marne, "France", "A Par - Pic", at=2)
    assert current(marne, "France") == ("A Par - Pic",)
    assert receipt.missing == ("A Marseilles", "F Brest")
    assert OrderSet.objects.count() == 2


def test_an_amendment_leaves_the_other_orders_standing(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", "F Bre - MAO", at=1)
    receipt = submit(marne, "France", "A Par - Pic", amend=True, at=2)
    assert receipt.amend
    assert dict(receipt.current) == {
        "A Paris": "A Paris - Picardy",
        "F Brest": "F Brest - Mid-Atlantic Ocean",
        "A Marseilles": None,
    }


def test_a_set_after_an_amendment_replaces_both(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", at=1)
    submit(marne, "France", "F Bre - MAO", amend=True, at=2)
    submit(marne, "France", "A Mar - Spa", at=3)
    assert current(marne, "France") == ("A Mar - Spa",)


def test_an_amendment_without_anything_before_it_is_a_set(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", amend=True)
    assert current(marne, "France") == ("A Par - Bur",)


def test_sets_stand_in_the_order_in_which_the_mail_server_had_them(marne: Cast) -> None:
    submit(marne, "France", "A Par - Pic", at=2)
    submit(marne, "France", "A Par - Bur", at=1)
    assert current(marne, "France") == ("A Par - Pic",)


def test_the_first_legal_order_for_a_unit_is_followed(marne: Cast) -> None:
    receipt = submit(marne, "France", "A Par - Mos", "A Par - Bur", "A Par - Pic")
    assert [line.counts for line in receipt.lines] == [False, True, False]
    assert receipt.lines[2].note
    assert dict(receipt.current)["A Paris"] == "A Paris - Burgundy"


def test_a_set_in_which_nothing_can_be_followed_does_not_replace_the_earlier_one(
    marne: Cast,
) -> None:
    submit(marne, "France", "A Par - Bur", at=1)
    receipt = submit(marne, "France", "Thanks, see you on Friday!", at=2)
    assert not receipt.counts
    assert dict(receipt.current)["A Paris"] == "A Paris - Burgundy"
    assert OrderSet.objects.count() == 2


def test_a_mail_that_comes_twice_changes_nothing(marne: Cast) -> None:
    first = submit(marne, "France", "A Par - Bur", at=1, source="<same@players.test>")
    submit(marne, "France", "A Par - Pic", at=2)
    again = submit(marne, "France", "A Par - Bur", at=3, source="<same@players.test>")
    assert again.duplicate
    assert again.lines == first.lines
    assert current(marne, "France") == ("A Par - Pic",)
    assert OrderSet.objects.count() == 2


def test_a_late_set_is_kept_and_answered_as_late(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", at=1)
    receipt = submit(marne, "France", "A Par - Pic", at=73)
    assert receipt.late
    assert not receipt.counts
    assert dict(receipt.current)["A Paris"] == "A Paris - Burgundy"
    assert OrderSet.objects.filter(late=True).count() == 1


def test_a_set_received_at_the_very_deadline_is_in_time(marne: Cast) -> None:
    assert not submit(marne, "France", "A Par - Bur", at=72).late


def test_a_set_that_waited_in_the_mailbox_over_the_deadline_is_in_time(marne: Cast) -> None:
    receipt = orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=[(1, "A Par - Bur")],
        amend=False,
        received_at=NOW + 71 * HOUR,
        source="<1@players.test>",
        now=NOW + 75 * HOUR,
    )
    assert not receipt.late
    assert receipt.counts


def test_a_set_for_a_phase_that_is_over_is_late_and_stays_with_that_phase(marne: Cast) -> None:
    over = marne.phase
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    receipt = orders_submit(
        seat=marne.seat("France"),
        phase=over,
        lines=[(1, "A Par - Bur")],
        amend=False,
        received_at=NOW + 2 * HOUR,
        source="<1@players.test>",
        now=NOW + 2 * HOUR,
    )
    assert receipt.late
    assert receipt.phase == "S1901M"
    assert OrderSet.objects.get().phase == over
    assert current(marne, "France") == ()


def test_nobody_orders_for_a_power_they_do_not_play_any_more(marne: Cast) -> None:
    old = marne.seat("France")
    seat_fill(game=marne.game, power=old.power, player=marne.player("Hugo"), now=NOW)
    with pytest.raises(NotAllowed, match="no longer play France"):
        orders_submit(
            seat=old,
            phase=marne.phase,
            lines=[(1, "A Par - Bur")],
            amend=False,
            received_at=NOW,
            source="<1@players.test>",
            now=NOW,
        )
    assert not OrderSet.objects.exists()


def test_the_substitute_finds_the_orders_of_their_predecessor(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur", at=1)
    seat_fill(
        game=marne.game, power=marne.seat("France").power, player=marne.player("Hugo"), now=NOW
    )
    receipt = submit(marne, "France", "F Bre - MAO", amend=True, at=2)
    assert dict(receipt.current)["A Paris"] == "A Paris - Burgundy"


def test_a_mail_without_any_line_is_no_order_set(marne: Cast) -> None:
    with pytest.raises(BadInput, match="no order"):
        submit(marne, "France")


def submit_all(cast: Cast, *, but: Sequence[str] = (), at: int = 1) -> None:
    for power, lines in OPENINGS.items():
        if power not in but:
            submit(cast, power, *lines, at=at)


def test_when_every_order_is_in_the_phase_knows_since_when(marne: Cast) -> None:
    submit_all(marne, but=["Turkey"])
    assert marne.phase.all_in_at is None
    assert powers_not_in(marne.phase) == ("Turkey",)
    submit(marne, "Turkey", *OPENINGS["Turkey"], at=5)
    assert marne.phase.all_in_at == NOW + 5 * HOUR


def test_better_orders_begin_the_time_for_second_thoughts_anew(marne: Cast) -> None:
    submit_all(marne, at=1)
    submit(marne, "France", *OPENINGS["France"], at=2)
    assert marne.phase.all_in_at == NOW + 2 * HOUR


def test_taking_an_order_back_makes_the_phase_wait_again(marne: Cast) -> None:
    submit_all(marne, at=1)
    submit(marne, "France", "A Par - Bur", at=2)
    assert marne.phase.all_in_at is None


def test_who_waits_holds_up_early_processing_until_they_are_ready(marne: Cast) -> None:
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="WAIT", now=NOW)
    submit_all(marne)
    assert marne.phase.all_in_at is None
    submit(marne, "France", *OPENINGS["France"], at=2)
    assert marne.phase.all_in_at is None
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="READY", now=NOW + DAY)
    assert marne.phase.all_in_at == NOW + DAY


def test_who_is_ready_without_orders_wants_their_units_to_hold(marne: Cast) -> None:
    submit_all(marne, but=["Italy"])
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="READY", now=NOW + DAY)
    assert marne.phase.all_in_at == NOW + DAY
    assert missing_powers(marne.phase) == ()


def test_a_power_that_nobody_plays_keeps_the_phase_open_to_its_deadline(marne: Cast) -> None:
    marne.seat("Italy").power.seats.update(until=NOW)
    submit_all(marne, but=["Italy"])
    assert marne.phase.all_in_at is None
    assert missing_powers(marne.phase) == ("Italy",)


def test_a_game_that_waits_for_its_deadlines_is_never_all_in(marne: Cast) -> None:
    marne.game.process_early = False
    marne.game.save()
    submit_all(marne)
    assert marne.phase.all_in_at is None


def test_from_whom_nothing_came_is_missing(marne: Cast) -> None:
    submit(marne, "France", "A Par - Bur")
    submit(marne, "Italy", "see you soon")
    assert missing_powers(marne.phase) == tuple(p for p in OPENINGS if p != "France")


def test_nobody_is_ready_for_a_phase_that_is_over(marne: Cast) -> None:
    over = marne.phase
    phase_process_now(game_id=marne.game.pk, now=NOW)
    with pytest.raises(WrongState, match="Spring 1901 movement is already over"):
        readiness_set(seat=marne.seat("France"), phase=over, word="READY", now=NOW)


def test_a_seat_of_one_game_gives_no_orders_in_another(marne: Cast) -> None:
    other = marne.phase
    other.game = type(marne.game).objects.create(name="somme", created_at=NOW)
    other.save()
    with pytest.raises(BadInput, match="no orders to give in the game somme"):
        orders_submit(
            seat=marne.seat("France"),
            phase=other,
            lines=[(1, "A Par - Bur")],
            amend=False,
            received_at=NOW,
            source="<1@players.test>",
            now=NOW,
        )


def test_what_is_amended_counts_once_however_many_addresses_its_player_has(marne: Cast) -> None:
    player = marne.seat("France").player
    for number in range(2):
        email = f"carla{number}@work.test"
        player.addresses.create(email=email, created_at=NOW, confirmed_at=NOW)
    submit(marne, "France", "A Par - Pic")
    submit(marne, "France", "A Mar - Spa", at=2, amend=True)
    phase = marne.phase
    assert phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    phase.refresh_from_db()
    assert phase.orders
    assert phase.orders["France"] == ["A Mar - Spa", "A Par - Pic"]
