"""What each kind of event says: one frozen dataclass a kind, with its sentence for the log.

An `Event` row stores the values as JSON; `payload_of` writes them and `facts_of` reads them back,
so that nobody else needs to know a key. A field that equals its default is left out of the row:
whoever adds a field gives it a default, and the rows of older games still read, and still have
the digest they had.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

from django.db.models import QuerySet

from games.models import Event

Kind = Event.Kind
KINDS: dict[str, type[Facts]] = {}
"""The class of every kind that has one; each adds itself when it is defined."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What one kind of event says. Subclasses name their kind and their sentence for the log.

    A sentence may name any field, and `title`, the phase's title.
    """

    kind: ClassVar[Event.Kind]
    sentence: ClassVar[str]
    sentence_by: ClassVar[str] = ""
    """Said instead where somebody (`by`) did what the clock or a player usually does."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls

    @classmethod
    def of(cls, event: Event) -> Self:
        """Return what `event` says, as this class or one below it. Raises TypeError when it is an
        event of another kind."""
        facts = facts_of(event)
        if not isinstance(facts, cls):
            raise TypeError(f"a {event.kind} event is no {cls.__name__}")
        return facts

    def said(self) -> Iterator[tuple[str, object]]:
        """Yield each field's name and value: moments as datetimes, several values as a tuple."""
        for name in _fields(self.kind):
            yield name, getattr(self, name)


@dataclass(frozen=True, kw_only=True)
class InPhase(Facts):
    """Something that happened in a phase."""

    phase: str
    """The phase's name: F1903R."""


@dataclass(frozen=True, kw_only=True)
class OfPower(InPhase):
    """Something that happened to one power."""

    power: str


@dataclass(frozen=True, kw_only=True)
class OfSeat(OfPower):
    """Something that happened to one player's tenure of a power."""

    seat: int
    """The tenure's key."""


@dataclass(frozen=True, kw_only=True)
class GameCreated(Facts):
    kind = Kind.GAME_CREATED
    sentence = "The game was created."


@dataclass(frozen=True, kw_only=True)
class PlayerJoined(Facts):
    kind = Kind.PLAYER_JOINED
    sentence = "A player joined. Free seats then: {free}."
    sentence_by = "{by} gave a player their power. Free seats then: {free}. {why}"

    player: int
    """The player's key."""
    free: int
    """How many seats were free afterwards."""
    power: str = ""
    """The power, where a GM gave it; players who join learn theirs at the start."""
    why: str = ""
    by: str = ""


@dataclass(frozen=True, kw_only=True)
class PlayerWithdrawn(Facts):
    kind = Kind.PLAYER_WITHDRAWN
    sentence = "A player left before the start. Free seats then: {free}. {why}"

    player: int
    free: int
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class Mustering(Facts):
    """Players are asked whether they are here."""

    until: dt.datetime


@dataclass(frozen=True, kw_only=True)
class MusterBegun(Mustering):
    kind = Kind.MUSTER_BEGUN
    sentence = "All seats are taken. Everybody was asked whether they are here."


@dataclass(frozen=True, kw_only=True)
class MusterReminded(Mustering):
    kind = Kind.MUSTER_REMINDED
    sentence = "The players who had not said that they are here were reminded."


@dataclass(frozen=True, kw_only=True)
class MusterFailed(Facts):
    kind = Kind.MUSTER_FAILED
    sentence = "The muster ended without everybody. Free seats then: {free}."

    silent: tuple[int, ...]
    """The keys of the players who lost their places."""
    stay: tuple[int, ...]
    """The keys of those who keep theirs."""
    free: int


@dataclass(frozen=True, kw_only=True)
class GameStarted(Facts):
    kind = Kind.GAME_STARTED
    sentence = "The game started."
    sentence_by = "{by} started the game."

    by: str = ""


@dataclass(frozen=True, kw_only=True)
class ExtensionAsked(OfPower):
    kind = Kind.EXTENSION_ASKED
    sentence = "{title}: {power} asked for more time. {why}"

    to: dt.datetime
    why: str


@dataclass(frozen=True, kw_only=True)
class DeadlineMoved(InPhase):
    kind = Kind.DEADLINE_MOVED
    sentence = "{title}: {by} moved the deadline to {to}. {why}"

    before: dt.datetime | None = field(metadata={"key": "from"})
    to: dt.datetime
    why: str
    by: str
    wished: dt.datetime | None = None
    """The time that was asked for, where nothing can be due at it."""


@dataclass(frozen=True, kw_only=True)
class OrdersOverdue(InPhase):
    kind = Kind.ORDERS_OVERDUE
    sentence = "{title}: the deadline passed without orders of {powers}."

    powers: tuple[str, ...]
    waits_for: str
    """`Game.when_missing`: whom the game waits for."""


@dataclass(frozen=True, kw_only=True)
class OrdersMissing(InPhase):
    kind = Kind.ORDERS_MISSING
    sentence = "{title}: reminded {powers}."

    powers: tuple[str, ...]
    due_at: dt.datetime


@dataclass(frozen=True, kw_only=True)
class GamePaused(InPhase):
    kind = Kind.GAME_PAUSED
    sentence = "{title}: {by} paused the game. {why}"

    until: dt.datetime | None
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class GameResumed(InPhase):
    kind = Kind.GAME_RESUMED
    sentence = "{title}: {by} resumed the game, due {due_at}. {why}"

    due_at: dt.datetime | None
    why: str
    by: str
    waits: bool = False
    """The game waits for missing orders whatever the deadline."""
    time: str = ""
    """Which deadline it is: one of `deadlines.Afterwards`."""


@dataclass(frozen=True, kw_only=True)
class GameRolledBack(InPhase):
    kind = Kind.GAME_ROLLED_BACK
    sentence = "{by} took the game back to {title}. Undone: {undone}. {why}"

    undone: tuple[str, ...]
    """The names of the phases that were undone."""
    was_over: bool
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class SettingsChanged(Facts):
    kind = Kind.SETTINGS_CHANGED
    sentence = "{by} changed the settings of the game: {changes}. {why}"

    changes: tuple[str, ...]
    """A sentence for each setting."""
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class OrdersSet(OfPower):
    kind = Kind.ORDERS_SET
    sentence = "{title}: {by} set orders for {power}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class OrdersLookedAt(InPhase):
    kind = Kind.ORDERS_LOOKED_AT
    sentence = "{title}: {by} looked at {what} of {powers}. {why}"

    what: tuple[str, ...]
    powers: tuple[str, ...]
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PressSent(Facts):
    kind = Kind.PRESS_SENT
    sentence = "{by} wrote to {to}."

    press: int
    """The press's number in the game."""
    by: str
    """Its writer, as everybody may know them."""
    to: str
    """Its readers, as everybody may know them."""
    sha256: str
    """The digest of writer, readers and text."""


@dataclass(frozen=True, kw_only=True)
class PhaseProcessed(InPhase):
    kind = Kind.PHASE_PROCESSED
    sentence = "{title}: the phase was processed. Without orders: {missing}."
    sentence_by = "{title}: {by} had the phase processed. Without orders: {missing}. {why}"

    next: str | None
    """The next phase's name, None where the game is over."""
    missing: tuple[str, ...]
    """The powers from which nothing had come."""
    eliminated: tuple[str, ...]
    winner: str | None
    position_sha256: str
    orders_sha256: str
    outcome_sha256: str
    why: str = ""
    by: str = ""


@dataclass(frozen=True, kw_only=True)
class MissExcused(OfSeat):
    kind = Kind.MISS_EXCUSED
    sentence = "{title}: {by} excused the missed orders of {power}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class DisorderDeclared(OfPower):
    kind = Kind.DISORDER_DECLARED
    sentence = "{title}: {power} is in civil disorder, by {by}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class DisorderEnded(OfPower):
    kind = Kind.DISORDER_ENDED
    sentence = "{title}: {power} is no longer in civil disorder, by {by}. {why}"

    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class SeatOpened(OfPower):
    kind = Kind.SEAT_OPENED
    sentence = "{title}: the seat of {power} may be taken over. {why}"

    why: str


@dataclass(frozen=True, kw_only=True)
class SeatOffered(Facts):
    kind = Kind.SEAT_OFFERED
    sentence = "{title}: {by} offered the seat of {power} to {offers} on standby."

    phase: str | None
    power: str
    offers: int
    """To how many players it was offered."""
    by: str


@dataclass(frozen=True, kw_only=True)
class SeatLeft(OfSeat):
    """A tenure ended, `seat`, and nobody else has the power yet."""

    why: str
    by: str
    keeps_open: bool = False
    """The phase stays open to its deadline, so that somebody can take over."""
    waits: bool = False
    """At a deadline without orders the game waits for a new player."""


@dataclass(frozen=True, kw_only=True)
class SeatResigned(SeatLeft):
    kind = Kind.SEAT_RESIGNED
    sentence = "{title}: the player of {power} resigned."


@dataclass(frozen=True, kw_only=True)
class SeatVacated(SeatLeft):
    kind = Kind.SEAT_VACATED
    sentence = "{title}: {by} took {power} from its player. {why}"


@dataclass(frozen=True, kw_only=True)
class SeatReturned(OfSeat):
    kind = Kind.SEAT_RETURNED
    sentence = "{title}: the player of {power} is back."

    in_time: bool
    """The game only waited for these orders: the results say that they came."""


@dataclass(frozen=True, kw_only=True)
class SeatTaken(OfSeat):
    """A tenure began, `seat`."""

    kind = Kind.SEAT_TAKEN
    sentence = "{title}: {power} has a new player, by {by}. The deadline {deadline}. {why}"

    before: int | None
    """The key of the tenure that this one ended, if any."""
    due_at: dt.datetime | None
    deadline: str
    """What became of the deadline, as the end of a sentence: "stays"."""
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class AccountsMerged(Facts):
    kind = Kind.ACCOUNTS_MERGED
    sentence = "{by} merged two accounts of one player."

    by: str


@dataclass(frozen=True, kw_only=True)
class PhaseHeld(InPhase):
    kind = Kind.PHASE_HELD
    sentence = "{title}: the phase had to wait, because mails could not be read."

    due_at: dt.datetime | None
    since: dt.datetime | None
    """Since when mail could not be read."""
    moved: bool = False
    """An outage has moved this phase's deadline before."""
    mail: bool = False
    """It is one mail that cannot be read; all others can."""


@dataclass(frozen=True, kw_only=True)
class PhaseStuck(InPhase):
    kind = Kind.PHASE_STUCK
    sentence = "{title}: the phase could not be processed, by a fault of the server."


@dataclass(frozen=True, kw_only=True)
class OnProposal(Facts):
    """Something about a proposal to end the game."""

    phase: str | None
    number: int
    """The proposal's number in the game."""
    what: str
    """What is proposed, as the middle of a sentence: "a draw of England and France"."""


@dataclass(frozen=True, kw_only=True)
class VoteProposed(OnProposal):
    kind = Kind.VOTE_PROPOSED
    sentence = "{title}: {by} proposed {what} (proposal {number})."

    by: str


@dataclass(frozen=True, kw_only=True)
class VoteCast(OnProposal):
    kind = Kind.VOTE_CAST
    sentence = "{title}: {power} voted {vote} on proposal {number}."

    power: str
    vote: str


@dataclass(frozen=True, kw_only=True)
class VoteClosed(OnProposal):
    kind = Kind.VOTE_CLOSED
    sentence = "{title}: proposal {number}, {what}, {how}."

    how: str


@dataclass(frozen=True, kw_only=True)
class GameFinished(Facts):
    kind = Kind.GAME_FINISHED
    sentence = "The game ended: {how}. {why}"

    phase: str | None
    how: str
    """The result as a sentence without its full stop."""
    ending: str
    """`Game.Ending`."""
    winners: tuple[str, ...]
    why: str
    by: str


class _Field(NamedTuple):
    key: str
    is_moment: bool
    is_tuple: bool
    default: object


def facts_of(event: Event) -> Facts:
    """Return what the row says, as the class of its kind."""
    cls = KINDS[event.kind]
    stored = event.payload
    return cls(
        **{
            name: _read(one, stored[one.key])
            for name, one in _fields(event.kind).items()
            if one.key in stored
        }
    )


def payload_of(facts: Facts) -> dict[str, object]:
    """Return the JSON object that a row stores of `facts`."""
    return {
        one.key: _written(value)
        for name, one in _fields(facts.kind).items()
        if (value := getattr(facts, name)) != one.default or one.default is dataclasses.MISSING
    }


def rows_saying(events: QuerySet[Event], kind: type[Facts], **said: object) -> QuerySet[Event]:
    """Narrow `events` to one kind, and to those whose fields have these values."""
    fields = _fields(kind.kind)
    wanted = {f"payload__{fields[name].key}": _written(value) for name, value in said.items()}
    return events.filter(kind=kind.kind, **wanted)


def is_readable(event: Event) -> bool:
    """Say whether the row holds every field of its kind: one that was tampered with may not."""
    try:
        facts_of(event)
    except (KeyError, TypeError, ValueError):
        return False
    return True


@cache
def _fields(kind: str) -> Mapping[str, _Field]:
    cls = KINDS[kind]
    hints = get_type_hints(cls)
    return {
        one.name: _Field(
            key=one.metadata.get("key", one.name),
            is_moment="datetime" in str(hints[one.name]),
            is_tuple=str(hints[one.name]).startswith("tuple"),
            default=one.default,
        )
        for one in dataclasses.fields(cls)
    }


def _read(one: _Field, value: Any) -> object:
    if one.is_moment and value is not None:
        return dt.datetime.fromisoformat(value)
    return tuple(value) if one.is_tuple else value


def _written(value: object) -> object:
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
