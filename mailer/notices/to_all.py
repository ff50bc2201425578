"""The same news for every player and the GM, the times in each reader's own zone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.board import phase_title
from games.events import GameRolledBack, InPhase, facts_of
from games.models import Event, Phase, Seat
from games.queries import lookup
from mailer.notices import layout, sections
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.text import MARKER, listed, moment


def to_all(event: Event, template: str, news: str, now: dt.datetime) -> Iterator[Notice]:
    """templates/mail/<template>.txt for all; a player also reads what he has to decide.

    The template gets what the event says, every time in it as a text.
    """
    subject = subject_of(event, news)
    phase = lookup.open_phase(event.game)
    letters = (
        (seat, subject, _body(event, template, seat, phase, now))
        for seat in lookup.seats_of(event.game)
    )
    yield from to_seats(event, letters, phase=phase, now=now)
    body = layout.render(template, gm=True, **said_by(event, event.game.timezone))
    yield from to_gm(event, subject=subject, body=body)


def _body(event: Event, template: str, seat: Seat, phase: Phase | None, now: dt.datetime) -> str:
    return layout.render(
        template,
        marker=MARKER,
        todo=todo(phase, seat, now),
        **said_by(event, seat.player.timezone),
    )


def todo(phase: Phase | None, seat: Seat, now: dt.datetime) -> list[str]:
    """What the player has to decide in the open phase, or that nothing of it is missing."""
    if phase is None:
        return []
    step = lookup.next_phase(phase, seat.power)
    if step.duty and seat.power.name not in lookup.powers_not_in(phase):
        return sections.nothing_missing(step, seat, now)
    return sections.next_step(step, seat, phase.game, now)


def subject_of(event: Event, news: str) -> str:
    """`Fall 1903 retreats: the deadline has moved`."""
    return f"{_title(event)}: {news}"


def said_by(event: Event, timezone: str) -> dict[str, object]:
    """What the event says, for a reader in this zone."""
    facts = facts_of(event)
    said = {name: _readable(value, timezone) for name, value in facts.said()}
    if isinstance(facts, GameRolledBack):
        said["undone"] = listed([phase_title(phase) for phase in facts.undone])
    return {**said, "game": event.game.name, "title": _title(event)}


def _title(event: Event) -> str:
    """The title of the phase that the event names, which may be another one than its row's."""
    return phase_title(InPhase.of(event).phase)


def _readable(value: object, timezone: str) -> object:
    return moment(value, timezone) if isinstance(value, dt.datetime) else value
