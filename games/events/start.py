"""What happens before a game's first phase, and to its settings and players' accounts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from games.events.facts import SECRET, Facts


@dataclass(frozen=True, kw_only=True)
class GameCreated(Facts):
    kind = "game_created"
    sentence = "The game was created."

    tells_gm: bool = False
    """Whether somebody else made it for its GM, who has to be told."""


@dataclass(frozen=True, kw_only=True)
class GameRenamed(Facts):
    kind = "game_renamed"
    sentence = "{by} renamed the game from {before} to {to}."

    before: str
    to: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PlayersInvited(Facts):
    kind = "players_invited"
    sentence = "{by} invited players."

    players: tuple[int, ...] = field(metadata=SECRET)
    """The keys of those who are registered on this server."""
    by: str


@dataclass(frozen=True, kw_only=True)
class PlayersLetIn(PlayersInvited):
    """They had asked to be let in."""

    kind = "players_let_in"
    sentence = "{by} let a player in."


@dataclass(frozen=True, kw_only=True)
class JoinAsked(Facts):
    kind = "join_asked"
    sentence = "A player asked to be let in."

    player: int = field(metadata=SECRET)


@dataclass(frozen=True, kw_only=True)
class JoinsUnanswered(Facts):
    kind = "joins_unanswered"
    sentence = "The GM was reminded of players who had asked to be let in."

    players: tuple[int, ...] = field(metadata=SECRET)
    """Their keys."""


@dataclass(frozen=True, kw_only=True)
class JoinRefused(Facts):
    kind = "join_refused"
    sentence = "A player who had asked to join was not let in."
    sentence_by = "{by} did not let a player in."

    player: int = field(metadata=SECRET)
    by: str = ""
    """Empty if nobody had answered before the start or the end."""


@dataclass(frozen=True, kw_only=True)
class CoGMAdded(Facts):
    kind = "co_gm_added"
    sentence = "{by} let somebody else run the game, too."

    user: int | None = field(default=None, metadata=SECRET)
    """The key of the user; old events have no such key."""
    until: dt.datetime | None = None
    by: str


@dataclass(frozen=True, kw_only=True)
class CoGMRemoved(Facts):
    kind = "co_gm_removed"
    sentence = "{by} removed a co-GM."

    user: int | None = field(default=None, metadata=SECRET)
    by: str


@dataclass(frozen=True, kw_only=True)
class GameHandedOver(Facts):
    """The GM has made a co-GM the GM in their place."""

    kind = "game_handed_over"
    sentence = "{by} handed the game over to {to}."

    to: str
    """The new GM, as players read their name."""
    by: str
    before: int | None = field(default=None, metadata=SECRET)
    """The key of the user who was the GM; None if nobody was."""


@dataclass(frozen=True, kw_only=True)
class GMLeft(Facts):
    kind = "gm_left"
    sentence = "The GM has left the server. {then}"

    then: str
    """Who runs the game from now on, as a sentence that names nobody."""


@dataclass(frozen=True, kw_only=True)
class SettingsChanged(Facts):
    kind = "settings_changed"
    sentence = "{by} changed the settings of the game: {changes}. {why}"

    changes: tuple[str, ...]
    """A sentence for each setting."""
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PlayerJoined(Facts):
    kind = "player_joined"
    sentence = "A player joined. {seats_free}."
    sentence_by = "{by} gave a player their power. {seats_free}. {why}"

    player: int = field(metadata=SECRET)
    """The player's key."""
    free: int
    """How many seats were free afterwards."""
    power: str = field(default="", metadata=SECRET)
    """The power, if a GM gave it; players who join learn theirs at the start."""
    why: str = ""
    by: str = ""
    let_in_by: int | None = field(default=None, metadata=SECRET)
    """The key of the user who answered their wish to join, if somebody did."""


@dataclass(frozen=True, kw_only=True)
class PlayerWithdrawn(Facts):
    kind = "player_withdrawn"
    sentence = "A player left before the start. {seats_free}. {why}"

    player: int = field(metadata=SECRET)
    free: int
    why: str
    by: str


@dataclass(frozen=True, kw_only=True)
class PlayerRemoved(Facts):
    """Whoever runs the game took somebody's place away, and keeps them out."""

    kind = "player_removed"
    sentence = "{by} took a place away from a player. {seats_free}."

    player: int = field(metadata=SECRET)
    free: int
    why: str = field(metadata=SECRET)
    """Only the player, and whoever else runs the game, read it."""
    by: str
    user: int | None = field(default=None, metadata=SECRET)
    """The key of the user who did it, if an account did."""


@dataclass(frozen=True, kw_only=True)
class Mustering(Facts):
    """Players are asked whether they are here."""

    until: dt.datetime


@dataclass(frozen=True, kw_only=True)
class MusterBegun(Mustering):
    kind = "muster_begun"
    sentence = "All seats are taken. Everybody was asked whether they are here."


@dataclass(frozen=True, kw_only=True)
class MusterReminded(Mustering):
    kind = "muster_reminded"
    sentence = "The players who had not said that they are here were reminded. {why}"

    why: str = ""
    """Why they have the whole time once more, if they do."""


@dataclass(frozen=True, kw_only=True)
class MusterFailed(Facts):
    kind = "muster_failed"
    sentence = "The muster ended without everybody. {seats_free}."

    silent: tuple[int, ...] = field(metadata=SECRET)
    """The keys of the players who lose their places."""
    stay: tuple[int, ...] = field(metadata=SECRET)
    """The keys of those who keep theirs."""
    free: int


@dataclass(frozen=True, kw_only=True)
class StartReminded(Facts):
    """The time at which the game is to start is near."""

    kind = "start_reminded"
    sentence = "The players were reminded that the game is to start {at}. {seats_free}."

    at: dt.datetime
    free: int
    is_last: bool = False
    """Whether the game is closed if seats are free at that time."""


@dataclass(frozen=True, kw_only=True)
class StartMoved(Facts):
    """The game could not start at its time."""

    kind = "start_moved"
    sentence = "The game did not start at its time. The start moved to {to}. {seats_free}. {why}"

    to: dt.datetime
    free: int
    why: str = ""
    """A sentence, if free seats were not the reason."""
    is_last: bool = False
    """Whether the game is closed if seats are free at the new time, too."""


@dataclass(frozen=True, kw_only=True)
class GameStarted(Facts):
    kind = "game_started"
    sentence = "The game started."
    sentence_by = "{by} started the game."

    by: str = ""
    rules_sha256: str = ""
    """The digest of its map and its rulebook (`games.proofs`), which never change. Empty in old
    events."""


@dataclass(frozen=True, kw_only=True)
class AccountsMerged(Facts):
    kind = "accounts_merged"
    sentence = "{by} merged two accounts of one player."

    by: str
