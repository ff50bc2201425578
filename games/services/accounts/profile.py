"""What players may change about themselves: name, time zone, addresses."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import F

from games.errors import BadInput, NotFound
from games.models import Address, Player
from games.queries.access.run_by import user_under
from games.queries.players.settled_address import address_settled
from games.services.accounts.addresses import address_now
from games.services.accounts.names import lock_names, require_name_free
from games.services.cleaned import clean_email, clean_name
from games.services.common import lock_player, require_unfrozen
from games.services.moderation.bans_kept import bans_keep
from games.timing.zones import known_zones

MOST_ADDRESSES = 5
CLAIMED_FOR = dt.timedelta(days=30)
"""How long somebody can confirm an address that a player says is theirs."""


@transaction.atomic
def player_rename(*, player: Player, name: str) -> Player:
    """Give the player another name, which all see from now on. Raises BadInput."""
    player = lock_player(player)
    player.name = name_fit(name, player)
    player.save(update_fields=["name"])
    return player


def name_fit(name: str, player: Player) -> str:
    """Return the name as the player may have it, kept for them until the transaction ends. Raises
    BadInput."""
    name = clean_name(name)
    lock_names()
    require_name_free(name, player)
    return name


@transaction.atomic
def timezone_set(*, player: Player, timezone: str) -> Player:
    """Tell the player times in this zone. Raises BadInput with zones that may be meant."""
    player = lock_player(player)
    player.timezone = zone_named(timezone)
    player.save(update_fields=["timezone"])
    return player


_WITH_SUMMER = {"est": "America/New_York", "mst": "America/Denver"}
"""Zones without summer time, and where people live who write them."""


def zone_named(timezone: str) -> str:
    """Return the time zone of this name. Raises BadInput with zones that may be meant."""
    known = {name.lower(): name for name in known_zones()}
    wanted = timezone.strip().replace(" ", "_").lower()
    if wanted in _WITH_SUMMER:
        near = _WITH_SUMMER[wanted]
        said = f"“{timezone.strip()}” has no summer time. Did you mean {near}?"
        raise BadInput(said, wrote=timezone.strip(), near=near)
    if wanted not in known:
        # Etc/GMT+1 is an hour behind, not ahead; nobody who writes GMT+1 means that.
        like = sorted(
            name
            for low, name in known.items()
            if low.endswith(f"/{wanted}") and not low.startswith("etc/")
        )
        hint = f" Did you mean {' or '.join(like[:3])}?" if like and wanted else ""
        raise BadInput(
            f"There is no time zone “{timezone.strip()}”. Write it like Europe/Berlin or "
            f"America/New_York, or UTC.{hint}",
            wrote=timezone.strip(),
            near=like[0] if hint and len(like) == 1 else "",
        )
    return known[wanted]


@transaction.atomic
def calendar_renew(*, player: Player) -> Player:
    """Give the player's calendar another address; from now on the old one leads nowhere, and
    neither does that of an account that was merged into theirs."""
    player = lock_player(player)
    player.calendar_renewals += 1
    player.save(update_fields=["calendar_renewals"])
    player.merged.update(calendar_renewals=F("calendar_renewals") + 1)
    return player


@transaction.atomic
def mail_look_set(
    *,
    player: Player,
    html: bool | None = None,
    maps: bool | None = None,
    calendar_files: bool | None = None,
) -> Player:
    """Send the player's mails with or without an HTML part, pictures in it, and deadlines as
    calendar files; None leaves a choice unchanged."""
    player = lock_player(player)
    player.html = player.html if html is None else html
    player.maps = player.maps if maps is None else maps
    if calendar_files is not None:
        player.calendar_files = calendar_files
    player.save(update_fields=["html", "maps", "calendar_files"])
    return player


@transaction.atomic
def address_add(*, player: Player, email: str, now: dt.datetime) -> Address:
    """Note another address of the player; it is theirs once it is confirmed.

    If somebody else has confirmed it, return that row and change nothing: whoever asks must not
    learn from us who plays here. Raises BadInput when the player has too many, NotAllowed while
    their addresses are frozen.
    """
    require_unfrozen(lock_player(player))
    email = clean_email(email)
    address = address_now(email)
    if address is not None and address.player_id == player.pk:
        return address
    require_room(player)
    player.addresses.filter(confirmed_at=None, created_at__lt=now - CLAIMED_FOR).delete()
    if address is not None and address.confirmed_at:
        return address
    if address is not None:
        # Somebody began to register with it and never confirmed. The question they got must not
        # confirm it for another player: with the row, its reply address goes.
        address.delete()
    return Address.objects.create(player=player, email=email, created_at=now)


def require_room(player: Player) -> None:
    """Raise BadInput if the player already has as many addresses as allowed.

    Unconfirmed ones do not count; otherwise this would show which of them belong to somebody else.
    """
    if player.addresses.filter(confirmed_at__isnull=False).count() >= MOST_ADDRESSES:
        raise BadInput(f"You already have {MOST_ADDRESSES} addresses; please remove one first.")


@transaction.atomic
def address_of_record_set(*, player: Player, email: str, now: dt.datetime) -> Address:
    """Write to this confirmed address of the player from now on. Raises NotFound, and NotAllowed
    while their addresses are frozen."""
    player = lock_player(player)
    require_unfrozen(player)
    address, former = _confirmed_address(player, email), player.record
    if former and former != address and former == address_settled(player, now):
        player.addresses.filter(pk=former.pk).update(gave_way_at=now)
    player.addresses.filter(of_record=True).update(of_record=False)
    address.of_record, address.gave_way_at = True, None
    address.save(update_fields=["of_record", "gave_way_at"])
    return address


@transaction.atomic
def address_remove(*, player: Player, email: str, now: dt.datetime) -> None:
    """Forget an address that the player has or claimed; leave any other alone. If an account in the
    admin has it, we remember that the account is theirs. Raises BadInput for the address of record,
    NotAllowed while their addresses are frozen.
    """
    player = lock_player(player)
    require_unfrozen(player)
    address = player.addresses.select_for_update().filter(email__iexact=email.strip()).first()
    if address is None:
        return
    if address.of_record:
        raise BadInput(
            f"{address.email} is the address we write to. Choose another one first, with "
            "SET RECORD and the address."
        )
    address_drop(player, address, now)


def address_drop(player: Player, address: Address, now: dt.datetime) -> None:
    """Forget an address of this player, whose row is locked."""
    if address.confirmed_at:
        bans_keep(player=player, emails=[address.email], now=now)
        _stay_staff(player, address.email)
    address.delete()


def _stay_staff(player: Player, email: str) -> None:
    """Link the player to the account in the admin that has this address: a GM who gives it up as a
    player still must not play in their own game, nor see what players may not."""
    user = user_under(email)
    if user and player.user is None and not Player.objects.filter(user=user).exists():
        player.user = user
        player.save(update_fields=["user"])


def _confirmed_address(player: Player, email: str) -> Address:
    mine = player.addresses.select_for_update(no_key=True).filter(confirmed_at__isnull=False)
    address = mine.filter(email__iexact=email.strip()).first()
    if address is None:
        raise NotFound(
            f"{email.strip()} is not one of your confirmed addresses. Write SET ADDRESS and the "
            "address to add it."
        )
    return address
