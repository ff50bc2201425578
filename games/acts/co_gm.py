"""Let somebody run a game beside its GM, for good or while the GM is away."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Q

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.models import Game
from games.queries.access.staff_names import Actor, staff_name
from games.queries.parsing.moments import moment_of
from games.queries.reports.wording import local_moment
from games.services.cleaned import EMAIL_LENGTH
from games.services.moderation.staff import lock_users
from games.services.setup.co_gms import co_gm_add, co_gm_remove
from games.timing.clock import wall_moment
from games.timing.pace import pace_of


@dataclass(frozen=True, kw_only=True)
class Parameters:
    email: Annotated[
        str,
        Ask(
            "Address",
            "Theirs. “Choose a new password by mail” on the first page of the admin lets them in.",
            missing="Please write the address.",
            longest=EMAIL_LENGTH,
        ),
    ]
    to: Annotated[
        str,
        Ask(
            "Until",
            "For a deputy while you are away; a day alone means all of it. Empty: for good.",
            longest=40,
            is_moment=True,
        ),
    ] = ""

    def until(self, game: Game, now: dt.datetime) -> dt.datetime | None:
        """Return when a deputy's time ends, None if it does not. Raises BadInput."""
        if not self.to:
            return None
        zone = pace_of(game).zone
        end_of_day = wall_moment(now.astimezone(zone).date(), dt.time(23, 59), zone)
        return moment_of(self.to, zone, clock=None, like=end_of_day, now=now)


class AddCoGM(GameAct[Parameters]):
    name = "add_co_gm"
    title = "Add a co-GM or deputy"
    help = "Let somebody else run the game, too, for good or while you are away."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    undo = "“Remove a co-GM” ends it."
    names_addresses = True
    parameters = Parameters

    def lock_first(self, subject: Game, given: Parameters) -> None:
        lock_users(given.email.strip())

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        until = given.until(subject, now)
        lasts = "From now on, for good,"
        if until:
            lasts = f"Until {local_moment(until, subject.timezone)}"
        return [
            # Not whether they have one: anybody can make a game to try out others' addresses.
            f"If {given.email.strip()} has no account in the admin yet, we make one. Check the "
            "address: whoever reads its mail can run the game.",
            f"{lasts} {given.email.strip()} can do everything you can do to {subject.name} or, if "
            "they play in it themselves, only what helps no power.",
            "They are told by mail, and get every mail that the GM gets, unless they play in it "
            "themselves. Everybody can read in the log that there is a co-GM.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        until = given.until(subject, now)
        co_gm_add(game=subject, email=given.email, until=until, by=by.name, now=now)
        return Done(f"From now on {given.email.strip()} runs {subject.name}, too.")


def _co_gms(game: Game, now: dt.datetime) -> Mapping[str, str]:
    rows = game.co_gms.filter(Q(until=None) | Q(until__gt=now)).select_related("user")
    return {str(row.pk): staff_name(row.user) for row in rows.order_by("pk")}


@dataclass(frozen=True, kw_only=True)
class Whom:
    who: Annotated[str, Ask("Who", missing="Please say whom.", choices=_co_gms)]


class RemoveCoGM(GameAct[Whom]):
    name = "remove_co_gm"
    title = "Remove a co-GM"
    help = "End somebody’s time as a co-GM of the game."
    group = Group.GAME
    when = frozenset(Status)
    undo = "“Add a co-GM or deputy” lets them help again."
    names_addresses = True  # the user name of somebody without a name
    parameters = Whom

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if the game has no co-GM."""
        return "" if _co_gms(subject, now) else f"The game {subject.name} has no co-GM."

    def forecast(self, subject: Game, given: Whom, now: dt.datetime) -> Sequence[str]:
        name = _co_gms(subject, now).get(given.who, "")
        return [f"{name} may no longer act on {subject.name}.", "They are told by mail."]

    def do(self, subject: Game, given: Whom, *, by: Actor, now: dt.datetime) -> Done:
        user = co_gm_remove(game=subject, key=given.who, by=by.name, now=now)
        said = f"{staff_name(user)} no longer runs {subject.name}."
        return Done(said, gone=by.user == user)
