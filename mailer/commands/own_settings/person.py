"""SET NAME and SET TIMEZONE: what a player is called, and what time it is where they live."""

from __future__ import annotations

import datetime as dt

from games.models import Player
from games.queries.reports.wording import local_moment
from games.services.accounts.profile import player_rename, timezone_set
from mailer.commands.own_settings.base import OwnSetting, require
from mailer.commands.receipt import Receipt


class Name(OwnSetting):
    name = "name"
    examples = ("SET NAME Ana Smith",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        require(value, "the name", "SET NAME Ana Smith")
        renamed = player_rename(player=player, name=value)
        return Receipt(title="Your name", text=f"From now on you are {renamed.name.rstrip('.')}.")


class Timezone(OwnSetting):
    name = "timezone"
    aliases = ("zone", "tz")
    examples = ("SET TIMEZONE Europe/Berlin (we then give times in your own zone)",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        require(value, "the zone", "SET TIMEZONE Europe/Berlin")
        zone = timezone_set(player=player, timezone=value).timezone
        return Receipt(
            title="Your time zone",
            text=f"From now on our times are in the zone {zone}. There it is "
            f"{local_moment(now, zone)}.",
        )
