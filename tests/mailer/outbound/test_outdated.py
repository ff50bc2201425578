"""Reminders that waited while the relay was away leave only if they are still true."""

from __future__ import annotations

import pytest

from games.models import Game, Phase
from games.services.clock.deadlines import Mover, deadline_move
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import sending
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, submit
from tests.mailer.correspondence import all_sent
from tests.mailer.outbound.queueing import MINUTE
from tests.mailer.sink import Sink

pytestmark = pytest.mark.django_db(transaction=True)

REMINDED = NOW + 2 * DAY


@pytest.fixture
def reminded(told: Cast) -> Cast:
    """Everybody owes orders, and the reminders of that are queued."""
    all_sent()
    jobs.remind(REMINDED)
    jobs.tell(REMINDED)
    assert waiting() == set(POWERS)
    return told


def waiting() -> set[str]:
    rows = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED, kind="orders_missing")
    return set(rows.values_list("player__name", flat=True))


def arrived(sink: Sink) -> set[str]:
    names = {str(mail["To"]).partition("@")[0].capitalize() for _, mail in sink.taken}
    assert not waiting()
    return names


def test_who_has_ordered_meanwhile_is_not_reminded(reminded: Cast, sink: Sink) -> None:
    submit(reminded, "France", OPENINGS["France"], at=REMINDED + HOUR)
    sending.drain(now=REMINDED + 2 * HOUR)
    assert arrived(sink) == set(POWERS) - {"Carla"}
    assert not OutboundMail.objects.filter(state=OutboundMail.State.FAILED).exists()


def test_a_reminder_of_minutes_ago_leaves_as_it_was_written(reminded: Cast, sink: Sink) -> None:
    submit(reminded, "France", OPENINGS["France"], at=REMINDED + MINUTE)
    sending.drain(now=REMINDED + 9 * MINUTE)
    assert arrived(sink) == set(POWERS)


def test_nobody_is_reminded_of_a_phase_that_is_over(reminded: Cast, sink: Sink) -> None:
    Phase.objects.filter(pk=reminded.phase.pk).update(status=Phase.Status.PROCESSED)
    sending.drain(now=REMINDED + 2 * HOUR)
    assert arrived(sink) == set()


def test_nobody_is_reminded_of_a_deadline_that_has_moved(reminded: Cast, sink: Sink) -> None:
    to = NOW + 4 * DAY
    deadline_move(game=reminded.game, to=to, why="Snow.", by=Mover("gm"), now=REMINDED + HOUR)
    sending.drain(now=REMINDED + 2 * HOUR)
    assert arrived(sink) == set()


def test_nobody_is_reminded_while_the_game_is_paused(reminded: Cast, sink: Sink) -> None:
    Game.objects.update(status=Game.Status.PAUSED)
    sending.drain(now=REMINDED + 2 * HOUR)
    assert arrived(sink) == set()


def test_whoever_still_owes_orders_is_reminded_late(reminded: Cast, sink: Sink) -> None:
    sending.drain(now=REMINDED + 2 * HOUR)
    assert arrived(sink) == set(POWERS)
