"""A GM takes a phase back and keeps the orders: each player reads their own, and nobody others'."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services.adjudication.phases import phase_process_now
from games.services.seating.observers import observe
from mailer.models import OutboundMail
from mailer.notices import tell_event
from tests.cast import NOW, OPENINGS, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import flat, write
from tests.mailer.gm.writing import confirm, order, question
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ROLLBACK = "ROLLBACK S1901M KEEP ORDERS because an order was misread"


def played(cast: Cast) -> None:
    """Spring 1901, for which nothing came from Italy."""
    for power in POWERS.values():
        if power != "Italy":
            submit(cast, power, OPENINGS[power])
    assert phase_process_now(game_id=cast.game.pk, now=NOW)


def told(cast: Cast) -> dict[str, OutboundMail]:
    """The mails about the rollback, by their readers' addresses."""
    [event] = cast.events("game_rolled_back")
    tell_event(event, now=NOW)
    return {mail.recipient: mail for mail in OutboundMail.objects.filter(event=event)}


@each_row(
    "text",
    [
        ROLLBACK,
        "rollback spring 1901, keep the orders: an order was misread",
        "ROLLBACK KEEP ORDERS S1901M because an order was misread",
        "UNDO S1901M keeping orders because an order was misread",
    ],
)
def test_keep_orders_is_asked_back_and_then_done(marne: Cast, text: str) -> None:
    played(marne)
    order(marne, text)
    assert "and the orders that stood. All players are mailed" in flat(question().body)
    assert "The orders that stood count again." in confirm()
    assert marne.phase.name == "S1901M"
    assert marne.phase.order_sets.count() == 6
    [event] = marne.events("game_rolled_back")
    assert event.payload["why"] == "an order was misread"


@each_row(
    ("text", "kept"),
    [("S1901M wrong order", False), ("Spring 1901, keep orders one was misread", True)],
)
def test_a_reason_needs_no_because(marne: Cast, text: str, kept: bool) -> None:
    played(marne)
    order(marne, f"ROLLBACK {text}")
    asked = flat(question().body)
    assert "is played again" in asked
    assert ("Everybody has to send new ones" not in asked) is kept


@each_row(
    "text",
    ["S1901M", "S1901M we should not keep orders", "X1901M wrong order", "S1901M if all agree"],
)
def test_without_because_what_may_mean_something_else_is_refused(marne: Cast, text: str) -> None:
    played(marne)
    assert "Write: ROLLBACK" in order(marne, f"ROLLBACK {text}")


def test_without_the_words_no_orders_are_kept(marne: Cast) -> None:
    played(marne)
    order(marne, "ROLLBACK S1901M because we should not keep orders")
    assert "no orders. Everybody has to send new ones." in flat(question().body)
    confirm()
    assert marne.phase.order_sets.count() == 0
    assert "has to send orders for it again" in flat(told(marne)[address_of("Carla")].body)


@pytest.mark.parametrize("text", ["S1901M DON'T KEEP ORDERS", "S1901M KEEP MOVES"])
def test_other_words_beside_the_phase_are_refused_with_what_to_write(
    marne: Cast, text: str
) -> None:
    played(marne)
    body = order(marne, f"ROLLBACK {text} because of this")
    assert "Write: ROLLBACK phase [KEEP ORDERS] because reason" in body
    assert marne.phase.name == "F1901M"


def test_each_player_reads_their_own_orders_and_nobody_elses(marne: Cast) -> None:
    observe(game=marne.game, player=marne.player("Hugo"), now=NOW)
    played(marne)
    order(marne, ROLLBACK)
    confirm()
    mails = told(marne)
    france = flat(mails[address_of("Carla")].body)
    assert "So these orders stand for France now: France: A Marseilles - Spain." in france
    assert "Nothing: your orders for Spring 1901 movement are in" in france
    for name, power in POWERS.items():
        body = flat(mails[address_of(name)].body)
        assert "The orders that stood for it count again." in body
        assert "has to send orders for it again" not in body
        others = [one for one in POWERS.values() if one != power]
        assert not [one for one in others if f"{one}: " in body]
    for reader in (address_of("Hugo"), "gm@players.test"):
        body = flat(mails[reader].body)
        assert "The orders that stood for it count again." in body
        assert "these orders stand" not in body


def test_who_had_ordered_nothing_reads_what_to_order(marne: Cast) -> None:
    played(marne)
    order(marne, ROLLBACK)
    confirm()
    italy = flat(told(marne)[address_of("Emma")].body)
    assert "these orders stand" not in italy
    assert "Spring 1901 movement: you have 3 units to order." in italy


def test_in_fog_a_player_reads_no_more_than_their_own(marne: Cast) -> None:
    Game.objects.update(fog=True)
    played(marne)
    order(marne, ROLLBACK)
    confirm()
    body = flat(told(marne)[address_of("Dmitri")].body)
    assert "So these orders stand for Germany now: Germany: A Berlin - Kiel." in body
    assert "Burgundy" not in body


def test_a_reply_with_ready_or_better_orders_finds_the_phase(marne: Cast) -> None:
    played(marne)
    order(marne, ROLLBACK)
    confirm()
    mail = told(marne)[address_of("Carla")]
    write("Carla", "AMEND\nA Par - Pic", to=mail.reply_to)
    latest = marne.phase.order_sets.filter(power__name="France").latest("pk")
    assert (latest.lines, latest.counts) == (["A Par - Pic"], True)
