"""What happens to people who play: misses, civil disorder, seats that change hands."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from games.events.facts import SECRET, Facts, OfPower, OfSeat


@dataclass(frozen=True, kw_only=True)
class MissExcused(OfSeat):
    kind = "miss_excused"
    sentence = "{title}: {by} excused the missed orders of {power}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class DisorderDeclared(OfPower):
    kind = "disorder_declared"
    sentence = "{title}: {by} declared {power} in civil disorder. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class DisorderEnded(OfPower):
    kind = "disorder_ended"
    sentence = "{title}: {by} ended the civil disorder of {power}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class SeatOpened(OfPower):
    kind = "seat_opened"
    sentence = "{title}: the seat of {power} may be taken over. {why}"

    why: str


@dataclass(frozen=True, kw_only=True)
class TakeoverAsked(OfPower):
    """Somebody would like to take over a power in a game whose GM lets people in."""

    kind = "takeover_asked"
    sentence = "{title}: a player asked the GM for the open seat of {power}."

    player: int = field(metadata=SECRET)
    """Their key."""


@dataclass(frozen=True, kw_only=True)
class SeatOffered(Facts):
    kind = "seat_offered"
    sentence = "{title}: {by} offered the seat of {power} to players on standby: {offers}."

    phase: str | None
    power: str
    offers: int
    """To how many players it was offered."""
    by: str


@dataclass(frozen=True, kw_only=True)
class SeatLeft(OfSeat):
    """A tenure ended, `seat`, and nobody has the power yet."""

    why: str
    by: str
    keeps_open: bool = False
    """The phase stays open until its deadline, so that somebody can take over."""
    waits: bool = False
    """At a deadline without orders, the game waits for a new player."""


@dataclass(frozen=True, kw_only=True)
class SeatResigned(SeatLeft):
    kind = "seat_resigned"
    sentence = "{title}: the player of {power} resigned."


@dataclass(frozen=True, kw_only=True)
class SeatVacated(SeatLeft):
    kind = "seat_vacated"
    sentence = "{title}: {by} took {power} from its player. {why}"


@dataclass(frozen=True, kw_only=True)
class SeatReturned(OfSeat):
    kind = "seat_returned"
    sentence = "{title}: the player of {power} is back."

    in_time: bool
    """The game waited only for these orders: the results say that they came."""


@dataclass(frozen=True, kw_only=True)
class SeatTaken(OfSeat):
    """A tenure began, `seat`."""

    kind = "seat_taken"
    sentence = "{title}: {power} has a new player, by {by}. The deadline {deadline}. {why}"

    before: int | None = field(metadata=SECRET)
    """The key of the tenure that this one ended, if it ended one."""
    due_at: dt.datetime | None
    deadline: str
    """What becomes of the deadline, as the end of a sentence: "stays"."""
    why: str
    by: str
