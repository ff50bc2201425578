"""What receipts say of when a phase is or was decided: once, after the whole mail."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from games.models import Event, Game
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.ordering.order_receipts import OrderReceipt
from games.services.ordering.orders import orders_take
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import seat_resign, seat_vacate
from mailer import notices
from mailer.models import OutboundMail
from tests.cast import HOUR, NOW, OPENINGS, POWERS, Cast, address_of, make_cast, submit
from tests.mailer.correspondence import flat, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)
LAST = NOW + HOUR
RIGHT_AWAY = "All orders are in, so the phase is decided right away"
CHANGE = "To change something"


@pytest.fixture
def slow(db: None) -> Cast:
    """The game with half an hour for second thoughts."""
    return make_cast(early_delay=None)


def say(cast: Cast, text: str, *, at: dt.datetime = LAST, to: str = "") -> str:
    to = to or to_seat(cast)
    return flat(write("Carla", text, to=to, received_at=at).answers.get().body)


def orders(*lines: str) -> str:
    return "\n".join(lines or OPENINGS["France"])


def others_order(cast: Cast) -> None:
    for power in set(POWERS.values()) - {"France"}:
        submit(cast, power, OPENINGS[power], NOW)


# --- Until when one can change -------------------------------------------------------------


def test_the_last_receipt_says_until_when_one_can_change(slow: Cast) -> None:
    others_order(slow)
    body = say(slow, orders())
    assert (
        "All orders are in, so the phase is decided Mon 2 Mar 2026, 13:30 UTC, in 30 "
        "minutes, unless somebody sends other orders or says WAIT. Until then you can change yours."
    ) in body
    assert CHANGE in body


def test_without_time_for_second_thoughts_it_says_that_it_is_too_late(marne: Cast) -> None:
    others_order(marne)
    body = say(marne, orders())
    assert f"{RIGHT_AWAY}, and it is too late to change anything." in body
    assert CHANGE not in body


def test_a_receipt_before_the_last_orders_says_nothing_of_it(slow: Cast) -> None:
    body = say(slow, orders())
    assert "All orders are in" not in body
    assert CHANGE in body


def test_a_game_that_waits_for_its_deadlines_says_nothing_of_it(slow: Cast) -> None:
    Game.objects.update(process_early=False)
    others_order(slow)
    assert "All orders are in" not in say(slow, orders())


def test_a_guess_keeps_the_phase_open_and_the_receipt_says_how_to_confirm_it(slow: Cast) -> None:
    others_order(slow)
    guessed = orders(*OPENINGS["France"][:2], "F Brest - English Chanel")
    body = say(slow, guessed)
    assert "We had to guess at a name to read this: F Brest - English Channel." in body
    assert "All orders are in" not in body
    body = say(slow, f"READY\n{guessed}", at=LAST + MINUTE)
    assert "You said READY, but we had to guess at a name to read this: F Brest" in body
    assert "If that is what you meant, answer READY again;" in body
    assert "need not wait" not in body
    body = say(slow, "READY", at=LAST + 2 * MINUTE)
    assert "We had to guess" not in body
    assert "is decided Mon 2 Mar 2026, 13:32 UTC" in body


def test_the_results_say_how_to_confirm_a_guess_in_orders_sent_ahead(marne: Cast) -> None:
    ahead = "PHASE F1901M\nA Paris - Burgundee\nREADY\nEND"
    say(marne, f"{ahead}\nA Par H\nA Mar - Spa\nF Bre - Mao")
    phase_process(game_id=marne.game.pk, now=NOW + 72 * HOUR)
    body = told("phase_processed", "Carla")
    assert "We had to guess at a name to read this: A Paris - Burgundy." in body


# --- Once, after the whole mail ------------------------------------------------------------


@each_row("text", [f"{orders()}\nREADY", f"READY\n{orders()}", f"WAIT\n{orders()}\nREADY"])
def test_orders_and_ready_do_not_contradict_each_other(marne: Cast, text: str) -> None:
    others_order(marne)
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="WAIT", now=NOW)
    body = say(marne, text)
    assert body.count(RIGHT_AWAY) == 1
    assert "You said WAIT" not in body
    assert "Deadline:" in body
    assert body.count("Deadline:") == 1


@pytest.mark.parametrize("text", [f"{orders()}\nREADY\nWAIT", f"READY\nWAIT\n{orders()}"])
def test_the_last_word_is_what_the_receipt_goes_by(marne: Cast, text: str) -> None:
    others_order(marne)
    body = say(marne, text)
    assert body.count("You said WAIT, so the phase stays open until its deadline") == 1
    assert "right away" not in body


def test_orders_and_clear_tell_the_deadline_once(marne: Cast) -> None:
    others_order(marne)
    body = say(marne, f"ORDERS\n{orders()}\nCLEAR")
    assert body.count("Deadline:") == 1
    assert "right away" not in body


def test_a_vote_that_ends_the_game_leaves_no_deadline_above_it(marne: Cast) -> None:
    draw_propose(seat=marne.seat("Italy"), winners=[], now=NOW)
    for power in set(POWERS.values()) - {"France", "Italy"}:
        vote_cast(seat=marne.seat(power), number=None, yes=True, now=NOW)
    body = say(marne, f"{orders()}\nREADY\nVOTE YES")
    assert "the game is over" in body
    assert "Spring 1901 movement was never decided: the game ended before." in body
    assert "Deadline:" not in body
    assert "passes as soon as" not in body


def test_of_two_votes_only_the_last_says_how_to_change_it(marne: Cast) -> None:
    draw_propose(seat=marne.seat("Italy"), winners=[], now=NOW)
    body = say(marne, "VOTE NO 1\nVOTE NO")
    assert body.count("To change your mind") == 1
    assert "write VOTE YES 1" in body


# --- Too late ------------------------------------------------------------------------------


def late(cast: Cast, text: str, decided_at: dt.datetime, at: dt.datetime) -> str:
    to = to_seat(cast)
    phase_process(game_id=cast.game.pk, now=decided_at)
    return say(cast, text, at=at, to=to)


def test_who_comes_after_early_processing_is_told_that(marne: Cast) -> None:
    others_order(marne)
    submit(marne, "France", OPENINGS["France"], NOW)
    body = late(marne, orders("A Paris Holds"), NOW + MINUTE, LAST)
    assert (
        "Spring 1901 movement was decided Mon 2 Mar 2026, 12:01 UTC, because all orders were in."
        in body
    )
    assert "due" not in body.partition("They are kept")[0]


def test_who_comes_after_the_deadline_is_told_that(marne: Cast) -> None:
    due = NOW + 72 * HOUR
    body = late(marne, orders(), due + MINUTE, due + HOUR)
    assert "reached us Thu 5 Mar 2026, 13:00 UTC. Spring 1901" in body
    assert "was decided at its deadline, Thu 5 Mar 2026, 12:00 UTC." in body


def test_who_is_some_seconds_late_is_told_how_many(marne: Cast) -> None:
    due = NOW + 72 * HOUR
    body = late(marne, orders(), due + MINUTE, due + dt.timedelta(seconds=30))
    assert "reached us Thu 5 Mar 2026, 12:00 UTC, 30 seconds too late. Spring 1901" in body
    assert "was decided at its deadline, Thu 5 Mar 2026, 12:00 UTC." in body


@pytest.mark.parametrize("waits", [False, True])
def test_who_came_in_time_and_was_used_after_the_decision_is_not_told_to_be_late(
    marne: Cast, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    """Another worker decides before the mail is read, or while it `waits` for the game."""
    due = NOW + 72 * HOUR
    to = to_seat(marne)

    def decided(**given: Any) -> OrderReceipt:
        phase_process(game_id=marne.game.pk, now=due + MINUTE)
        return orders_take(**given)

    if waits:
        monkeypatch.setattr("mailer.commands.player.ordering.orders.orders_take", decided)
    else:
        phase_process(game_id=marne.game.pk, now=due + MINUTE)
    mail = write("Carla", orders(), to=to, received_at=due - MINUTE, now=due + HOUR)
    answer = mail.answers.get()
    body = flat(answer.body)
    assert answer.subject.endswith("your mail was in time, but your orders did NOT count")
    assert "reached us in time for Spring 1901 movement, Thu 5 Mar 2026, 11:59 UTC, but we" in body
    assert "was decided at its deadline, Thu 5 Mar 2026, 12:00 UTC." in body
    assert "write PRESS TO GM on a line of its own" in body
    assert "too late" not in body


def test_who_comes_after_the_gm_had_it_processed_is_told_that(marne: Cast) -> None:
    to = to_seat(marne)
    phase_process_now(game_id=marne.game.pk, now=NOW + MINUTE, why="All agree", by="gm")
    body = say(marne, orders(), to=to)
    assert "was decided Mon 2 Mar 2026, 12:01 UTC, because gm had it processed: All agree." in body


def test_who_answers_a_phase_that_was_undone_is_told_that(marne: Cast) -> None:
    to = to_seat(marne)
    game_rollback(game=marne.game, phase="S1901M", why="-", by="gm", now=NOW + MINUTE)
    assert "no longer counts: the game went back." in say(marne, orders(), to=to)


@each_row("text", ["READY", "WAIT", "CLEAR"])
def test_words_that_come_too_late_are_told_when_it_was_decided(marne: Cast, text: str) -> None:
    others_order(marne)
    submit(marne, "France", OPENINGS["France"], NOW)
    body = late(marne, text, NOW + MINUTE, LAST)
    assert "too late" in body
    assert "was decided Mon 2 Mar 2026, 12:01 UTC, because all orders were in." in body


# --- A power that has lost its player ------------------------------------------------------


def told(kind: str, name: str) -> str:
    for event in Event.objects.filter(kind=kind, told_at=None):
        notices.tell_event(event, now=LAST)
    return flat(OutboundMail.objects.get(kind=kind, recipient=address_of(name)).body)


def test_all_are_told_that_a_resignation_keeps_the_phase_open(marne: Cast) -> None:
    seat_resign(seat=marne.seat("France"), now=LAST)
    body = told("seat_resigned", "Ana")
    assert "The phase stays open until its deadline, even when all orders" in body
    assert "a deadline passes without orders for France, it is in civil disorder" in body


def test_where_the_game_waits_for_a_new_player_all_are_told_that(marne: Cast) -> None:
    Game.objects.update(when_missing="wait")
    seat_resign(seat=marne.seat("France"), now=LAST)
    body = told("seat_resigned", "Ana")
    assert "If orders are missing at a deadline, the game waits for a new player." in body
    assert "civil disorder" not in body.partition("The seat is open.")[0]


def test_so_is_a_seat_that_the_gm_opened(marne: Cast) -> None:
    power = marne.game.powers.get(name="France")
    seat_vacate(game=marne.game, power=power, why="Rude.", by="gm", now=LAST)
    assert "stays open until its deadline" in told("seat_vacated", "Ana")
