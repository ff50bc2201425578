"""A moderator, who deals with players by the acts that the admin's pages offer."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from games.acts import PLAYER_ACTS
from games.acts.players.erase import ASKED
from games.models import Address, Conduct, Player
from games.services.accounts.erasing import WISH
from tests.simulate.players.writers import AS_PLAYERS, DOMAIN, GMS
from tests.simulate.staff.admin_pages import is_done

MODERATOR = f"mod@{DOMAIN}"
WHY = "That was not fair."
ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mute", {"length": dt.timedelta(days=2), "why": WHY}),
    ("unmute", {"why": WHY}),
    ("pause_mail", {"why": WHY}),
    ("resume_mail", {"why": WHY}),
    ("suspend", {"length": dt.timedelta(days=3), "why": WHY}),
    ("lift", {"why": WHY}),
    ("ban", {"why": WHY}),
    ("lift", {"why": WHY}),
    ("note", {"text": "They write a lot."}),
    ("write", {"text": "Please be kind."}),
)


MERGES = 0.15
"""How often it is seen that two accounts are one person's, when something is done."""
ERASES = 0.1
"""How often the moderator sees to a wish to be forgotten, when it is looked for."""


@dataclass
class Moderator:
    """The only one."""

    chance: random.Random

    def deal(self, now: dt.datetime) -> None:
        """Do something about somebody."""
        name, given = self.chance.choice(ACTS)
        others = list(Address.objects.exclude(email__in=GMS).order_by("pk"))
        if self.chance.random() < MERGES and others:  # all may have been erased
            name, given = "merge", {"other": self.chance.choice(others).email, "why": WHY}
        players = Player.objects.exclude(name__in=AS_PLAYERS).order_by("pk")
        self.act(name, given, self.chance.choice(list(players)), now)

    def hurry(self, name: str, now: dt.datetime) -> None:
        """Do this to somebody who plays and to somebody who stands by."""
        if name == "ban_and_erase":
            self.hurry("ban", now)
            name = "erase"
        given = {"erase": {"because": ASKED}, "merge": {"other": f"ida@{DOMAIN}", "why": WHY}}
        known = dict(ACTS) | given
        for player in Player.objects.filter(name__in=("Ana", "Hugo")).order_by("pk"):
            self.act(name, known.get(name, {"why": WHY}), player, now)

    def see_to_wishes(self, now: dt.datetime) -> None:
        """Erase whoever wants to be forgotten, sooner or later."""
        wishes = Conduct.objects.filter(kind=Conduct.Kind.ASKED, why=WISH, settled_at=None)
        for wish in wishes.order_by("pk"):
            if self.chance.random() < ERASES:
                self.act("erase", {"because": ASKED}, wish.player, now)

    def erase_again(self, players: list[int], now: dt.datetime) -> None:
        """Erase those again whom a backup has brought back, as docs/privacy.md asks."""
        for player in Player.objects.filter(pk__in=players).order_by("pk"):
            self.act("erase", {"because": ASKED}, player, now)

    def make_peace(self, now: dt.datetime) -> None:
        """Let everybody have their mail."""
        for player in Player.objects.exclude(mail_paused_at=None):
            self.act("resume_mail", {"why": WHY}, player, now)

    def act(self, name: str, given: dict[str, Any], player: Player, now: dt.datetime) -> None:
        """Do an act on its page, unless the page says that it cannot be done."""
        by = User.objects.get(email=MODERATOR)
        is_done(PLAYER_ACTS[name], player, given, by=by, now=now)
