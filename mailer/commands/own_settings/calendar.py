"""SET CALENDAR: where a calendar program finds a player's deadlines, and files in our mails."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.urls import reverse

from games.errors import BadInput
from games.models import Player
from games.queries.reports.calendars import calendar_key
from games.services.accounts.profile import calendar_renew, mail_look_set
from mailer.commands.own_settings.base import WORDS_FOR_ON, OwnSetting
from mailer.commands.receipt import Receipt


class Calendar(OwnSetting):
    name = "calendar"
    examples = (
        "SET CALENDAR (shows the address of your calendar; SET CALENDAR NEW gives it a new one)",
        "SET CALENDAR OFF (leaves the calendar files out of our mails; ON takes that back)",
    )

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        word = value.strip(" .!").lower()
        if word in WORDS_FOR_ON:
            return _files_set(player, wanted=WORDS_FOR_ON[word])
        if word == "new":
            return _receipt(calendar_renew(player=player), "The old one no longer works. ")
        if word:
            raise BadInput(
                f"A calendar cannot be set to “{value}”. Write SET CALENDAR for the address of "
                "your calendar, SET CALENDAR NEW for another address, or SET CALENDAR ON or OFF "
                "for the files in our mails."
            )
        return _receipt(player)


def _receipt(player: Player, before: str = "") -> Receipt:
    """The address of the player's calendar, with a sentence about the one before."""
    address = settings.SITE_URL + reverse("calendar", kwargs={"key": calendar_key(player)})
    return Receipt(
        title="Your calendar",
        text=f"All your deadlines are at this address, for a calendar program to follow:\n\n"
        f"{address}\n\n{before}Anybody who knows it can see when your games are due, and which "
        "powers you play. If it has got around, write SET CALENDAR NEW.",
    )


def _files_set(player: Player, *, wanted: bool) -> Receipt:
    mail_look_set(player=player, calendar_files=wanted)
    return Receipt(
        title="Your mails",
        text="Mails that tell a deadline of yours carry it as a calendar file from now on."
        if wanted
        else "Our mails carry no calendar files from now on. A calendar program can still follow "
        "your deadlines: SET CALENDAR tells you the address.",
    )
