"""The log of a game: every act of player, GM, moderator and server, in a chain that shows changes.

Each event carries the SHA-256 of its own content and of its predecessor's digest. With an old
digest (every result mail names the newest one) anybody can tell whether anything before it has been
changed. What an event says of a processed phase includes digests of its orders and its outcome, so
that these cannot be changed either. `games.proofs` makes and checks digests; anybody can do it
without this server.

When people are told (`told_at`) is the mailer's business, and no part of the chain.
"""

from __future__ import annotations

import datetime as dt

from games.events import Facts, payload_of
from games.models import Event, Game, Phase
from games.models.phase import OF_PHASE
from games.models.prepared import Given, Query
from games.models.stored import Insert, fresh
from games.proofs.digests import digest, entry_body, entry_digest, new_salt

__all__ = ["at_text", "digest", "digest_of", "events_of", "head", "record"]


def events_of(game: Game) -> list[Event]:
    """Return the game's log, oldest first, with the phases but without their boards: read with each
    event, a long game's boards take megabytes."""
    events = list(game.events.select_related("phase").defer(*OF_PHASE).order_by("number"))
    for event in events:
        event.game = game
        if event.phase:
            event.phase.game = game
    return events


def record(
    *,
    game: Game,
    facts: Facts,
    now: dt.datetime,
    phase: Phase | None = None,
    last: tuple[int, str] | None = None,
    told_by_caller: bool = False,
) -> Event:
    """Append an event to the game's log. The caller holds the game's lock. `last` is the number and
    the digest of the newest entry, if they were read under this lock. With `told_by_caller`, the
    caller tells people of the event before the transaction ends.

    Players read the facts sooner or later, so they must not contain an order that is still secret.
    """
    number, previous = last or _last(game)
    event = fresh(
        Event,
        game=game,
        phase=phase,
        kind=facts.kind,
        payload=payload_of(facts),
        created_at=now,
        number=number + 1,
        salt=new_salt(),
        previous=previous,
        told_at=now if told_by_caller else None,
    )
    event.digest = digest_of(event)
    return _INSERT.one(event)


_INSERT = Insert(Event)


def _last(game: Game) -> tuple[int, str]:
    """The number and the digest of the newest entry; 0 and empty before the first."""
    newest = _NEWEST.first(game=game.pk)
    return (newest.number, newest.digest) if newest else (0, "")


_NEWEST = Query(
    lambda: (
        Event.objects.filter(game=Given("game")).order_by("-number").only("number", "digest")[:1]
    )
)


def digest_of(event: Event) -> str:
    """Return the SHA-256 of what the event says, its place in the log, and its predecessor's
    digest."""
    return entry_digest(
        number=event.number,
        kind=event.kind,
        phase=event.phase.name if event.phase else None,
        body=entry_body(event.payload, event.salt),
        at=at_text(event.created_at),
        previous=event.previous,
    )


def at_text(moment: dt.datetime) -> str:
    """Return a moment in the form in which digests take it: ISO 8601 in UTC."""
    return moment.astimezone(dt.UTC).isoformat()


def head(game: Game) -> str:
    """Return the digest of the newest event, "" before the first."""
    last = game.events.order_by("-number").values_list("digest", flat=True).first()
    return last or ""
