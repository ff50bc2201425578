"""The log of a game: every act of player, GM, moderator and server, in a chain that shows changes.

Each event carries the SHA-256 of its own content and of its predecessor's digest. Whoever has an
old digest (every result mail names the newest one) can tell whether anything before it was
changed since. What an event says of a processed phase includes digests of its orders and its
outcome, so that these cannot be changed either. How digests are made, and how they are checked,
stands in `games.proofs`: anybody can do it without this server.

What is told when (`told_at`) is the mailer's business and no part of the chain.
"""

from __future__ import annotations

import datetime as dt

from games.events import Facts, payload_of
from games.models import Event, Game, Phase
from games.proofs.digests import digest, entry_body, entry_digest, new_salt

__all__ = ["at_text", "digest", "digest_of", "head", "record"]


def record(
    *,
    game: Game,
    facts: Facts,
    now: dt.datetime,
    phase: Phase | None = None,
) -> Event:
    """Append an event to the game's log. The caller holds the game's lock.

    Players read the facts sooner or later: no order belongs in them while it is secret.
    """
    last = game.events.order_by("-number").first()
    event = Event(
        game=game,
        phase=phase,
        kind=facts.kind,
        payload=payload_of(facts),
        created_at=now,
        number=last.number + 1 if last else 1,
        salt=new_salt(),
        previous=last.digest if last else "",
    )
    event.digest = digest_of(event)
    event.save(force_insert=True)
    return event


def digest_of(event: Event) -> str:
    """Return the SHA-256 of what the event says, of its place in the log and of its predecessor."""
    return entry_digest(
        number=event.number,
        kind=event.kind,
        phase=event.phase.name if event.phase else None,
        body=entry_body(event.payload, event.salt),
        at=at_text(event.created_at),
        previous=event.previous,
    )


def at_text(moment: dt.datetime) -> str:
    """Return a moment as digests are taken of it: ISO 8601 in UTC."""
    return moment.astimezone(dt.UTC).isoformat()


def head(game: Game) -> str:
    """Return the digest of the newest event, or an empty string before the first."""
    last = game.events.order_by("-number").values_list("digest", flat=True).first()
    return last or ""
