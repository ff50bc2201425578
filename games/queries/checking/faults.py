"""Whether a game agrees with its log: every fault as a sentence, oldest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.board_json import OutcomeJson
from games.proofs.digests import digest, entry_digest, result_digest, rules_digest
from games.queries import board
from games.queries.access import sight
from games.queries.checking.record import Entry, KnownOutcomeJson, PlayedPhase, Record, seals_of

STARTED, PROCESSED, ROLLED_BACK = "game_started", "phase_processed", "game_rolled_back"
UNDONE = "undone"
UNREADABLE = "{} can no longer be read."


def faults(record: Record) -> Iterator[str]:
    """Yield a sentence for everything in the game that does not agree with the log."""
    yield from chain_faults(record.entries)
    phases = {one.number: one for one in record.phases}
    processed: set[int] = set()
    undone: Counter[str] = Counter()
    for entry in record.entries:
        phase = phases.get(entry.phase_number or 0)
        try:
            if entry.kind == STARTED:
                yield from _rules_faults(record, entry)
            if entry.kind == PROCESSED and phase:
                processed.add(phase.number)
                yield from _phase_faults(record, entry, phase)
            if entry.kind == ROLLED_BACK:
                undone.update(map(board.phase_title, entry.said["undone"]))
        except (LookupError, TypeError, AttributeError, ValueError):
            yield UNREADABLE.format(entry.title)
    yield from _story_faults(record, processed, undone)


def chain_faults(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a sentence for every entry, from the first on, that is not chained to the one
    before."""
    previous, number = "", 0
    for entry in entries:
        if entry.number != number + 1:
            yield f"Event {number + 1} is missing: after it comes event {entry.number}."
        elif entry.previous != previous:
            yield f"{entry.title} does not follow the event before it: one of them was changed."
        if entry.body is not None and entry.digest != _digest_of(entry):
            yield f"{entry.title} was changed after it was written."
        number, previous = entry.number, entry.digest


def _digest_of(entry: Entry) -> str:
    return entry_digest(
        number=entry.number,
        kind=entry.kind,
        phase=entry.phase,
        body=entry.body,
        at=entry.at,
        previous=entry.previous,
    )


def _rules_faults(record: Record, entry: Entry) -> Iterator[str]:
    """Compare map and rulebook with those of the start; older logs do not say them."""
    began_by = entry.said.get("rules_sha256")
    if began_by and began_by != rules_digest(variant=record.variant, rules=record.rules):
        yield f"The game's map or its rulebook is not the one that {entry.title} names."


def _phase_faults(record: Record, entry: Entry, phase: PlayedPhase) -> Iterator[str]:
    """Compare a processed phase with the entry that says what it was and what came of it."""
    if phase.position is None or phase.outcome is None:
        return
    changed = [name for name, sha256 in _parts(record, phase) if entry.said[name] != sha256]
    for name in changed:
        what = name.removesuffix("_sha256")
        verb = "are" if what == "orders" else "is"
        yield f"{phase.title}: the {what} {verb} not what {entry.title} says."
    if changed:
        return
    sealed = entry.said.get("seals", {})
    yield from _seal_faults(phase, entry, sealed)
    if "result_sha256" in entry.said and entry.said["result_sha256"] != _result(phase):
        yield f"{phase.title}: its orders and its result are not what {entry.title} says."
    if _can_be_adjudicated(record, sealed) and not _is_adjudicated_so(record, phase):
        yield f"{phase.title}: this judge comes to another outcome than {phase.engine} did then."


def _parts(record: Record, phase: PlayedPhase) -> Iterator[tuple[str, str]]:
    """Yield what the entry names by its digest, as far as the document has it."""
    yield "position_sha256", digest(phase.position)
    if record.is_whole:
        yield "orders_sha256", digest(phase.lines)
        yield "outcome_sha256", digest(phase.outcome)


def _seal_faults(phase: PlayedPhase, entry: Entry, sealed: Mapping[str, str]) -> Iterator[str]:
    opened = seals_of(phase)
    for power in sorted(sealed.keys() | opened.keys()):
        if power not in opened:
            yield f"{phase.title}: the orders of {power} were sealed, but not revealed."
        elif power not in sealed:
            yield f"{phase.title}: the orders of {power} were revealed, but never sealed."
        elif sealed[power] != opened[power]:
            yield f"{phase.title}: the orders of {power} are not those that {entry.title} sealed."


def _result(phase: PlayedPhase) -> str:
    assert phase.outcome is not None, "a phase that was processed has an outcome"
    return result_digest(
        orders={power: one.orders for power, one in phase.revealed.items()},
        following=phase.outcome["next"],
        winner=phase.outcome["winner"],
    )


def _can_be_adjudicated(record: Record, sealed: Mapping[str, str]) -> bool:
    """Say whether the document has all orders that count.

    A proof file lacks those given before there were seals, and illegal orders, which one rulebook
    takes into account.
    """
    if record.is_whole:
        return True
    matter = board.rulebook_of(record.rules).illegal_orders == "DPTG"
    return bool(sealed) and not matter


def _is_adjudicated_so(record: Record, phase: PlayedPhase) -> bool:
    assert phase.position is not None, "only a phase that was undone lacks it"
    assert phase.outcome is not None, "a phase that was processed has an outcome"
    orders: Mapping[str, Sequence[str]] | None = phase.lines
    if not record.is_whole:
        orders = {p: o.orders for p, o in phase.revealed.items()}
    elif record.fog and orders:
        rules = board.rulebook_of(record.rules)
        orders = sight.as_told(record.variant, rules, phase.position, orders)
    anew = board.adjudicate_orders(
        variant=record.variant, rules=record.rules, state=phase.position, orders=orders or {}
    ).stored
    if record.is_whole:
        return _without_reasons(anew) == _without_reasons(phase.outcome)
    return anew["next"] == phase.outcome["next"] and anew["winner"] == phase.outcome["winner"]


def _without_reasons(outcome: OutcomeJson | KnownOutcomeJson) -> dict[str, object]:
    """Leave out the sentences: a later version of the judge may word them better."""
    bare = [{**one, "reason": None} for one in outcome["results"]]
    return {**outcome, "results": bare}


def _story_faults(record: Record, processed: set[int], undone: Counter[str]) -> Iterator[str]:
    """Compare the phases with each other, and with what the log says about them.

    If the last events of a log were removed, its chain is still intact; the phases give it away.
    """
    first = board.first_state(record.variant)
    reached = {first["phase"]: [first]}
    for phase in record.phases:
        if phase.position is not None and phase.position not in reached.get(phase.name, ()):
            yield f"{phase.title}: the game never came to its position."
        if phase.outcome is not None:
            following = phase.outcome["next"]
            reached.setdefault(following["phase"], []).append(following)
            if phase.number not in processed:
                yield f"{phase.title} was processed, but no event says so."
        if phase.status == UNDONE:
            undone[phase.title] -= 1
    for title, number in undone.items():
        if number:
            yield f"{title}: what was undone is not what the log says."
