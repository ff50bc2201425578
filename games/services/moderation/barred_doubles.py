"""A newcomer who may be somebody barred from playing: a case for the moderators, nothing more."""

from __future__ import annotations

import datetime as dt
import re

from games.bans import players_barred
from games.models import Conduct, Player
from games.queries.moderators.doubles import likely_doubles
from games.queries.reports.wording import listed
from games.services.moderation.recalled_bans import BY

WHY = (
    "This new account has much in common with {} of somebody who is banned or suspended. Nothing "
    "has been done: the player's page has the signs, under “Accounts that may be the same "
    "person's”. If they are, merge the two, and what was decided holds for both; if not, settle "
    "this without an answer. The player is not told."
)

WHY_NAMED = (
    "This new account has nearly the same name as {} of somebody who was banned lately, and "
    "nothing else in common with it. Nothing has been done. If they are the same person, merge the "
    "two, and what was decided holds for both; if not, settle this without an answer. The player "
    "is not told."
)
LATELY = dt.timedelta(days=30)
"""How long after a ban the name alone is a reason to look."""
_AFTER = re.compile(r"[\s.]*\d{0,2}|[\s.]+\w{1,2}\.?")
"""What makes a taken name another: nothing glued to it but a number, for Max is not Maxim."""


def double_report(*, player: Player, now: dt.datetime) -> Conduct | None:
    """Put a newcomer into the moderators' queue who shares two signs with an account barred from
    playing, or the name with one banned lately; None for anybody else."""
    kept_out = set(players_barred(now=now).values_list("pk", flat=True))
    if not kept_out:
        return None
    alike = [one.player.pk for one in likely_doubles(player) if one.player.pk in kept_out]
    named = [] if alike else _namesakes(player, now)
    if not (alike or named):
        return None
    numbers = listed([str(pk) for pk in sorted(alike or named)])
    accounts = f"account {numbers}" if len(alike or named) == 1 else f"the accounts {numbers}"
    why = (WHY if alike else WHY_NAMED).format(accounts)
    return Conduct.objects.create(player=player, kind=Conduct.Kind.ALIKE, why=why, by=BY, at=now)


def _namesakes(player: Player, now: dt.datetime) -> list[int]:
    """The accounts banned lately whose name is this one without the letter or number at its end,
    since nobody can take the name itself: "Carla Smith B"."""
    lately = Player.objects.filter(banned_at__gt=now - LATELY).values_list("pk", "name")
    return [pk for pk, name in lately if _is_name_again(name, player.name)]


def _is_name_again(name: str, newcomers: str) -> bool:
    first, rest = name.casefold(), newcomers.casefold()
    return rest.startswith(first) and _AFTER.fullmatch(rest[len(first) :]) is not None
