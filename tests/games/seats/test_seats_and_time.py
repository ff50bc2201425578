"""How pauses, deadlines that have passed, ends of games and takeovers go together."""

from __future__ import annotations

import pytest

from games.models import Game, Offer, Phase
from games.queries.orders.current_orders import current_lines
from games.services.adjudication.due_games import phases_due
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_pause, game_resume
from games.services.endings.ending import game_end
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import seat_resign, seat_take
from games.services.seating.standby import standby_join
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, submit

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR
GM = "the GM"


def waiting_for_italy() -> Cast:
    """A game that waits for missing orders, with all but those of Italy in, after its deadline."""
    cast = make_cast(when_missing="wait")
    for power in set(POWERS.values()) - {"Italy"}:
        submit(cast, power, OPENINGS[power], NOW + HOUR)
    event = phase_process(game_id=cast.game.pk, now=DUE)
    assert event is not None
    assert event.kind == "orders_overdue"
    return cast


@pytest.mark.parametrize("clock", ["", "Fri 20:00"])
def test_a_substitute_with_nothing_to_decide_moves_no_deadline_while_mails_may_be_under_way(
    db: None, clock: str
) -> None:
    cast = make_cast(transit_grace=HOUR, retreat_clock=clock)
    away = {"power": "Turkey", "unit": "A Smyrna", "retreats": ["Syria"]}
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": [away]}
    Phase.objects.update(position=position, name="S1901R")
    due_at, france = cast.phase.due_at, cast.game.powers.get(name="France")
    assert due_at
    readiness_set(seat=cast.seat("Turkey"), phase=cast.phase, word="READY", now=NOW)
    seat_resign(seat=cast.seat("France"), now=NOW)
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=due_at + HOUR / 2)
    assert cast.phase.due_at == due_at
    assert cast.phase.readiness.exists()


def test_a_game_that_waited_before_its_pause_goes_on_waiting(db: None) -> None:
    cast = waiting_for_italy()
    game_pause(game=cast.game, until=None, why="Holidays.", by=GM, now=DUE + DAY)
    event = game_resume(game=cast.game, by=GM, now=DUE + 2 * DAY)
    assert (event.payload["due_at"], event.payload["waits"]) == (DUE.isoformat(), True)
    assert cast.phase.overdue_at == DUE
    assert phases_due(now=DUE + 3 * DAY) == []
    assert len(cast.events("orders_overdue")) == 1


def test_orders_that_came_in_the_pause_let_such_a_game_go_on(db: None) -> None:
    cast = waiting_for_italy()
    game_pause(game=cast.game, until=None, why="Holidays.", by=GM, now=DUE + DAY)
    submit(cast, "Italy", OPENINGS["Italy"], DUE + DAY + HOUR)
    assert phases_due(now=DUE + 2 * DAY) == []
    game_resume(game=cast.game, by=GM, now=DUE + 2 * DAY)
    assert phases_due(now=DUE + 2 * DAY) == [cast.game.pk]
    event = phase_process(game_id=cast.game.pk, now=DUE + 2 * DAY)
    assert event is not None
    assert (event.kind, event.payload["missing"]) == ("phase_processed", [])


def test_offers_end_with_the_game_and_are_none_when_it_is_played_again(marne: Cast) -> None:
    standby_join(player=marne.player("Hugo"), now=NOW)
    seat_resign(seat=marne.seat("Italy"), now=NOW + HOUR)
    game_end(game=marne.game, winners=[], why="Too few.", by=GM, now=NOW + DAY)
    [offer] = Offer.objects.all()
    assert (offer.end, offer.ended_at) == (Offer.End.WITHDRAWN, NOW + DAY)
    game_rollback(game=marne.game, phase="S1901M", why="We play on.", by=GM, now=NOW + 2 * DAY)
    assert not Offer.objects.filter(end="").exists()
    italy = marne.game.powers.get(name="Italy")
    seat = seat_take(game=marne.game, power=italy, player=marne.player("Hugo"), now=NOW + 3 * DAY)
    assert seat == marne.seat("Italy")


def test_the_offers_of_other_games_stand_when_one_ends(marne: Cast) -> None:
    standby_join(player=marne.player("Hugo"), now=NOW)
    seat_resign(seat=marne.seat("Italy"), now=NOW + HOUR)
    Game.objects.filter(pk=marne.game.pk).update(name="yser")
    other = Game.objects.create(name="ended", created_at=NOW)
    game_end(game=other, winners=[], why="Nobody came.", by=GM, now=NOW + DAY)
    assert Offer.objects.filter(end="").count() == 1


def test_nobody_gets_time_for_a_power_that_has_nothing_to_decide(db: None) -> None:
    cast = make_cast(process_early=False, takeover_time=5 * DAY)
    submit(cast, "Austria", ["A Budapest - Serbia"], NOW + HOUR)
    phase_process_now(game_id=cast.game.pk, now=DUE)
    phase_process_now(game_id=cast.game.pk, now=DUE + DAY)
    builds = cast.phase
    assert builds.name == "W1901A"
    submit(cast, "Austria", ["Build A Budapest"], DUE + DAY + HOUR)
    seat_resign(seat=cast.seat("Italy"), now=DUE + DAY + HOUR)
    italy = cast.game.powers.get(name="Italy")
    at = DUE + DAY + 2 * HOUR
    seat_take(game=cast.game, power=italy, player=cast.player("Hugo"), now=at)
    assert (cast.phase.due_at, cast.phase.extended_at) == (builds.due_at, None)
    assert cast.events("seat_taken")[-1].payload["deadline"] == "stays"
    austria = cast.game.powers.get(name="Austria")
    assert current_lines(cast.phase, austria) == ("Build A Budapest",)
