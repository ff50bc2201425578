"""When a player is away."""

from __future__ import annotations

from django.db import models

from games.models.player import Player


class Absence(models.Model):
    """Days on which a player cannot play, the first and the last included, in their own zone.

    Deadlines that are set later do not fall into them; the current one stays where it is.
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
