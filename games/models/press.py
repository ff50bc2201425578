"""Press: messages between the powers, and from the GM."""

from __future__ import annotations

from django.db import models

from games.models.game import Game, Seat
from games.models.phase import Phase

NO_LONGER_KEPT = "(This press is no longer kept.)"
"""Replaces a text that was emptied."""


class Press(models.Model):
    """One message from a power or from the GM to others, kept for ever.

    `seat` is the tenure that wrote it; what the staff write has no seat, and `by` names who did:
    the GM, or, with `by_moderator`, somebody who does not run the game. `to` are the names of the
    powers it goes to, `to_gm` says whether the GM gets it, too, and `public` that it was written to
    everybody. `circle` names all who take part, its writer included: what is written in one circle
    is one conversation. `grey` press does not say which power wrote it, nor does its circle. Fake
    press claims that another power wrote it, or that it went to others: `shown_writer`, `shown_to`
    and `shown_public` are what its readers are told, and its circle is that of the letter it
    pretends to be. `source` is the Message-ID of the mail it came in; it is shown to nobody but its
    writer.
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
    by_moderator = models.BooleanField(
        default=False, db_default=False, help_text="Its answers go to the moderators"
    )
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    to: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    to_gm = models.BooleanField(default=False)
    public = models.BooleanField(default=False)
    grey = models.BooleanField(default=False, help_text="Its readers do not learn who wrote it")
    shown_writer = models.CharField(
        max_length=40, blank=True, help_text="Of fake press: the power it says it is from"
    )
    shown_to: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, blank=True, help_text="Of fake press: the powers it says it is to"
    )
    shown_public = models.BooleanField(
        default=False, help_text="Of fake press: it says that it is to everybody"
    )
    circle = models.CharField(max_length=255)
    text = models.TextField()
    source = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField(verbose_name="written")

    class Meta:
        ordering = ["game", "number"]
        verbose_name_plural = "press"
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_press_once_in_a_game")
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(public=True), name="press_public"),
            models.Index(fields=["id"], condition=models.Q(grey=True), name="press_grey"),
            models.Index(
                fields=["game"], condition=~models.Q(text=NO_LONGER_KEPT), name="press_to_empty"
            ),
        ]

    def __str__(self) -> str:
        return f"Press {self.number} in {self.game}"

    @property
    def writer(self) -> str:
        """Who wrote it, as its readers know: a power's name, "the GM", or "somebody"."""
        if self.grey:
            return "somebody"
        return self.sender or "the GM"

    @property
    def sender(self) -> str:
        """The power that an answer goes to, which is the one it claims to be from; "" for the
        GM."""
        return self.shown_writer or (self.seat.power.name if self.seat else "")

    @property
    def true_writer(self) -> str:
        """Who really wrote it, for those who look after the game, never for its players."""
        wrote = self.seat.power.name if self.seat else "the GM"
        return f"{wrote}, as if from {self.shown_writer}" if self.shown_writer else wrote

    @property
    def fake(self) -> bool:
        """Whether its readers are told a wrong writer or wrong readers."""
        return bool(self.shown_writer or self.shown_to or self.shown_public)

    @property
    def readers(self) -> list[str]:
        """The powers that it goes to, as its readers are told."""
        return list(self.shown_to or self.to)

    @property
    def for_all(self) -> bool:
        """Whether its readers are told that everybody gets it."""
        return self.public or self.shown_public

    @property
    def with_gm(self) -> bool:
        """Whether its readers are told that the GM gets it, too."""
        return self.shown_public or (self.to_gm and not self.shown_to)
