"""SET REMINDERS: how long before a deadline a player is reminded."""

from __future__ import annotations

import datetime as dt

from games.models import Player
from games.services.clock.reminders import reminders_set
from games.settings import SETTINGS
from mailer.commands.own_settings.base import OwnSetting, require
from mailer.commands.receipt import Receipt
from mailer.outbound.ended_by_link import reminders_decided


class Reminders(OwnSetting):
    name = "reminders"
    aliases = ("reminder",)
    examples = ("SET REMINDERS 24h 4h (or OFF, or DEFAULT)",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        require(value, "when", "SET REMINDERS 24h 4h")
        text = "" if value.strip(" .!").lower() == "default" else value
        kept = reminders_set(player=player, text=text, now=now).reminders
        reminders_decided(player=player, now=now)
        return Receipt(title="Your reminders", text=reminder_sentence(kept))


def reminder_sentence(reminders: str) -> str:
    """Say how somebody with this setting is reminded; empty means as each game has it."""
    if reminders == "off":
        return "We will send you no more reminders."
    if reminders:
        return (
            f"We remind you this long before a deadline: {SETTINGS['reminders'].words(reminders)}."
        )
    return "From now on we remind you when each game says so."
