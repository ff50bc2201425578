"""Requests about a player's own data, and what is left of a ban when its player is erased."""

from __future__ import annotations

from django.db import models

from games.models.player import Player


class DataRequest(models.Model):
    """A request to send players their data, or to empty the mails of somebody who is erased.

    Written in the transaction that decides it; `mailer`, which keeps the mails, carries it out.
    """

    class Kind(models.TextChoices):
        EXPORT = "export", "send the player all that is kept about them"
        ERASE = "erase", "empty the mails of an erased player"

    player = models.ForeignKey(Player, related_name="data_requests", on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    by = models.CharField(max_length=150, blank=True, help_text="Empty: the player asked for it")
    notes = models.BooleanField(
        default=False, help_text="Whether the moderators' notes go along with an export"
    )
    emails: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, help_text="Whose mails are to be emptied; nothing is left here afterwards"
    )
    at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0, help_text="How often carrying it out broke")
    again_at = models.DateTimeField(
        null=True, blank=True, help_text="When it is tried again after it broke"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(done_at__isnull=True), name="data_to_carry_out"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.player}"


class BarredAddress(models.Model):
    """A code of an address whose player was suspended or banned when erased.

    Nobody can read the address back from it. Compared with an address that somebody registers, it
    says whether they are the same (`games.services.moderation.bans_kept`). The player's row says
    until when it holds.
    """

    digest = models.CharField(max_length=64, unique=True)
    player = models.ForeignKey(Player, related_name="barred_addresses", on_delete=models.CASCADE)

    def __str__(self) -> str:
        return f"an address of {self.player}"
