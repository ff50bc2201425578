"""The moderators' notes about a player, and the letters between them."""

from __future__ import annotations

from django.db import models

from games.models.player import Player


class Conduct(models.Model):
    """One entry in a player's file with the moderators. Kept for ever.

    What holds now is in the player's own row (`Player.suspended_until`, `Player.banned_at`). An
    entry without `told_at` still has to be told: to the player or, if it needs them
    (`FOR_MODERATORS`), to the moderators. Notes are never told, nor that mail is paused.
    """

    class Kind(models.TextChoices):
        NOTE = "note", "note"
        ASKED = "asked", "the player asked"
        ANSWERED = "answered", "the player was answered"
        WRITTEN = "written", "a moderator wrote to the player"
        MUTED = "muted", "muted"
        UNMUTED = "unmuted", "allowed to write press again"
        SUSPENDED = "suspended", "suspended"
        BANNED = "banned", "banned"
        LIFTED = "lifted", "allowed to play again"
        MERGED = "merged", "two accounts merged"
        MAIL_PAUSED = "stilled", "mail paused"
        MAIL_RESUMED = "resumed", "mail comes again"
        FROZEN = "frozen", "addresses frozen"
        UNFROZEN = "unfrozen", "addresses no longer frozen"
        COMPLAINED = "complained", "called a mail of ours spam"
        ALIKE = "alike", "like somebody who may not play"

    FOR_MODERATORS = (Kind.ASKED, Kind.COMPLAINED, Kind.ALIKE)
    """Each of these is a case in their queue until somebody has dealt with it."""
    NOT_FOR_PLAYER = (Kind.NOTE, Kind.ALIKE)
    """These may reveal something about others."""

    player = models.ForeignKey(Player, related_name="conduct", on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    until = models.DateTimeField(null=True, blank=True, help_text="When a suspension ends")
    why = models.TextField()
    by = models.CharField(max_length=150)
    only_to = models.CharField(
        max_length=254,
        blank=True,
        default="",
        db_default="",
        help_text="The one address it is told to; empty: those that the player's other mails go to",
    )
    at = models.DateTimeField()
    settled_at = models.DateTimeField(
        null=True, blank=True, help_text="When a moderator had dealt with it"
    )
    told_at = models.DateTimeField(null=True, blank=True)
    tell_attempts = models.PositiveIntegerField(
        default=0, db_default=0, help_text="How often telling it broke"
    )
    tell_again_at = models.DateTimeField(
        null=True, blank=True, help_text="When it is tried again after it broke"
    )

    class Meta:
        ordering = ["-id"]
        verbose_name = "entry in a player's file"
        verbose_name_plural = "players' files"
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(told_at__isnull=True), name="conduct_untold"
            ),
            models.Index(
                fields=["at"],
                condition=models.Q(
                    kind__in=["asked", "complained", "alike"], settled_at__isnull=True
                ),
                name="conduct_unanswered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.kind}"

    @property
    def waits(self) -> bool:
        """Whether it is a case that no moderator has dealt with yet."""
        return self.kind in self.FOR_MODERATORS and self.settled_at is None
