"""What happened, so that others can be told of it."""

from __future__ import annotations

from django.db import models

from games.models.game import Game
from games.models.phase import Phase

KIND_LABELS: dict[str, str] = {}
"""Every kind of event, with its label; the classes of `games.events` register themselves."""


def kinds() -> list[tuple[str, str]]:
    """Return the possible values of `Event.kind` (a callable, so that a new kind needs no
    migration)."""
    return list(KIND_LABELS.items())


class Event(models.Model):
    """Something that happened in a game, written in the transaction that made it happen.

    The mailer turns rows without `told_at` into notices. Nothing else of a row ever changes: they
    are a chain (`games.log`), `digest` over the content and over `previous`, the digest before.
    """

    game = models.ForeignKey(  # found by `each_event_once_in_a_log`
        Game, related_name="events", db_index=False, on_delete=models.CASCADE
    )
    phase = models.ForeignKey(
        Phase, null=True, blank=True, related_name="events", on_delete=models.CASCADE
    )
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    kind = models.CharField(max_length=40, choices=kinds)
    payload = models.JSONField(default=dict, verbose_name="facts")
    created_at = models.DateTimeField(verbose_name="recorded")
    salt = models.CharField(
        max_length=32,
        blank=True,
        db_default="",
        help_text="Lets single facts be proved while others stay secret",
    )
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    told_at = models.DateTimeField(null=True, blank=True, verbose_name="told")
    tell_attempts = models.PositiveIntegerField(
        default=0, help_text="How often telling it broke", verbose_name="failed attempts to tell"
    )
    tell_again_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it is tried again after it broke",
        verbose_name="next try",
    )

    left: object = None
    """What its transaction left behind for the code that tells people of it there
    (`games.queries.phases.aftermath`)."""

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_event_once_in_a_log")
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(told_at__isnull=True), name="untold"),
            models.Index(fields=["kind", "id"], name="event_kind"),
        ]

    def __str__(self) -> str:
        return f"“{self.get_kind_display()}” in {self.game}"
