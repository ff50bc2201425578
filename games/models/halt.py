"""Times in which the whole server stands still, and why."""

from __future__ import annotations

from django.db import models


class Halt(models.Model):
    """A time in which no phase is processed and nobody registers. Rows are kept for ever; one halt
    at a time."""

    is_on = models.BooleanField(
        null=True, default=True, unique=True, help_text="Empty once it is over"
    )
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    why = models.CharField(max_length=200)
    by = models.CharField(max_length=150)
    ended_by = models.CharField(
        max_length=150,
        blank=True,
        default="",
        db_default="",
        help_text="Who let the server go on",
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"since {self.began_at}: {self.why}"
