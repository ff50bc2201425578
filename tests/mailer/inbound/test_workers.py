"""Several workers at one backlog: each takes the next that is free, and waits for nobody.

Here each has a connection of its own, as in life; what a worker has taken and not yet committed is
what the others meet.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from django.db import OperationalError, connection, transaction
from pytest_django import Settings

from games import log
from games.events import PlayerJoined
from games.models import Address, Event, Game
from games.services.accounts.addresses import address_failed
from games.services.accounts.profile import address_add, address_of_record_set
from games.services.common import lock_game
from games.services.moderation.conduct import address_complained
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.player.views.list import List
from mailer.inbound import processing, retries, turns
from mailer.inbound.locked_mail import open_mails
from mailer.jobs import telling
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail, ReplyToken
from mailer.outbound import addresses, leases, outbox
from tests.cast import HOUR, NOW, Cast, address_of, make_cast
from tests.mailer.correspondence import JUDGE, answer_to, eml, stored, to_seat, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("PostgreSQL")]
Value = TypeVar("Value")
WORKERS = 8


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = JUDGE


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


def by_another(job: Callable[[], Value]) -> Value:
    """What a worker with a connection of its own gets, that waits for no lock."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_alone, job).result(timeout=60)


def _alone(job: Callable[[], Value]) -> Value:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        return job()
    finally:
        connection.close()


def mails(number: int) -> list[int]:
    """The ids of so many mails to work on, each of another sender."""
    return [stored(eml("LIST", sender=f"zoe{one}@players.test")).pk for one in range(number)]


def test_a_mail_that_another_takes_this_moment_is_passed_over(cast: Cast) -> None:
    ids = mails(turns.TOGETHER + 1)
    with transaction.atomic():
        assert len(retries.claim_first(ids, now=NOW)) == turns.TOGETHER
        taken = by_another(lambda: retries.claim_first(ids, now=NOW))
        assert [pk for pk, _ in taken] == ids[-1:]
        assert by_another(lambda: turns.left_by_the_dead(ids, now=NOW)) == []


def test_a_worker_takes_no_more_than_it_may_when_postgresql_takes_the_table_for_a_small_one(
    cast: Cast,
) -> None:
    """Then it would look for the first free ones again with each row of the table."""
    InboundMail.objects.filter(pk__in=mails(turns.TOGETHER)).delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE mailer_inboundmail")
    ids = mails(turns.TOGETHER + 5)
    with transaction.atomic():
        assert len(retries.claim_first(ids, now=NOW)) == turns.TOGETHER


def test_a_mail_stopped_amid_its_statements_leaves_a_connection_on_which_the_next_is_carried_out(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object) -> None:
        while Game.objects.update(name="somme"):
            pass

    def backend() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cursor.fetchone()

    monkeypatch.setattr(turns, "LONGEST", 0.1)
    monkeypatch.setattr(turns, "LONGEST_TOGETHER", 0.05)
    monkeypatch.setattr(List, "run", run)
    before, busy = backend(), mails(2)
    assert processing.process_inbound(now=NOW, limit=10) == 0
    assert states(busy) == ["quarantined"] * 2
    assert write("Carla", "STATUS", to=to_seat(cast)).state == "done"
    assert Game.objects.get().name == "marne"
    assert backend() == before


def test_a_mail_about_a_game_that_another_holds_delays_none_that_was_taken_with_it(
    cast: Cast,
) -> None:
    to = to_seat(cast)
    waits = stored(eml("A Par - Bur", sender=address_of("Carla"), to=to)).pk
    others = mails(2)
    with transaction.atomic():
        lock_game(cast.game)
        assert by_another(lambda: processing.process_inbound(now=NOW, limit=10)) == 2
    assert states([waits, *others]) == ["new", "done", "done"]
    assert processing.process_inbound(now=NOW + HOUR, limit=10) == 1


def test_a_worker_does_its_other_mails_before_it_waits_for_a_game_that_another_has(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processing, "LONGEST_WAIT", 60_000)
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    waits = stored(eml("A Par - Bur", sender=address_of("Carla"), to=to)).pk
    others = mails(2)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_game(cast.game)
            done = pool.submit(_alone, lambda: processing.process_inbound(now=NOW, limit=10))
            end = time.monotonic() + 30
            while states(others) != ["done"] * 2 and time.monotonic() < end:
                time.sleep(0.01)
            assert states([waits, *others]) == ["new", "done", "done"]
        assert done.result(timeout=60) == 3


def test_mails_about_a_game_that_another_held_are_worked_on_together_after_the_rest(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processing, "LONGEST_WAIT", 10)
    turns = list[list[int]]()
    again, free = threading.Event(), threading.Event()

    def watched(letters: Mapping[int, Letter], *, now: dt.datetime) -> Any:
        turns.append(list(letters))
        if len(turns) == 2:
            again.set()
            assert free.wait(30)
        return open_mails(letters, now=now)

    monkeypatch.setattr(processing, "open_mails", watched)
    waits = []
    for name, power, text in (
        ("Ana", "Austria", "A Vie - Gal"),
        ("Carla", "France", "A Par - Bur"),
    ):
        to = to_seat(cast, power)
        waits.append(stored(eml(text, sender=address_of(name), to=to)).pk)
    [other] = mails(1)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_game(cast.game)
            done = pool.submit(_alone, lambda: processing.process_inbound(now=NOW, limit=10))
            assert again.wait(30)
        free.set()
        assert done.result(timeout=60) == 3
    assert turns == [[*waits, other], waits]
    assert states([*waits, other]) == ["done"] * 3


def test_mails_whose_transaction_is_lost_are_worked_on_one_by_one(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo, broken = connection.savepoint_rollback, [OperationalError("gone"), OperationalError()]
    run = List.run

    def breaks(*args: object) -> object:
        if broken:
            raise broken.pop()
        return run(*args)

    def lost(sid: str) -> None:
        if broken:
            raise broken.pop()
        undo(sid)

    monkeypatch.setattr(List, "run", breaks)
    monkeypatch.setattr(connection, "savepoint_rollback", lost)
    ids = mails(3)
    assert processing.process_inbound(now=NOW, limit=10) == 3
    assert states(ids) == ["done"] * 3
    assert OutboundMail.objects.filter(kind="reply").count() == 3


def test_a_game_of_which_its_gm_was_refused_something_stays_theirs_until_the_mail_is_done(
    cast: Cast,
) -> None:
    """Another who took it meanwhile, and one who waited for it before: the three would block each
    other when the answer, which points at the game, is committed."""
    place = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    free = Game.objects.select_for_update(skip_locked=True)
    with transaction.atomic():
        mail = write("gm", "RESUME", sender=cast.gm.email, to=place)
        assert "NOT DONE: RESUME" in answer_to(mail).body
        assert not by_another(transaction.atomic(lambda: list(free.all())))
    assert by_another(transaction.atomic(lambda: list(free.all()))) == [cast.game]


@pytest.mark.parametrize(
    "change",
    [
        lambda one: address_of_record_set(player=one.player, email=one.email, now=NOW),
        lambda one: address_failed(email=one.email, why="550", fails=True, at=NOW),
        lambda one: address_complained(email=one.email, what="Spam.", now=NOW),
    ],
)
def test_what_becomes_of_an_address_lets_others_ask_for_answers_to_it(
    cast: Cast, change: Callable[[Address], object]
) -> None:
    """The mail that brings it may go on to wait for a game, whose worker writes such a mail."""
    address = cast.player("Ana").addresses.get()
    with transaction.atomic():
        assert change(address)
        by_another(lambda: addresses.moderators_address(address=address, now=NOW))
    assert ReplyToken.objects.filter(address=address).exists()


def states(ids: list[int]) -> list[str]:
    rows = InboundMail.objects.filter(pk__in=ids).order_by("pk")
    return list(rows.values_list("state", flat=True))


def test_mails_that_another_takes_to_send_are_passed_over(cast: Cast) -> None:
    for name in range(2 * leases.MOST):
        outbox.enqueue(
            key=f"test/{name}",
            kind="reply",
            recipient=f"zoe{name}@players.test",
            subject="Hello",
            body="Hello.\n",
            now=NOW,
            priority=OutboundMail.Priority.RECEIPT,
        )
    with transaction.atomic():
        first = leases.Due().lease(now=NOW, limit=leases.MOST // 2)
        second = by_another(lambda: leases.Due().lease(now=NOW, limit=leases.MOST))
    assert [len(first), len(second)] == [leases.MOST // 2, leases.MOST // 2]
    assert {mail.pk for mail in first}.isdisjoint(mail.pk for mail in second)


def test_an_event_that_another_is_telling_is_passed_over_and_what_its_game_has_after_it(
    cast: Cast,
) -> None:
    jobs.tell(NOW)
    events = [joined(cast, free).pk for free in (2, 1)]
    game_create(name="somme", now=NOW)
    with transaction.atomic():
        assert telling.tell_next(0, NOW) == (events[0], True)
        assert by_another(lambda: jobs.tell(NOW)) == 1
    assert [one.pk for one in Event.objects.filter(told_at=None)] == events[1:]
    assert jobs.tell(NOW) == 1


def test_an_address_that_goes_while_an_event_is_told_keeps_no_other_untold(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.tell(NOW)
    events = [joined(cast, free).pk for free in (2, 1)]
    other = address_add(player=cast.player("Ana"), email="ana@work.test", now=NOW)
    tell_one = telling.tell_one

    def meanwhile(event: Event, now: dt.datetime) -> None:
        tell_one(event, now)
        if event.pk == events[0] and Address.objects.filter(pk=other.pk).exists():
            addresses.player_address(address=other, now=now)
            by_another(lambda: Address.objects.filter(pk=other.pk).delete())

    monkeypatch.setattr(telling, "tell_one", meanwhile)
    assert [jobs.tell(NOW), jobs.tell(NOW + HOUR)] == [1, 1]
    assert not Event.objects.filter(told_at=None).exists()


def joined(cast: Cast, free: int) -> Event:
    facts = PlayerJoined(player=cast.player("Hugo").pk, free=free)
    return log.record(game=cast.game, facts=facts, now=NOW)


def test_eight_workers_ask_hardly_more_of_a_mail_than_one(cast: Cast) -> None:
    mails(48)
    alone = asked_by(1)
    assert alone["done"] == 48
    mails(48)
    together = asked_by(WORKERS)
    assert together["done"] == 48
    assert InboundMail.objects.filter(state="done").count() == 96
    assert OutboundMail.objects.filter(kind="reply").count() == 96
    assert together["statements"] <= 1.2 * alone["statements"], (alone, together)


def asked_by(workers: int) -> Counter[str]:
    """How many mails so many workers do at once, and with how many statements."""
    gate, found = threading.Barrier(workers), Counter[str]()
    told = threading.Lock()

    def work() -> None:
        statements: list[str] = []

        def asked(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            statements.append(sql)
            return execute(sql, params, many, context)

        gate.wait(timeout=60)
        with connection.execute_wrapper(asked):
            done = processing.process_inbound(now=NOW, limit=100)
        with told:
            found.update(done=done, statements=len(statements))

    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(_alone, work) for _ in range(workers)]:
            future.result(timeout=120)
    return found
