"""Records who sent orders in time, and who did not."""

from __future__ import annotations

from django.db import models

from games.models.game import Seat
from games.models.phase import Phase


class Attendance(models.Model):
    """Whether orders came from one seat for one phase in which its power had something to decide.

    Written once, when the phase is processed. A phase that a rollback undoes keeps its rows, but
    they no longer count (`games.queries.players.reliability`). An excuse is added later, and stays.
    """

    class Came(models.TextChoices):
        IN_TIME = "in_time", "in time"
        LATE = "late", "after the deadline, while the game waited"
        MISSED = "missed", "nothing"

    seat = models.ForeignKey(  # found by `each_seat_once_in_a_phase`
        Seat, related_name="attendance", db_index=False, on_delete=models.CASCADE
    )
    phase = models.ForeignKey(Phase, related_name="attendance", on_delete=models.CASCADE)
    came = models.CharField(max_length=10, choices=Came.choices)
    disorder = models.BooleanField(
        default=False, help_text="The power was in civil disorder when the phase was processed"
    )
    recorded_at = models.DateTimeField()
    excused_at = models.DateTimeField(null=True, blank=True)
    excused_by = models.CharField(max_length=150, blank=True)
    excused_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["phase", "seat"]
        verbose_name_plural = "attendance"
        constraints = [
            models.UniqueConstraint(fields=["seat", "phase"], name="each_seat_once_in_a_phase")
        ]

    def __str__(self) -> str:
        return f"{self.seat} in {self.phase.name}: {self.came}"
