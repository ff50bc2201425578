"""Mail in, mail out, and the secrets in reply addresses."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models import Address, Event, Game, Offer, OrderSet, Phase, Player, Press, Seat


class Mailbox(models.Model):
    """An IMAP mailbox we read and how far we have read it."""

    url = models.CharField(max_length=255, unique=True, help_text="Without the password")
    uidvalidity = models.BigIntegerField(null=True, blank=True)
    last_uid = models.BigIntegerField(default=0)
    last_ok_poll = models.DateTimeField(
        null=True, blank=True, help_text="Start of the last poll that stored all there was"
    )
    failing_since = models.DateTimeField(
        null=True, blank=True, help_text="First of the polls that failed since the last good one"
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
        IGNORED = "ignored", "ignored (a machine wrote it)"
        HELD = "held", "held until the sender is confirmed"
        LATER = "later", "kept for later: too many from one sender"
        REPORT = "report", "a server's report about a mail of ours"
        QUARANTINED = "quarantined", "set aside: it broke the program"
        UNFETCHED = "unfetched", "cannot be fetched from its mailbox"

    mailbox = models.ForeignKey(Mailbox, related_name="mails", on_delete=models.PROTECT)
    uidvalidity = models.BigIntegerField()
    uid = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    raw = models.BinaryField()
    received_at = models.DateTimeField(help_text="When our mail server had it (INTERNALDATE)")
    stored_at = models.DateTimeField()
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
    retry_at = models.DateTimeField(null=True, blank=True)
    holds = models.ManyToManyField(
        Game,
        blank=True,
        related_name="held_up_by",
        help_text="The games that wait until this mail, which was set aside, is settled",
    )
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="When an operator let it go, so that no game waits for it"
    )
    error = models.TextField(blank=True)
    note = models.CharField(max_length=200, blank=True, help_text="Why it was ignored or held")
    message_id = models.CharField(max_length=255, blank=True)
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
        related_name="reports",
        on_delete=models.PROTECT,
        help_text="The mail of ours that it reports on",
    )
    processed_at = models.DateTimeField(null=True, blank=True)

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
        ]

    def __str__(self) -> str:
        return f"#{self.pk} from {self.sender or 'somebody'}"


class OutboundMail(models.Model):
    """One mail to one recipient, rendered and committed with what it tells; sent afterwards."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        SENT = "sent", "sent"
        FAILED = "failed", "failed for good"

    class Priority(models.IntegerChoices):
        RECEIPT = 10
        RESULT = 20
        NOTICE = 30

    class Pictures(models.TextChoices):
        """What a mail shows of its phase."""

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
        InboundMail, null=True, blank=True, related_name="answers", on_delete=models.PROTECT
    )
    message_id = models.CharField(max_length=255, unique=True)
    subject = models.CharField(max_length=255)
    body = models.TextField()
    reply_to = models.CharField(max_length=254, blank=True)
    cc = models.CharField(
        max_length=254, blank=True, help_text="Only shown: where an answer to all goes"
    )
    in_reply_to = models.CharField(max_length=255, blank=True)
    references = models.TextField(blank=True)
    on_yes = models.TextField(
        blank=True, help_text="The lines that the word YES stands for in an answer to it"
    )
    opens = models.ForeignKey(
        Phase,
        null=True,
        blank=True,
        related_name="+",
        on_delete=models.PROTECT,
        help_text="The phase whose thread it begins, in this player's mailbox",
    )
    html = models.BooleanField(default=False, help_text="Whether it has an HTML part")
    buttons = models.JSONField(default=list, help_text="Of each what it says and what it answers")
    pictures = models.CharField(max_length=10, choices=Pictures.choices, blank=True)
    pictured = models.ForeignKey(
        Phase,
        null=True,
        blank=True,
        related_name="+",
        on_delete=models.PROTECT,
        help_text="The phase of which it carries pictures",
    )
    trial = models.JSONField(
        null=True, blank=True, help_text="The results of orders tried out, and what would be next"
    )
    calendars = models.JSONField(
        default=list, help_text="Of each calendar file its method and its text"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    created_at = models.DateTimeField()
    not_before = models.DateTimeField()
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_by = models.CharField(
        max_length=32, blank=True, help_text="The mark of the worker that is sending it"
    )
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    bounce_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the secret in its envelope sender"
    )
    bounced_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was reported that it did not arrive"
    )
    bounce = models.TextField(blank=True, help_text="What the latest report about it said")

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
        ]

    def __str__(self) -> str:
        return f"#{self.pk} to {self.recipient} ({self.kind})"


class Picture(models.Model):
    """A phase drawn for mails, once for all of them, by whoever sent the first.

    Those who may read a game's results may all read the same, so one picture does for all. Where
    it could not be drawn `png` is empty, and stays so: a mail that is sent twice is the same mail.
    """

    class View(models.TextChoices):
        ORDERS = "orders", "what was ordered, and what came of it"
        BOARD = "board", "the board afterwards"
        POSITION = "position", "the board with which the phase began"

    phase = models.ForeignKey(Phase, related_name="pictures", on_delete=models.CASCADE)
    view = models.CharField(max_length=10, choices=View.choices)
    png = models.BinaryField()
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    alt = models.TextField(blank=True)
    caption = models.TextField(blank=True)
    file_name = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "view"], name="each_view_drawn_once")
        ]

    def __str__(self) -> str:
        return f"{self.phase} {self.view}"


class ReplyToken(models.Model):
    """What the secret in a reply address stands for. Only its SHA-256 is kept.

    The secret itself is derived from SECRET_KEY and this row (addresses.py), so that the same
    reply address can be written into every mail of a phase.
    """

    class Purpose(models.TextChoices):
        SEAT = "seat", "orders and commands of a power in a phase"
        ADDRESS = "address", "confirms an address"
        MAIL = "mail", "confirms a held mail"
        ANSWER = "answer", "answers press, to its writer"
        ANSWER_ALL = "answer_all", "answers press, to all who take part"
        OFFER = "offer", "takes a seat that was offered"
        MODERATORS = "moderators", "answers what a moderator wrote"
        HERE = "here", "says before the start that its player is here"
        GM = "gm", "commands of a game's GM"
        GM_ANSWER = "gm_answer", "answers press, for the GM"
        GM_MAIL = "gm_mail", "confirms a held mail of a GM"

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    digest = models.CharField(max_length=64, unique=True)
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.CASCADE)
    phase = models.ForeignKey(Phase, null=True, blank=True, on_delete=models.CASCADE)
    press = models.ForeignKey(Press, null=True, blank=True, on_delete=models.CASCADE)
    address = models.ForeignKey(Address, null=True, blank=True, on_delete=models.CASCADE)
    mail = models.ForeignKey(InboundMail, null=True, blank=True, on_delete=models.CASCADE)
    offer = models.ForeignKey(Offer, null=True, blank=True, on_delete=models.CASCADE)
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.CASCADE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        help_text="The GM whom it was given to",
    )
    stamp = models.CharField(
        max_length=64, blank=True, help_text="How the game stood when the GM was asked"
    )
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.purpose} #{self.pk}"


class OrderMail(models.Model):
    """Which mail an order set came in."""

    order_set = models.OneToOneField(OrderSet, related_name="mail", on_delete=models.CASCADE)
    mail = models.ForeignKey(InboundMail, related_name="order_sets", on_delete=models.PROTECT)

    def __str__(self) -> str:
        return f"{self.order_set} in mail #{self.mail_id}"
