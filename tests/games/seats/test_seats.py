"""Seats that change hands: resigning, taking over, returning, being replaced."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.contrib.auth.models import User

from games.errors import BadInput, GameError, NotAllowed, WrongState
from games.game_file import document
from games.models import Offer, Player, Power, Seat
from games.queries import lookup
from games.queries.orders.current_orders import current_decisions, current_lines
from games.queries.orders.waiting import is_all_in, powers_waited_for
from games.queries.players.seats import open_seats
from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_pause, game_resume
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import (
    seat_replace,
    seat_resign,
    seat_return,
    seat_take,
    seat_vacate,
)
from games.services.seating.standby import seat_offer, standby_join
from games.services.setup.transfer import game_import
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, make_player

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR
GM = "the GM"


def power(cast: Cast, name: str) -> Power:
    return cast.game.powers.get(name=name)


def take(cast: Cast, name: str, player: str = "Hugo", at: dt.datetime = NOW + HOUR) -> Seat:
    seat = seat_take(game=cast.game, power=power(cast, name), player=cast.player(player), now=at)
    assert seat
    return seat


def submit(cast: Cast, name: str, at: dt.datetime = NOW) -> None:
    orders_submit(
        seat=cast.seat(name),
        phase=cast.phase,
        lines=list(enumerate(OPENINGS[name], start=1)),
        amend=False,
        received_at=at,
        source=f"<{name}-{at}@players.test>",
        now=at,
    )


def resign(cast: Cast, name: str, at: dt.datetime = NOW) -> Seat:
    seat = cast.seat(name)
    seat_resign(seat=seat, now=at)
    seat.refresh_from_db()
    return seat


def test_whoever_resigns_ends_their_tenure_and_opens_their_seat(marne: Cast) -> None:
    seat = resign(marne, "Italy")
    assert (seat.until, seat.ended_because) == (NOW, "resigned")
    assert [(one.game, one.power, one.holds) for one in open_seats(marne.game)] == [
        ("marne", "Italy", "3 centres and 3 units")
    ]
    [event] = marne.events("seat_resigned")
    assert event.payload["power"] == "Italy"


def test_nobody_resigns_twice(marne: Cast) -> None:
    seat = resign(marne, "Italy")
    with pytest.raises(NotAllowed, match="no longer play Italy in the game marne"):
        seat_resign(seat=seat, now=NOW)


def test_the_orders_of_who_resigned_count_until_the_deadline(marne: Cast) -> None:
    submit(marne, "Italy")
    resign(marne, "Italy")
    phase = marne.phase
    phase_process(game_id=marne.game.pk, now=DUE)
    phase.refresh_from_db()
    assert (phase.orders or {})["Italy"] == OPENINGS["Italy"]
    assert power(marne, "Italy").disorder_since is None


def test_a_power_that_nobody_plays_is_in_disorder_after_a_deadline_without_orders(
    marne: Cast,
) -> None:
    resign(marne, "Italy")
    phase_process(game_id=marne.game.pk, now=DUE)
    assert power(marne, "Italy").disorder_since == DUE
    [event] = marne.events("disorder_declared")
    assert (event.payload["why"], event.phase) == ("Nobody plays it.", marne.phase)


def test_a_substitute_has_a_tenure_of_their_own(marne: Cast) -> None:
    before = resign(marne, "Italy")
    seat = take(marne, "Italy")
    assert seat.pk != before.pk
    assert (seat.player.name, seat.since, seat.until) == ("Hugo", NOW + HOUR, None)
    assert power(marne, "Italy").open_since is None
    assert open_seats(marne.game) == []


def test_a_substitute_begins_clean_and_sees_nothing_of_their_predecessor(marne: Cast) -> None:
    submit(marne, "Italy")
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="WAIT", now=NOW)
    resign(marne, "Italy")
    seat = take(marne, "Italy")
    assert current_lines(marne.phase, seat.power) == ()
    assert not any(order for _, order in current_decisions(marne.phase, seat.power))
    assert lookup.not_followed(seat, marne.phase) == []
    assert not marne.phase.readiness.filter(power=seat.power).exists()
    assert marne.phase.order_sets.filter(power=seat.power).count() == 1, "it is kept"


def test_a_substitute_has_a_day_at_least_to_the_deadline(marne: Cast) -> None:
    resign(marne, "Italy")
    take(marne, "Italy", at=DUE - HOUR)
    assert marne.phase.due_at == DUE + 23 * HOUR
    [event] = marne.events("seat_taken")
    assert event.payload["due_at"] == (DUE + 23 * HOUR).isoformat()
    assert sentence(event) == (
        "Spring 1901 movement: Italy has a new player, by a takeover. The deadline has moved."
    )


def test_a_deadline_that_is_far_enough_stays(marne: Cast) -> None:
    resign(marne, "Italy")
    take(marne, "Italy", at=DUE - DAY)
    assert marne.phase.due_at == DUE


def test_the_least_time_is_a_setting_of_the_game(db: None) -> None:
    cast = make_cast(takeover_time=dt.timedelta(hours=60))
    resign(cast, "Italy")
    take(cast, "Italy", at=NOW + 24 * HOUR)
    assert cast.phase.due_at == NOW + 84 * HOUR


def test_a_takeover_in_a_pause_counts_the_time_that_will_be_left(marne: Cast) -> None:
    resign(marne, "Italy")
    game_pause(game=marne.game, until=None, why="Holidays.", by=GM, now=DUE - HOUR)
    take(marne, "Italy", at=DUE + 5 * DAY)
    game_resume(game=marne.game, by=GM, now=DUE + 10 * DAY)
    assert marne.phase.due_at == DUE + 11 * DAY


def test_the_second_to_accept_is_told_that_somebody_was_faster(marne: Cast) -> None:
    make_player("Ines")
    resign(marne, "Italy")
    take(marne, "Italy")
    with pytest.raises(WrongState, match="Somebody else was faster"):
        take(marne, "Italy", "Ines")


def test_nobody_takes_a_seat_that_is_not_open(marne: Cast) -> None:
    with pytest.raises(WrongState, match="The seat of Italy in the game marne is not open"):
        take(marne, "Italy")


@pytest.mark.parametrize("player", ["Ana", "Greta"])
def test_nobody_who_plays_or_played_in_the_game_takes_over_another_power(
    marne: Cast, player: str
) -> None:
    resign(marne, "Italy")
    resign(marne, "Turkey")
    with pytest.raises(NotAllowed, match=r"already .*, and so cannot take over"):
        take(marne, "Italy", player)


@pytest.mark.parametrize("linked", [True, False])
def test_the_gm_cannot_take_a_seat_of_their_game(marne: Cast, linked: bool) -> None:
    if linked:
        Player.objects.filter(name="Hugo").update(user=marne.gm)
    else:  # the player's address is that of the GM
        User.objects.update(email="Hugo@players.test")
    standby_join(player=marne.player("Hugo"), now=NOW)
    resign(marne, "Italy")
    assert not Offer.objects.exists()
    with pytest.raises(NotAllowed, match="The GM of the game marne cannot play in it"):
        take(marne, "Italy")


def test_a_banned_player_takes_no_seat(marne: Cast) -> None:
    resign(marne, "Italy")
    Player.objects.filter(name="Hugo").update(banned_at=NOW)
    with pytest.raises(NotAllowed, match="may no longer play"):
        take(marne, "Italy")


def test_a_game_that_is_over_has_no_open_seats(marne: Cast) -> None:
    resign(marne, "Italy")
    type(marne.game).objects.filter(pk=marne.game.pk).update(status="finished")
    assert open_seats(marne.game) == []
    with pytest.raises(WrongState, match="is over"):
        take(marne, "Italy")


def test_who_resigned_may_return_until_somebody_took_their_seat(marne: Cast) -> None:
    submit(marne, "Italy")
    before = resign(marne, "Italy")
    seat = seat_return(power=before.power, player=before.player, now=NOW + HOUR)
    assert (seat.pk != before.pk, seat.player_id) == (True, before.player_id)
    assert open_seats(marne.game) == []
    assert current_lines(marne.phase, seat.power) == tuple(OPENINGS["Italy"])


def test_takeover_by_who_resigned_is_a_return(marne: Cast) -> None:
    resign(marne, "Italy")
    take(marne, "Italy", "Emma")
    assert marne.seat("Italy").player.name == "Emma"
    assert marne.events("seat_taken") == []
    assert len(marne.events("seat_returned")) == 1


def test_nobody_returns_to_a_seat_that_was_taken(marne: Cast) -> None:
    before = resign(marne, "Italy")
    take(marne, "Italy")
    with pytest.raises(NotAllowed, match="has a new player now"):
        seat_return(power=before.power, player=before.player, now=NOW + 2 * HOUR)


def test_nobody_returns_to_a_seat_that_was_never_theirs(marne: Cast) -> None:
    resign(marne, "Italy")
    with pytest.raises(NotAllowed, match="You have not played Italy"):
        seat_return(power=power(marne, "Italy"), player=marne.player("Hugo"), now=NOW)


def test_nobody_returns_who_was_never_away(marne: Cast) -> None:
    seat = marne.seat("Italy")
    with pytest.raises(WrongState, match="nothing has changed"):
        seat_return(power=seat.power, player=seat.player, now=NOW)


def test_who_was_removed_by_the_gm_cannot_return_alone(marne: Cast) -> None:
    seat = marne.seat("Italy")
    seat_vacate(game=marne.game, power=seat.power, why="Two accounts.", by=GM, now=NOW)
    with pytest.raises(NotAllowed, match="Italy was taken from you"):
        seat_return(power=seat.power, player=seat.player, now=NOW)
    take(marne, "Italy")
    resign(marne, "Italy", NOW + 2 * HOUR)
    with pytest.raises(NotAllowed, match="Italy was taken from you"):
        take(marne, "Italy", "Emma", NOW + 3 * HOUR)


def test_the_gm_vacates_a_seat_and_it_is_open(marne: Cast) -> None:
    seat = marne.seat("Italy")
    seat_vacate(game=marne.game, power=seat.power, why="Two accounts.", by=GM, now=NOW)
    seat.refresh_from_db()
    assert (seat.until, seat.ended_because) == (NOW, "vacated")
    [event] = marne.events("seat_vacated")
    assert (event.payload["why"], event.payload["by"]) == ("Two accounts.", GM)
    with pytest.raises(WrongState, match="Nobody plays Italy"):
        seat_vacate(game=marne.game, power=seat.power, why="Again.", by=GM, now=NOW)


def replace(cast: Cast, name: str, player: str, why: str = "He asked me to.") -> Seat:
    return seat_replace(
        game=cast.game,
        power=power(cast, name),
        player=cast.player(player),
        why=why,
        by=GM,
        now=NOW + HOUR,
    )


def test_the_gm_replaces_a_player_whose_seat_is_not_open(marne: Cast) -> None:
    submit(marne, "Italy")
    before = marne.seat("Italy")
    seat = replace(marne, "Italy", "Hugo")
    before.refresh_from_db()
    assert (before.until, before.ended_because) == (NOW + HOUR, "replaced")
    assert marne.seat("Italy").pk == seat.pk
    assert current_lines(marne.phase, seat.power) == ()


def test_the_gm_gives_a_seat_back_to_its_former_player(marne: Cast) -> None:
    replace(marne, "Italy", "Hugo")
    seat = replace(marne, "Italy", "Emma", "He is back.")
    assert marne.seat("Italy").pk == seat.pk


@pytest.mark.parametrize("why", ["", "  "])
def test_the_gm_has_to_give_a_reason(marne: Cast, why: str) -> None:
    with pytest.raises(BadInput, match="say why"):
        replace(marne, "Italy", "Hugo", why)
    with pytest.raises(BadInput, match="say why"):
        seat_vacate(game=marne.game, power=power(marne, "Italy"), why=why, by=GM, now=NOW)


def test_the_gm_does_not_give_two_powers_to_one_player(marne: Cast) -> None:
    with pytest.raises(NotAllowed, match="Ana already plays Austria"):
        replace(marne, "Italy", "Ana")


def without(cast: Cast, name: str) -> None:
    """Take from the position all that the power has."""
    phase = cast.phase
    for part in ("units", "centers"):
        phase.position[part].pop(name)
    phase.save()


def test_a_seat_of_an_eliminated_power_is_neither_resigned_nor_offered_nor_taken(
    marne: Cast,
) -> None:
    resign(marne, "Turkey")
    without(marne, "Turkey")
    without(marne, "Italy")
    assert open_seats(marne.game) == []
    asked = [
        lambda: resign(marne, "Italy"),
        lambda: seat_vacate(
            game=marne.game, power=power(marne, "Italy"), why="Gone.", by=GM, now=NOW
        ),
        lambda: take(marne, "Turkey"),
        lambda: replace(marne, "Italy", "Hugo"),
        lambda: seat_offer(game=marne.game, power=power(marne, "Turkey"), by=GM, now=NOW),
        lambda: disorder_declare(
            game=marne.game, power=power(marne, "Italy"), why="Gone.", by=GM, now=NOW
        ),
    ]
    for ask in asked:
        with pytest.raises(GameError):
            ask()
    assert Offer.objects.count() == 0


def test_the_last_who_is_waited_for_resigns_and_the_phase_stays_open(marne: Cast) -> None:
    for name in set(POWERS.values()) - {"Italy"}:
        submit(marne, name)
    resign(marne, "Italy", NOW + HOUR)
    assert not is_all_in(marne.phase)
    take(marne, "Italy", at=NOW + 2 * HOUR)
    assert marne.phase.all_in_at is None, "the substitute is waited for"
    submit(marne, "Italy")
    assert marne.phase.all_in_at is not None


def test_a_game_that_waits_goes_on_with_the_orders_of_a_substitute(db: None) -> None:
    cast = make_cast(when_missing="wait")
    for name in set(POWERS.values()) - {"Italy"}:
        submit(cast, name)
    standby_join(player=cast.player("Hugo"), now=NOW)
    event = phase_process(game_id=cast.game.pk, now=DUE)
    assert event is not None
    assert event.kind == "orders_overdue"
    assert [one.waits for one in open_seats(cast.game)] == [True]
    assert [offer.player.name for offer in Offer.objects.all()] == ["Hugo"]
    take(cast, "Italy", at=DUE + HOUR)
    assert powers_waited_for(cast.phase) == ("Italy",)
    submit(cast, "Italy", DUE + 2 * HOUR)
    event = phase_process(game_id=cast.game.pk, now=DUE + 2 * HOUR)
    assert event is not None
    assert (event.kind, event.payload["missing"]) == ("phase_processed", [])


def test_a_game_that_waits_goes_on_with_the_orders_of_its_player_and_the_offers_end(
    db: None,
) -> None:
    cast = make_cast(when_missing="wait")
    for name in set(POWERS.values()) - {"Italy"}:
        submit(cast, name)
    standby_join(player=cast.player("Hugo"), now=NOW)
    phase_process(game_id=cast.game.pk, now=DUE)
    submit(cast, "Italy", DUE + HOUR)
    assert open_seats(cast.game) == []
    assert [offer.end for offer in Offer.objects.all()] == ["withdrawn"]
    assert len(cast.events("seat_returned")) == 1
    event = phase_process(game_id=cast.game.pk, now=DUE + HOUR)
    assert event is not None
    assert event.kind == "phase_processed"


def test_open_seats_and_why_tenures_ended_move_with_a_game(marne: Cast) -> None:
    resign(marne, "Italy")
    disorder_declare(game=marne.game, power=power(marne, "Turkey"), why="Gone.", by=GM, now=NOW)
    moved = json.loads(json.dumps(document(marne.game)))
    moved["game"]["name"] = "verdun"
    verdun = game_import(document=moved)
    for name in ("Italy", "Turkey", "France"):
        here, there = power(marne, name), verdun.powers.get(name=name)
        assert (there.open_since, there.disorder_since) == (here.open_since, here.disorder_since)
    assert Seat.objects.get(power__game=verdun, power__name="Italy").ended_because == "resigned"
    assert [one.power for one in open_seats(verdun)] == ["Italy", "Turkey"]


def test_a_game_of_the_first_version_has_its_powers_by_name(marne: Cast) -> None:
    moved = json.loads(json.dumps(document(marne.game)))
    moved["powers"] = [one["name"] for one in moved["powers"]]
    moved["game"]["name"] = "verdun"
    verdun = game_import(document=moved)
    assert [one.name for one in verdun.powers.all()] == sorted(POWERS.values())


def test_a_rollback_keeps_the_seats_as_they_are_today(marne: Cast) -> None:
    phase_process(game_id=marne.game.pk, now=DUE)
    resign(marne, "Italy", DUE)
    take(marne, "Italy", at=DUE + HOUR)
    disorder_declare(
        game=marne.game, power=power(marne, "Turkey"), why="Gone.", by=GM, now=DUE + HOUR
    )
    game_rollback(game=marne.game, phase="S1901M", why="A bug.", by=GM, now=DUE + 2 * HOUR)
    assert marne.phase.name == "S1901M"
    assert marne.seat("Italy").player.name == "Hugo"
    assert power(marne, "Turkey").disorder_since == DUE + HOUR
