"""The phases of a game, the order sets given in them, and who is ready."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal, TypedDict

from django.db import models

from games.board_json import OutcomeJson, StateJson
from games.models.game import Game, Power, Seat

BOARDS = ("position", "orders", "outcome")
"""The columns of a phase that take some kilobytes each. Lists leave them in the database, as do
queries that need only the name of a row's phase."""
OF_PHASE = tuple(f"phase__{one}" for one in BOARDS)
"""The same columns, as a row that points at a phase names them."""
Lines = dict[str, list[str]]
"""What each power wrote, in the order of the lines."""


class Phase(models.Model):
    """One phase: the position at its start, when it is due, and its result.

    `position` is the judge's state. `orders` is what was adjudicated, per power as written; with
    `engine` and `orders_sha256` a later run can be held against `outcome`, the judge's results.
    """

    class Status(models.TextChoices):
        OPEN = "open", "open"
        PROCESSED = "processed", "processed"
        STUCK = "stuck", "stuck"
        UNDONE = "undone", "undone by a rollback"
        CLOSED = "closed", "left open when the game ended"

    game = models.ForeignKey(  # found by `each_phase_once`
        Game, related_name="phases", db_index=False, on_delete=models.CASCADE
    )
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    name = models.CharField(max_length=10, help_text="S1901M")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    position: models.JSONField[StateJson, StateJson] = models.JSONField()
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    all_in_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Since when every order is in and nobody waits",
        verbose_name="all orders in since",
    )
    extended_at = models.DateTimeField(
        null=True, blank=True, help_text="When the deadline was last moved: all must speak again"
    )
    second_chance_at = models.DateTimeField(
        null=True, blank=True, help_text="When the deadline was extended for missing orders"
    )
    overdue_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when the phase waits for missing orders"
    )
    reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="Until when reminders have been seen to"
    )
    remind_at = models.DateTimeField(
        null=True, blank=True, help_text="When somebody may have to be reminded next"
    )
    orders: models.JSONField[Lines | None, Lines | None] = models.JSONField(null=True, blank=True)
    orders_sha256 = models.CharField(max_length=64, blank=True, verbose_name="digest of the orders")
    engine = models.CharField(max_length=40, blank=True, verbose_name="adjudicated by")
    outcome: models.JSONField[OutcomeJson | None, OutcomeJson | None] = models.JSONField(
        null=True, blank=True
    )
    processed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True, verbose_name="next try")
    error = models.TextField(blank=True)

    position_read: tuple[object, Any] | None = None
    """Its position, and what the judge read from it, if somebody asked (`current_orders`)."""

    class Meta:
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_phase_once"),
            models.UniqueConstraint(
                fields=["game"],
                condition=models.Q(status__in=["open", "stuck"]),
                name="one_open_phase_per_game",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(status="open"), name="phase_due"),
            models.Index(
                fields=["all_in_at"],
                condition=models.Q(status="open", all_in_at__isnull=False),
                name="phase_all_in",
            ),
            models.Index(
                fields=["overdue_at"],
                condition=models.Q(status__in=["open", "stuck"], overdue_at__isnull=False),
                name="phase_overdue",
            ),
            models.Index(fields=["game"], condition=models.Q(status="stuck"), name="phase_stuck"),
            models.Index(fields=["opened_at"], name="phase_opened"),
            models.Index(
                fields=["remind_at"],
                condition=models.Q(status="open", remind_at__isnull=False),
                name="phase_remind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    @property
    def timed_from(self) -> dt.datetime:
        """When its deadline was set: at the opening, or when the deadline last moved."""
        return self.extended_at or self.opened_at

    @property
    def state_left(self) -> StateJson:
        """The position after it; until it is adjudicated, the one it began with."""
        return self.outcome["next"] if self.outcome else self.position


UNFINISHED = (Phase.Status.OPEN, Phase.Status.STUCK)
"""A game that is being played has exactly one phase with one of these states."""


ProblemKind = Literal["unreadable", "ambiguous", "illegal"]
"""Why a line is no order: it cannot be read, may mean several things, or may not be given."""


class ReadLine(TypedDict):
    """How we understood a line of an order set, as its receipt said.

    `line` is its number in the mail. `order` is None where it could not be read, `problem` says why
    it is not followed, with `suggestions` of what to write instead, and `note` what was taken for
    granted. `counts` is also False for an order that another one replaced. The oldest rows have all
    these keys.
    """

    line: int
    text: str
    order: str | None
    problem: str | None
    kind: ProblemKind | None
    suggestions: list[str]
    note: str | None
    counts: bool


class OrderSet(models.Model):
    """One submission of orders, kept for ever. Among those that count, the latest one holds.

    `seat` is whose orders they are; where the GM set them it is None, and `by` names the GM.
    `lines` are the order lines as written, top to bottom. `reading` is what the player was told
    of each.
    """

    class Mode(models.TextChoices):
        REPLACE = "replace", "replaces the earlier set"
        AMEND = "amend", "adds to the earlier set"

    phase = models.ForeignKey(  # found by `a_repeated_mail_changes_nothing`
        Phase, related_name="order_sets", db_index=False, on_delete=models.CASCADE
    )
    power = models.ForeignKey(Power, related_name="order_sets", on_delete=models.CASCADE)
    seat = models.ForeignKey(
        Seat, null=True, blank=True, related_name="order_sets", on_delete=models.PROTECT
    )
    by = models.CharField(
        max_length=150,
        blank=True,
        help_text="The GM who set them; empty: the player did",
        verbose_name="set by",
    )
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.REPLACE)
    lines: models.JSONField[list[str], list[str]] = models.JSONField()
    reading: models.JSONField[list[ReadLine], list[ReadLine]] = models.JSONField()
    counts = models.BooleanField(
        default=True, help_text="False: late, or without a single order that could be followed"
    )
    late = models.BooleanField(default=False)
    received_at = models.DateTimeField(
        help_text="When our mail server had it", verbose_name="received"
    )
    recorded_at = models.DateTimeField(verbose_name="recorded")
    source = models.CharField(max_length=255, help_text="Where it came from, e.g. a Message-ID")
    digest = models.CharField(
        max_length=64,
        help_text="By which a copy of its mail is known (games/queries/orders/same_mail.py)",
    )
    salt = models.CharField(
        max_length=32,
        blank=True,
        db_default="",
        help_text="Seals what stands after it (games/proofs)",
    )

    class Meta:
        ordering = ["phase", "received_at", "id"]
        permissions = [("view_open_orders", "Can see orders before the deadline")]
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "power", "digest"], name="a_repeated_mail_changes_nothing"
            )
        ]
        indexes = [  # the few that stand out among many
            models.Index(fields=["id"], condition=models.Q(late=True), name="order_set_late"),
            models.Index(fields=["id"], condition=models.Q(counts=False), name="order_set_void"),
            models.Index(fields=["id"], condition=models.Q(mode="amend"), name="order_set_amends"),
        ]

    def __str__(self) -> str:
        return f"{self.power.name} {self.phase.name} #{self.pk}"


class Readiness(models.Model):
    """A power's word on early processing in one phase: READY or WAIT. Without a row it has said
    nothing."""

    class Word(models.TextChoices):
        READY = "ready", "ready"
        WAIT = "wait", "wait"

    phase = models.ForeignKey(Phase, related_name="readiness", on_delete=models.CASCADE)
    power = models.ForeignKey(Power, related_name="readiness", on_delete=models.CASCADE)
    word = models.CharField(max_length=10, choices=Word.choices)
    said_at = models.DateTimeField(verbose_name="said")
    noted = models.BooleanField(
        default=False,
        db_default=False,
        help_text="The server noted this WAIT: orders were not followed. The next ones end it.",
    )

    class Meta:
        verbose_name_plural = "readiness"
        constraints = [
            models.UniqueConstraint(fields=["phase", "power"], name="one_word_per_power")
        ]

    def __str__(self) -> str:
        return f"{self.power.name} {self.phase.name}: {self.word}"
