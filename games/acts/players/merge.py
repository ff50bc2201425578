"""Make two accounts of one person one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from games import log
from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import (
    PlayerAct,
    WhyToPlayer,
    how_it_reaches,
    seat_names,
    seats_that_open,
    when_seats_open,
)
from games.bans import why_barred
from games.errors import NotAllowed, NotFound
from games.models import Game, Player
from games.queries.access import conflicts, roles
from games.queries.access.staff_names import Actor
from games.queries.lookup import player_by_address
from games.queries.players.places import places_of
from games.queries.reports.wording import listed
from games.services.accounts.merging import players_merge, running_games
from games.services.cleaned import EMAIL_LENGTH


def account_meant(text: str) -> Player:
    """Find the account by address or number; a name is not enough, since several may share it.

    Raises NotFound.
    """
    text = text.strip().removeprefix("#")
    found = player_by_address(text)
    if found is None and text.isdecimal():
        found = Player.objects.filter(pk=text).first()
    if found is None:
        raise NotFound(f"There is no account {text}.")
    return found


@dataclass(frozen=True, kw_only=True)
class Parameters:
    other: Annotated[
        str,
        Ask(
            "Other account",
            "The number or a confirmed address of the account to merge into this one.",
            missing="Please say which account.",
            longest=EMAIL_LENGTH,
        ),
    ]
    why: WhyToPlayer


def _tournaments_of_both(one: Player, other: Player) -> Iterator[str]:
    """Name the tournaments in which both have seats: a table shows one person, with the points of
    both, and a round may have them at two boards."""
    mine, theirs = (
        Game.objects.filter(powers__seats__player=each, powers__seats__until=None)
        .exclude(tournament="")
        .values_list("tournament", flat=True)
        for each in (one, other)
    )
    if both := sorted(set(mine) & set(theirs)):
        tournaments = "tournament" if len(both) == 1 else "tournaments"
        yield (
            f"Both have seats in the {tournaments} {listed(both)}, whose table then adds up the "
            "points of both. If that is not fair to the others, first open the seats that they may "
            "not keep, and ask the GM how to count the games that are over."
        )


def _games_run_and_played(gm: Player, player: Player) -> Iterator[str]:
    """Name the games whose GM turns out to play in them: from then on they run them as players."""
    if names := listed([game.name for game in running_games(player) if roles.runs(gm, game)]):
        yield (
            f"{gm.name} runs {names}, where {player.name} plays. They can then do no more there "
            "than a GM who plays, and see no more than a player. If they have made use of what a "
            "GM sees, first open the seat."
        )


def _bans(one: Player, other: Player, now: dt.datetime) -> Iterator[str]:
    """Say what a ban or a suspension of either account means for both."""
    both = (one, other)
    if not any(why_barred(each, now=now) for each in both):
        return
    if places := listed([game.name for each in both for game in places_of(each)]):
        yield f"A player who may not play loses their place in {places}."
    if any(each.banned_at for each in both):
        yield from when_seats_open([seat for each in both for seat in seats_that_open(each)])


def _pause_sentences(one: Player, other: Player) -> Iterator[str]:
    """Say what becomes of paused mail: all of it goes to the first account's address of record."""
    if one.mail_paused_at:
        yield f"Mail to {one.name} is paused, and so is what would come for the other account."
    elif other.mail_paused_at:
        yield (
            f"Mail to {other.name} is paused. It goes to {one.address} from then on, and one mail "
            "sums up what they missed."
        )


class Merge(PlayerAct[Parameters]):
    name = "merge"
    title = "Merge accounts"
    grave = True
    help = "Merge another account of the same person into this one. This cannot be undone."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if the account is already part of another: there is nothing left to merge."""
        merged = subject.merged_into
        return f"{subject.name} is already part of {merged.name}." if merged else ""

    def seated(self, subject: Player, given: Parameters) -> Iterable[Player]:
        """Return both accounts: the seats of one go to the other."""
        return [subject, account_meant(given.other)]

    def stamp_with(self, subject: Player, given: Parameters) -> str:
        """Return a digest that includes the other account."""
        other = account_meant(given.other)
        return log.digest([self.stamp(subject), other.pk, self.stamp(other)])

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        other = account_meant(given.other)
        seats = seat_names(other.seats.select_related("power__game").order_by("power__game__name"))
        emails = other.addresses.order_by("email").values_list("email", flat=True)
        return [
            f"{other.name} (account {other.pk}) becomes a part of {subject.name} (account "
            f"{subject.pk}), and everything is shown under that name from then on.",
            f"Seats that come with it: {seats or 'none'}.",
            f"Addresses that come with it: {', '.join(emails) or 'none'}.",
            "So do absences, wishes for games, offers, and the file. A mute, suspension or ban of "
            "either holds. The other account stays, empty, and points here.",
            *_tournaments_of_both(subject, other),
            *_games_run_and_played(subject, other),
            *_games_run_and_played(other, subject),
            *_bans(subject, other, now),
            *_pause_sentences(subject, other),
            how_it_reaches(subject),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        other = account_meant(given.other)
        if by.user and (refused := conflicts.conflict_about(by.user, other)):
            raise NotAllowed(refused)
        players_merge(kept=subject, other=other, why=given.why, by=by.name, now=now)
        return Done(f"{other.name} is part of {subject.name} now.")
