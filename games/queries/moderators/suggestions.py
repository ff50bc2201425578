"""What a moderator might do next, in a sentence. These are suggestions: moderators decide."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Game
from games.queries.players.reliability import Reliability
from games.queries.reports.wording import counted
from games.timing.durations import duration_text, rounded_down

SOON = dt.timedelta(days=2)
NO_ACCOUNT = "They do not play here, but get a copy of what you write to the players."
INSTEAD = "whoever runs the server can let somebody else run the game"
TRUSTED = 90
"""In per cent; somebody this reliable may have a reason worth asking about."""


def about_open_power(
    *, can_ask: bool, missed: int, found: Reliability | None, offers: int, fitting: int
) -> str:
    """Suggest what to do with a power whose seat is open.

    `can_ask` says that its former player can still come back and is reached, `missed` in how many
    phases in a row nothing came, `found` how reliable they were. `offers` wait for an answer, and
    `fitting` players on the standby list have not been asked.
    """
    if offers:
        return f"Wait: {counted(offers, 'player has', 'players have')} still to answer an offer."
    reason = f"missed {missed} in a row, " if missed > 1 else ""
    if fitting:
        stand = counted(fitting, "player")
        return f"Offer the seat: {reason}{stand} on the standby list could take it."
    if can_ask and is_trusted(found):
        record = f"with {found.percent}% " if found and found.phases else ""
        return (
            f"Write to the player first: {record}they may have a reason. Nobody on the standby "
            "list could take the seat."
        )
    return "Seat somebody you know: nobody on the standby list could take the seat."


def is_trusted(found: Reliability | None) -> bool:
    """Say whether somebody has been so reliable that it is worth asking them first."""
    return found is not None and found.percent >= TRUSTED


def about_unreachable(
    *, reached_at: str, has_gm: bool, due_at: dt.datetime | None, now: dt.datetime
) -> str:
    """Suggest what to do about a player our mails do not reach.

    `reached_at` is another address of theirs that works, `due_at` their next deadline; `has_gm`
    says that a game of theirs has a GM.
    """
    if reached_at:
        return f"Nothing: meanwhile our mails go to their other address, {reached_at}."
    if due_at is None:
        return (
            "Write to them in another way, if somebody knows one: they have no other address here."
        )
    left = due_at - now
    if left <= dt.timedelta(0):
        return "Open their seat: the deadline has passed, and they have no other address here."
    if left <= SOON:
        return (
            f"Put the deadline off, or open their seat: {_length(left)} left, and they have no "
            "other address here."
        )
    ask = "Ask the GM" if has_gm else "Find out"
    return (
        f"{ask} whether somebody knows another way to reach them (no other address is known); "
        f"{_length(left)} left."
    )


@dataclass(frozen=True, slots=True)
class GmReach:
    """How a moderator can reach a game's GM."""

    name: str
    asks: bool
    """Whether a moderator can write to them as a player."""
    fails: bool
    """Whether mails to them do not arrive."""


def about_overdue(*, stuck: bool, policy: str, gm: GmReach | None, powers: Sequence[str]) -> str:
    """Suggest what to do about a game that does not go on. `powers` are those it waits for."""
    if stuck:
        return "Tell whoever runs the server: the phase should have been processed."
    if not powers:
        return "Nothing: all that it waited for is in."
    if policy == Game.WhenMissing.WAIT:
        return f"Find players for {', '.join(powers)}: the game goes on when their orders are in."
    if gm is None:
        return "Ask whoever runs the server: the game has no GM to decide."
    if gm.fails:
        return f"The GM, {gm.name}, has to decide, but mails do not reach them: {INSTEAD}."
    if gm.asks:
        return (
            f"Write to the GM, {gm.name}: it is theirs to decide. If they stay silent, {INSTEAD}."
        )
    return f"It is for the GM, {gm.name}, to decide. {NO_ACCOUNT} If they stay silent, {INSTEAD}."


def about_unreached_gm(*, asks: bool) -> str:
    """Suggest what to do about a GM our mails do not reach; `asks` says that a moderator can
    write to them as a player."""
    if asks:
        return "Write to them: mails reach them as a player, at another address."
    return (
        "Ask the players whether somebody knows another way to reach them. Whoever runs the server "
        "can correct the address, or let somebody else run the games."
    )


def about_paused(gm: GmReach | None) -> str:
    """Suggest what to do about a game that is paused until somebody resumes it."""
    who, how = "find out whether anybody plays on", ""
    if gm and not gm.fails:
        who, how = f"ask the GM, {gm.name}, when it goes on", "" if gm.asks else f" {NO_ACCOUNT}"
    return f"It is paused without an end: {who}.{how} Resume it when its powers have players."


def about_abandoned(gm: GmReach | None) -> str:
    """Suggest what to do about a paused game that nobody plays any more."""
    who = f"its GM, {gm.name}," if gm else "whoever runs the server"
    return (
        "Nobody plays it any more. Ask the players who wants to go on, and seat others in place of "
        f"the rest; if nobody does, {who} can end it."
    )


def _length(left: dt.timedelta) -> str:
    return duration_text(rounded_down(max(left, dt.timedelta(minutes=1))))
