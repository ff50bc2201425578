"""Phases that are due: each is processed once, told once, and keeps no other waiting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

import pytest
import time_machine
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import log
from games.events import GameCreated, PhaseStuck, PlayerJoined
from games.models import Event, Game, Phase, Seat
from games.services.adjudication import due_games
from games.services.ordering.orders import orders_submit
from games.services.setup.games import game_create, game_start
from mailer import jobs, notices
from mailer.inbound import store
from mailer.jobs import due_phases, telling
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import outbox
from mailer.workers.time_slices import in_turns
from tests.cast import HOUR, NOW, OPENINGS, POWERS, Cast
from tests.mailer.correspondence import all_sent
from tests.mailer.jobs.due import DUE, LATER, MOMENT, URL, at_once, mailbox_read

pytestmark = pytest.mark.django_db(transaction=True)


def mail_waiting(received_at: dt.datetime) -> InboundMail:
    return InboundMail.objects.create(
        mailbox=store.mailbox_for(URL),
        uidvalidity=1,
        uid=1,
        sha256="1",
        raw=b"From: ana@players.test\n\nHELP\n",
        received_at=received_at,
        stored_at=received_at,
    )


def results() -> int:
    return OutboundMail.objects.filter(kind="phase_processed").count()


def test_a_due_phase_is_processed_and_its_mails_are_queued(game: Cast):
    mailbox_read(DUE)
    assert jobs.deadlines(DUE) == 1
    assert game.phase.name == "F1901M"
    assert results() == 8
    assert not Event.objects.filter(told_at=None).exists()


def test_nothing_happens_before_the_deadline(game: Cast):
    mailbox_read(DUE)
    assert jobs.deadlines(DUE - MOMENT) == 0
    assert game.phase.name == "S1901M"


def test_a_phase_waits_until_the_mailbox_was_read_after_its_deadline(game: Cast):
    assert jobs.deadlines(DUE) == 0
    mailbox_read(DUE - MOMENT)
    assert jobs.deadlines(DUE + MOMENT) == 0
    mailbox_read(DUE + MOMENT)
    assert jobs.deadlines(DUE + MOMENT) == 1


@pytest.mark.parametrize("policy", ["wait", "gm"])
def test_when_late_orders_count_after_all_so_do_better_ones_that_nobody_has_read_yet(
    game: Cast, policy: str
):
    Game.objects.update(when_missing=policy)

    def submit(power: str, lines: Sequence[str], at: dt.datetime) -> None:
        orders_submit(
            seat=game.seat(power),
            phase=game.phase,
            lines=list(enumerate(lines, start=1)),
            amend=False,
            received_at=at,
            source=f"<{power} {at}>",
            now=at,
        )

    for power in POWERS.values():
        submit(power, OPENINGS[power], DUE + HOUR if power == "Italy" else NOW + HOUR)
    mailbox_read(DUE + HOUR)
    assert jobs.deadlines(DUE + 3 * HOUR) == 0
    assert not Event.objects.filter(kind="orders_overdue").exists()
    submit("Italy", better := ["A Venice - Tyrolia"], DUE + 2 * HOUR)
    mailbox_read(DUE + 3 * HOUR)
    assert jobs.deadlines(DUE + 3 * HOUR + MOMENT) == 1
    assert Phase.objects.values_list("orders__Italy", flat=True).get(name="S1901M") == better


def test_a_phase_waits_for_mail_that_came_in_time_and_is_not_worked_on_yet(game: Cast):
    mailbox_read(DUE + MOMENT)
    mail = mail_waiting(DUE)
    assert jobs.deadlines(DUE + MOMENT) == 0
    jobs.process(DUE + MOMENT)
    mail.refresh_from_db()
    assert mail.state != InboundMail.State.NEW
    assert jobs.deadlines(DUE + MOMENT) == 1


def test_mail_that_came_too_late_holds_up_nothing(game: Cast):
    mailbox_read(DUE + HOUR)
    mail_waiting(DUE + MOMENT)
    assert jobs.deadlines(DUE + HOUR) == 1


def test_a_phase_is_processed_early_once_all_is_in_and_the_mailbox_was_read_since(game: Cast):
    for power, lines in OPENINGS.items():
        orders_submit(
            seat=game.seat(power),
            phase=game.phase,
            lines=list(enumerate(lines)),
            amend=False,
            received_at=NOW + HOUR,
            source=power,
            now=NOW + HOUR,
        )
    mailbox_read(NOW + HOUR - MOMENT)
    assert jobs.deadlines(NOW + HOUR) == 0
    mailbox_read(NOW + HOUR)
    assert jobs.deadlines(NOW + HOUR) == 1


def test_processing_twice_is_processing_once(game: Cast):
    mailbox_read(DUE)
    assert [jobs.deadlines(DUE), jobs.deadlines(DUE)] == [1, 0]
    assert results() == 8


def test_results_and_mails_are_committed_together_or_not_at_all(game: Cast, monkeypatch):
    mailbox_read(DUE)

    def lost(*args: object, **values: object) -> object:
        raise OperationalError("the connection is gone")

    monkeypatch.setattr(telling, "tell_one", lost)
    monkeypatch.setattr(telling, "tell_safely", lost)
    with pytest.raises(OperationalError):
        jobs.deadlines(DUE)
    assert game.phase.name == "S1901M"
    monkeypatch.undo()
    assert jobs.deadlines(DUE) == 1
    assert results() == 8


def fail() -> None:
    raise ValueError("the disk is full")


def spin() -> None:
    while True:
        pass


@pytest.mark.parametrize("breaks", [fail, spin])
def test_when_telling_breaks_the_result_stands_and_is_told_later(
    game: Cast, breaks: Callable[[], None], monkeypatch, caplog
):
    mailbox_read(DUE)
    queue = outbox.enqueue_all

    def breaks_when_all_are_queued(mails: Sequence[outbox.Mail]) -> list[OutboundMail]:
        queued = queue(mails)
        breaks()
        return queued

    monkeypatch.setattr(due_phases, "LONGEST", 0.05)
    monkeypatch.setattr(telling, "LONGEST", 0.05)
    monkeypatch.setattr(outbox, "enqueue_all", breaks_when_all_are_queued)
    assert jobs.deadlines(DUE) == 1
    assert game.phase.name == "F1901M"
    assert results() == 0
    assert "Nobody could be told" in caplog.text
    monkeypatch.undo()
    assert jobs.tell(DUE) == 0
    assert jobs.tell(DUE + LATER) == 1
    assert results() == 8


def test_a_broken_event_does_not_keep_the_others_untold(game: Cast, monkeypatch):
    joined = PlayerJoined(player=game.player("Hugo").pk, free=1)
    for facts in (PhaseStuck(phase="nonsense"), joined):
        log.record(game=game.game, facts=facts, now=NOW)
    assert jobs.tell(NOW) == 1
    [untold] = Event.objects.filter(told_at=None)
    assert untold.kind == "phase_stuck"


def test_what_cannot_be_told_is_tried_again_after_ever_longer_pauses(game: Cast, caplog):
    log.record(game=game.game, facts=PhaseStuck(phase="nonsense"), now=NOW)
    for minute in range(8):
        jobs.tell(NOW + minute * LATER)
    [broken] = Event.objects.filter(told_at=None)
    assert broken.tell_attempts == caplog.text.count("Nobody could be told") == 4
    assert broken.tell_again_at == NOW + 15 * LATER


def test_a_kind_of_event_that_concerns_nobody_is_told_to_nobody_and_done(game: Cast):
    event = log.record(game=game.game, facts=GameCreated(), now=NOW)
    assert notices.tell_event(event, now=NOW) == []
    event.refresh_from_db()
    assert event.told_at == NOW


def test_four_workers_at_once_make_one_result_and_eight_mails(game: Cast):
    mailbox_read(DUE)
    done = at_once(4, lambda: jobs.deadlines(DUE) + 10 * jobs.tell(DUE))
    assert sum(done) == 1
    assert results() == 8
    assert game.game.phases.count() == 2


def test_a_worker_leaves_an_event_to_the_one_who_is_telling_it(game: Cast, monkeypatch):
    event = log.record(
        game=game.game,
        facts=PlayerJoined(player=game.player("Hugo").pk, free=1),
        now=NOW,
    )
    with transaction.atomic():
        assert telling.tell_next(0, NOW) == (event.pk, True)
        assert telling.tell_next(0, NOW) is None


def five_games_due(game: Cast) -> list[int]:
    """The ids of `marne` and four games like it, all due, read up to their deadline."""
    mailbox_read(DUE)
    return [game.game.pk, *(game_like(game, f"other{number}").pk for number in range(4))]


def game_like(game: Cast, name: str) -> Game:
    """Another game of the same players, started at the same time."""
    other = game_create(name=name, gm=game.gm, now=NOW)
    for power in other.powers.all():
        player = game.seat(power.name).player
        Seat.objects.create(power=power, player=player, since=NOW)
    return game_start(game=other, now=NOW)


def test_phases_are_processed_until_the_time_is_up(game: Cast):
    ids = five_games_due(game)
    jobs.tell(NOW)
    all_sent()
    with time_machine.travel(DUE):
        assert in_turns(jobs.BY_THE_CLOCK, timezone.now, seconds=-1.0) == 0
        assert not Phase.objects.filter(game__in=ids, status="processed").exists()
        assert in_turns(jobs.BY_THE_CLOCK, timezone.now, seconds=60.0) >= 5
        assert in_turns(jobs.BY_THE_CLOCK, timezone.now, seconds=60.0) == 0
    assert Phase.objects.filter(game__in=ids, status="processed").count() == 5


@pytest.mark.only_on("PostgreSQL")
def test_a_reminder_passes_over_a_game_that_another_is_at(game: Cast):
    at = DUE - HOUR
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.game.pk)
        assert at_once(1, lambda: jobs.remind(at)) == [0]
    assert jobs.remind(at) == 1


def test_what_others_have_done_is_passed_over_in_one_statement(game: Cast, monkeypatch):
    ids = five_games_due(game)
    jobs.deadlines(DUE)
    monkeypatch.setattr(due_games, "phases_due", lambda now: ids)  # as another worker saw it before
    with CaptureQueriesContext(connection) as asked:
        assert jobs.deadlines(DUE) == 0
    assert sum("games_game" in query["sql"] for query in asked) <= 3  # musters, starts, the claim


def test_two_workers_share_what_is_due(game: Cast):
    ids = five_games_due(game)
    done = at_once(2, lambda: jobs.deadlines(DUE))
    assert sum(done) == 5
    assert Phase.objects.filter(game__in=ids, status="processed").count() == 5
    told = OutboundMail.objects.filter(kind="phase_processed")
    assert told.count() == 5 * 8


@pytest.mark.only_on("PostgreSQL")
def test_a_game_that_another_is_at_is_passed_over(game: Cast):
    ids = five_games_due(game)
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=ids[0])
        [taken] = at_once(1, lambda: claimed_of(ids))
    assert taken == ids[1]


def claimed_of(ids: list[int]) -> int:
    with transaction.atomic():
        game = due_games.phase_claim(ids, now=DUE)
        return game.pk if game else 0
