"""The standby list: who would take over a seat, and what was offered to whom."""

from __future__ import annotations

from django.db import models

from games.models.game import Power
from games.models.player import Player


class Standby(models.Model):
    """A player's stay on the list of those to whom open seats are offered, from one moment to
    another."""

    player = models.ForeignKey(Player, related_name="standby", on_delete=models.PROTECT)
    at_most = models.PositiveSmallIntegerField(
        default=1, help_text="How many seats of others they would play at the same time"
    )
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["since"]
        verbose_name = "place on the standby list"
        verbose_name_plural = "standby list"
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(until__isnull=True),
                name="one_stands_by_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} stands by"


class Offer(models.Model):
    """An open seat as it was offered to one player, kept for ever.

    It holds until it is answered, until the seat is no longer open, or until `expires_at`.
    """

    class End(models.TextChoices):
        TAKEN = "taken", "they took the seat"
        DECLINED = "declined", "they said no"
        WITHDRAWN = "withdrawn", "the seat was no longer open"
        EXPIRED = "expired", "no answer came"

    power = models.ForeignKey(Power, related_name="offers", on_delete=models.CASCADE)
    player = models.ForeignKey(Player, related_name="offers", on_delete=models.PROTECT)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    end = models.CharField(max_length=10, choices=End.choices, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["power", "player"],
                condition=models.Q(end=""),
                name="one_offer_of_a_seat_at_a_time",
            )
        ]
        indexes = [
            models.Index(fields=["expires_at"], condition=models.Q(end=""), name="offer_open_until")
        ]

    def __str__(self) -> str:
        return f"{self.power} offered to {self.player}"
