"""The duties of the server: what is done again and again, and in which order.

Each is a plain function that may run at any time, twice at once, or after a crash: the database
says what there is to do. Celery's tasks, `manage.py tick` and the tests call the same functions.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from games.errors import WrongState
from games.events import PhaseProcessed
from games.models import Event, Game, Phase
from games.queries.halts import halt_now
from games.services import phases
from games.services.deadlines import SERVER, game_resume, games_to_resume
from games.services.invitations import games_with_unanswered, gm_remind
from games.services.muster import muster_proceed, musters_due
from games.services.overdue import seat_reopen, seats_to_reopen
from games.services.reminders import phases_to_remind, players_remind
from games.services.standby import offers_expire
from games.services.working import working_on
from mailer import notices, privacy, retention
from mailer.inbound import bounces, outages, poller, processing, store
from mailer.notices import moderation_mail
from mailer.outbound import probe as probes
from mailer.outbound import sending

logger = logging.getLogger(__name__)

MAILS_PER_ROUND = 500
MAILS_PER_TURN = 20


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


def round(now: dt.datetime) -> Counts:
    """Every duty once, in the order in which one makes work for the next."""
    fetched, processed = poll(now), process(now)
    resume(now)
    adjudicated = deadlines(now)
    seats(now)
    remind(now)
    forget(now)
    probe(now)
    return Counts(fetched, processed, adjudicated, notices=tell(now), sent=outbox(now))


def poll(now: dt.datetime) -> int:
    """Fetch new mail from every mailbox; returns how many mails were stored.

    A mailbox that cannot be read is logged and left to the next round: the others are read.
    """
    stored = 0
    for url in settings.IMAP_URLS:
        try:
            stored += poller.poll_mailbox(url=url, now=now)
        except (OSError, imaplib.IMAP4.error) as error:
            logger.warning("Mail in: %s", error)
            store.note_failure(url, now)
    return stored


def process(now: dt.datetime) -> int:
    """Work on the mails that are stored; returns how many."""
    return processing.process_inbound(now=now, limit=MAILS_PER_ROUND)


def process_in_turns(clock: Clock, *, seconds: float) -> int:
    """Work on stored mail for at most so long, a few at a time, and send what is queued after each
    few; returns how many were worked on.

    So no receipt waits until a backlog is done, and deadlines get their turn, too. When
    nothing can be sent, that is left to `outbox`.
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
    """Process every phase that is due and write what it tells; returns how many.

    Games that have not started yet have deadlines, too: those of their musters. While the server
    stands still there is nothing to do.
    """
    return sum(_deadlines(lambda: now))


def _deadlines(clock: Clock) -> Iterator[bool]:
    if halt_now():
        return
    for game in musters_due(now=clock()):
        proceed_with_muster(game, clock())
        yield False
    any_was = True
    while any_was:
        any_was = False
        for was in _phases(phases.phases_due(now=clock()), clock):
            any_was |= was
            yield was


def _phases(due: Sequence[int], clock: Clock) -> Iterator[bool]:
    """Process the phases of these games, those first that nobody else is at; says of each whether
    it was."""
    left = list(due)
    while left:
        first, now = left[: phases.CLAIMED_AMONG], clock()
        game, done = _process_first(first, now)
        yield done
        left = left[len(first) if game is None else first.index(game) + 1 :]


def _process_first(games: Sequence[int], now: dt.datetime) -> tuple[int | None, bool]:
    """Process the phase of the first of these games that nobody else is at; return which that is,
    if any, and whether it was."""
    game = None
    try:
        with transaction.atomic():
            game = phases.phase_claim(games, now=now)
            return game, game is not None and _process_phase(game, now, whole=True)
    except Exception:
        if game is None:
            raise
        return game, _process_in_parts(game, now)


def process_phase(game_id: int, now: dt.datetime) -> bool:
    """Adjudicate the due phase of one game and queue its mails, in one transaction.

    While mail cannot be read the phase waits, and what is to be told of that is told.
    """
    try:
        with transaction.atomic():
            return _process_phase(game_id, now, whole=True)
    except Exception:
        return _process_in_parts(game_id, now)


def _process_in_parts(game_id: int, now: dt.datetime) -> bool:
    """Process a phase again that broke, with a savepoint for adjudicating and one for telling: if
    telling breaks again, the result stands and `tell` tries again.

    Savepoints for the many that do not break took a twentieth of their time.
    """
    with transaction.atomic():
        return _process_phase(game_id, now, whole=False)


def _process_phase(game_id: int, now: dt.datetime, *, whole: bool) -> bool:
    looked: list[tuple[Phase, outages.Light]] = []

    def ready(phase: Phase) -> bool:
        looked.append((phase, outages.light(phase, now)))
        return looked[-1][1] is outages.Light.CLEAR

    event = phases.phase_adjudicate(game_id=game_id, now=now, ready=ready, told=True, whole=whole)
    for phase, seen in looked:
        event = event or outages.respond(phase, seen, now)
    if event and whole:
        _tell_one(event, now)
    elif event:
        tell_safely(event, now)
    return event is not None and event.kind == PhaseProcessed.kind


def proceed_with_muster(game_id: int, now: dt.datetime) -> None:
    """End a muster, or remind the silent, and queue the mails; all that came in time is read."""

    def ready(game: Game) -> bool:
        return game.muster_until is not None and store.barrier(
            due_at=game.muster_until,
            settle=outages.settle_before(game.muster),
            game=game,
            now=now,
        )

    with transaction.atomic():
        event = muster_proceed(game_id=game_id, now=now, ready=ready)
        if event:
            tell_safely(event, now)


def resume(now: dt.datetime) -> int:
    """Let the games go on whose pause is over; returns how many."""
    return sum(_resume(lambda: now))


def _resume(clock: Clock) -> Iterator[bool]:
    for game in games_to_resume(now=clock()):
        yield resume_game(game, clock())


def resume_game(game: Game, now: dt.datetime) -> bool:
    """Let one game go on, unless somebody else did."""
    try:
        game_resume(game=game, by=SERVER, now=now)
    except WrongState:
        return False
    return True


def seats(now: dt.datetime) -> int:
    """End offers that nobody answered, and open seats again for which a game waits in vain;
    returns how many."""
    return sum(_seats(lambda: now))


def _seats(clock: Clock) -> Iterator[int]:
    for game, power in seats_to_reopen(now=clock()):
        yield seat_reopen(game=game, power=power, now=clock()) is not None
    yield offers_expire(now=clock())


def remind(now: dt.datetime) -> int:
    """Note who is to be reminded of their orders, or of who asked to join; returns how often."""
    return sum(_remind(lambda: now))


def _remind(clock: Clock) -> Iterator[bool]:
    for phase in phases_to_remind(now=clock()):
        yield players_remind(phase_id=phase, now=clock()) is not None
    for game in games_with_unanswered(now=clock()):
        yield gm_remind(game_id=game, now=clock()) is not None


def forget(now: dt.datetime) -> int:
    """Take the words out of mails and press that are too old; returns of how many."""
    return retention.empty_old(now)


def probe(now: dt.datetime) -> bool:
    """Write a mail to ourselves if it is time to; whether it was."""
    return probes.probe(now)


def tell(now: dt.datetime) -> int:
    """Write the notices of every event nobody was told of yet; returns how many events.

    What moderators decide about a player belongs to no game, and is told from their file. So is
    what is to be done with a player's data.
    """
    return sum(_tell(lambda: now))


def _tell(clock: Clock) -> Iterator[bool]:
    moderation_mail.tell_all(clock())
    privacy.carry_out(clock())
    last = 0
    while found := tell_next(last, clock()):
        last, is_told = found
        yield is_told


BY_THE_CLOCK = (_deadlines, _resume, _seats, _remind, _tell)
"""What hangs on the time, and telling of it, bit by bit."""
TELLING = (_tell,)


def tell_next(after: int, now: dt.datetime) -> tuple[int, bool] | None:
    """Tell of the first event behind that one which nobody else is at; returns its id and whether
    it is told, None without one. What breaks is tried again later."""
    with transaction.atomic():
        free = _untold(now).filter(pk__gt=after).select_for_update(skip_locked=True, of=("self",))
        event = free.order_by("pk").first()
        return None if event is None else (event.pk, tell_safely(event, now))


def tell_safely(event: Event, now: dt.datetime) -> bool:
    """Queue the notices of `event`; an error is logged and undoes nothing but these notices.

    After an error the event is tried again, each time after a longer pause: a telling that cannot
    succeed must not fill the log and keep the workers busy.
    """
    try:
        with transaction.atomic():
            _tell_one(event, now)
    except Exception:
        logger.exception("Nobody could be told of event #%s (%s)", event.pk, event.kind)
        event.told_at = None  # of a phase it was written with the event
        event.tell_attempts += 1
        event.tell_again_at = now + sending.pause_after(event.tell_attempts)
        event.save(update_fields=["told_at", "tell_attempts", "tell_again_at"])
        return False
    return True


def _tell_one(event: Event, now: dt.datetime) -> None:
    with working_on(game=event.game.name, event=event.number):
        notices.tell_event(event, now=now)


def _untold(now: dt.datetime) -> QuerySet[Event]:
    """The events to be told at this time."""
    due = Q(tell_again_at=None) | Q(tell_again_at__lte=now)
    return Event.objects.filter(due, told_at=None)


def outbox(now: dt.datetime) -> int:
    """Send what is queued and see to what was refused; returns how many mails were taken.

    What GMs and players are told of refusals goes out with the next round.
    """
    sent = sending.drain(now=now)
    bounces.refusals(now)
    return sent
