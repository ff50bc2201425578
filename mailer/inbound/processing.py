"""Works on waiting mails, each all or nothing; one_mail.py says what we do about one.

Each attempt is counted before the mail is opened (`mailer/inbound/retries.py`). Several waiting
mails share a transaction, each in a savepoint; we try a mail that does not go through there once
more, and in the end by itself.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from games.errors import fault
from games.services.common import lock_free_games
from games.services.time_limit import TimeLimit, TookTooLong
from games.services.working import working_on
from mailer.cores import Cores
from mailer.inbound import retries, turns
from mailer.inbound.locked_mail import LockedMail, open_mails
from mailer.inbound.one_mail import Closing, work_on
from mailer.inbound.requests import read_with_greetings
from mailer.letter import Letter
from mailer.models import InboundMail

logger = logging.getLogger(__name__)
LONGEST_WAIT = 100
"""For how many milliseconds one of several mails waits for a game that another worker has: about as
long as that worker needs, so that we rarely have to undo one. With 10, eight workers needed a tenth
more time."""
LONGEST_TURN = 60.0
"""Seconds after which no more mails are taken, so that Celery does not kill a worker whose mails
all take long."""
State = InboundMail.State
_CORES = Cores()
_ONCE_MORE = "Mail #%s will be worked on once more: %s"


@dataclass(slots=True)
class _Claim:
    """Mails that this worker has to itself for a while."""

    mails: dict[int, bytes]
    at: dt.datetime
    begin_until: float
    """By the monotonic clock; after that, we begin none of them."""

    @property
    def is_old(self) -> bool:
        return time.monotonic() > self.begin_until


def process_inbound(*, now: dt.datetime, limit: int) -> int:
    """Work on up to `limit` stored mails, one of each sender, then the next of each; return how
    many went through."""
    states: list[State | None] = []
    seen, begun = set[int](), time.monotonic()
    while len(states) < limit:
        with contextlib.nullcontext() if settings.CHECK_DKIM else _CORES.one():  # this asks the DNS
            fresh = [pk for pk in turns.next_turn(now) if pk not in seen][: limit - len(states)]
            states += _each(fresh, now, begun)
        if not fresh or _is_over(begun):  # others are at the rest, or will be
            break
        seen.update(fresh)
    return sum(state not in (None, State.LATER) for state in states)


def _each(mails: Sequence[int], now: dt.datetime, begun: float) -> Iterator[State | None]:
    """Work on those of these mails that nobody else takes; return what state each is in
    afterwards."""
    left = list(mails)
    while left and not _is_over(begun) and (claim := _claim_first(left, now + _since(begun))):
        for pk, state in _work_on_together(claim, now):
            left.remove(pk)
            yield state
    for pk in turns.left_by_the_dead(left, now=now) if left else ():
        if _is_over(begun):
            break
        yield process_mail(mail_id=pk, now=now, begun=begun)


def _claim_first(mails: Sequence[int], at: dt.datetime) -> _Claim | None:
    """Claim the first of these mails; None if others have them all."""
    begin_until = time.monotonic() + turns.BEGUN_WITHIN
    mine = dict(retries.claim_first(mails, now=at))
    return _Claim(mine, at, begin_until) if mine else None


def _is_over(begun: float) -> bool:
    return time.monotonic() - begun > LONGEST_TURN


def _since(begun: float) -> dt.timedelta:
    """The time that a worker has been at it, in whole seconds."""
    return dt.timedelta(seconds=int(time.monotonic() - begun))


def _work_on_together(claim: _Claim, now: dt.datetime) -> Iterator[tuple[int, State | None]]:
    """Work on claimed mails, together as long as some of them go through, then one by one until
    the claim is old.

    Mails for games that another worker has come last, since it keeps the games until it has done
    its own mails. We pass them over only once: looking again at once rarely helps, and costs a
    transaction.
    """
    pass_over = True
    while (done := _try_together(claim, now, pass_over=pass_over)) or pass_over:
        yield from done.items()
        claim.mails = {pk: raw for pk, raw in claim.mails.items() if pk not in done}
        pass_over = False
    while claim.mails:
        pk = next(iter(claim.mails))
        yield pk, _attempt(pk, claim.mails.pop(pk), now)
        if claim.mails and claim.is_old:
            retries.give_back([*claim.mails], taken_at=claim.at)
            break


def _try_together(claim: _Claim, now: dt.datetime, *, pass_over: bool) -> dict[int, State | None]:
    """Work on claimed mails in one transaction; return the states of those that went through.

    The disk is flushed once for twenty, and rows that nobody reads in between are read and written
    once: each mail takes a third less time than alone. A savepoint undoes a mail that breaks, or
    waits too long for another's locks; if the transaction itself is lost, all are undone. After a
    mail that may have taken an address from its owner, or the like, we read the next ones again.
    """
    done: dict[int, State | None] = {}
    if len(claim.mails) < 2 or settings.CHECK_DKIM:  # this asks the DNS: not while games are locked
        return done
    try:
        letters = dict(_letters(claim))
        if len(letters) < 2:
            return done
        with transaction.atomic():
            _wait_for_nobody_long()
            found, closing = open_mails(letters, now=now), Closing()
            done.update(dict.fromkeys(letters.keys() - found.keys()))
            if pass_over:
                found = _lock_free_games(found)
            for pk, mail in found.items():
                if claim.is_old:
                    break
                stale = closing.more or State.REPORT in done.values()
                try:
                    with transaction.atomic(), TimeLimit(turns.LONGEST_TOGETHER):
                        mail = open_mails({pk: letters[pk]}, now=now)[pk] if stale else mail
                        state, left = work_on(mail, letters[pk], now)
                    done[pk] = state  # not before its savepoint holds
                    closing.add(left)
                except Exception as error:
                    logger.info(_ONCE_MORE, pk, fault(error))
                    if transaction.get_rollback():  # not even its savepoint could be undone
                        raise
            closing.write()
    except Exception as error:
        logger.warning("Mails taken together will be worked on one by one: %s", fault(error))
        done.clear()
    return done


def _letters(claim: _Claim) -> Iterator[tuple[int, Letter]]:
    """The letters of claimed mails, until the claim is old, without those that take long to
    read."""
    for pk, raw in claim.mails.items():
        if claim.is_old:
            break
        try:
            with TimeLimit(turns.LONGEST_TOGETHER):
                letter = read_with_greetings(raw)
        except TookTooLong as error:
            logger.info(_ONCE_MORE, pk, fault(error))
        else:
            yield pk, letter


def _lock_free_games(found: Mapping[int, LockedMail]) -> dict[int, LockedMail]:
    """Lock the games of these mails that no other worker has; return the mails of those games."""
    free = lock_free_games({game for mail in found.values() for game in mail.games})
    return {pk: mail for pk, mail in found.items() if mail.games <= free}


def _wait_for_nobody_long() -> None:
    """Make this transaction fail rather than wait longer for a lock: others wait for the locks that
    it has, and it may be waiting for one of theirs."""
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {LONGEST_WAIT}")


def process_mail(*, mail_id: int, now: dt.datetime, begun: float | None = None) -> State | None:
    """Work on one mail; return its state afterwards, or None if it broke or another worker has
    it.

    `begun` is the monotonic clock at `now`. The time for which a worker has a mail to itself counts
    from when it took that mail, not from when it took the first of many.
    """
    passed = _since(begun) if begun is not None else dt.timedelta()
    raw = retries.claim(mail_id=mail_id, now=now + passed)
    return None if raw is None else _attempt(mail_id, raw, now)


def _attempt(mail_id: int, raw: bytes, now: dt.datetime) -> State | None:
    """Work on a claimed mail; None if it broke or somebody has worked on it since."""
    with working_on(mail=mail_id):
        try:
            if settings.CHECK_DKIM:  # few do; the import takes a fifth of each start
                check = import_string("mailer.inbound.dkim_check.note_signatures")
                check(mail_id=mail_id, now=now)
            try:
                return _work_within(turns.LONGEST_TOGETHER, mail_id, raw, now)
            except TookTooLong:
                if retries.many_took_too_long(now):
                    raise
                return _work_within(turns.LONGEST, mail_id, raw, now)
        except Exception as error:
            logger.exception("Mail #%s broke the program", mail_id)
            retries.note_failure(mail_id=mail_id, error=error, now=now)
            return None


def _work_within(seconds: float, mail_id: int, raw: bytes, now: dt.datetime) -> State | None:
    """Work on a claimed mail; None if somebody has worked on it since.

    Raises TookTooLong after so many seconds of processor time.
    """
    limit = TimeLimit(seconds)
    with limit:
        letter = read_with_greetings(raw)
    with transaction.atomic(), limit:
        found = open_mails({mail_id: letter}, now=now)
        if not found:
            return None
        state, left = work_on(found[mail_id], letter, now)
        left.write()
    return state
