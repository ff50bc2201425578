"""The log of a game: every act of player, GM, moderator and server, in a chain that shows changes.

Each event carries the SHA-256 of its own content and of its predecessor's digest. Whoever has an
old digest (every result mail names the newest one) can tell whether anything before it was
changed since. What an event says of a processed phase includes digests of its orders and its
outcome, so that these cannot be changed either.

What is told when (`told_at`) is the mailer's business and no part of the chain.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games import board
from games.events import Facts, GameRolledBack, PhaseProcessed, is_readable, payload_of
from games.models import Event, Game, Phase

SHOWN = 12
"""So many digits of a digest are shown to people: enough to compare by eye."""


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
        previous=last.digest if last else "",
    )
    event.digest = digest_of(event)
    event.save(force_insert=True)
    return event


def digest_of(event: Event) -> str:
    """Return the SHA-256 of what the event says, of its place in the log and of its predecessor."""
    return digest(
        [
            event.number,
            event.kind,
            event.phase.name if event.phase else None,
            event.payload,
            event.created_at.astimezone(dt.UTC).isoformat(),
            event.previous,
        ]
    )


def digest(value: object) -> str:
    """Return the SHA-256 of a JSON value, however its objects are ordered."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def head(game: Game) -> str:
    """Return the digest of the newest event, or an empty string before the first."""
    last = game.events.order_by("-number").values_list("digest", flat=True).first()
    return last or ""


def faults(game: Game) -> Iterator[str]:
    """Yield a sentence for everything in the game that is not as the log has it, oldest first."""
    previous, number = "", 0
    processed: set[int] = set()
    undone: Counter[str] = Counter()
    for event in game.events.select_related("phase").order_by("number"):
        yield from _link_faults(event, number + 1, previous)
        number, previous = event.number, event.digest
        if not is_readable(event):
            yield f"{_named(event)} cannot be read any more."
            continue
        if event.kind == PhaseProcessed.kind and event.phase:
            processed.add(event.phase.pk)
            yield from _phase_faults(event, event.phase)
        if event.kind == GameRolledBack.kind:
            undone.update(GameRolledBack.of(event).undone)
    yield from _story_faults(game, processed, undone)


def chain_faults(events: Iterable[Event]) -> Iterator[str]:
    """Yield a sentence for every event, from the first on, that does not hang on the one before.

    It reads nothing but the events, which come with their phases: `faults` holds the phases against
    them, too.
    """
    previous, number = "", 0
    for event in events:
        yield from _link_faults(event, number + 1, previous)
        number, previous = event.number, event.digest


def _link_faults(event: Event, number: int, previous: str) -> Iterator[str]:
    if event.number != number:
        yield f"Event {number} is missing: after it comes event {event.number}."
    elif event.previous != previous:
        yield f"{_named(event)} does not follow the event before it: one of them was changed."
    if event.digest != digest_of(event):
        yield f"{_named(event)} was changed after it was written."


def _story_faults(game: Game, processed: set[int], undone: Counter[str]) -> Iterator[str]:
    """Hold the phases against each other and against what the log tells of them.

    A log whose last events were taken away hangs together still: the phases give it away.
    """
    first = board.first_state(game.variant)
    reached = {first["phase"]: [first]}
    for phase in game.phases.order_by("number"):
        title = board.phase_title(phase.name)
        if phase.position not in reached.get(phase.name, ()):
            yield f"{title}: the game never came to its position."
        if phase.outcome is not None:
            following = phase.outcome["next"]
            reached.setdefault(following["phase"], []).append(following)
            if phase.pk not in processed:
                yield f"{title} was processed, but no event says so."
        if phase.status == Phase.Status.UNDONE:
            undone[phase.name] -= 1
    for name, number in undone.items():
        if number:
            yield f"{board.phase_title(name)}: what was undone is not what the log says."


def _phase_faults(event: Event, phase: Phase) -> Iterator[str]:
    title = board.phase_title(phase.name)
    said = PhaseProcessed.of(event)
    parts = {
        "position": (phase.position, said.position_sha256),
        "orders": (phase.orders, said.orders_sha256),
        "outcome": (phase.outcome, said.outcome_sha256),
    }
    changed = [name for name, (part, sha256) in parts.items() if digest(part) != sha256]
    for name in changed:
        yield f"{title}: the {name} is not what {_named(event)} says."
    if changed or phase.outcome is None:
        return
    if _without_reasons(_anew(phase)) != _without_reasons(phase.outcome):
        yield f"{title}: this judge comes to another outcome than {phase.engine} did then."


def _anew(phase: Phase) -> dict[str, Any]:
    game = phase.game
    return board.adjudicated(
        variant=game.variant, rules=game.rules, state=phase.position, orders=phase.orders or {}
    ).stored


def _without_reasons(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the sentences: a later version of the judge may word them better."""
    bare = [{**one, "reason": None} for one in outcome["results"]]
    return {**outcome, "results": bare}


def _named(event: Event) -> str:
    return f"Event {event.number} ({event.kind}, {event.created_at:%F %R} UTC)"
