"""What players SET about themselves: a class for each, in the order in which HELP shows them."""

from __future__ import annotations

from collections.abc import Mapping

from mailer.commands.own_settings.addresses import Address, Forget, Record
from mailer.commands.own_settings.base import OwnSetting
from mailer.commands.own_settings.calendar import Calendar
from mailer.commands.own_settings.looks import Html, Map
from mailer.commands.own_settings.person import Name, Timezone
from mailer.commands.own_settings.reminders import Reminders

OWN_SETTINGS: Mapping[str, OwnSetting] = {
    one.name: one
    for one in (
        Name(),
        Timezone(),
        Address(),
        Record(),
        Forget(),
        Reminders(),
        Calendar(),
        Html(),
        Map(),
    )
}
"""Each by its name."""

BY_WORD: Mapping[str, OwnSetting] = {
    word: one for one in OWN_SETTINGS.values() for word in (one.name, *one.aliases)
}
"""Each by every word that people write for it."""
