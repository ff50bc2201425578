"""Moderators keep a player's addresses unchanged while they find out who writes in their name."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.errors import BadInput, WrongState
from games.models import Address, Conduct, DataRequest, Player
from games.services.accounts.profile import address_drop, address_of_record_set, calendar_renew
from games.services.common import PLAYER_IS_TOLD, lock_player, reason
from games.services.moderation.conduct import entry_add

Kind = Conduct.Kind


@transaction.atomic
def addresses_freeze(
    *, player: Player, why: str, by: str, now: dt.datetime, record: str = ""
) -> Conduct:
    """Let nobody add, change or forget an address of the player, have their data sent, or ask to
    have them erased. Data that they asked for, and that still wait to be sent, are not sent.
    `record` names one of their addresses, if results and press are to go there meanwhile.

    Raises BadInput without a reason, NotFound if `record` is not theirs, WrongState when the
    addresses are already frozen and when none is confirmed.
    """
    why = reason(why, readers=PLAYER_IS_TOLD)
    player = lock_player(player)
    if refusal := cannot_be_frozen(player):
        raise WrongState(refusal)
    if record:
        address_of_record_set(player=player, email=record, now=now)
    Player.objects.filter(pk=player.pk).update(addresses_frozen_at=now)
    waiting = player.data_requests.filter(kind=DataRequest.Kind.EXPORT, done_at=None)
    waiting.update(done_at=now)
    return entry_add(player, Kind.FROZEN, why=why, by=by, now=now)


def cannot_be_frozen(player: Player) -> str:
    """Return why the player's addresses cannot be frozen, "" if they can."""
    if player.addresses_frozen_at:
        return f"The addresses of {player.name} are already frozen."
    if not player.address:
        return f"{player.name} has no confirmed address that could be frozen."
    return ""


@transaction.atomic
def addresses_unfreeze(
    *, player: Player, only: str, why: str, by: str, now: dt.datetime
) -> Conduct:
    """Let the player change their addresses again. `only` names the one confirmed address that is
    theirs: we write there from now on and forget the others. If it is "", all stay unchanged.

    Raises BadInput without a reason and for an address that is not a confirmed one of theirs,
    WrongState when their addresses are not frozen.
    """
    why = reason(why, readers=PLAYER_IS_TOLD)
    player = lock_player(player)
    if not player.addresses_frozen_at:
        raise WrongState(f"The addresses of {player.name} are not frozen.")
    if only:
        _keep_only(player, only, now)
    Player.objects.filter(pk=player.pk).update(addresses_frozen_at=None)
    return entry_add(player, Kind.UNFROZEN, why=why, by=by, now=now)


def _keep_only(player: Player, email: str, now: dt.datetime) -> None:
    """Forget the other addresses, and what whoever had them could still use: the address of the
    player's calendar."""
    kept = player.addresses.filter(email__iexact=email, confirmed_at__isnull=False).first()
    if kept is None:
        raise BadInput(f"{email} is not a confirmed address of {player.name}.")
    for other in player.addresses.exclude(pk=kept.pk):
        address_drop(player, other, now)
    Address.objects.filter(pk=kept.pk).update(of_record=True, gave_way_at=None)
    calendar_renew(player=player)
