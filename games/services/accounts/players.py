"""Players and their addresses."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.errors import BadInput, NotAllowed, WrongState
from games.models import Address, Player
from games.services.accounts.addresses import address_now, lock_owner
from games.services.accounts.names import lock_names, require_name_free
from games.services.accounts.profile import require_room
from games.services.cleaned import clean_email, clean_name
from games.services.clock.halts import require_running
from games.services.common import lock_player
from games.services.moderation.barred_doubles import double_report
from games.services.moderation.recalled_bans import ban_recall


@transaction.atomic
def player_register(*, name: str, email: str, now: dt.datetime) -> Address:
    """Register a player under an address that they still have to confirm.

    If the same address registers again before confirming, the newest name wins. Raises BadInput if
    the name or the address cannot be used, or the address is already confirmed.
    """
    require_running()
    name, email = clean_name(name), clean_email(email)
    lock_owner(email)  # as whoever confirms it does
    address = address_now(email)
    if address is not None and is_claimed(address):
        # A player said that it is theirs and never showed it: they must neither get another's name
        # nor have another's address confirmed for them. With the row, their question's reply
        # address goes.
        address.delete()
        address = None
    if address is None or not address.confirmed_at:
        require_name_free(name, address.player if address else None)
    if address is None:
        player = Player.objects.create(name=name, created_at=now)
        return Address.objects.create(player=player, email=email, created_at=now)
    if address.confirmed_at:
        raise BadInput(
            f"{email} is already registered, as {address.player.name}. "
            "You can join a game right away: write LIST to see them."
        )
    address.player.name = name
    address.player.save(update_fields=["name"])
    return address


NOT_NOW = (
    "This address cannot be confirmed at present. Please reply CONFIRM to this mail again in "
    "a few days."
)
"""What we write to an address that may not be the player's; it does not say why."""
GONE = (
    "Our question about this address no longer counts, so nothing is confirmed. Please write "
    "REGISTER and your name again, or SET ADDRESS from an address that we know."
)


def is_claimed(address: Address) -> bool:
    """Say whether it is a further address, not confirmed yet, of somebody who already plays under
    another: anybody can name somebody else's address as their own."""
    return address.confirmed_at is None and bool(address.player.address)


@transaction.atomic
def address_confirm(*, address: Address, now: dt.datetime) -> Player:
    """Confirm that the address is its player's. The first one becomes their address of record.

    If it was that of a banned player who was erased, the ban holds for this one. Raises BadInput
    for a newcomer whose name somebody else has got meanwhile, NotAllowed while the player's
    addresses are frozen, and WrongState when it was just forgotten.
    """
    if lock_player(address.player).addresses_frozen_at:
        raise NotAllowed(NOT_NOW)
    found = Address.objects.select_for_update(no_key=True).filter(pk=address.pk).first()
    if found is None:
        raise WrongState(GONE)
    address = found
    if address.confirmed_at is None:
        address.confirmed_at = now
        address.of_record = not address.player.addresses.filter(of_record=True).exists()
        if address.of_record:
            _require_still_free(address.player)
        else:
            require_room(address.player)
        address.save(update_fields=["confirmed_at", "of_record"])
        if ban_recall(address=address, now=now):
            address.player.refresh_from_db()
        elif address.of_record:
            double_report(player=address.player, now=now)
    return address.player


def _require_still_free(player: Player) -> None:
    """Make sure that a newcomer may still have that name: nobody owns a name before it is
    confirmed."""
    lock_names()
    try:
        require_name_free(player.name, player)
    except BadInput as error:
        raise BadInput(
            "Your address is not confirmed yet, for your name is no longer free. Please reply to "
            f"this mail with REGISTER and another name. {error}"
        ) from error
