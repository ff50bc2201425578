"""What is known after a run, as plain values: from the mailboxes, the database and the logs."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from tests.chaos.diary import Attempt


@dataclass(frozen=True)
class Calm:
    """Between two storms: seconds since 1970. All servers answered when it began."""

    recovered: float
    ended: float


@dataclass(frozen=True)
class Arrival:
    """A mail in a mailbox. `at` is INTERNALDATE, in whole seconds."""

    mailbox: str
    message_id: str
    at: dt.datetime


@dataclass(frozen=True)
class Inbound:
    """A row of the mails that came."""

    message_id: str
    state: str
    note: str
    received_at: dt.datetime
    answers: int
    order_sets: int


@dataclass(frozen=True)
class Outbound:
    """A row of the mails that go out. `phase` is the phase whose result it tells, if any."""

    message_id: str
    recipient: str
    kind: str
    state: str
    created_at: dt.datetime
    phase: int | None
    is_receipt: bool


@dataclass(frozen=True)
class Phase:
    """A phase; `adjudications` are the events that say it was processed."""

    id: int
    game: str
    number: int
    name: str
    status: str
    due_at: dt.datetime | None
    processed_at: dt.datetime | None
    adjudications: int
    orders: dict[str, list[str]] | None


@dataclass(frozen=True)
class OrderSet:
    """A submission of orders for a phase."""

    phase: int
    power: str
    mode: str
    lines: list[str]
    counts: bool
    late: bool
    received_at: dt.datetime
    message_id: str


@dataclass(frozen=True)
class Facts:
    """All of it. `untold` are events nobody was told of, `log_faults` what `verify_log` said."""

    attempts: list[Attempt] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    inbound: list[Inbound] = field(default_factory=list)
    outbound: list[Outbound] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    order_sets: list[OrderSet] = field(default_factory=list)
    calms: list[Calm] = field(default_factory=list)
    games: dict[str, str] = field(default_factory=dict)
    untold: int = 0
    log_faults: dict[str, str] = field(default_factory=dict)
    logs: dict[str, str] = field(default_factory=dict)
