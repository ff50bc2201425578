"""The jobs that the server does again and again, and their order.

Each is a plain function that may run at any time, twice at once, or after a crash: the database
says what there is to do. Celery's tasks, `manage.py tick` and the tests call the same functions.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games.models import Game
from games.queries.halts import halt_now
from games.services.adjudication import due_games
from games.services.clock.halts import (
    game_halted,
    game_tried,
    games_to_go_on,
    games_to_tell,
    halt_end,
)
from games.services.clock.muster import musters_due
from games.services.clock.overdue import seat_reopen, seats_to_reopen
from games.services.clock.pauses import games_to_resume, pause_end
from games.services.clock.reminders import phases_to_remind, players_remind
from games.services.clock.starts import starts_due
from games.services.seating.invitations import games_with_unanswered, gm_remind
from games.services.seating.standby import offers_expire
from games.services.sick_database import is_of_the_database
from mailer.inbound import (
    bounces,
    imap,
    old_mail,
    poller,
    processing,
    staff_bounces,
    store,
    unreadable,
)
from mailer.jobs import due_musters, due_phases, telling
from mailer.notices.clock import halts
from mailer.notices.messages import moderation_mail
from mailer.outbound import probe as probes
from mailer.outbound import sending
from mailer.privacy import data_requests, retention
from mailer.workers.time_slices import each

logger = logging.getLogger(__name__)

MAILS_PER_ROUND = 500
MAILS_PER_TURN = 20
FORGETTING = 60.0
"""Seconds of an hour in which a worker empties what is too old."""


Clock = Callable[[], dt.datetime]


@dataclass(frozen=True, slots=True)
class Counts:
    """What one round did."""

    fetched: int
    processed: int
    phases: int
    notices: int
    sent: int

    def __str__(self) -> str:
        return ", ".join(f"{field.name} {getattr(self, field.name)}" for field in fields(self))


def do_round(now: dt.datetime) -> Counts:
    """Do every job once, in an order in which each makes work for the next.

    A job that breaks is logged and does not stop the others: without a worker, this round is all
    that sends mail. Its error is raised at the end. If the database is gone, everything stops.
    """
    errors: list[Exception] = []

    def done(job: Callable[[dt.datetime], int]) -> int:
        try:
            return job(now)
        except Exception as error:
            if is_of_the_database(error):
                raise
            logger.exception("A job broke, and is left until the next round")
            errors.append(error)
            return 0

    fetched, processed = done(poll), done(process)
    done(resume)
    adjudicated = done(deadlines)
    for job in (seats, remind, forget, probe):
        done(job)
    counts = Counts(fetched, processed, adjudicated, notices=done(tell), sent=done(outbox))
    if errors:
        raise errors[0]
    return counts


def poll(now: dt.datetime) -> int:
    """Fetch new mail from every mailbox; return how many mails were stored.

    A mailbox that cannot be read is logged and left to the next round, and so is one whose server's
    answers break the program: deadlines wait for it. The others are read. One that refused our
    login is left alone for some minutes.
    """
    stored = 0
    for url in settings.IMAP_URLS:
        if store.was_refused(url, now):
            # Mostly by the poller, which tries again just when we would, and tells nobody.
            unreadable.tell(url, unreadable.REFUSED, now)
            continue
        try:
            stored += poller.poll_mailbox(url=url, now=now)
        except (DatabaseError, InterfaceError):
            raise
        except Exception as error:
            ours = None if isinstance(error, imap.FAULTS) else error
            why = imap.error_text(error)
            logger.warning("Mail in: %s: %s", store.mailbox_name(url), why, exc_info=ours)
            store.note_failure(url, now, refused=imap.is_refusal(error))
            unreadable.tell(url, why, now)
    return stored


def process(now: dt.datetime) -> int:
    """Work on the stored mails; return how many."""
    return processing.process_inbound(now=now, limit=MAILS_PER_ROUND)


def process_in_turns(clock: Clock, *, seconds: float) -> int:
    """Work on stored mail for at most this long, and send the queue after every few mails; return
    how many were worked on.

    So no receipt waits for a backlog, and deadlines get their turn. If nothing can be sent, that is
    left to `outbox`.
    """
    end = time.monotonic() + seconds
    processed, sends = 0, True
    while done := processing.process_inbound(now=clock(), limit=MAILS_PER_TURN):
        processed += done
        sends = sends and outbox(clock()) > 0
        if time.monotonic() > end:
            break
    return processed


def deadlines(now: dt.datetime) -> int:
    """Process every phase that is due, and write its notices; return how many.

    Games that have not started have deadlines, too: those of their musters, and the times at which
    they are to start. While the server stands still there is nothing to do.
    """
    return sum(_deadlines(lambda: now))


def _deadlines(clock: Clock) -> Iterator[bool]:
    if halt_now():
        return
    for _ in each(musters_due(now=clock()), lambda game: due_musters.proceed(game, clock())):
        yield False
    for _ in each(starts_due(now=clock()), lambda game: due_musters.start(game, clock())):
        yield False
    any_was = True
    while any_was:
        any_was = False
        for was in due_phases.process_all(due_games.phases_due(now=clock()), clock):
            any_was |= was
            yield was


def resume(now: dt.datetime) -> int:
    """Let games go on whose pause is over, or all of them if somebody was interrupted while letting
    the server go on; return how many."""
    return sum(_resume(lambda: now))


def _resume(clock: Clock) -> Iterator[bool]:
    for event in each(
        games_to_go_on(now=clock()), lambda game: game_tried(game_id=game, now=clock())
    ):
        yield event is not None
    halt_end(now=clock())
    yield from each(games_to_resume(now=clock()), lambda game: resume_game(game, clock()))


def resume_game(game: Game, now: dt.datetime) -> bool:
    """Let one game go on, unless somebody else has seen to it."""
    return pause_end(game=game, now=now) is not None


def seats(now: dt.datetime) -> int:
    """End offers that nobody answered, and reopen seats whose game has waited long enough for its
    player; return how many."""
    return sum(_seats(lambda: now))


def _seats(clock: Clock) -> Iterator[int]:
    yield from each(
        seats_to_reopen(now=clock()),
        lambda one: seat_reopen(game=one[0], power=one[1], now=clock()) is not None,
    )
    yield offers_expire(now=clock())


def remind(now: dt.datetime) -> int:
    """Note who should be reminded of their orders, or of people who asked to join; return how
    many."""
    return sum(_remind(lambda: now))


def _remind(clock: Clock) -> Iterator[bool]:
    yield from each(
        phases_to_remind(now=clock()),
        lambda phase: players_remind(phase_id=phase, now=clock()) is not None,
    )
    yield from each(
        games_with_unanswered(now=clock()),
        lambda game: gm_remind(game_id=game, now=clock()) is not None,
    )


def forget(now: dt.datetime, *, seconds: float = 0.0) -> int:
    """Empty mails and press that are too old, in the mailbox as well; return how many.

    Forget, too, that mails did not reach members of the staff, once they reach them again. If there
    is more than one turn can do, go on for at most this long: a server whose operator sets
    MAIL_DAYS after some years has millions of mails to empty.
    """
    end = time.monotonic() + seconds
    staff_bounces.forget_failures(now)
    done = old_mail.delete_old(now)
    while emptied := retention.empty_old(now):
        done += emptied
        if time.monotonic() >= end:
            break
    return done


def probe(now: dt.datetime) -> bool:
    """Write a mail to ourselves if it is time; return whether it was."""
    return probes.probe(now)


def tell(now: dt.datetime) -> int:
    """Write the notices of every event that nobody has been told of yet; return how many events.

    This also tells players of moderators' decisions about them, which belong to no game but to the
    player's file, carries out requests about a player's data, and tells operators when the whole
    server stands still.
    """
    return sum(_tell(lambda: now))


def _tell(clock: Clock) -> Iterator[bool]:
    moderation_mail.tell_all(clock())
    halts.tell_all(clock())
    for _ in each(games_to_tell(), lambda game: game_halted(game_id=game, now=clock())):
        yield False
    data_requests.carry_out(clock())
    last = 0
    while found := telling.tell_next(last, clock()):
        last, is_told = found
        yield is_told


BY_THE_CLOCK = (_deadlines, _resume, _seats, _remind, _tell)
"""Jobs that depend on the time, and telling people about them, bit by bit."""
TELLING = (_tell,)


def outbox(now: dt.datetime) -> int:
    """Send what is queued, and see to refused mails; return how many mails were taken.

    What GMs and players hear about refusals goes out in the next round.
    """
    sent = sending.drain(now=now)
    bounces.refusals(now)
    return sent
