"""A newcomer who may be somebody barred from playing: a case for the moderators, nothing more."""

from __future__ import annotations

import datetime as dt

from games.bans import players_barred
from games.models import Conduct, Player
from games.queries.doubles import likely_doubles
from games.queries.wording import listed
from games.services.recalled_bans import BY

WHY = (
    "This new account has much in common with {} of somebody who is banned or suspended. Nothing "
    "has been done: the player's page has the signs, under “Accounts that may be the same "
    "person's”. If they are, merge the two, and what was decided holds for both; if not, settle "
    "this without an answer. The player is not told."
)


def double_report(*, player: Player, now: dt.datetime) -> Conduct | None:
    """Put a newcomer into the moderators' queue who shares two signs with an account barred from
    playing; None for anybody else."""
    kept_out = set(players_barred(now=now).values_list("pk", flat=True))
    if not kept_out:
        return None
    alike = [one.player.pk for one in likely_doubles(player) if one.player.pk in kept_out]
    if not alike:
        return None
    numbers = listed([str(pk) for pk in sorted(alike)])
    accounts = f"account {numbers}" if len(alike) == 1 else f"the accounts {numbers}"
    return Conduct.objects.create(
        player=player, kind=Conduct.Kind.ALIKE, why=WHY.format(accounts), by=BY, at=now
    )
