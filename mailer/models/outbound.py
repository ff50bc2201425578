"""The mails that we send, and the pictures that some of them carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.contrib.postgres.indexes import BrinIndex
from django.db import models

from games.events.facts import in_words
from games.models import Event, Phase, Player
from mailer.models.inbound import InboundMail
from mailer.models.indexes import filled_only

if TYPE_CHECKING:  # the board
    from games.queries.board import ResultJson, StateJson
    from games.queries.reports.calendars import Method

    CalendarJson = tuple[Method, str]
    """Its method, and its text. JSON gives the pair back as a list."""

WORDS = ("body", "on_yes", "buttons", "trial", "calendars")
"""The columns of a mail that may take some kilobytes each: lists leave them in the database."""


class TrialJson(TypedDict):
    """Orders tried out: their results, as far as the reader may see them, and what would be next.

    Results and position are as a phase stores them.
    """

    results: list[ResultJson]
    next: StateJson


class OutboundMail(models.Model):
    """One mail to one recipient, rendered and committed together with what it tells; sent
    afterwards."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        SENT = "sent", "sent"
        FAILED = "failed", "failed for good"
        KEPT = "kept", "kept back"

    class Priority(models.IntegerChoices):
        RECEIPT = 10
        RESULT = 20
        NOTICE = 30

    class Pictures(models.TextChoices):
        """The kinds of picture of its phase that a mail shows."""

        RESULTS = "results", "the orders, and the board that they left"
        POSITION = "position", "the board with which it began"
        TRIAL = "trial", "orders tried out, and the board that they would leave"

    key = models.CharField(max_length=200, unique=True, help_text="What makes it the same mail")
    kind = models.CharField(max_length=40)
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.NOTICE)
    recipient = models.CharField(max_length=254)
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT)
    event = models.ForeignKey(Event, null=True, blank=True, on_delete=models.PROTECT)
    answers = models.ForeignKey(
        InboundMail,
        null=True,
        blank=True,
        db_index=False,
        related_name="answers",
        on_delete=models.PROTECT,
        verbose_name="answer to",
    )
    message_id = models.CharField(max_length=255, unique=True, verbose_name="Message-ID")
    subject = models.CharField(max_length=255)
    body = models.TextField()
    reply_to = models.CharField(max_length=254, blank=True)
    cc = models.CharField(
        max_length=254, blank=True, help_text="Only shown: where an answer to all goes"
    )
    in_reply_to = models.CharField(max_length=255, blank=True, verbose_name="In-Reply-To")
    references = models.TextField(blank=True, verbose_name="References")
    on_yes = models.TextField(
        blank=True, help_text="The lines that the word YES stands for in an answer to it"
    )
    opens = models.ForeignKey(
        Phase,
        null=True,
        blank=True,
        db_index=False,
        related_name="+",
        on_delete=models.PROTECT,
        help_text="The phase whose thread it begins, in this player's mailbox",
    )
    html = models.BooleanField(default=False, help_text="Whether it has an HTML part")
    buttons: models.JSONField[list[list[str]], list[list[str]]] = models.JSONField(
        default=list, help_text="Of each what it says and what it answers"
    )
    pictures = models.CharField(max_length=10, choices=Pictures.choices, blank=True)
    pictured = models.ForeignKey(
        Phase,
        null=True,
        blank=True,
        db_index=False,
        related_name="+",
        on_delete=models.PROTECT,
        help_text="The phase of which it carries pictures",
    )
    viewer = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="The power for whose player they are drawn, in fog of war",
    )
    trial: models.JSONField[TrialJson | None, TrialJson | None] = models.JSONField(
        null=True, blank=True, help_text="The results of orders tried out, and what would be next"
    )
    calendars: models.JSONField[list[CalendarJson], list[CalendarJson]] = models.JSONField(
        default=list, help_text="Of each calendar file its method and its text"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    created_at = models.DateTimeField(verbose_name="created")
    not_before = models.DateTimeField(verbose_name="not sent before")
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_by = models.CharField(
        max_length=32, blank=True, help_text="The mark of the worker that is sending it"
    )
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True, blank=True, verbose_name="sent")
    bounce_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the secret in its envelope sender"
    )
    bounced_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it was reported that it did not arrive",
        verbose_name="came back",
    )
    bounce = models.TextField(
        blank=True, help_text="What the latest report about it said", verbose_name="report about it"
    )
    emptied_at = models.DateTimeField(
        null=True, blank=True, help_text="When its words were removed, as too old or on request"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["recipient", "created_at"], name="outbound_recipient"),
            models.Index(fields=["bounce_digest"], name="outbound_bounce"),
            models.Index(
                fields=["created_at"], condition=models.Q(state="failed"), name="outbound_failed"
            ),
            models.Index(
                fields=["bounced_at"],
                condition=models.Q(bounced_at__isnull=False),
                name="outbound_bounced",
            ),
            models.Index(
                fields=["priority", "not_before"],
                condition=models.Q(state="queued"),
                name="outbound_to_send",
            ),
            models.Index(
                fields=["recipient", "id"],
                condition=models.Q(state="queued"),
                name="outbound_in_order",
            ),
            models.Index(
                fields=["created_at"],
                condition=models.Q(emptied_at=None),
                name="outbound_to_empty",
            ),
            models.Index(
                fields=["player", "id"],
                condition=models.Q(state="kept"),
                name="outbound_kept",
            ),
            models.Index(  # most are of these kinds, and found without it
                fields=["kind", "id"],
                condition=~models.Q(kind__in=["reply", "phase_processed"]),
                name="outbound_kind",
            ),
            BrinIndex(fields=["created_at"], name="outbound_created"),
            *(filled_only(name, "outbound") for name in ("answers", "opens", "pictured")),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} to {self.recipient} ({in_words(self.kind)})"


class AttachedFile(models.Model):
    """A file that a mail of a kind in `FILED` carries, deleted soon after the mail was sent.

    It has a table of its own, because hardly any mail carries a file, and rows of mails are read
    often.
    """

    FILED = frozenset({"own_data"})

    mail = models.OneToOneField(OutboundMail, related_name="file", on_delete=models.CASCADE)
    name = models.CharField(max_length=80)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.name} with mail #{self.mail_id}"


class Picture(models.Model):
    """A phase drawn for mails, once for all that show the same, by the worker that sends the first
    one.

    Everybody who may read a game's results sees the same, so one picture is enough; in fog of war
    there is one for each `viewer`, the power whose player sees it. If it could not be drawn, `png`
    is empty and `width` 0, and stays so: a mail sent twice is the same mail.
    """

    class View(models.TextChoices):
        ORDERS = "orders", "what was ordered, and what came of it"
        BOARD = "board", "the board afterwards"
        POSITION = "position", "the board with which the phase began"

    phase = models.ForeignKey(Phase, related_name="pictures", on_delete=models.CASCADE)
    view = models.CharField(max_length=10, choices=View.choices)
    viewer = models.CharField(max_length=40, blank=True, default="", db_default="")
    png = models.BinaryField()
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    alt = models.TextField(blank=True)
    caption = models.TextField(blank=True)
    file_name = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "view", "viewer"], name="each_view_drawn_once_for_a_viewer"
            )
        ]
        indexes = [
            models.Index(fields=["phase"], condition=models.Q(width=0), name="picture_undrawn")
        ]

    def __str__(self) -> str:
        return f"{self.phase} {self.view}"
