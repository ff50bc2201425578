"""Notes that players write for themselves."""

from __future__ import annotations

from django.db import models

from games.models.game import Seat


class DiaryEntry(models.Model):
    """One note that a player made in a game. `number` counts the player's own, 1, 2, 3 …

    No event mentions it, since nobody else should know that it exists. Its writer may delete it.
    """

    seat = models.ForeignKey(Seat, related_name="diary", on_delete=models.CASCADE)
    number = models.PositiveIntegerField()
    phase_name = models.CharField(max_length=10, blank=True, help_text="In which it was written")
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["seat", "number"]
        verbose_name_plural = "diary entries"
        constraints = [
            models.UniqueConstraint(fields=["seat", "number"], name="each_note_once_in_a_tenure")
        ]

    def __str__(self) -> str:
        return f"Note {self.number} of {self.seat}"
