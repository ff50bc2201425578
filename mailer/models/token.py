"""The secrets in reply addresses."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models import Address, Game, Offer, Phase, Press, Seat
from mailer.models.inbound import InboundMail
from mailer.models.indexes import filled_only


class ReplyToken(models.Model):
    """What the secret in a reply address stands for. Only the secret's SHA-256 is stored.

    The secret itself is derived from SECRET_KEY and this row (addresses.py), so every mail of a
    phase can have the same reply address.
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
    seat = models.ForeignKey(Seat, null=True, blank=True, db_index=False, on_delete=models.CASCADE)
    phase = models.ForeignKey(
        Phase, null=True, blank=True, db_index=False, on_delete=models.CASCADE
    )
    press = models.ForeignKey(
        Press, null=True, blank=True, db_index=False, on_delete=models.CASCADE
    )
    address = models.ForeignKey(
        Address, null=True, blank=True, db_index=False, on_delete=models.CASCADE
    )
    mail = models.ForeignKey(
        InboundMail, null=True, blank=True, db_index=False, on_delete=models.CASCADE
    )
    offer = models.ForeignKey(
        Offer, null=True, blank=True, db_index=False, on_delete=models.CASCADE
    )
    game = models.ForeignKey(Game, null=True, blank=True, db_index=False, on_delete=models.CASCADE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        db_index=False,
        on_delete=models.CASCADE,
        help_text="The GM whom it was given to",
    )
    stamp = models.CharField(
        max_length=64, blank=True, help_text="How the game stood when the GM was asked"
    )
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            filled_only(name, "token")
            for name in ("seat", "phase", "press", "address", "mail", "offer", "game", "user")
        ]

    def __str__(self) -> str:
        return f"{self.purpose} #{self.pk}"
