"""Which signs are bad, in sentences an operator understands at three in the morning."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from diplomacy_server.health.signs import MailboxSign, Queue, Signs
from games.queries.reports.wording import counted, local_moment, opening, time_left
from mailer.outbound.probe import RoundTrip

SECOND = dt.timedelta(seconds=1)
PATIENCE = dt.timedelta(minutes=15)
"""How long mail may wait to be read, worked on or sent, and a phase may be due, before we call
somebody.

A restart, a deploy and a burst of mail take less; players notice more.
"""


class Level(enum.Enum):
    """How bad it is."""

    FINE = "ok"
    LOOK = "look"
    """Somebody should look at it today."""
    FAILS = "FAILS"
    """The server does not do its work: call somebody now."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one sign says."""

    level: Level
    about: str
    """A short name that stays the same, for machines."""
    sentence: str


def judge(signs: Signs) -> list[Finding]:
    """Return every sign as a finding, in the order in which mail runs through the server."""
    return [
        *_no_room(signs.no_room),
        *(_mailbox(box, signs.at) for box in signs.mailboxes),
        _queue("unworked", signs.unworked, "mail", "worked on", signs.at),
        _due(signs),
        _queue("outbox", signs.outbox, "mail", "sent", signs.at),
        *([_round_trip(signs.round_trip, signs.at)] if signs.round_trip else []),
        *_for_an_operator(signs),
        Finding(Level.FINE, "games", f"{counted(signs.running, 'game')} being played."),
    ]


def fails(findings: list[Finding]) -> list[Finding]:
    """Return the findings for which somebody has to be called."""
    return [finding for finding in findings if finding.level is Level.FAILS]


def _no_room(why: str) -> Iterator[Finding]:
    if why:
        sentence = (
            f"The database takes nothing new: {why}. Mail waits in the mailbox until it does."
        )
        yield Finding(Level.FAILS, "database", sentence)


def _mailbox(box: MailboxSign, now: dt.datetime) -> Finding:
    if box.last_ok_poll is None:
        return Finding(Level.FAILS, "mailbox", f"{box.name} has never been read.")
    since = now - box.last_ok_poll
    read = f"last read at {local_moment(box.last_ok_poll)}, {_ago(box.last_ok_poll, now)}"
    if since > PATIENCE + dt.timedelta(seconds=settings.POLL_SECONDS):
        return Finding(Level.FAILS, "mailbox", f"{box.name}: {read}. Deadlines wait until it is.")
    if box.failing_since is not None:
        return Finding(Level.LOOK, "mailbox", f"{box.name} fails right now; {read}.")
    return Finding(Level.FINE, "mailbox", f"{box.name}: {read}.")


def _due(signs: Signs) -> Finding:
    """Judge the phases whose time is over. We call nobody at night for a halt, since somebody
    wanted it."""
    if not (halt := signs.halt):
        return _queue("due", signs.due, "phase", "decided", signs.at)
    since = f"The whole server has stood still since {local_moment(halt.since)}"
    why = f"{opening(halt.by)} says why: {halt.why}"
    return Finding(Level.LOOK, "halt", f"{since}: no phase is decided. {why}")


def _queue(about: str, queue: Queue, thing: str, what: str, now: dt.datetime) -> Finding:
    if queue.oldest is None:
        return Finding(Level.FINE, about, f"No {thing} waits to be {what}.")
    late = now - queue.oldest > PATIENCE
    wait = "waits" if queue.count == 1 else "wait"
    sentence = f"{counted(queue.count, thing)} {wait} to be {what}, the oldest since "
    sentence += local_moment(queue.oldest)
    return Finding(
        Level.FAILS if late else Level.FINE, about, f"{sentence}, {_ago(queue.oldest, now)}."
    )


def _round_trip(found: RoundTrip, now: dt.datetime) -> Finding:
    missing = found.missing_since
    if missing and now - missing > PATIENCE:
        lost = f"A mail to ourselves, written at {local_moment(missing)}, has not come back"
        return Finding(Level.FAILS, "round-trip", f"{lost}: mails may not arrive.")
    if found.seconds is None:
        return Finding(Level.FINE, "round-trip", "No mail to ourselves has come back yet.")
    took = f"The last mail to ourselves was back after {found.seconds:.0f} s."
    return Finding(Level.FINE, "round-trip", took)


def _for_an_operator(signs: Signs) -> Iterator[Finding]:
    """Judge what does not stop the server, but does not go away by itself."""
    waiting = {
        "stuck": (signs.stuck, "phase", "stuck: the server failed at it three times"),
        "set-aside": (signs.set_aside.count, "mail", "set aside: it broke the program"),
        "unfetched": (signs.unfetched.count, "mail", "in a mailbox that does not give it out"),
        "untold": (signs.untold.count, "event", "not told yet"),
        "put-by": (signs.put_by.count, "mail", "kept for later: too many in an hour"),
        "refused": (signs.refused, "mail", "refused by the relay, and tried again for two days"),
        "failed": (signs.failed, "mail", "refused for good by the relay since yesterday"),
        "bounced": (signs.bounced, "mail", "back since yesterday"),
        "undrawn": (
            signs.undrawn,
            "phase",
            "not drawn since yesterday: the mails went without pictures",
        ),
    }
    for about, (count, thing, what) in waiting.items():
        if count:
            yield Finding(Level.LOOK, about, f"{counted(count, thing)} {what}.")


def _ago(at: dt.datetime, now: dt.datetime) -> str:
    return f"{time_left(now, at)} ago" if now - at >= SECOND else "just now"
