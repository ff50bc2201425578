"""The mailboxes that we read, and the mails exactly as they came."""

from __future__ import annotations

import datetime as dt
import logging

from django.contrib.postgres.indexes import BrinIndex
from django.db import models

from games.models import Game, OrderSet, Player
from games.models.stored import Save
from mailer.models.indexes import filled_only

logger = logging.getLogger(__name__)


class Mailbox(models.Model):
    """An IMAP mailbox we read and how far we have read it."""

    url = models.CharField(
        max_length=255, unique=True, help_text="Without the password", verbose_name="mailbox"
    )
    uidvalidity = models.BigIntegerField(null=True, blank=True, verbose_name="UIDVALIDITY")
    last_uid = models.BigIntegerField(default=0, verbose_name="last UID")
    last_ok_poll = models.DateTimeField(
        null=True, blank=True, help_text="Start of the last poll that stored all there was"
    )
    failing_since = models.DateTimeField(
        null=True, blank=True, help_text="First of the polls that failed since the last good one"
    )
    refused_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the server last did so",
        verbose_name="our login was refused",
    )
    gap_from = models.DateTimeField(
        null=True, blank=True, help_text="Last good poll before the latest outage"
    )
    gap_to = models.DateTimeField(
        null=True, blank=True, help_text="First good poll after the latest outage"
    )

    settling_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then no deadline counts: the server's clock jumped"
    )

    class Meta:
        verbose_name_plural = "mailboxes"

    def __str__(self) -> str:
        return self.url


class InboundMail(models.Model):
    """A mail exactly as it came. Stored first, worked on second, tidied on the server last."""

    class State(models.TextChoices):
        NEW = "new", "new"
        DONE = "done", "done"
        IGNORED = "ignored", "ignored"
        HELD = "held", "held until the sender is confirmed"
        LATER = "later", "kept for later: too many in an hour"
        REPORT = "report", "a server's report about a mail of ours"
        QUARANTINED = "quarantined", "set aside: it broke the program"
        UNFETCHED = "unfetched", "cannot be fetched from its mailbox"

    mailbox = models.ForeignKey(  # found by `inbound_uid`
        Mailbox, related_name="mails", db_index=False, on_delete=models.PROTECT
    )
    uidvalidity = models.BigIntegerField()
    uid = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    raw = models.BinaryField()
    received_at = models.DateTimeField(help_text="When our mail server had it (INTERNALDATE)")
    stored_at = models.DateTimeField(verbose_name="stored")
    state = models.CharField(max_length=12, choices=State.choices, default=State.NEW)
    attempts = models.PositiveIntegerField(
        default=0, help_text="Attempts that failed because of it"
    )
    setbacks = models.PositiveIntegerField(
        default=0, help_text="Attempts that a killed worker or a sick database ended"
    )
    working_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when a worker is at it"
    )
    died_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last worker that vanished over it had begun"
    )
    retry_at = models.DateTimeField(null=True, blank=True, verbose_name="next try")
    holds = models.ManyToManyField(
        Game,
        blank=True,
        related_name="held_up_by",
        help_text="The games that wait until this mail, which was set aside, is settled",
        verbose_name="games that wait for it",
    )
    released_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When an operator let it go, so that no game waits for it",
        verbose_name="let go",
    )
    error = models.TextField(blank=True)
    note = models.CharField(max_length=200, blank=True, help_text="Why it was ignored or held")
    message_id = models.CharField(max_length=255, blank=True, verbose_name="Message-ID")
    sender = models.CharField(
        max_length=254, blank=True, help_text="Whom its From line names, proved or not"
    )
    subject = models.CharField(max_length=255, blank=True)
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT)
    proof = models.CharField(
        max_length=16, blank=True, help_text="How its sender showed who they are"
    )
    signed_by = models.CharField(
        max_length=255, blank=True, help_text="Domains whose DKIM signature we found valid"
    )
    dkim_checked_at = models.DateTimeField(null=True, blank=True)
    bounce_of = models.ForeignKey(
        "OutboundMail",
        null=True,
        blank=True,
        db_index=False,
        related_name="reports",
        on_delete=models.PROTECT,
        help_text="The mail of ours that it reports on",
        verbose_name="report about",
    )
    processed_at = models.DateTimeField(null=True, blank=True, verbose_name="dealt with")
    emptied_at = models.DateTimeField(
        null=True, blank=True, help_text="When its words were removed, as too old or on request"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["mailbox", "sha256"], name="each_mail_stored_once"),
        ]
        indexes = [
            models.Index(
                fields=["received_at"], condition=models.Q(state="new"), name="inbound_to_do"
            ),
            models.Index(fields=["mailbox", "uidvalidity", "uid"], name="inbound_uid"),
            models.Index(fields=["message_id"], name="inbound_message_id"),
            models.Index(fields=["sender", "processed_at"], name="inbound_sender"),
            models.Index(
                fields=["retry_at"], condition=models.Q(state="later"), name="inbound_later"
            ),
            models.Index(
                fields=["state", "received_at"],
                condition=models.Q(state__in=["quarantined", "unfetched"], released_at=None),
                name="inbound_stuck",
            ),
            models.Index(
                fields=["processed_at"],
                condition=models.Q(emptied_at=None),
                name="inbound_to_empty",
            ),
            models.Index(
                fields=["state", "id"],
                condition=~models.Q(state__in=["new", "done"]),
                name="inbound_special",
            ),
            BrinIndex(fields=["received_at"], name="inbound_received"),
            filled_only("bounce_of", "inbound"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} from {self.sender or 'somebody'}"

    def settle(self, state: State, *, note: str, now: dt.datetime) -> None:
        """Decide what becomes of the mail, and write it down."""
        self.decide(state, note=note, now=now)
        _SETTLED.one(self)

    def decide(self, state: State, *, note: str, now: dt.datetime) -> None:
        """Decide what becomes of the mail, for code that writes it down (`settle_all`)."""
        self.state, self.note, self.processed_at = state, note[:200], now
        self.working_since = None
        why = f" {self.note}" if state == self.State.IGNORED else ""
        logger.info("Mail #%s is %s.%s", self.pk, state.value, why)

    def put_off(self, until: dt.datetime, *, note: str) -> None:
        """Have somebody work on the mail later, as if it came then."""
        self.state, self.note = self.State.LATER, note
        self.attempts, self.retry_at, self.working_since = 0, until, None
        self.save(update_fields=["attempts", "retry_at", *_KNOWN])


_KNOWN = (
    *("state", "note", "working_since"),
    *("player", "proof", "bounce_of", "message_id", "sender", "subject", "error"),
)
"""What a worker finds out about a mail. We never write the raw mail again."""
_SETTLED = Save(InboundMail, "processed_at", *_KNOWN)
settle_all = _SETTLED.all
"""Writes down what we decided about mails."""


class OrderMail(models.Model):
    """Which mail an order set came in."""

    order_set = models.OneToOneField(OrderSet, related_name="mail", on_delete=models.CASCADE)
    mail = models.ForeignKey(InboundMail, related_name="order_sets", on_delete=models.PROTECT)

    def __str__(self) -> str:
        return f"{self.order_set} in mail #{self.mail_id}"
