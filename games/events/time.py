"""What happens to a game's clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from games.events.facts import InPhase, OfPower


@dataclass(frozen=True, kw_only=True)
class ExtensionAsked(OfPower):
    kind = "extension_asked"
    sentence = "{title}: {power} asked for more time. {why}"

    to: dt.datetime
    why: str


@dataclass(frozen=True, kw_only=True)
class ExtensionRefused(OfPower):
    """A power asked for more time, and gets none."""

    kind = "extension_refused"
    sentence = "{title}: {by} gave {power} no more time. {why}"

    due_at: dt.datetime | None
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class DeadlineMoved(InPhase):
    kind = "deadline_moved"
    sentence = "{title}: {by} moved the deadline to {to}. {why}"

    before: dt.datetime | None = field(metadata={"key": "from"})
    to: dt.datetime
    why: str
    by: str
    wished: dt.datetime | None = None
    """The time that was asked for, if nothing can be due then."""
    correctable: bool = False
    """A game master or moderator did it, and may have mistyped it."""
    by_moderator: bool = False
    """Somebody did it who does not run the game."""


@dataclass(frozen=True, kw_only=True)
class DeadlineCorrected(InPhase):
    """A game master had put the deadline off, and takes some of that back."""

    kind = "deadline_corrected"
    sentence = "{title}: {by} took the deadline back from {before} to {to}. {why}"

    before: dt.datetime = field(metadata={"key": "from"})
    to: dt.datetime
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class GamePaused(InPhase):
    kind = "game_paused"
    sentence = "{title}: {by} paused the game{until}. {why}"

    until: dt.datetime | None
    why: str
    by: str
    waits: bool = False
    """The game waited for missing orders."""
    passed: bool = False
    """The deadline had passed, and the phase was not decided yet."""
    again: bool = False
    """It was paused already, and only the end of the pause has changed."""


@dataclass(frozen=True, kw_only=True)
class GameResumed(InPhase):
    kind = "game_resumed"
    sentence = "{title}: {by} resumed the game{due}. {why}"

    due_at: dt.datetime | None
    why: str
    by: str
    waits: bool = False
    """The game waits for missing orders, whatever the deadline."""
    time: str = ""
    """Which deadline it is: one of `deadlines.Afterwards`."""


@dataclass(frozen=True, kw_only=True)
class PhaseHeld(InPhase):
    kind = "phase_held"
    sentence = "{title}: the phase had to wait, because mails could not be read."

    due_at: dt.datetime | None
    since: dt.datetime | None
    """Since when mail could not be read."""
    moved: bool = False
    """An outage has already moved this phase's deadline before."""
    mail: bool = False
    """A single mail cannot be read; all others can."""


@dataclass(frozen=True, kw_only=True)
class ServerHalted(InPhase):
    kind = "server_halted"
    sentence = "{title}: {by} let the server stand still. {why}"

    why: str
    by: str
    was_due: bool = False
    """Whether the deadline had passed before, so that what comes now comes too late."""


@dataclass(frozen=True, kw_only=True)
class ServerResumed(InPhase):
    kind = "server_resumed"
    sentence = "{title}: {by} let the server go on{due}."

    due_at: dt.datetime | None
    """The deadline; None if it had passed before: the game waits, or is decided now (`was_due`)."""
    by: str
    was_due: bool = False


@dataclass(frozen=True, kw_only=True)
class ServerRestored(InPhase):
    kind = "server_restored"
    sentence = (
        "{title}: the server broke down on {broke_at}, and goes on from a backup of {backup_at}."
    )

    broke_at: dt.datetime
    backup_at: dt.datetime
    """Until when the server knows what happened; mails since then are read again."""
    was_due: bool
    """Whether the deadline has passed: mails that are yet to be read decide the phase, or it gets
    another deadline."""


@dataclass(frozen=True, kw_only=True)
class PhaseStuck(InPhase):
    kind = "phase_stuck"
    sentence = "{title}: the phase could not be processed, by a fault of the server."
