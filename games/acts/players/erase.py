"""Erase a player who wants to be forgotten."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth.models import User

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, seats_that_open, warned, when_seats_open
from games.bans import why_barred
from games.models import Conduct, Game, Player
from games.queries.access.run_by import users_of
from games.queries.access.staff_names import Actor, staff_name
from games.queries.players.places import places_of
from games.queries.reports.wording import local_moment
from games.services.accounts.erasing import (
    WISH,
    cannot_be_erased,
    emails_of,
    player_erase,
    pseudonym,
)
from games.services.moderation.gm_leaves import accounts_to_close, deputy_of, games_left_by, heir_of

ASKED = "They asked for it."
REASONS = {
    ASKED: "They asked for it",
    "A law demands it.": "A law demands it",
    "The account was made by mistake.": "The account was made by mistake",
}
"""Nobody writes a sentence of their own: it might reveal who the player was."""


def _reasons(player: Player, now: dt.datetime) -> Mapping[str, str]:
    return REASONS


@dataclass(frozen=True, kw_only=True)
class Parameters:
    because: Annotated[str, Ask("Why", "The staff’s log keeps it.", choices=_reasons)]


class Erase(PlayerAct[Parameters]):
    name = "erase"
    title = "Erase"
    grave = True
    help = (
        "Forget who a player is: their name, their addresses, their file and the words of all "
        "mails. Their games stay as they were played. It cannot be undone."
    )
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        return cannot_be_erased(subject)

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            *warned(subject, now),
            *_still_asks(subject),
            f"{subject.name} is “{pseudonym(subject)}” from then on, everywhere.",
            f"What goes for good: {_what_goes(subject)}.",
            *_games(subject),
            "What stays: the games they played with all orders, results, votes and press, without "
            "their name. Mails that others have got stay in their mailboxes, and so does what our "
            "mails to others say of them for as long as the server keeps mails.",
            *_ban(subject, now),
            *_accounts(subject, now),
            _last_mail(subject),
            f"The staff’s log keeps that account {subject.pk} was erased, by whom and why: "
            f"“{given.because}”",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player_erase(player=subject, why=given.because, by=by, now=now)
        return Done(
            f"The player is erased and is {pseudonym(subject)} now. Their mails lose their words "
            "within a minute."
        )


def _still_asks(player: Player) -> Iterator[str]:
    """Say what else they wrote that nobody has answered; they may have changed their mind."""
    asked = player.conduct.filter(kind=Conduct.Kind.ASKED, settled_at=None).exclude(why=WISH)
    for entry in asked.order_by("pk"):
        yield f"Read this first: {player.name} wrote, and nobody has answered: “{entry.why}”"


def _what_goes(player: Player) -> str:
    emails = emails_of(player)
    addresses = f"their addresses ({', '.join(emails)})" if emails else "their addresses"
    return (
        f"their name, {addresses}, time zone and settings, absences, diaries, wishes for games, "
        "places on lists, their file, and the words of every mail from and to them"
    )


def _games(player: Player) -> Iterator[str]:
    """What becomes of the games that are not over."""
    if seats := seats_that_open(player):
        yield from when_seats_open(seats)
        yield "What they ordered stands until somebody takes the seat."
        if any(not seat.power.game.anonymous for seat in seats):
            yield (
                "The other players read that the seat is open because its player has left the "
                "server."
            )
    else:
        yield "They play in no game at present."
    if places := ", ".join(game.name for game in places_of(player)):
        yield f"Their place in these games, which have not begun, is free again: {places}."


def _ban(player: Player, now: dt.datetime) -> Iterator[str]:
    if why_barred(player, now=now):
        until = "the suspension" if not player.banned_at else "the ban"
        yield (
            f"{until[:1].upper()}{until[1:]} stays: we keep a code for each address, from which "
            f"nobody can read the address, and whoever confirms one of them again meets {until} "
            "again. The reason for it is erased with the file."
        )


def _last_mail(player: Player) -> str:
    if email := player.address:
        return f"A last mail to {email} says that it is done. Then the address is forgotten."
    return f"{player.name} has no confirmed address and cannot be told."


def _accounts(player: Player, now: dt.datetime) -> Iterator[str]:
    """Say what becomes of their accounts in the admin, and of the games that they run."""
    closed = accounts_to_close(player)
    for user in users_of(player):
        name = user.get_username()
        if user not in closed:
            yield (
                f"Their account in the admin, {name}, stays with its name and address, because it "
                "is a moderator’s or an operator’s: an operator closes it under Users."
            )
            continue
        yield (
            f"Their account in the admin, {name}, is closed. The logs of games that they ran keep "
            "the name under which they ran them, because a log never changes."
        )
        for game in games_left_by(user):
            yield (
                f"They run {game.name}. From then on {_who_runs(game, closed, now)}. We "
                "tell everybody in it."
            )


def _who_runs(game: Game, closed: Sequence[User], now: dt.datetime) -> str:
    if heir := heir_of(game, closed, now):
        return f"its co-GM, {staff_name(heir.user)}, does"
    if deputy := deputy_of(game, closed, now):
        until = local_moment(deputy.until) if deputy.until else ""
        return f"its deputy, {staff_name(deputy.user)}, does until {until}; later nobody does"
    return "nobody does, and the moderators keep it alive"
