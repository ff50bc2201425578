"""What is counted after a run, and what must not be: each function is one promise.

They are given plain facts, so that a test can show that each of them can fail.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from tests.chaos.facts import Arrival, Calm, Facts, Inbound, OrderSet, Outbound, Phase

SENT = "sent"
DONE, IGNORED = "done", "ignored"
CAME_BEFORE = "The same mail was here before."
PROCESSED = "processed"
RECOVERY = dt.timedelta(seconds=60)
WHOLE_SECOND = dt.timedelta(seconds=1)
TOKEN = re.compile(r"\+(?:bounce-)?[a-z2-7]{27}@", re.IGNORECASE)


@dataclass(frozen=True)
class Count:
    """One promise: how many cases there were, and a sentence for each that broke it."""

    what: str
    cases: int
    faults: list[str] = field(default_factory=list)
    remark: str = ""


@dataclass(frozen=True)
class Whose:
    """The addresses that the facts are about."""

    judge: str
    gm: str
    players: Collection[str]

    @property
    def told(self) -> set[str]:
        """Who gets every result."""
        return {self.gm, *self.players}


def counts(facts: Facts, whose: Whose) -> list[Count]:
    """Every promise, in the order of a mail's way."""
    return [
        mails_were_stored(facts, whose),
        mails_took_effect_once(facts),
        orders_were_recorded_once(facts),
        orders_came_when_they_came(facts, whose),
        orders_were_taken_in_time(facts),
        orders_were_adjudicated_as_written(facts),
        phases_were_adjudicated_once(facts),
        results_were_written_once(facts, whose),
        mails_went_out(facts, whose),
        results_were_in_time(facts),
        nothing_is_left(facts),
        logs_are_whole(facts),
        logs_quote_nobody(facts),
    ]


def mails_were_stored(facts: Facts, whose: Whose) -> Count:
    """What was delivered is in the database, and what the players sent was delivered."""
    came = {mail.message_id for mail in facts.arrivals if mail.mailbox == whose.judge}
    kept = {mail.message_id for mail in facts.inbound}
    sent = {attempt.message_id for attempt in facts.attempts if attempt.taken}
    faults = [f"{one} was delivered and is not in the database" for one in sorted(came - kept)]
    faults += [f"{one} is in the database, but in no folder" for one in sorted(kept - came)]
    faults += [f"{one} was taken by the relay and is nowhere" for one in sorted(sent - came)]
    return Count("mails delivered to the judge are in the database", len(came), faults)


def mails_took_effect_once(facts: Facts) -> Count:
    """Of the copies of a mail one is done and answered; the others are known as copies."""
    copies = by_message_id(facts.inbound)
    sent = {mail.message_id for mail in facts.attempts}
    faults = [
        f"{message_id}: {fault}"
        for message_id in sorted(sent & set(copies))
        if (fault := _wrong_with(copies[message_id]))
    ]
    doubled = sum(len(rows) > 1 for rows in copies.values())
    remark = f"{doubled} of them came more than once"
    return Count("mails are done once, with one receipt", len(sent & set(copies)), faults, remark)


def by_message_id(rows: Collection[Inbound]) -> dict[str, list[Inbound]]:
    """The rows of each mail; a mail that was sent twice has two."""
    found: dict[str, list[Inbound]] = defaultdict(list)
    for row in rows:
        found[row.message_id].append(row)
    return found


def _wrong_with(rows: list[Inbound]) -> str:
    states = Counter(row.state for row in rows)
    known = [row for row in rows if row.state == IGNORED and row.note == CAME_BEFORE]
    answers = sum(row.answers for row in rows)
    if states[DONE] != 1 or len(known) != len(rows) - 1:
        return f"its copies are {', '.join(row.state for row in rows)} ({rows[-1].note})"
    return "" if answers == 1 else f"it has {answers} receipts"


def orders_were_recorded_once(facts: Facts) -> Count:
    """Each mail with orders made one set of them, late ones too."""
    orders = {mail.message_id for mail in facts.attempts if mail.kind == "orders"}
    sets = Counter({mail.message_id: 0 for mail in facts.inbound if mail.message_id in orders})
    for row in facts.inbound:
        if row.message_id in orders:
            sets[row.message_id] += row.order_sets
    faults = [f"{one} made {count} order sets" for one, count in sets.items() if count != 1]
    return Count("mails with orders made one order set", len(sets), faults)


def orders_came_when_they_came(facts: Facts, whose: Whose) -> Count:
    """Orders count from when the mailbox had them, whenever they were worked on."""
    times: dict[str, set[dt.datetime]] = defaultdict(set)
    for mail in facts.arrivals:
        if mail.mailbox == whose.judge:
            times[mail.message_id].add(mail.at)
    faults = [
        f"{one.message_id} came at {sorted(times[one.message_id])}, not at {one.received_at}"
        for one in facts.order_sets
        if one.received_at not in times[one.message_id]
    ]
    return Count("order sets have the time at which they came", len(facts.order_sets), faults)


def orders_were_taken_in_time(facts: Facts) -> Count:
    """What came up to the deadline counts, what came after it does not.

    Where all orders were in, a phase is over before its deadline.
    """
    phases = {phase.id: phase for phase in facts.phases}
    late = [one for one in facts.order_sets if one.late]
    faults = [
        f"{one.message_id} came at {one.received_at}, {phase.game} {phase.name} was due at"
        f" {phase.due_at}: {'late' if one.late else 'taken'}"
        for one in facts.order_sets
        if (phase := phases[one.phase]).due_at and _is_misjudged(one, phase)
    ]
    remark = f"{len(late)} of them were late"
    return Count("orders in time were taken, late ones not", len(facts.order_sets), faults, remark)


def _is_misjudged(one: OrderSet, phase: Phase) -> bool:
    assert phase.due_at, "phases without a deadline are never late"
    in_time = one.received_at < phase.due_at + WHOLE_SECOND
    if not one.late:
        return not in_time
    early = phase.processed_at is not None and phase.processed_at < phase.due_at
    return one.received_at <= phase.due_at and not early


def orders_were_adjudicated_as_written(facts: Facts) -> Count:
    """A power's newest whole set that counts is what the judge was given."""
    newest: dict[tuple[int, str], OrderSet] = {}
    for one in facts.order_sets:
        if one.counts and not one.late:
            newest[one.phase, one.power] = one
    faults, cases = [], 0
    for phase in facts.phases:
        for power, given in (phase.orders or {}).items():
            last = newest.get((phase.id, power))
            if phase.status == PROCESSED and last and last.mode == "replace":
                cases += 1
                if sorted(last.lines) != sorted(given):
                    faults.append(f"{phase.game} {phase.name} {power}: {last.lines} became {given}")
    return Count("whole sets were adjudicated as they were written", cases, faults)


def phases_were_adjudicated_once(facts: Facts) -> Count:
    """Phases are numbered without gaps, and each that is processed was processed once."""
    processed = [phase for phase in facts.phases if phase.status == PROCESSED]
    faults = [
        f"{phase.game} {phase.name} was adjudicated {phase.adjudications} times"
        for phase in facts.phases
        if phase.adjudications != (phase.status == PROCESSED)
    ]
    numbers: dict[str, list[int]] = defaultdict(list)
    for phase in facts.phases:
        numbers[phase.game].append(phase.number)
    for game, found in numbers.items():
        if sorted(found) != list(range(1, len(found) + 1)):
            faults.append(f"{game} has the phases {sorted(found)}")
    remark = f"in {len(numbers)} games, numbered without gaps"
    return Count("phases were adjudicated once", len(processed), faults, remark)


def results_were_written_once(facts: Facts, whose: Whose) -> Count:
    """Each player and the GM has one result mail of each phase, as a row."""
    rows: dict[int, Counter[str]] = defaultdict(Counter)
    for mail in facts.outbound:
        if mail.phase is not None:
            rows[mail.phase][mail.recipient] += 1
    once = Counter(dict.fromkeys(whose.told, 1))
    processed = [phase for phase in facts.phases if phase.status == PROCESSED]
    faults = [
        f"{phase.game} {phase.name} has result mails for {dict(rows[phase.id])}"
        for phase in processed
        if rows[phase.id] != once
    ]
    return Count("phases have one result for each player and the GM", len(processed), faults)


def mails_went_out(facts: Facts, whose: Whose) -> Count:
    """What is marked as sent lies in its mailbox, what lies there is a row, and what came twice
    has the same Message-ID, as SMTP may double it."""
    there = Counter(
        (mail.mailbox, mail.message_id) for mail in facts.arrivals if mail.mailbox != whose.judge
    )
    sent = {(mail.recipient, mail.message_id) for mail in facts.outbound if mail.state == SENT}
    faults = [
        f"{one} for {whom} was sent and never came" for whom, one in sorted(sent - set(there))
    ]
    faults += [f"{one} came to {whom} unsent" for whom, one in sorted(set(there) - sent)]
    twice = sum(copies > 1 for copies in there.values())
    remark = f"{twice} came more than once, with the same Message-ID"
    return Count("mails sent were delivered", len(sent), faults, remark)


def results_were_in_time(facts: Facts) -> Count:
    """What was due when it became calm is delivered within a minute; what is due later, too."""
    phases = {phase.id: phase for phase in facts.phases}
    first = _first_arrivals(facts.arrivals)
    delays: list[dt.timedelta] = []
    faults: list[str] = []
    for mail in facts.outbound:
        if mail.phase is None:
            continue
        due = _due(mail, phases[mail.phase])
        arrived = first.get((mail.recipient, mail.message_id))
        if arrived is not None:
            delays.append(arrived - due)
        latest = latest_after(due, facts.calms)
        if latest and (arrived is None or arrived > latest):
            phase = phases[mail.phase]
            faults.append(
                f"{phase.game} {phase.name} for {mail.recipient}: due {due:%T}, at the latest"
                f" {latest:%T}, came {f'{arrived:%T}' if arrived else 'never'}"
            )
    what = "results were delivered within a minute of recovery"
    return Count(what, len(delays), faults, _spread(delays))


def _due(mail: Outbound, phase: Phase) -> dt.datetime:
    """When a result should have been on its way; where all was in, before the deadline."""
    return min(mail.created_at, phase.due_at or mail.created_at)


def _first_arrivals(arrivals: Collection[Arrival]) -> dict[tuple[str, str], dt.datetime]:
    first: dict[tuple[str, str], dt.datetime] = {}
    for mail in sorted(arrivals, key=lambda mail: mail.at, reverse=True):
        first[mail.mailbox, mail.message_id] = mail.at
    return first


def latest_after(due: dt.datetime, calms: Collection[Calm]) -> dt.datetime | None:
    """Until when it must be done: a minute of calm after it is due; None without such a minute."""
    for calm in calms:
        recovered, ended = (
            dt.datetime.fromtimestamp(at, dt.UTC) for at in (calm.recovered, calm.ended)
        )
        latest = max(due, recovered) + RECOVERY
        if latest <= ended:
            return latest
    return None


def _spread(delays: list[dt.timedelta]) -> str:
    if not delays:
        return ""
    seconds = sorted(delay.total_seconds() for delay in delays)
    middle, most = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.99)]
    spread = f"median {middle:.0f} s, 99 % {most:.0f} s, longest {seconds[-1]:.0f} s"
    return f"after they were due, storms included: {spread}"


def nothing_is_left(facts: Facts) -> Count:
    """Nothing is stuck, set aside, held, queued or untold, and no phase waits that is due."""
    faults = [
        f"{mail.message_id} is {mail.state}: {mail.note}"
        for mail in facts.inbound
        if mail.state not in (DONE, IGNORED)
    ]
    faults += [
        f"{mail.kind} for {mail.recipient} is {mail.state}"
        for mail in facts.outbound
        if mail.state != SENT
    ]
    faults += [
        f"{phase.game} {phase.name} is {phase.status}"
        for phase in facts.phases
        if phase.status == "stuck" or _waits(phase, facts)
    ]
    if facts.untold:
        faults.append(f"nobody was told of {facts.untold} events")
    cases = len(facts.inbound) + len(facts.outbound) + len(facts.phases)
    return Count("rows: nothing is stuck, set aside, held or queued", cases, faults)


def _waits(phase: Phase, facts: Facts) -> bool:
    if phase.status != "open" or facts.games.get(phase.game) != "active" or not facts.calms:
        return False
    ended = dt.datetime.fromtimestamp(facts.calms[-1].ended, dt.UTC)
    return phase.due_at is not None and phase.due_at + RECOVERY < ended


def logs_are_whole(facts: Facts) -> Count:
    """`verify_log` finds every game as it was written."""
    faults = [f"{game}: {said}" for game, said in facts.log_faults.items()]
    return Count("games' logs are whole", len(facts.games), faults)


def logs_quote_nobody(facts: Facts) -> Count:
    """No log has an order line or a secret of a reply address in it."""
    orders = {line for one in facts.order_sets for line in one.lines}
    faults = [
        f"{name}: {line[:60]!r}"
        for name, text in facts.logs.items()
        for line in _quotes(text, orders)
    ]
    traces = sum(text.count("Traceback (most recent call last)") for text in facts.logs.values())
    lines = sum(text.count("\n") for text in facts.logs.values())
    remark = f"{traces} tracebacks in {len(facts.logs)} logs"
    return Count("lines of our logs quote no player", lines, faults, remark)


def _quotes(text: str, orders: set[str]) -> Iterator[str]:
    for line in text.splitlines():
        if TOKEN.search(line) or any(order in line for order in orders if len(order) > 5):
            yield line
