"""Civil disorder: when it is declared, what it does, and how it ends."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

import pytest

from games.errors import BadInput, WrongState
from games.models import Game, Phase, Power, Seat
from games.queries.orders.current_orders import current_lines
from games.queries.orders.waiting import is_all_in, powers_awaited
from games.queries.players.seats import open_seats
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.overdue import seat_reopen, seats_to_reopen
from games.services.clock.pauses import game_pause
from games.services.clock.reminders import phases_to_remind, players_remind
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.ordering.advance_orders import orders_keep
from games.services.ordering.disorder import disorder_declare, disorder_end
from games.services.ordering.gm_orders import orders_set
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import all_in_refresh, readiness_set
from games.services.seating.seats import seat_return, seat_take
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from games.timing.reminders import read_ladder
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, make_cast, make_player, submit

pytestmark = pytest.mark.django_db
DUE = NOW + 72 * HOUR
GM = "the GM"
OTHERS = sorted(set(POWERS.values()) - {"Italy"})


def italy(cast: Cast) -> Power:
    return cast.game.powers.get(name="Italy")


def declare(cast: Cast, at: dt.datetime = NOW) -> None:
    disorder_declare(game=cast.game, power=italy(cast), why="He is gone.", by=GM, now=at)


def hold(cast: Cast, powers: Iterable[str], at: dt.datetime) -> None:
    """Let the powers order whatever they have to hold; that is legal in every movement phase."""
    for power in powers:
        units = cast.phase.position["units"][power]
        submit(cast, power, [f"{unit} Holds" for unit in units], at=at)


def play_without_italy(cast: Cast, phases: int, at: dt.datetime = NOW) -> dt.datetime:
    """Play so many phases in which nothing comes from Italy; return when that was."""
    for _ in range(phases):
        hold(cast, OTHERS, at)
        due_at = cast.phase.due_at
        assert due_at is not None
        at = due_at
        assert phase_process(game_id=cast.game.pk, now=at) is not None
    return at


def test_after_two_missed_phases_in_a_row_a_power_is_in_disorder_and_its_seat_open(
    marne: Cast,
) -> None:
    at = play_without_italy(marne, 1)
    assert italy(marne).disorder_since is None
    at = play_without_italy(marne, 1, at)
    assert (italy(marne).disorder_since, italy(marne).open_since) == (at, at)
    [event] = marne.events("disorder_declared")
    assert event.payload == {
        "phase": marne.phase.name,
        "power": "Italy",
        "why": "No orders came for 2 phases in a row.",
        "by": "the server",
    }
    assert marne.seat("Italy").until is None, "the player keeps their seat until another takes it"


def test_the_misses_have_to_be_in_a_row(marne: Cast) -> None:
    at = play_without_italy(marne, 1)
    hold(marne, ["Italy"], at)
    at = play_without_italy(marne, 1, at)
    play_without_italy(marne, 1, at)
    assert italy(marne).disorder_since is None


@pytest.mark.parametrize(("after", "phases"), [(1, 1), (3, 3)])
def test_after_how_many_misses_is_a_setting(db: None, after: int, phases: int) -> None:
    cast = make_cast(disorder_after=after)
    at = play_without_italy(cast, phases - 1)
    assert italy(cast).disorder_since is None
    play_without_italy(cast, 1, at)
    assert italy(cast).disorder_since is not None


@pytest.mark.parametrize("settings", [{"disorder_after": 0}, {"when_missing": "wait"}])
def test_some_games_declare_no_disorder_by_themselves(
    db: None, settings: dict[str, object]
) -> None:
    cast = make_cast(**settings)
    at = NOW
    for _ in range(3):
        hold(cast, OTHERS, at)
        at += 4 * DAY
        phase_process_now(game_id=cast.game.pk, now=at)
    assert italy(cast).disorder_since is None


def test_who_sent_orders_ahead_for_the_next_phase_is_not_in_disorder(db: None) -> None:
    cast = make_cast(disorder_after=1)
    orders_keep(
        seat=cast.seat("Italy"),
        phase_name="F1901M",
        lines=[(1, "A Rome Holds")],
        received_at=NOW,
        source="<ahead@players.test>",
        now=NOW,
    )
    play_without_italy(cast, 1)
    assert italy(cast).disorder_since is None


def test_orders_ahead_are_not_used_in_civil_disorder(marne: Cast) -> None:
    orders_keep(
        seat=marne.seat("Italy"),
        phase_name="F1901M",
        lines=[(1, "A Rome - Apulia")],
        received_at=NOW,
        source="<ahead@players.test>",
        now=NOW,
    )
    declare(marne)
    play_without_italy(marne, 1)
    assert current_lines(marne.phase, italy(marne)) == ()
    assert italy(marne).disorder_since == NOW


def test_what_stood_for_a_power_counts_no_longer_in_disorder(marne: Cast) -> None:
    submit(marne, "Italy", OPENINGS["Italy"])
    declare(marne)
    phase = marne.phase
    play_without_italy(marne, 1)
    phase.refresh_from_db()
    assert "Italy" not in (phase.orders or {})
    assert marne.phase.position["units"]["Italy"] == ["A Rome", "A Venice", "F Naples"]


@pytest.mark.parametrize(("rule", "venice"), [("b", "Italy"), ("a", "Austria")])
def test_units_in_disorder_hold_and_may_be_supported_as_the_rules_have_it(
    db: None, rule: str, venice: str
) -> None:
    """DATC 4.D.9: Italy's neighbour holds Venice against Austria, or may not."""
    cast = make_cast(rules={"preset": "DATC", "4.D.9": rule})
    phase = cast.phase
    phase.position["units"]["Austria"] = ["A Tyrolia", "A Trieste"]
    phase.position["units"]["France"] = ["A Piedmont"]
    phase.save()
    declare(cast)
    orders = {
        "Austria": ["A Tyrolia - Venice", "A Trieste Supports A Tyrolia - Venice"],
        "France": ["A Piedmont Supports A Venice"],
    }
    for name, lines in orders.items():
        submit(cast, name, lines)
    phase_process(game_id=cast.game.pk, now=DUE)
    owners = {unit: name for name, units in cast.phase.position["units"].items() for unit in units}
    assert owners.get("A Venice") == venice


def in_phase(cast: Cast, name: str, **position: Any) -> Phase:
    """Let the open phase be another one, with these parts of the position."""
    phase = cast.phase
    phase.name = name
    state: Any = {**phase.position, "phase": name, **position}
    phase.position = state
    phase.save()
    return phase


@pytest.mark.parametrize(
    ("rule", "gone"),
    [("2023/2025EE", "F Aegean Sea"), ("1971/1982", "F Mid-Atlantic Ocean")],
)
def test_what_a_power_in_disorder_has_to_disband_is_chosen_by_the_rules_of_the_game(
    db: None, rule: str, gone: str
) -> None:
    """The fleet off Spain is near to an owned centre, and far from home (DATC 4.D.8)."""
    cast = make_cast(rules={"preset": "DATC", "4.D.8": rule})
    had = ["A Rome", "A Venice", "F Mid-Atlantic Ocean", "F Aegean Sea"]
    units = {**cast.phase.position["units"], "Italy": had}
    centers = {**cast.phase.position["centers"], "Italy": ["Rome", "Venice", "Spain"]}
    in_phase(cast, "W1901A", units=units, centers=centers)
    declare(cast)
    phase_process(game_id=cast.game.pk, now=DUE)
    assert sorted(cast.phase.position["units"]["Italy"]) == sorted(set(had) - {gone})


def test_a_power_in_disorder_builds_nothing(marne: Cast) -> None:
    units = {**marne.phase.position["units"], "Italy": ["A Rome"]}
    in_phase(marne, "W1901A", units=units)
    declare(marne)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert marne.phase.position["units"]["Italy"] == ["A Rome"]


def test_dislodged_units_in_disorder_are_disbanded(marne: Cast) -> None:
    units = {
        **marne.phase.position["units"],
        "Italy": ["A Rome", "F Naples"],
        "Austria": ["A Venice"],
    }
    dislodged = [{"power": "Italy", "unit": "A Venice", "from": "Trieste", "retreats": ["Tuscany"]}]
    in_phase(marne, "S1901R", units=units, dislodged=dislodged)
    declare(marne)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert sorted(marne.phase.position["units"]["Italy"]) == ["A Rome", "F Naples"]


def test_nobody_waits_for_a_power_in_disorder(marne: Cast) -> None:
    hold(marne, OTHERS, NOW)
    assert not is_all_in(marne.phase)
    declare(marne, NOW + HOUR)
    assert is_all_in(marne.phase)
    assert marne.phase.all_in_at == NOW + HOUR
    assert not powers_awaited(marne.game.powers.filter(name="Italy")).exists()


def test_who_wanted_to_wait_holds_up_nobody_in_disorder(marne: Cast) -> None:
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="WAIT", now=NOW)
    hold(marne, OTHERS, NOW)
    declare(marne, NOW + HOUR)
    assert is_all_in(marne.phase)


def test_a_vote_passes_when_the_last_who_has_not_voted_is_in_disorder(marne: Cast) -> None:
    draw_propose(seat=marne.seat("Austria"), winners=[], now=NOW)
    for power in OTHERS:
        if power != "Austria":
            vote_cast(seat=marne.seat(power), number=None, yes=True, now=NOW)
    declare(marne)
    marne.game.refresh_from_db()
    assert (marne.game.status, marne.game.ending) == ("finished", "draw")
    assert open_seats(marne.game) == []


def test_a_power_in_disorder_is_not_reminded(marne: Cast) -> None:
    assert read_ladder("24h"), "the game reminds"
    declare(marne)
    at = DUE - 23 * HOUR
    [phase] = phases_to_remind(now=at)
    event = players_remind(phase_id=phase, now=at)
    assert event is not None
    assert event.payload["powers"] == OTHERS


@pytest.mark.parametrize(
    "how", ["orders", "late orders", "nonsense", "orders ahead", "READY", "RETURN"]
)
def test_the_player_is_back_as_soon_as_they_are_heard_of(marne: Cast, how: str) -> None:
    first = marne.phase
    play_without_italy(marne, 1)
    declare(marne, DUE)
    seat = marne.seat("Italy")
    at = DUE + HOUR
    if how == "READY":
        readiness_set(seat=seat, phase=marne.phase, word="READY", now=at)
    elif how == "RETURN":
        seat_return(power=seat.power, player=seat.player, now=at)
    elif how == "orders ahead":
        orders_keep(
            seat=seat,
            phase_name="S1902M",
            lines=[(1, "A Rome Holds")],
            received_at=at,
            source="<back@players.test>",
            now=at,
        )
    else:
        orders_submit(
            seat=seat,
            phase=first if how == "late orders" else marne.phase,
            lines=[(1, "Sorry" if how == "nonsense" else "A Rome Holds")],
            amend=False,
            received_at=at,
            source="<back@players.test>",
            now=at,
        )
    assert (italy(marne).disorder_since, italy(marne).open_since) == (None, None)
    assert marne.seat("Italy").pk == seat.pk
    [event] = marne.events("seat_returned")
    assert event.phase == marne.phase
    assert powers_awaited(marne.game.powers.filter(name="Italy")).exists()


def test_orders_of_the_gm_do_not_bring_the_player_back(marne: Cast) -> None:
    declare(marne)
    orders_set(
        game=marne.game, power="Italy", lines=["A Rome Holds"], why="Fairness.", by=GM, now=NOW
    )
    assert italy(marne).disorder_since == NOW


def test_disorder_is_declared_once_and_with_a_reason(marne: Cast) -> None:
    with pytest.raises(BadInput, match="say why"):
        disorder_declare(game=marne.game, power=italy(marne), why=" ", by=GM, now=NOW)
    declare(marne)
    with pytest.raises(WrongState, match="already in civil disorder"):
        declare(marne)


def test_the_gm_ends_a_disorder_and_the_seat_is_the_players_again(marne: Cast) -> None:
    standby_join(player=marne.player("Hugo"), now=NOW)
    declare(marne)
    disorder_end(game=marne.game, power=italy(marne), by=GM, now=NOW + HOUR)
    assert (italy(marne).disorder_since, italy(marne).open_since) == (None, None)
    assert [one.end for one in italy(marne).offers.all()] == ["withdrawn"]
    [event] = marne.events("disorder_ended")
    assert event.payload["by"] == GM
    with pytest.raises(WrongState, match="not in civil disorder"):
        disorder_end(game=marne.game, power=italy(marne), by=GM, now=NOW + HOUR)


def test_a_substitute_ends_the_disorder(marne: Cast) -> None:
    declare(marne)
    before = marne.seat("Italy")
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Hugo"), now=NOW + HOUR)
    before.refresh_from_db()
    assert (before.until, before.ended_because) == (NOW + HOUR, Seat.Ended.TAKEN_OVER)
    assert italy(marne).disorder_since is None
    assert powers_awaited(marne.game.powers.filter(name="Italy")).exists()


def test_what_others_missed_before_is_not_the_substitutes(marne: Cast) -> None:
    at = play_without_italy(marne, 2)
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Hugo"), now=at)
    play_without_italy(marne, 1, at)
    assert italy(marne).disorder_since is None, "they have missed one phase only"


def waiting(**settings: object) -> Cast:
    """A game that waits for Italy's orders, its seat open."""
    cast = make_cast(when_missing="wait", **settings)
    hold(cast, OTHERS, NOW)
    phase_process(game_id=cast.game.pk, now=DUE)
    return cast


def test_a_substitute_who_is_silent_loses_their_exclusive_seat_after_their_time(db: None) -> None:
    cast = waiting()
    seat_take(game=cast.game, power=italy(cast), player=cast.player("Hugo"), now=DUE + HOUR)
    assert seats_to_reopen(now=DUE + DAY) == []
    [(game, power)] = seats_to_reopen(now=DUE + DAY + HOUR)
    assert seat_reopen(game=game, power=power, now=DUE + DAY + HOUR) is not None
    assert italy(cast).open_since == DUE + DAY + HOUR
    assert seats_to_reopen(now=DUE + 2 * DAY) == []
    assert seat_reopen(game=game, power=power, now=DUE + 2 * DAY) is None
    assert cast.seat("Italy").player.name == "Hugo"


def silent_substitute() -> tuple[Cast, Game, Power]:
    """A game that waits for Hugo, who took Italy a day ago and has sent nothing."""
    cast = waiting()
    seat_take(game=cast.game, power=italy(cast), player=cast.player("Hugo"), now=DUE)
    [(game, power)] = seats_to_reopen(now=DUE + DAY)
    return cast, game, power


def test_whoever_stands_by_is_offered_the_seat_of_a_silent_substitute(db: None) -> None:
    _, game, power = silent_substitute()
    standby_join(player=make_player("Ines"), now=DUE + HOUR)
    assert not power.offers.exists()
    assert seat_reopen(game=game, power=power, now=DUE + DAY)
    assert power.offers.get(end="").player.name == "Ines"


def test_no_seat_is_opened_again_in_a_game_that_was_paused_meanwhile(db: None) -> None:
    cast, game, power = silent_substitute()
    game_pause(game=cast.game, until=None, why="", by=GM, now=DUE + DAY)
    assert seat_reopen(game=game, power=power, now=DUE + DAY) is None
    assert italy(cast).open_since is None


def test_no_seat_is_opened_again_for_a_phase_that_was_decided_meanwhile(db: None) -> None:
    cast, game, power = silent_substitute()
    phase_process_now(game_id=cast.game.pk, now=DUE + DAY)
    assert seat_reopen(game=game, power=power, now=DUE + DAY) is None
    assert italy(cast).open_since is None


def test_who_only_said_that_they_are_back_has_as_much_time(db: None) -> None:
    cast = waiting()
    seat = cast.seat("Italy")
    seat_return(power=seat.power, player=seat.player, now=DUE + DAY)
    all_in_refresh(phase=cast.phase, now=DUE + DAY)
    assert seats_to_reopen(now=DUE + 2 * DAY - HOUR) == []
    assert len(seats_to_reopen(now=DUE + 2 * DAY)) == 1


def test_no_time_before_nothing_is_taken_for_a_takeover(db: None) -> None:
    with pytest.raises(BadInput, match="cannot be negative"):
        game_create(name="verdun", now=NOW, takeover_time=-HOUR)
