"""What the acts about a player have in common: they are for the moderators."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, TypeVar

from django.contrib.auth.models import User
from django.db.models import Max

from games import log
from games.acts.base import Act
from games.acts.parameters import Ask
from games.acts.sentences import votes_without
from games.models import Player, Seat
from games.queries.access import conflicts
from games.queries.access.run_by import names_run_by
from games.queries.access.staff_names import Actor, name_as_moderator
from games.queries.players.places import places_of
from games.queries.players.seats import is_alive
from games.queries.players.settled_address import SETTLES, address_settled
from games.queries.reports.wording import listed, local_moment
from games.services.accounts.erasing import emails_of
from games.services.common import lock_player_even_if_erased
from games.services.moderation.conduct import LONGEST
from games.services.moderation.seats_lost import seats_played

P = TypeVar("P")

WhyToPlayer = Annotated[
    str,
    Ask(
        "Why",
        "The player reads it, and it stays in the file for good. Nobody else is told.",
        missing="Please say why: the player is told.",
        longest=LONGEST,
        rows=3,
    ),
]
"""The reason for an act, which the player reads."""


class PlayerAct(Act[Player, P]):
    """An act about a player."""

    stale = (
        "Somebody else has dealt with this player in the meantime, so nothing was done. Please "
        "look again at what would happen now."
    )

    for_the_erased = False
    """Whether it can be done about somebody who has been erased."""

    def refusal(self, user: User, subject: Player, now: dt.datetime) -> str:
        if refused := conflicts.refusal_about(user, subject):
            return refused
        if subject.erased_at and not self.for_the_erased:
            return f"{subject.name} is erased: nothing is left to act on."
        return ""

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        return ""

    def actor(self, user: User, subject: Player, now: dt.datetime) -> Actor:
        return Actor(name_as_moderator(user), user)

    def stamp(self, subject: Player) -> str:
        """Return a digest of the player's file, addresses, running seats and places, so that mails
        go to the address that the forecast named, and the player loses nothing that it left out."""
        last = subject.conduct.aggregate(last=Max("pk"), settled=Max("settled_at"))
        seats = subject.seats.filter(until=None).order_by("pk").values_list("pk", flat=True)
        entry = [last["last"], last["settled"] and last["settled"].isoformat()]
        places = [game.pk for game in places_of(subject)]
        whose = [emails_of(subject), list(seats), places, subject.merged_into_id]
        return log.digest([entry, *whose])

    def lock(self, subject: Player) -> Player:
        """Return the player, locked so that other rows can still point at theirs: somebody who
        holds a game may write such a row while we wait for that game."""
        return lock_player_even_if_erased(subject)


def seats_that_open(player: Player) -> list[Seat]:
    """Return the seats that open to others once the player may not play on; those of eliminated
    powers do not."""
    return [seat for seat in seats_played(player) if is_alive(seat.power)]


def places_lost(player: Player) -> Iterator[str]:
    """Say what else a player who may not play loses: places in games that have not started, and on
    the standby list."""
    if names := listed([game.name for game in places_of(player)]):
        yield f"They lose their place in these games, which have not started: {names}."
    if player.standby.filter(until=None).exists():
        yield "They lose their place on the standby list, and any seat that is offered to them."


def instead_of(earlier: dt.datetime) -> Iterator[str]:
    """Say that a new end takes the place of an earlier one."""
    yield f"That replaces the end it has now, {local_moment(earlier)}."


def when_seats_open(seats: Sequence[Seat]) -> Iterator[str]:
    """Say which seats of a player who may not play on open at once, and which later."""
    hidden = [seat for seat in seats if seat.power.game.anonymous]
    if now := seat_names(seat for seat in seats if seat not in hidden):
        yield f"These seats open, and we offer them to those who stand by: {now}."
        voting = {seat.power.game for seat in seats if seat not in hidden}
        for game in sorted(voting, key=lambda one: one.name):
            yield from votes_without(game, f"them in {game.name}")
    if later := seat_names(hidden):
        yield (
            f"These open when their phase is over, and nobody there is told why, so that nobody "
            f"learns who played in an anonymous game: {later}."
        )


def to_choose(player: Player, now: dt.datetime) -> Mapping[str, str]:
    """Return the addresses that a moderator can write to while nobody knows which are the
    player's."""
    emails = emails_of(player) if player.addresses_frozen_at else []
    alone = {email: f"Only {email}" for email in emails} if len(emails) > 1 else {}
    return {"": "All of their addresses", **alone}


To = Annotated[
    str,
    Ask(
        "To which address",
        "Nobody who reads mail at the others learns of a letter to one address alone.",
        choices=to_choose,
    ),
]
"""Where a moderator's letter goes."""


def how_it_reaches(player: Player, *, answers: bool = False, only_to: str = "") -> str:
    """Say where the player gets the mail, and whether it arrives there.

    A mail that `answers` them goes out even if their mail is paused.
    """
    record = player.record
    if record is None:
        return f"{player.name} has no confirmed address and cannot be told."
    # As long as nobody knows which are theirs, mails of moderators go to all.
    emails = emails_of(player) if player.addresses_frozen_at else [record.email]
    emails = [only_to] if only_to else emails
    where = f"{player.name} is told by mail, at {listed(emails)}"
    if player.mail_paused_at and not answers:
        return f"{where}, but their mail is paused: only once it is resumed, or they write MAIL ON."
    if record.failing_since:
        since = local_moment(record.failing_since)
        return f"{where}. Mails have come back from there since {since}: they may never read it."
    return f"{where}."


def lately_changed(player: Player, now: dt.datetime) -> Iterator[str]:
    """Say which addresses became theirs in the last week, and where we wrote before: it may be
    somebody else who writes in their name."""
    confirmed = player.addresses.filter(confirmed_at__isnull=False).order_by("confirmed_at", "pk")
    for one in confirmed[1:]:
        if one.confirmed_at and one.confirmed_at > now - SETTLES:
            yield f"{one.email} became one of their addresses on {local_moment(one.confirmed_at)}."
    settled, record = address_settled(player, now), player.record
    if settled and record and settled.gave_way_at and settled != record:
        yield (
            f"We wrote to {settled.email} until {local_moment(settled.gave_way_at)}. Since then we "
            f"write to {record.email}, because a mail in their name asked us to."
        )


def read_by_all(player: Player, only_to: str) -> Iterator[str]:
    """While nobody knows which addresses are theirs, warn that whoever writes in their name reads
    it."""
    if player.addresses_frozen_at and only_to:
        yield (
            "If that address is not the player’s, somebody else reads it: do not give away what "
            "only the player can know, or how you tell the two apart."
        )
    elif player.addresses_frozen_at:
        yield (
            "Whoever else writes in their name reads it, too, so do not give away what only the "
            "player can know, or how you tell the two apart."
        )


def still_runs(player: Player, now: dt.datetime) -> Iterator[str]:
    """Name the games that they run: a game master who may not play still runs them."""
    if running := names_run_by(player, now):
        yield f"They go on running {listed(running)}. If they should not, ask an operator."


def warned(player: Player, now: dt.datetime) -> Iterator[str]:
    """Before something that cannot be undone, say which addresses changed lately, and what to
    do."""
    if changes := list(lately_changed(player, now)):
        yield (
            "First make sure that it really is the player who asks: their addresses changed in "
            "the last week."
        )
        yield from changes
        yield (
            "If in doubt, choose “Freeze addresses” instead. Then ask: your letter goes to all of "
            "their addresses."
        )


def seat_names(seats: Iterable[Seat]) -> str:
    """Name seats: "Italy in marne, France in yser"."""
    return ", ".join(f"{seat.power.name} in {seat.power.game.name}" for seat in seats)
