"""The jobs: idempotent, isolated from each other's faults, the same by Celery and by tick."""

from __future__ import annotations

import datetime as dt
from functools import partial
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games import log
from games.events import PlayerJoined
from games.models import Conduct, Game, Phase
from games.queries.access.roles import MODERATOR
from games.services.adjudication import phases
from games.services.clock.halts import server_halt
from games.services.clock.pauses import game_pause, game_resume, games_to_resume
from games.services.moderation.conduct import moderators_ask, player_write
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from games.services.told import waits_for_mails
from mailer import jobs
from mailer.inbound import poller, store
from mailer.jobs import due_phases
from mailer.models import Mailbox, OutboundMail
from mailer.workers import time_slices
from mailer.workers.time_slices import in_turns
from tests.cast import DAY, HOUR, NOW, POWERS, Cast
from tests.mailer.correspondence import all_sent
from tests.mailer.jobs.due import DUE, LATER, MOMENT, URL, mailbox_read

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_a_game_whose_job_breaks_keeps_no_other_waiting(game: Cast, caplog):
    """The one that breaks comes first each time."""
    other = game_create(name="somme", gm=game.gm, now=NOW)
    for name in POWERS:
        game_join(game=other, player=game.player(name), preferences="", now=NOW)
    for one, until in ((game.game, DAY), (other, 2 * DAY)):
        game_pause(game=one, until=NOW + until, why="", by="the GM", now=NOW)
    Game.objects.filter(pk=game.game.pk).update(timezone="Nowhere/City")
    assert jobs.resume(NOW + 2 * DAY) == 1
    assert Game.objects.get(name="somme").status == Game.Status.ACTIVE
    assert "A job broke, and is left until the next tick: marne" in caplog.text


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
        whole = phases.phase_process

        def of_others_only(*, game_id: int, **rest: Any) -> Any:
            if game_id == game.game.pk:
                raise ValueError("broken")
            return whole(game_id=game_id, **rest)

        monkeypatch.setattr(phases, "phase_process", of_others_only)
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
    counts = jobs.do_round(dt.datetime.now(dt.UTC))
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
        jobs.do_round(NOW)
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
    for doing in (lambda: jobs.do_round(NOW), lambda: list(time_slices.each([1, 2], away))):
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
    jobs.do_round(NOW)
    jobs.do_round(DUE - HOUR)
    counts = jobs.do_round(DUE)
    assert (counts.phases, counts.sent) == (1, 8)


# --- One job after another ----------------------------------------------------------------


def test_what_hangs_on_the_time_shares_it(monkeypatch):
    """No job waits until another has done all of it, and each goes on where it was."""
    monkeypatch.setattr(time_slices, "TURN", 0.0)
    done = []

    def job(name, much):
        def work(clock):
            for number in range(much):
                done.append((name, number))
                yield 1

        return work

    assert in_turns([job("a", 3), job("b", 1), job("c", 2)], timezone.now, seconds=60) == 6
    assert done == [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("c", 1), ("a", 2)]


def test_a_job_that_breaks_holds_up_none_of_the_others(caplog):
    def broken(clock):
        yield 1
        raise ZeroDivisionError

    def sound(clock):
        yield 1
        yield 1

    assert in_turns([broken, sound], timezone.now, seconds=60) == 3
    [logged] = [one for one in caplog.records if one.name == "mailer.workers.time_slices"]
    assert "A job broke" in logged.getMessage()
