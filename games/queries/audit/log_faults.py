"""Finds where a game disagrees with its log: in its chain, its phases and their outcomes.

`games.queries.checking` does the checking, here and for documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.events import is_readable
from games.game_file import event_values, phase_values, plain
from games.log import at_text, events_of
from games.models import Event, Game
from games.proofs.digests import entry_body
from games.queries.checking import faults as checking
from games.queries.checking.record import GAME_FORMAT, Entry, record_of


def faults(game: Game) -> Iterator[str]:
    """Yield a sentence for everything in the game that does not agree with its log, oldest
    first."""
    yield from checking.faults(record_of(_document(game)))
    for event in events_of(game):
        if not is_readable(event):
            yield checking.UNREADABLE.format(_entry(event).title)


def _document(game: Game) -> Mapping[str, Any]:
    """The parts of a game's document that the log mentions."""
    return {
        "format": GAME_FORMAT,
        "game": plain(game),
        "phases": phase_values(game),
        "events": event_values(game),
    }


def chain_faults(events: Iterable[Event]) -> Iterator[str]:
    """Yield a sentence for every event, from the first on, that is not chained to the one before.

    It reads only the events, which come with their phases: `faults` compares the phases with them
    as well.
    """
    return checking.chain_faults(map(_entry, events))


def _entry(event: Event) -> Entry:
    return Entry(
        number=event.number,
        kind=event.kind,
        phase=event.phase.name if event.phase else None,
        phase_number=event.phase.number if event.phase else None,
        at=at_text(event.created_at),
        previous=event.previous,
        digest=event.digest,
        said=event.payload,
        body=entry_body(event.payload, event.salt),
    )
