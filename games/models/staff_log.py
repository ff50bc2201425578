"""The staff's log: when they looked at something private, and what they did with people's data."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.models.player import Player


class StaffEntry(models.Model):
    """One row of the staff's log, which all moderators and operators can read. Only what it says
    about an erased player ever changes.

    `about` names powers, games and numbers, never an address or the person who plays a power.
    """

    class What(models.TextChoices):
        ORDERS = "orders", "orders before their deadline"
        PRESS = "press", "press of others"
        MAIL = "mail", "what a mail says"
        ADDRESSES = "addresses", "addresses of players"
        GAME = "game", "a whole game as a file"
        GIVEN = "given", "a player’s data, sent to them"
        TAKEN = "taken", "a player’s data as a file"
        ERASED = "erased", "erased a player"
        LOG = "log", "this log as a file"

    what = models.CharField(max_length=12, choices=What.choices)
    about = models.CharField(max_length=200)
    why = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=150, help_text="Whoever it was, by the name that others know")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text="Their user; none for what was done in a shell",
    )
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL)
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT)
    at = models.DateTimeField(verbose_name="when")

    class Meta:
        ordering = ["-id"]
        verbose_name = "entry in the staff’s log"
        verbose_name_plural = "entries in the staff’s log"
        indexes = [models.Index(fields=["user", "at"], name="staff_entry_user")]

    def __str__(self) -> str:
        return f"{self.get_what_display()}: {self.about}"
