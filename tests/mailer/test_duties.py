"""The duties: idempotent, isolated from each other's faults, the same by Celery and by tick."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence
from functools import partial
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from diplomacy_server.celery import app
from games import log
from games.events import GameCreated, PhaseStuck, PlayerJoined
from games.models import Conduct, Event, Game, Phase, Seat
from games.queries.access.roles import MODERATOR
from games.services.adjudication import due_games, phases
from games.services.clock.halts import server_halt
from games.services.clock.pauses import game_pause, game_resume, games_to_resume
from games.services.moderation.conduct import moderators_ask, player_write
from games.services.ordering.orders import orders_submit
from games.services.seating.joining import game_join
from games.services.setup.games import game_create, game_start
from games.services.told import waits_for_mails
from mailer import jobs, notices, tasks
from mailer.inbound import poller, processing, store, turns
from mailer.jobs import due_phases, telling
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import marks, outbox, sending
from mailer.workers import time_slices
from mailer.workers.time_slices import in_turns
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import all_sent, eml, stored, told_cast

DUE = NOW + 3 * DAY
TASKS = ["poll", "process", "deadlines", "forget", "outbox"]
MOMENT = dt.timedelta(seconds=1)
LATER = dt.timedelta(minutes=1)
"""The pause after the first failure."""
URL = "imap://judge:secret@127.0.0.1:1/INBOX"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(transactional_db: None, settings) -> Cast:
    """Marne in S1901M, everybody told of the start, the mailbox read at no time so far."""
    settings.IMAP_URLS = [URL]
    settings.SETTLE_SECONDS = 0
    cast = told_cast()
    all_sent()
    return cast


def mailbox_read(at: dt.datetime) -> Mailbox:
    """Note that all mail up to `at` is here, as a successful poll does."""
    mailbox = store.mailbox_for(URL)
    mailbox.last_ok_poll = at
    mailbox.save()
    return mailbox


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


# --- Deadlines -----------------------------------------------------------------------------


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


def at_once(workers: int, duty: Callable[[], int]) -> list[int]:
    """Run the duty in so many threads at one moment; what each returned."""
    barrier = threading.Barrier(workers)
    done: list[int] = []

    def work() -> None:
        try:
            barrier.wait()
            done.append(duty())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_a_worker_leaves_an_event_to_the_one_who_is_telling_it(game: Cast, monkeypatch):
    event = log.record(
        game=game.game,
        facts=PlayerJoined(player=game.player("Hugo").pk, free=1),
        now=NOW,
    )
    with transaction.atomic():
        assert telling.tell_next(0, NOW) == (event.pk, True)
        assert telling.tell_next(0, NOW) is None


# --- Pauses and reminders ------------------------------------------------------------------


def test_a_pause_ends_by_itself_and_everybody_is_told(game: Cast):
    game_pause(game=game.game, until=NOW + DAY, why="A holiday.", by="the GM", now=NOW)
    jobs.tell(NOW)
    assert jobs.resume(NOW + DAY - MOMENT) == 0
    assert [jobs.resume(NOW + DAY), jobs.resume(NOW + DAY)] == [1, 0]
    assert jobs.tell(NOW + DAY) == 1
    assert OutboundMail.objects.filter(kind="game_resumed").count() == 8


def test_a_game_that_somebody_else_resumed_meanwhile_is_left_alone(game: Cast):
    assert jobs.resume_game(game.game, NOW) is False


def test_a_pause_that_was_made_longer_meanwhile_does_not_end(game: Cast):
    pause = partial(game_pause, game=game.game, why="A holiday.", by="the GM")
    pause(until=NOW + DAY, now=NOW)
    [found] = games_to_resume(now=NOW + DAY)
    game_resume(game=game.game, by="the GM", now=NOW + DAY)
    pause(until=NOW + 3 * DAY, now=NOW + DAY)
    assert jobs.resume_game(found, NOW + DAY) is False
    game.game.refresh_from_db()
    assert game.game.status == Game.Status.PAUSED


def test_a_paused_game_is_not_processed(game: Cast):
    game_pause(game=game.game, until=None, why="", by="the GM", now=NOW)
    mailbox_read(DUE)
    assert jobs.deadlines(DUE) == 0


def test_those_who_owe_orders_are_reminded_once(game: Cast):
    remind_at = game.phase.remind_at
    assert remind_at is not None
    assert [jobs.remind(remind_at - MOMENT), jobs.remind(remind_at)] == [0, 1]
    assert jobs.remind(remind_at) == 0
    jobs.tell(remind_at)
    assert OutboundMail.objects.filter(kind="orders_missing").count() == 7


def test_a_game_whose_duty_breaks_keeps_no_other_waiting(game: Cast, caplog):
    """The one that breaks comes first each time."""
    other = game_create(name="somme", gm=game.gm, now=NOW)
    for name in POWERS:
        game_join(game=other, player=game.player(name), preferences="", now=NOW)
    for one, until in ((game.game, DAY), (other, 2 * DAY)):
        game_pause(game=one, until=NOW + until, why="", by="the GM", now=NOW)
    Game.objects.filter(pk=game.game.pk).update(timezone="Nowhere/City")
    assert jobs.resume(NOW + 2 * DAY) == 1
    assert Game.objects.get(name="somme").status == Game.Status.ACTIVE
    assert "A duty broke, and is left until the next tick: marne" in caplog.text


def due_beside(game: Cast) -> Game:
    """Another game that is due with the cast's, everybody told and all mail read."""
    other = game_create(name="somme", gm=game.gm, now=NOW)
    for name in POWERS:
        game_join(game=other, player=game.player(name), preferences="", now=NOW)
    jobs.tell(NOW)
    all_sent()
    mailbox_read(DUE)
    return other


def test_whoever_is_at_work_as_the_server_is_stopped_ends_with_the_phase_at_hand(game: Cast):
    """The switch is for a fault that would go through all games that are due."""
    due = [game.game.pk, due_beside(game).pk]
    work = due_phases.process_all(due, lambda: DUE)
    assert next(work)
    server_halt(why="A fault.", by="mo", now=DUE)
    assert not any(work)
    assert Phase.objects.filter(name="F1901M").count() == 1


def test_a_phase_that_broke_and_is_tried_in_parts_waits_too_while_the_server_stands_still(
    game: Cast,
):
    mailbox_read(DUE)
    server_halt(why="A fault.", by="mo", now=DUE)
    assert phases.phase_process(game_id=game.game.pk, now=DUE) is None
    assert game.phase.name == "S1901M"


def test_a_fault_in_the_look_for_an_outage_uses_up_no_attempt_of_a_phase(
    game: Cast, settings, caplog
):
    mailbox_read(DUE)
    settings.SETTLE_SECONDS = None
    for minutes in range(5):
        assert jobs.deadlines(DUE + minutes * LATER) == 0
    phase = game.phase
    assert (phase.status, phase.attempts) == (Phase.Status.OPEN, 0)
    assert phase.error.startswith("TypeError in ")
    assert not waits_for_mails(phase)
    settings.SETTLE_SECONDS = 0
    assert jobs.deadlines(DUE + 6 * LATER) == 1


@pytest.mark.parametrize("breaks", ["position", "service"])
def test_a_phase_that_breaks_before_it_is_adjudicated_keeps_no_other_waiting(
    game: Cast, breaks: str, monkeypatch, caplog
):
    """Who could know of a phase is asked before; that reads its position, too."""
    other = due_beside(game)
    if breaks == "position":
        position = game.phase.position
        position["units"]["France"] = ["A Atlantis"]
        Phase.objects.filter(pk=game.phase.pk).update(position=position)
    else:
        whole = phases.phase_adjudicate

        def of_others_only(*, game_id: int, **rest: Any) -> Any:
            if game_id == game.game.pk:
                raise ValueError("broken")
            return whole(game_id=game_id, **rest)

        monkeypatch.setattr(phases, "phase_adjudicate", of_others_only)
    assert jobs.deadlines(DUE) == 1
    assert other.phases.filter(status=Phase.Status.PROCESSED).count() == 1
    assert game.phase.attempts == (1 if breaks == "position" else 0)
    assert caplog.records


def test_a_moderator_with_a_broken_address_keeps_nobody_untold(game: Cast, caplog):
    moderator = User.objects.create_user("mo", email="nowhere")
    moderator.groups.add(Group.objects.get_or_create(name=MODERATOR)[0])
    moderators_ask(player=game.player("Ana"), text="Help!", now=NOW)
    moderator_note = player_write(player=game.player("Ben"), text="Hello.", by="mo", now=NOW)
    log.record(game=game.game, facts=PlayerJoined(player=game.player("Hugo").pk, free=1), now=NOW)
    assert jobs.tell(NOW) == 1
    assert OutboundMail.objects.filter(key=f"conduct/{moderator_note.pk}").exists()
    assert [one.kind for one in Conduct.objects.filter(told_at=None)] == [Conduct.Kind.ASKED]


# --- Mail in and the whole round -----------------------------------------------------------


def test_a_mailbox_that_is_down_does_not_keep_the_others_unread(game: Cast, settings, monkeypatch):
    odd = "imap://odd"
    settings.IMAP_URLS = [URL, odd, "imap://other"]
    read = []

    def poll(*, url: str, now: dt.datetime) -> int:
        if url == URL:
            raise ConnectionRefusedError("no IMAP server there")
        if url == odd:
            raise KeyError("an answer of which we did not think")
        read.append((url, now))
        return 3

    monkeypatch.setattr(poller, "poll_mailbox", poll)
    assert jobs.poll(NOW) == 3
    assert read == [("imap://other", NOW)]
    assert Mailbox.objects.filter(failing_since=NOW).count() == 2


def test_a_round_over_real_servers_takes_a_mail_in_and_sends_the_answer(game: Cast, judge_mailbox):
    help_please = b"From: ana@players.test\r\nMessage-ID: <1@players.test>\r\n\r\nHELP\r\n"
    judge_mailbox.deliver(help_please, sender="ana@players.test")
    counts = jobs.round(dt.datetime.now(dt.UTC))
    assert (counts.fetched, counts.processed) == (1, 1)
    answers = judge_mailbox.dovecot.mails("ana@players.test")
    assert any(b"In-Reply-To: <1@players.test>" in answer for answer in answers)


def test_what_breaks_in_a_round_keeps_no_mail_from_leaving_and_is_said_at_the_end(
    game: Cast, settings, monkeypatch
):
    settings.IMAP_URLS = []
    sent = []

    def breaks(now: dt.datetime) -> int:
        raise ValueError("a fault of ours")

    monkeypatch.setattr(jobs, "forget", breaks)
    monkeypatch.setattr(jobs, "outbox", lambda now: sent.append(now) or 1)
    with pytest.raises(ValueError, match="a fault of ours"):
        jobs.round(NOW)
    assert sent == [NOW]


@pytest.mark.parametrize("gone", [OperationalError("away"), InterfaceError("closed")])
def test_when_the_database_is_gone_nothing_else_is_tried(gone: Exception, settings, monkeypatch):
    asked: list[object] = []

    def away(*about: object, **_: object) -> int:
        asked.append(about)
        raise gone

    settings.IMAP_URLS = ["imap://one", "imap://other"]
    monkeypatch.setattr(poller, "poll_mailbox", away)
    monkeypatch.setattr(store, "note_failure", away)
    monkeypatch.setattr(jobs, "process", away)
    for doing in (lambda: jobs.round(NOW), lambda: list(time_slices.each([1, 2], away))):
        asked.clear()
        with pytest.raises(type(gone)):
            doing()
        assert len(asked) == 1


@pytest.mark.usefixtures("time_travels_everywhere")
def test_tick_prints_one_line_of_counts(game: Cast, judge_mailbox):
    OutboundMail.objects.update(state="queued", sent_at=None)
    out = StringIO()
    with time_machine.travel(NOW, tick=False):
        call_command("tick", stdout=out)
    assert out.getvalue() == "fetched 0, processed 0, phases 0, notices 0, sent 8\n"
    OutboundMail.objects.get(sent_at=NOW, recipient="carla@players.test", kind="game_started")


def test_a_round_after_the_deadline_sends_the_results_at_once(game: Cast, judge_mailbox):
    jobs.round(NOW)
    jobs.round(DUE - HOUR)
    counts = jobs.round(DUE)
    assert (counts.phases, counts.sent) == (1, 8)


# --- Celery --------------------------------------------------------------------------------


def test_every_task_of_the_clock_exists_and_expires_before_it_comes_again():
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] <= entry["schedule"]
    named = {entry["task"].rpartition(".")[2] for entry in app.conf.beat_schedule.values()}
    assert named == set(TASKS)


@pytest.mark.parametrize("name", sorted(set(TASKS) - {"process", "deadlines"}))
@pytest.mark.usefixtures("time_travels_everywhere")
def test_a_task_reads_the_clock_and_calls_the_duty_of_its_name(name: str, monkeypatch):
    calls: list[dt.datetime] = []
    monkeypatch.setattr(jobs, name, lambda now, **_: calls.append(now) or 7)
    with time_machine.travel(NOW, tick=False):
        assert getattr(tasks, name)() == 7
    assert calls == [NOW]


def test_the_task_that_works_on_mail_sends_the_answers_after_each_few(
    game: Cast, judge_mailbox: JudgeMailbox, monkeypatch, settings
):
    settings.TICK_SECONDS = 600.0
    monkeypatch.setattr(jobs, "MAILS_PER_TURN", 2)
    queued_before = []
    inbound = processing.process_inbound

    def noted(**values: object) -> int:
        queued_before.append(OutboundMail.objects.filter(kind="reply", state="queued").count())
        return inbound(**values)

    monkeypatch.setattr(processing, "process_inbound", noted)
    for number in range(5):
        stored(eml(f"hello {number}", sender=f"zoe{number}@players.test"))
    with time_machine.travel(NOW):
        assert tasks.process() == 5
    assert queued_before == [0, 0, 0, 0]
    assert OutboundMail.objects.filter(kind="reply", state="sent").count() == 5


def test_it_ends_in_time_though_there_is_more_to_do(game: Cast, monkeypatch):
    monkeypatch.setattr(jobs, "MAILS_PER_TURN", 1)
    monkeypatch.setattr(jobs, "outbox", lambda now: 0)
    for number in range(3):
        stored(eml(f"hello {number}", sender=f"zoe{number}@players.test"))
    assert jobs.process_in_turns(lambda: NOW, seconds=0) == 1
    assert jobs.process_in_turns(lambda: NOW, seconds=60) == 2


def test_while_nothing_can_be_sent_mail_is_worked_on_all_the_same(game: Cast, monkeypatch):
    tried = []
    monkeypatch.setattr(jobs, "MAILS_PER_TURN", 1)
    monkeypatch.setattr(jobs, "outbox", lambda now: tried.append(now) or 0)
    for number in range(3):
        stored(eml(f"hello {number}", sender=f"zoe{number}@players.test"))
    assert jobs.process_in_turns(lambda: NOW, seconds=60) == 3
    assert len(tried) == 1


def test_a_worker_that_dies_gives_its_task_back_and_takes_one_at_a_time():
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_time_limit < app.conf.broker_transport_options["visibility_timeout"]


def test_a_task_in_which_everything_takes_long_ends_before_its_worker_is_killed():
    reading = processing.LONGEST_TURN + turns.LONGEST_TOGETHER + turns.LONGEST
    sending_it = sending.WORKING_TIME + marks.TRIED_FOR
    assert configured.TICK_SECONDS + reading + sending_it < app.conf.task_time_limit


def test_no_phase_is_left_open_behind_a_processed_one(game: Cast):
    mailbox_read(DUE)
    jobs.deadlines(DUE)
    assert [phase.status for phase in Phase.objects.order_by("number")] == ["processed", "open"]


# --- Many phases due at once -------------------------------------------------------------


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


def test_what_hangs_on_the_time_shares_it(monkeypatch):
    """No duty waits until another has done all of it, and each goes on where it was."""
    monkeypatch.setattr(time_slices, "TURN", 0.0)
    done = []

    def duty(name, much):
        def work(clock):
            for number in range(much):
                done.append((name, number))
                yield 1

        return work

    assert in_turns([duty("a", 3), duty("b", 1), duty("c", 2)], timezone.now, seconds=60) == 6
    assert done == [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("c", 1), ("a", 2)]


def test_a_duty_that_breaks_holds_up_none_of_the_others(caplog):
    def broken(clock):
        yield 1
        raise ZeroDivisionError

    def sound(clock):
        yield 1
        yield 1

    assert in_turns([broken, sound], timezone.now, seconds=60) == 3
    [logged] = [one for one in caplog.records if one.name == "mailer.workers.time_slices"]
    assert "A duty broke" in logged.getMessage()


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
    assert sum("games_game" in query["sql"] for query in asked) <= 2  # musters, and the claim


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


def test_deadlines_wait_in_a_queue_of_their_own():
    routes = app.amqp.router
    assert routes.route({}, "mailer.tasks.deadlines")["queue"].name == "deadlines"
    assert {queue.name for queue in app.amqp.queues.consume_from.values()} == {
        "celery",
        "deadlines",
    }
