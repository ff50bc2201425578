"""Players and their addresses."""

from __future__ import annotations

import datetime as dt
import re

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from games.errors import BadInput
from games.models import Address, Player
from games.services.halts import require_running
from games.services.names import require_free

NAME_LENGTH = 80
_LINK = re.compile(r"://|\w[.。．｡]\w{2,}|\bwww\b|@", re.IGNORECASE)


@transaction.atomic
def player_register(*, name: str, email: str, now: dt.datetime) -> Address:
    """Register a player under an address that they still have to confirm.

    Again with the same unconfirmed address: the newest name wins. Raises BadInput when the name
    or the address is not usable, or the address is confirmed already.
    """
    require_running()
    name, email = clean_name(name), clean_email(email)
    address = Address.objects.select_related("player").filter(email__iexact=email).first()
    if address is None or not address.confirmed_at:
        require_free(name, address.player if address else None)
    if address is None:
        player = Player.objects.create(name=name, created_at=now)
        return Address.objects.create(player=player, email=email, created_at=now)
    if address.confirmed_at:
        raise BadInput(
            f"{email} is registered already, as {address.player.name}. "
            "You can join a game right away: write LIST to see them."
        )
    address.player.name = name
    address.player.save(update_fields=["name"])
    return address


@transaction.atomic
def address_confirm(*, address: Address, now: dt.datetime) -> Player:
    """Confirm that the address is its player's. The first one becomes their address of record."""
    address = Address.objects.select_for_update().get(pk=address.pk)
    if address.confirmed_at is None:
        address.confirmed_at = now
        address.of_record = not address.player.addresses.filter(of_record=True).exists()
        address.save(update_fields=["confirmed_at", "of_record"])
    return address.player


def clean_name(name: str) -> str:
    """The name with single blanks. Raises BadInput for none, a long or an unprintable one."""
    name = " ".join(name.split())
    if not name:
        raise BadInput("Please write your name after REGISTER, for example: REGISTER Ana Smith")
    if len(name) > NAME_LENGTH or not name.isprintable():
        raise BadInput(f"Please register with a plain name of at most {NAME_LENGTH} letters.")
    if _LINK.search(name):  # anybody can have us write to an address: not with an advertisement
        raise BadInput(
            "What looks like an address on the net cannot be a name here. Please write a name "
            "without @ and ://, and a blank behind each dot, for example: REGISTER J. Smith"
        )
    return name


def clean_email(email: str) -> str:
    """The address without blanks around it. Raises BadInput for what is no address."""
    email = email.strip()
    try:
        validate_email(email)
    except ValidationError as error:
        raise BadInput(f"“{email}” is not an e-mail address that we can write to.") from error
    return email
