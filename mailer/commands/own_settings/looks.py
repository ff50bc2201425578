"""SET HTML and SET MAP: how our mails look."""

from __future__ import annotations

import datetime as dt

from games.models import Player
from games.services.accounts.profile import mail_look_set
from mailer.commands.own_settings.base import OwnSetting, is_on
from mailer.commands.receipt import Receipt


class Html(OwnSetting):
    name = "html"
    examples = ("SET HTML OFF (mails come as plain text; ON takes that back)",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        wanted = mail_look_set(player=player, html=is_on(value, self.name)).html
        text = "From now on our mails have an HTML part, too. It says the same as the text."
        if not wanted:
            text = "Our mails are plain text from now on, without pictures."
            if player.calendar_files:
                text += (
                    " Deadlines still come with a calendar file; SET CALENDAR OFF stops that, too."
                )
        return Receipt(title="Your mails", text=text)


class Map(OwnSetting):
    name = "map"
    aliases = ("maps", "pictures", "picture")
    examples = ("SET MAP OFF (mails come without pictures of the board)",)

    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        wanted = mail_look_set(player=player, maps=is_on(value, self.name)).maps
        text = "Our mails carry pictures of the board from now on."
        if not wanted:
            text = "Our mails carry no pictures from now on; the text says the same."
        elif not player.html:
            text += " You see them once you write SET HTML ON: they are part of the HTML."
        return Receipt(title="Your mails", text=text)
