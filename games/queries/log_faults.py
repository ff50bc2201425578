"""What in a game is not as its log has it: its chain, its phases and their outcomes are checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.events import GameRolledBack, PhaseProcessed, is_readable
from games.log import digest, digest_of
from games.models import Event, Game, Phase
from games.queries import board


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
