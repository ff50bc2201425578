"""Whom a game lets in before it starts, and whom it does not."""

from __future__ import annotations

from django.db import models

from games.models.game import Game


class Invitation(models.Model):
    """What a game says about one address: it may join, it may not, or its player asked to."""

    class Kind(models.TextChoices):
        INVITED = "invited", "may join"
        DENIED = "denied", "may not join"
        ASKED = "asked", "asked to join"

    game = models.ForeignKey(Game, related_name="invitations", on_delete=models.CASCADE)
    email = models.CharField(max_length=254, help_text="In small letters")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    preferences = models.CharField(max_length=500, blank=True, help_text="Of who asked to join")
    preferences_at = models.DateTimeField(
        null=True, blank=True, help_text="When the mail with this list came"
    )
    by = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField()
    reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When the GM was reminded of who asked to join"
    )

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "email"], name="one_word_per_address_and_game")
        ]
        indexes = [
            models.Index(
                fields=["at"],
                condition=models.Q(kind="asked", reminded_at__isnull=True),
                name="asked_unreminded",
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} in {self.game}: {self.kind}"


class CoGM(models.Model):
    """Somebody who runs a game beside its GM, for good or for the days when the GM is away."""

    game = models.ForeignKey(Game, related_name="co_gms", on_delete=models.CASCADE)
    user = models.ForeignKey("auth.User", related_name="co_gm_of", on_delete=models.CASCADE)
    since = models.DateTimeField()
    until = models.DateTimeField(
        null=True, blank=True, help_text="When a deputy's time ends; empty: it does not"
    )

    class Meta:
        verbose_name = "co-GM"
        constraints = [models.UniqueConstraint("game", "user", name="co_gm_once_in_a_game")]

    def __str__(self) -> str:
        return f"{self.user} in {self.game}"
