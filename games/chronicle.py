"""What each kind of event says in the log, as a sentence that everybody in the game may read."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games import board
from games.log import SHOWN
from games.models import Event, Game

SENTENCES: Mapping[str, str] = {
    Event.Kind.GAME_CREATED: "The game was made.",
    Event.Kind.PLAYER_JOINED: "A player joined. Free seats then: {free}.",
    Event.Kind.PLAYER_WITHDRAWN: "A player lost his place. Free seats then: {free}. {why}",
    Event.Kind.MUSTER_BEGUN: "All seats are taken. Everybody was asked whether he is here.",
    Event.Kind.MUSTER_REMINDED: "Those who had not said that they are here were reminded.",
    Event.Kind.MUSTER_FAILED: "The muster ended without everybody. Free seats then: {free}.",
    Event.Kind.GAME_STARTED: "The game started.",
    Event.Kind.EXTENSION_ASKED: "{title}: {power} asked for more time. {why}",
    Event.Kind.DEADLINE_MOVED: "{title}: the deadline was moved to {to} by {by}. {why}",
    Event.Kind.ORDERS_MISSING: "{title}: reminded {powers}.",
    Event.Kind.ORDERS_OVERDUE: "{title}: the deadline passed without orders of {powers}.",
    Event.Kind.GAME_PAUSED: "{title}: the game was paused by {by}. {why}",
    Event.Kind.GAME_RESUMED: "{title}: the game was resumed by {by}, due {due_at}. {why}",
    Event.Kind.GAME_ROLLED_BACK: "{by} took the game back to {title}. Undone: {undone}. {why}",
    Event.Kind.SETTINGS_CHANGED: "{by} changed the settings of the game: {changes}. {why}",
    Event.Kind.ORDERS_SET: "{title}: {by} set orders for {power}. {why}",
    Event.Kind.ORDERS_LOOKED_AT: "{title}: {by} looked at {what} of {powers}. {why}",
    Event.Kind.PRESS_SENT: "{by} wrote to {to}.",
    Event.Kind.PHASE_PROCESSED: "{title}: the phase was processed. Without orders: {missing}.",
    Event.Kind.MISS_EXCUSED: "{title}: the missed orders of {power} were excused by {by}. {why}",
    Event.Kind.DISORDER_DECLARED: "{title}: {power} is in civil disorder, by {by}. {why}",
    Event.Kind.DISORDER_ENDED: "{title}: {power} is no longer in civil disorder, by {by}. {why}",
    Event.Kind.SEAT_OPENED: "{title}: the seat of {power} may be taken over. {why}",
    Event.Kind.SEAT_OFFERED: "{title}: {by} offered the seat of {power} to {offers} on standby.",
    Event.Kind.SEAT_RESIGNED: "{title}: the player of {power} resigned.",
    Event.Kind.SEAT_VACATED: "{title}: {by} took {power} from its player. {why}",
    Event.Kind.SEAT_RETURNED: "{title}: the player of {power} is back.",
    Event.Kind.SEAT_TAKEN: "{title}: {power} has a new player, by {by}. "
    "The deadline {deadline}. {why}",
    Event.Kind.ACCOUNTS_MERGED: "Two accounts of one player were merged by {by}.",
    Event.Kind.PHASE_HELD: "{title}: the phase had to wait, because mails could not be read.",
    Event.Kind.PHASE_STUCK: "{title}: the phase could not be processed, by a fault of the server.",
    Event.Kind.VOTE_PROPOSED: "{title}: {by} proposed {what} (proposal {number}).",
    Event.Kind.VOTE_CAST: "{title}: {power} voted {vote} on proposal {number}.",
    Event.Kind.VOTE_CLOSED: "{title}: proposal {number}, {what}, {how}.",
    Event.Kind.GAME_FINISHED: "The game ended: {how}. {why}",
}

BY_SOMEBODY: Mapping[str, str] = {
    Event.Kind.PLAYER_JOINED: "{by} gave a player his power. Free seats then: {free}. {why}",
    Event.Kind.GAME_STARTED: "The game was started by {by}.",
    Event.Kind.PHASE_PROCESSED: "{title}: {by} had the phase processed. "
    "Without orders: {missing}. {why}",
}
"""What the clock or a player does, where somebody else did it instead."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: its number, time (ISO, UTC), sentence, and the digest's first digits."""

    number: int
    at: str
    sentence: str
    digest: str


def entries(game: Game) -> Iterator[Entry]:
    """Yield the game's log, oldest first."""
    for event in game.events.select_related("phase").order_by("number"):
        yield Entry(event.number, at_text(event.created_at), sentence(event), event.digest[:SHOWN])


def at_text(moment: dt.datetime) -> str:
    """Write a moment for readers in many zones: "2026-03-02 12:00 UTC"."""
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def sentence(event: Event) -> str:
    """Say what happened, with the event's own words in it."""
    said = {name: _said(value) for name, value in event.payload.items()}
    title = board.phase_title(event.phase.name) if event.phase else ""
    by_somebody = BY_SOMEBODY.get(event.kind) if event.payload.get("by") else None
    template = by_somebody or SENTENCES[event.kind]
    return template.format_map({"why": "", **said, "title": title}).strip()


def _said(value: object) -> str:
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return at_text(dt.datetime.fromisoformat(value))
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nobody"
    return "nothing" if value is None else str(value)
