"""The jobs as Celery does them: by their names, one at a time, each ended in time."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.conf import settings as configured

from diplomacy_server.celery import app
from diplomacy_server.schedule import ticks
from games.models import Phase
from mailer import jobs, tasks
from mailer.inbound import processing, turns
from mailer.models import OutboundMail
from mailer.outbound import marks, sending
from tests.cast import NOW, Cast
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import eml, stored
from tests.mailer.jobs.due import DUE, mailbox_read

pytestmark = pytest.mark.django_db(transaction=True)

TASKS = ["poll", "process", "deadlines", "forget", "outbox"]


def test_every_task_of_the_clock_exists_and_expires_before_it_comes_again():
    app.loader.import_default_modules()
    assert {tick.task for tick in ticks()} <= set(app.tasks)
    assert {tick.task.rpartition(".")[2] for tick in ticks()} == set(TASKS)
    by_celery = app.conf.beat_schedule
    assert {name: entry["schedule"] for name, entry in by_celery.items()} == {
        tick.task: tick.seconds for tick in ticks()
    }
    assert all(entry["options"]["expires"] == entry["schedule"] for entry in by_celery.values())


@pytest.mark.parametrize("name", sorted(set(TASKS) - {"process", "deadlines"}))
@pytest.mark.usefixtures("time_travels_everywhere")
def test_a_task_reads_the_clock_and_calls_the_job_of_its_name(name: str, monkeypatch):
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


def test_deadlines_wait_in_a_queue_of_their_own():
    routes = app.amqp.router
    assert routes.route({}, "mailer.tasks.deadlines")["queue"].name == "deadlines"
    assert {queue.name for queue in app.amqp.queues.consume_from.values()} == {
        "celery",
        "deadlines",
    }
