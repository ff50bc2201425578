"""What the powers write to each other."""

from __future__ import annotations

from django.db import models

from games.models.game import Game, Seat
from games.models.phase import Phase


class Press(models.Model):
    """One message from a power, or from the GM, to others, kept for ever.

    `seat` is the power's player then; what the GM wrote has none, and `by` names the GM.
    `to` are the names of the powers it goes to, `to_gm` says whether the GM gets it, too, and
    `public` that it was written to everybody. `circle` names all who take part, its writer
    included: what is written in one circle is one conversation. `grey` press does not say which
    power wrote it, nor does its circle. `source` is the Message-ID of the
    mail it came in; it is shown to nobody but its writer.
    """

    game = models.ForeignKey(Game, related_name="press", on_delete=models.CASCADE)
    phase = models.ForeignKey(
        Phase, null=True, blank=True, related_name="press", on_delete=models.CASCADE
    )
    seat = models.ForeignKey(
        Seat, null=True, blank=True, related_name="press", on_delete=models.PROTECT
    )
    by = models.CharField(
        max_length=150, blank=True, help_text="The GM who wrote it; empty: a power did"
    )
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    to = models.JSONField(default=list)
    to_gm = models.BooleanField(default=False)
    public = models.BooleanField(default=False)
    grey = models.BooleanField(default=False, help_text="Its readers do not learn who wrote it")
    circle = models.CharField(max_length=255)
    text = models.TextField()
    source = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["game", "number"]
        verbose_name_plural = "press"
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_press_once_in_a_game")
        ]

    def __str__(self) -> str:
        return f"Press {self.number} in {self.game}"

    @property
    def writer(self) -> str:
        """Who wrote it, as its readers know them: a power's name, "the GM", or "somebody"."""
        if self.grey:
            return "somebody"
        return self.seat.power.name if self.seat else "the GM"
