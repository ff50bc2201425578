"""Clicks on links to unsubscribe."""

from __future__ import annotations

from django.db import models

from games.models import Game, Player


class Bulk(models.TextChoices):
    """Mails that go to many people, who may do without them. Its label is the end of a sentence."""

    OBSERVER = "observer", "mails about the game {game}"
    REMINDER = "reminder", "reminders before deadlines"
    OFFER = "offer", "offers of open seats"


class Click(models.Model):
    """A click that ended mails of a kind: it uses up the links of all that came before."""

    player = models.ForeignKey(Player, related_name="+", on_delete=models.PROTECT)
    bulk = models.CharField(max_length=10, choices=Bulk.choices)
    game = models.ForeignKey(
        Game,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        help_text="The game that they observed",
    )
    at = models.DateTimeField()
    reminders = models.CharField(
        max_length=60, blank=True, help_text="What reminders the player had set before"
    )
    over_at = models.DateTimeField(
        null=True, blank=True, help_text="When the player decided about their reminders again"
    )

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.player}: no more {self.get_bulk_display()}"
