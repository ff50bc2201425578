"""What in a game is not as its log has it: its chain, its phases and their outcomes are checked.

How that is checked, here and in documents, stands in `games.queries.checking`.
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
    """Yield a sentence for everything in the game that is not as the log has it, oldest first."""
    yield from checking.faults(record_of(_document(game)))
    for event in events_of(game):
        if not is_readable(event):
            yield checking.UNREADABLE.format(_entry(event).title)


def _document(game: Game) -> Mapping[str, Any]:
    """What of a game's document the log speaks of."""
    return {
        "format": GAME_FORMAT,
        "game": plain(game),
        "phases": phase_values(game),
        "events": event_values(game),
    }


def chain_faults(events: Iterable[Event]) -> Iterator[str]:
    """Yield a sentence for every event, from the first on, that does not hang on the one before.

    It reads nothing but the events, which come with their phases: `faults` holds the phases against
    them, too.
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
