"""A banned player comes back under an address of theirs that we forgot: the ban still holds."""

from __future__ import annotations

import datetime as dt

from games.models import Address, Conduct
from games.services.moderation.bans_kept import barred_owner
from games.services.moderation.conduct import player_ban, player_note, player_suspend

BY = "the server"
WHY = (
    "This address belonged to an account that was {kept_out}{erased}. That "
    "decision still holds. If it was made about somebody else, or you think that it should end, "
    "tell us."
)


def ban_recall(*, address: Address, now: dt.datetime) -> Conduct | None:
    """Ban or suspend the address's player as its former owner was; None when there is no need."""
    former, player = barred_owner(address.email, now=now), address.player
    if former is None or former == player or player.banned_at:
        return None
    text = f"Known by the code of an address: they were {former.name} (account {former.pk})."
    player_note(player=player, text=text, by=BY, now=now)
    erased = " and has been erased since" if former.erased_at else ""
    if former.banned_at:
        why = WHY.format(kept_out="banned", erased=erased)
        return player_ban(player=player, why=why, by=BY, now=now)
    until = former.suspended_until
    if until is None or (player.suspended_until and player.suspended_until >= until):
        return None
    why = WHY.format(kept_out="suspended", erased=erased)
    return player_suspend(player=player, until=until, why=why, by=BY, now=now)
