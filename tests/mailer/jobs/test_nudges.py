"""Whoever has stored or decided something tells the workers at once; nothing hangs on that."""

from __future__ import annotations

import base64
import datetime as dt
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from diplomacy_server import staff_nudges
from diplomacy_server.celery import app
from mailer import jobs, tasks
from mailer.inbound import outages, poller, store
from mailer.models import InboundMail, Mailbox
from mailer.workers import nudges
from tests.cast import HOUR, NOW, Cast
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import eml
from tests.servers import Redis

SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def sender() -> nudges.Nudges:
    return nudges.Nudges()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were asked for."""
    names: list[str] = []
    monkeypatch.setattr(tasks, "nudge", lambda *tasks: names.extend(tasks))
    return names


def waiting(broker: Redis) -> dict[str, list[str]]:
    """The tasks in each queue that a worker reads."""
    found: dict[str, list[str]] = {}
    with redis.Redis.from_url(broker.url) as client:
        for queue in app.amqp.queues.consume_from:
            for message in map(json.loads, client.lrange(queue, 0, -1)):
                found.setdefault(queue, []).append(message["headers"]["task"])
                assert message["headers"]["expires"], "it would be done long after its tick"
                assert_written_as_by_celery(message)
    return found


def assert_written_as_by_celery(message: dict[str, Any]) -> None:
    headers, properties = message["headers"], message["properties"]
    task = app.amqp.as_task_v2(
        headers["id"], headers["task"], expires=headers["expires"], ignore_result=True
    )
    assert headers.items() <= task.headers.items()
    assert properties["correlation_id"] == task.properties["correlation_id"]
    assert message["content-type"] == "application/json"
    args, named, _ = json.loads(base64.b64decode(message["body"]))
    assert (tuple(args), named) == task.body[:2]


def test_a_nudge_comes_to_the_queue_where_workers_wait_for_it(
    sender: nudges.Nudges, redis_server: Redis, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    sender.send("process", "deadlines")
    assert waiting(redis_server) == {
        "celery": ["mailer.tasks.process"],
        "deadlines": ["mailer.tasks.deadlines"],
    }


def test_every_task_with_a_queue_of_its_own_is_nudged_there() -> None:
    routes = {name: to["queue"] for name, to in app.conf.task_routes.items()}
    assert routes == nudges._QUEUES


def test_a_broker_that_is_away_is_left_in_peace_for_some_seconds(
    sender: nudges.Nudges,
    redis_server: Redis,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender.send("process")  # nothing listens where the tests' broker is said to be
    settings.CELERY_BROKER_URL = redis_server.url
    sender.send("process")
    assert waiting(redis_server) == {}
    later = time.monotonic() + nudges.PEACE + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    sender.send("process")
    monkeypatch.undo()
    assert waiting(redis_server) == {"celery": ["mailer.tasks.process"]}


def test_nobody_waits_for_a_broker_that_takes_the_call_and_says_nothing(
    sender: nudges.Nudges, settings: Settings
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        nudging = threading.Thread(target=sender.send, args=["process"], daemon=True)
        nudging.start()
        nudging.join(20 * nudges.LONGEST)
        assert not nudging.is_alive()
    assert sender.silent_until > time.monotonic()


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_one
def test_the_poller_says_when_mail_is_there_and_not_before(judge_mailbox: JudgeMailbox) -> None:
    stop, told = threading.Event(), threading.Event()
    polling = threading.Thread(target=poller.run_forever, args=[stop, told.set])
    polling.start()
    try:
        assert not told.wait(1)
        judge_mailbox.deliver(eml("STATUS", sender="ana@players.test"), sender="ana@players.test")
        assert told.wait(20)
    finally:
        stop.set()
        polling.join()
    assert InboundMail.objects.count() == 1


@pytest.mark.parametrize(
    ("task", "job", "then"),
    [
        ("process", "process_in_turns", ["process", "deadlines", "outbox"]),
        ("outbox", "outbox", ["outbox"]),
    ],
)
@pytest.mark.parametrize("done", [0, 3])
def test_a_task_that_did_something_asks_for_what_follows_and_one_that_did_nothing_is_still(
    task: str, job: str, then: list[str], done: int, asked: list[str], monkeypatch
) -> None:
    monkeypatch.setattr(jobs, job, lambda *args, **named: done)
    assert getattr(tasks, task)() == done
    assert asked == (then if done else [])


@pytest.mark.django_db
@pytest.mark.usefixtures("time_travels_everywhere")
def test_what_was_decided_goes_out_at_once(asked: list[str], monkeypatch) -> None:
    monkeypatch.setattr(tasks, "in_turns", lambda *args, **named: 1)
    tasks.deadlines()
    assert asked == ["deadlines", "outbox"]


class TestAPhaseThatIsDue:
    """It waits until the mailbox was looked into after its deadline, and asks for that."""

    pytestmark = pytest.mark.django_db

    @pytest.fixture
    def mailbox(self, marne: Cast, settings: Settings) -> Mailbox:
        settings.IMAP_URLS = ["imap://judge:secret@127.0.0.1:1/INBOX"]
        settings.SETTLE_SECONDS = 60.0
        [url] = settings.IMAP_URLS
        return store.mailbox_for(url)

    def polled(self, mailbox: Mailbox, at: dt.datetime) -> None:
        Mailbox.objects.filter(pk=mailbox.pk).update(last_ok_poll=at)

    def due(self, cast: Cast) -> dt.datetime:
        assert cast.phase.due_at
        return cast.phase.due_at

    def test_before_the_deadline_nothing_is_missing(self, marne: Cast, mailbox: Mailbox) -> None:
        self.polled(mailbox, NOW)
        assert not outages.poll_is_missing(self.due(marne) - SECOND)

    def test_while_its_mails_are_on_their_way_nothing_is(
        self, marne: Cast, mailbox: Mailbox
    ) -> None:
        self.polled(mailbox, NOW)
        assert not outages.poll_is_missing(self.due(marne) + 59 * SECOND)

    def test_then_a_poll_is(self, marne: Cast, mailbox: Mailbox) -> None:
        self.polled(mailbox, self.due(marne) + 59 * SECOND)
        assert outages.poll_is_missing(self.due(marne) + 60 * SECOND)

    def test_after_that_none_is(self, marne: Cast, mailbox: Mailbox) -> None:
        self.polled(mailbox, self.due(marne) + 60 * SECOND)
        assert not outages.poll_is_missing(self.due(marne) + HOUR)

    def test_a_mailbox_that_cannot_be_read_is_not_asked_again_and_again(
        self, marne: Cast, mailbox: Mailbox
    ) -> None:
        self.polled(mailbox, NOW)
        Mailbox.objects.update(failing_since=NOW)
        assert not outages.poll_is_missing(self.due(marne) + HOUR)

    @pytest.fixture
    def at_its_time(self, marne: Cast, mailbox: Mailbox) -> Iterator[dt.datetime]:
        self.polled(mailbox, NOW)
        with time_machine.travel(self.due(marne) + HOUR, tick=False):
            yield self.due(marne) + HOUR

    @pytest.mark.usefixtures("time_travels_everywhere", "at_its_time")
    def test_its_task_asks_for_one(self, asked: list[str]) -> None:
        tasks.deadlines()
        assert "poll" in asked

    @pytest.mark.usefixtures("at_its_time")
    def test_where_the_clock_is_wrong_nobody_polls_and_nobody_asks(
        self, asked: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tasks, "is_right", lambda at: False)
        tasks.deadlines()
        tasks.poll()
        assert "poll" not in asked

    @pytest.mark.usefixtures("time_travels_everywhere")
    def test_a_poll_that_helps_has_it_decided_at_once(
        self,
        mailbox: Mailbox,
        at_its_time: dt.datetime,
        asked: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(jobs, "poll", lambda now: self.polled(mailbox, now) or 0)
        tasks.poll()
        assert asked == ["deadlines"]
        tasks.poll()
        assert asked == ["deadlines"]

    @pytest.mark.usefixtures("time_travels_everywhere", "at_its_time")
    def test_a_poll_that_does_not_help_asks_for_nothing(
        self, asked: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "poll", lambda now: 0)
        tasks.poll()
        assert asked == []


class TestTheAdmin:
    """What somebody of the staff does on a page is told as soon as what a mail does."""

    pytestmark = pytest.mark.django_db

    @pytest.fixture
    def broker(
        self, redis_server: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> Redis:
        settings.CELERY_BROKER_URL = redis_server.url
        monkeypatch.setattr(staff_nudges, "nudge", nudges.Nudges().send)
        return redis_server

    def test_what_is_done_there_goes_out_at_once(
        self, marne: Cast, client: Client, broker: Redis
    ) -> None:
        client.force_login(User.objects.create_superuser("root", "root@staff.test"))
        page = reverse("admin:games_game_act", args=[marne.game.pk, "pause"])
        client.get(page)
        assert waiting(broker) == {}
        with time_machine.travel(NOW, tick=False):
            typed = {"why": "Holidays"}
            expected = client.post(page, typed).context["expected"]
            assert waiting(broker) == {}, "to be shown what will happen is no news for anybody"
            client.post(page, {**typed, "confirmed": "yes", "expected": expected})
        assert marne.game.events.filter(kind="game_paused").exists()
        assert waiting(broker) == {
            "celery": ["mailer.tasks.outbox", "mailer.tasks.process"],
            "deadlines": ["mailer.tasks.deadlines"],
        }

    def test_strangers_who_try_passwords_wake_nobody(self, client: Client, broker: Redis) -> None:
        client.post(reverse("admin:login"), {"username": "root", "password": "guess"})
        assert waiting(broker) == {}

    def test_a_page_does_not_break_over_a_broker_that_is_away(
        self, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(staff_nudges, "nudge", nudges.Nudges().send)
        client.force_login(User.objects.create_superuser("root", "root@staff.test"))
        answer = client.post("/admin/your-name/", {"name": "Rosa"})
        assert answer.status_code == 302
