"""SET ADDRESS, SET RECORD and SET FORGET: the addresses of a player, and to which we write."""

from __future__ import annotations

import datetime as dt

from games import models
from games.errors import BadInput
from games.models import Player
from games.queries.access.run_by import user_under
from games.queries.reports.wording import listed, local_moment
from games.services.accounts.profile import address_add, address_of_record_set, address_remove
from mailer.commands.own_settings.base import OwnSetting, require
from mailer.commands.own_settings.told_of_addresses import (
    require_forgettable,
    stays_until,
    tell_moved,
)
from mailer.commands.receipt import Claim, Receipt
from mailer.models import OutboundMail
from mailer.outbound.asked import may_be_asked

ADDRESS_QUESTION = "address-of/{}/"
"""The beginning of the key of a mail that asks whether an address is a player's; their number
follows."""
MOST_ASKED = 10
"""How many of these mails a player can cause in a day."""
TITLE = "Your addresses"


class Address(OwnSetting):
    name = "address"
    aliases = ("email", "addresses")
    examples = (
        "SET ADDRESS ana@work.example (a second address; we ask there whether it is "
        "yours, and the reply CONFIRM says yes)",
    )

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        _require_patience(player, now)
        address, email = address_add(player=player, email=value, now=now), value.strip()
        if address.confirmed_at and address.player_id == player.pk:
            return Receipt(title=TITLE, text=f"{address.email} is already yours.")
        # As the player writes it, from here on: the row may be somebody else's.
        if not may_be_asked(address.email, now):
            raise BadInput(
                f"We have asked at {email} so often today that we ask no more before tomorrow. "
                "Please look there for a mail of ours that asks whether it is yours, and reply "
                "CONFIRM to that mail, or write SET ADDRESS again tomorrow."
            )
        return Receipt(
            title=TITLE,
            # “With the word CONFIRM” would put a button here, which answers this mail instead.
            text=f"We have asked at {email} whether it is yours. Reply CONFIRM to that mail; then "
            "you can write from there, too.",
            claim=Claim(address, asked_apart=True),
        )


def _require_patience(player: Player, now: dt.datetime) -> None:
    """Raise BadInput if a player has made us ask too often today.

    Our questions go wherever the player says, and nobody may make us write to half the world.
    """
    ours = OutboundMail.objects.filter(key__startswith=ADDRESS_QUESTION.format(player.pk))
    if ours.filter(created_at__gt=now - dt.timedelta(days=1)).count() >= MOST_ASKED:
        raise BadInput(
            f"We have asked at {MOST_ASKED} addresses for you today, which is the most we do in a "
            "day. Please try again tomorrow."
        )


class Record(OwnSetting):
    name = "record"
    examples = ("SET RECORD ana@work.example (write to that confirmed address from now on)",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        former = player.record
        address = address_of_record_set(player=player, email=value, now=now)
        if former and former != address:
            tell_moved(former, address, now)
        text = f"From now on we write to {address.email}."
        return Receipt(
            title=TITLE,
            text=f"{text}{_about_record_before(former, player, now)}{_as_staff(former)}",
        )


def _about_record_before(former: models.Address | None, player: Player, now: dt.datetime) -> str:
    """What to do about the former address of record, if it is settled: we take anybody who gets it
    one day for the player."""
    if former is None or not (until := stays_until(former, player, now)):
        return ""
    return (
        f" {former.email} stays yours, and whoever reads mails there can write in your name. If "
        f"you give it up, write SET FORGET {former.email} after "
        f"{local_moment(until, player.timezone)}."
    )


def _as_staff(former: models.Address | None) -> str:
    """What else to change for a game master whose admin account has the former address."""
    if former is None or user_under(former.email) is None:
        return ""
    return (
        f" In the admin you still go by {former.email}: mails about games that you run go there, "
        "and you write to us about them from there. Only the people who run the server can change "
        "that; MODERATOR asks for it."
    )


class Forget(OwnSetting):
    name = "forget"
    examples = ("SET FORGET ana@old.example",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        require(value, "the address", "SET FORGET ana@old.example")
        if address := player.addresses.filter(email__iexact=value).first():
            require_forgettable(address, player, now)
        address_remove(player=player, email=value, now=now)
        return Receipt(
            title=TITLE,
            text=f"{value} is not an address of yours here. You have {confirmed_of(player)}.",
        )


def confirmed_of(player: Player) -> str:
    """The player's confirmed addresses, in words; we must not show which of the others are somebody
    else's."""
    confirmed = player.addresses.filter(confirmed_at__isnull=False)
    return listed([one.email for one in confirmed.order_by("-of_record", "email")])
