"""Orders sent before their phase was open."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models

from games.models.game import Seat

Numbered = Sequence[tuple[int, str]]
"""Lines, each with its number in the mail. JSON gives the pairs back as lists."""


class AdvanceOrders(models.Model):
    """One mail's orders for a later phase of its game. Never changed afterwards, save `used_at`
    and `passed_at`, and `seat` when its player has resigned and comes back to a new tenure.

    The latest row for a phase counts; one without lines withdraws the orders. `lines` are pairs of
    the line's number in the mail and its text, including IF and ELSE lines
    (`games.queries.parsing.conditional_orders`).
    """

    seat = models.ForeignKey(Seat, related_name="advance_orders", on_delete=models.CASCADE)
    phase_name = models.CharField(max_length=10, help_text="F1902M")
    lines: models.JSONField[Numbered, Numbered] = models.JSONField()
    received_at = models.DateTimeField(help_text="When our mail server had it")
    recorded_at = models.DateTimeField()
    source = models.CharField(max_length=255, help_text="Where it came from, e.g. a Message-ID")
    digest = models.CharField(max_length=64, help_text="SHA-256 of source and text")
    used_at = models.DateTimeField(
        null=True, blank=True, help_text="When the phase had opened and they became its orders"
    )
    passed_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was sure that their phase would never open"
    )

    class Meta:
        db_table = "games_ordersahead"
        verbose_name_plural = "advance orders"
        ordering = ["seat", "phase_name", "received_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "phase_name", "digest"],
                name="a_repeated_mail_orders_ahead_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat} ahead for {self.phase_name} #{self.pk}"
