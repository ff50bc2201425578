"""A banned player was erased and comes back under the same address: the ban still holds."""

from __future__ import annotations

import datetime as dt

from games.models import Address, Conduct
from games.services.bans_kept import erased_owner
from games.services.conduct import player_ban, player_note, player_suspend

BY = "the server"
WHY = (
    "This address belonged to an account that was {kept_out} and has been erased since. That "
    "decision still holds. If it was made about somebody else, or you think that it should end, "
    "tell us."
)


def ban_recall(*, address: Address, now: dt.datetime) -> Conduct | None:
    """Ban or suspend the address's player as its erased owner was; None when there is no need."""
    former, player = erased_owner(address.email, now=now), address.player
    if former is None or player.banned_at:
        return None
    text = f"Known by the code of an address: they were {former.name} (account {former.pk})."
    player_note(player=player, text=text, by=BY, now=now)
    if former.banned_at:
        why = WHY.format(kept_out="banned")
        return player_ban(player=player, why=why, by=BY, now=now)
    until = former.suspended_until
    if until is None or (player.suspended_until and player.suspended_until >= until):
        return None
    why = WHY.format(kept_out="suspended")
    return player_suspend(player=player, until=until, why=why, by=BY, now=now)
