"""When a player is away."""

from __future__ import annotations

from django.db import models

from games.models.player import Player


class Absence(models.Model):
    """Days on which a player cannot play, including the first and the last, in the player's zone.

    Deadlines set later do not fall on them; the current deadline stays.
    """

    player = models.ForeignKey(Player, related_name="absences", on_delete=models.CASCADE)
    first = models.DateField()
    last = models.DateField()
    created_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["first"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last__gte=models.F("first")),
                name="an_absence_ends_after_it_begins",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} away from {self.first} to {self.last}"
