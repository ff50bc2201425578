"""Orders that the GM sets, and their look at what the orders would bring."""

from __future__ import annotations

import pytest

from games.errors import BadInput, NotFound, WrongState
from games.game_file import document
from games.models import Game, OrderSet, Phase, Seat
from games.queries.orders.current_orders import current_lines
from games.queries.orders.waiting import missing_powers
from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.gm_orders import orders_set, preview
from games.services.ordering.orders import orders_submit
from games.services.setup.transfer import game_import
from tests.cast import HOUR, NOW, OPENINGS, Cast

pytestmark = pytest.mark.django_db

ORDERS = ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"]
GIVEN = {"why": "Carla's mail is down.", "by": "Gerda"}


def set_(cast: Cast, *lines: str, power: str = "France", **more: str) -> None:
    orders_set(game=cast.game, power=power, lines=lines, now=NOW + HOUR, **{**GIVEN, **more})


def send(cast: Cast, power: str, *lines: str, at: int = 0) -> None:
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=NOW + at * HOUR,
        source=f"<{power}-{at}@players.test>",
        now=NOW + at * HOUR,
    )


def test_orders_of_the_gm_are_adjudicated_like_the_players_own(marne: Cast):
    set_(marne, *ORDERS)
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    assert "A Burgundy" in marne.phase.position["units"]["France"]


def test_orders_of_the_gm_replace_what_stood_and_the_player_may_replace_them(marne: Cast):
    power = marne.seat("France").power
    send(marne, "France", "A Paris H")
    set_(marne, *ORDERS)
    assert current_lines(marne.phase, power) == tuple(ORDERS)
    send(marne, "France", "A Paris - Picardy", at=2)
    assert current_lines(marne.phase, power) == ("A Paris - Picardy",)


def test_a_power_that_nobody_plays_can_be_ordered_for(marne: Cast):
    Seat.objects.filter(power__name="France").update(until=NOW)
    set_(marne, *ORDERS)
    assert "France" not in missing_powers(marne.phase)
    kept = OrderSet.objects.get()
    assert (kept.seat, kept.by) == (None, "Gerda")


def test_the_log_says_that_it_was_done_and_why_and_not_what_was_ordered(marne: Cast):
    set_(marne, *ORDERS)
    [event] = marne.events("orders_set")
    said = "Spring 1901 movement: Gerda set orders for France. Carla's mail is down."
    assert sentence(event) == said
    assert "Burgundy" not in str(event.payload)


def test_the_last_orders_that_were_missing_may_be_the_gms(marne: Cast):
    for power, lines in OPENINGS.items():
        if power != "France":
            send(marne, power, *lines)
    assert marne.phase.all_in_at is None
    set_(marne, *ORDERS)
    assert marne.phase.all_in_at == NOW + HOUR


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "write the orders"),
        (["", "  "], "write the orders"),
        (["A Paris - Burgundy", "A Paris - London"], "“A Paris - London” cannot be followed"),
        (["A Paris - Burgundy", "A Paris H"], "another line already orders this unit"),
        (["burgundy please"], "“burgundy please” cannot be followed for France"),
        (["A Vienna - Galicia"], "cannot be followed for France"),
    ],
)
def test_what_cannot_be_followed_is_not_kept_and_the_line_is_named(
    marne: Cast, lines: list[str], said: str
):
    with pytest.raises(BadInput, match=said):
        set_(marne, *lines)
    assert not OrderSet.objects.exists()
    assert not marne.events("orders_set")


def test_orders_for_a_power_that_does_not_exist_are_refused_with_the_names(marne: Cast):
    with pytest.raises(NotFound, match="Austria, England, France"):
        set_(marne, *ORDERS, power="Spain")


def test_a_power_without_a_decision_gets_no_orders(marne: Cast):
    phase = marne.phase
    Phase.objects.filter(pk=phase.pk).update(
        name="W1901A", position={**phase.position, "phase": "W1901A"}
    )
    with pytest.raises(WrongState, match="France has nothing to decide in Winter 1901"):
        set_(marne, *ORDERS)


def test_no_orders_are_set_in_a_game_that_is_not_played(marne: Cast):
    Game.objects.update(status="finished")
    with pytest.raises(WrongState, match="is over"):
        set_(marne, *ORDERS)


def test_orders_of_the_gm_survive_a_move_to_another_server(marne: Cast):
    set_(marne, *ORDERS)
    written = document(marne.game)
    Game.objects.update(name="old")
    kept = OrderSet.objects.get(phase__game=game_import(document=written))
    assert (kept.seat, kept.by, kept.lines) == (None, "Gerda", ORDERS)


def test_a_preview_says_what_would_come_and_stores_nothing(marne: Cast):
    send(marne, "France", *ORDERS)
    before = document(marne.game)
    shown = preview(marne.game)
    assert {"A Burgundy", "A Spain", "F Mid-Atlantic Ocean"} == {
        str(unit) for unit in shown.after.units_of("France")
    }
    assert ("A Paris - Burgundy", ["succeeds"]) in [
        (one["order"], one["result"]) for one in shown.results
    ]
    assert shown.missing == tuple(power for power in sorted(OPENINGS) if power != "France")
    assert document(marne.game) == before


def test_a_preview_comes_to_what_processing_comes_to(marne: Cast):
    for power, lines in OPENINGS.items():
        send(marne, power, *lines)
    shown = preview(marne.game)
    phase_process_now(game_id=marne.game.pk, now=NOW)
    outcome = marne.game.phases.get(number=1).outcome
    assert outcome is not None
    assert list(shown.results) == outcome["results"]
    assert shown.after.to_state() == marne.phase.position


def test_a_game_without_an_open_phase_has_no_preview(marne: Cast):
    Phase.objects.update(status="processed")
    with pytest.raises(WrongState, match="no open phase"):
        preview(marne.game)
