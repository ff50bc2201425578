"""What happened, for whoever tells it."""

from __future__ import annotations

from django.db import models

from games.models.game import Game
from games.models.phase import Phase


class Event(models.Model):
    """Something that happened in a game, written in the transaction that made it happen.

    The mailer turns rows without `told_at` into notices. Nothing else of a row ever changes: they
    are a chain (`games.log`), `digest` over the content and over `previous`, the digest before.
    """

    class Kind(models.TextChoices):
        GAME_CREATED = "game_created"
        PLAYER_JOINED = "player_joined"
        PLAYER_WITHDRAWN = "player_withdrawn"
        MUSTER_BEGUN = "muster_begun"
        MUSTER_REMINDED = "muster_reminded"
        MUSTER_FAILED = "muster_failed"
        GAME_STARTED = "game_started"
        EXTENSION_ASKED = "extension_asked"
        DEADLINE_MOVED = "deadline_moved"
        ORDERS_OVERDUE = "orders_overdue"
        ORDERS_MISSING = "orders_missing"
        GAME_PAUSED = "game_paused"
        GAME_RESUMED = "game_resumed"
        GAME_ROLLED_BACK = "game_rolled_back"
        SETTINGS_CHANGED = "settings_changed"
        ORDERS_SET = "orders_set"
        ORDERS_LOOKED_AT = "orders_looked_at"
        PRESS_SENT = "press_sent"
        PHASE_PROCESSED = "phase_processed"
        MISS_EXCUSED = "miss_excused"
        DISORDER_DECLARED = "disorder_declared"
        DISORDER_ENDED = "disorder_ended"
        SEAT_OPENED = "seat_opened"
        SEAT_OFFERED = "seat_offered"
        SEAT_RESIGNED = "seat_resigned"
        SEAT_VACATED = "seat_vacated"
        SEAT_RETURNED = "seat_returned"
        SEAT_TAKEN = "seat_taken"
        ACCOUNTS_MERGED = "accounts_merged"
        PHASE_HELD = "phase_held"
        PHASE_STUCK = "phase_stuck"
        VOTE_PROPOSED = "vote_proposed"
        VOTE_CAST = "vote_cast"
        VOTE_CLOSED = "vote_closed"
        GAME_FINISHED = "game_finished"

    game = models.ForeignKey(Game, related_name="events", on_delete=models.CASCADE)
    phase = models.ForeignKey(
        Phase, null=True, blank=True, related_name="events", on_delete=models.CASCADE
    )
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    kind = models.CharField(max_length=40, choices=Kind.choices)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    told_at = models.DateTimeField(null=True, blank=True)
    tell_attempts = models.PositiveIntegerField(default=0, help_text="How often telling it broke")
    tell_again_at = models.DateTimeField(
        null=True, blank=True, help_text="When it is tried again after it broke"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_event_once_in_a_log")
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(told_at__isnull=True), name="untold")
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.game}"
