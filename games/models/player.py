"""Who plays: a person and the addresses they are known by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import models
from django.db.models.functions import Upper

from games.models.prepared import Given, Query


class Player(models.Model):
    """A person. Kept for ever: seats, order sets and the log point here."""

    name = models.CharField(max_length=80)
    timezone = models.CharField(
        max_length=64, default="UTC", verbose_name="time zone", help_text="Like Europe/Berlin"
    )
    reminders = models.CharField(
        max_length=60, blank=True, help_text="Like a game's; empty: as each game does"
    )
    html = models.BooleanField(default=True, help_text="Whether mails have an HTML part")
    maps = models.BooleanField(default=True, help_text="Whether mails carry pictures of the board")
    calendar_files = models.BooleanField(
        default=True, help_text="Whether mails carry deadlines as calendar files"
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField(verbose_name="registered")
    suspended_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then they can take no seat"
    )
    muted_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then they can write no press"
    )
    banned_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when they may not play"
    )
    mail_paused_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Since when they get nothing from us but answers to their own mails",
    )
    addresses_frozen_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Since when moderators keep their addresses unchanged",
    )
    calendar_renewals = models.PositiveIntegerField(
        default=0, help_text="How often the player asked for a new address of their calendar"
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when nothing is left of who they were"
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        related_name="merged",
        on_delete=models.PROTECT,
        help_text="The same person's account that is used",
    )

    _known: Sequence[Address] | None = None
    """Their addresses, if somebody has read them."""

    class Meta:
        indexes = [
            models.Index(fields=["name"], name="player_name"),
            models.Index(fields=["created_at"], name="player_created"),
            models.Index(
                fields=["id"],
                condition=models.Q(banned_at__isnull=False)
                | models.Q(suspended_until__isnull=False),
                name="player_barred",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def record(self) -> Address | None:
        """The address of record, or else the first confirmed address; None before confirmation.

        Chosen here instead of in the database, because for many players all addresses are read at
        once.
        """
        return record_among(self._all_addresses)

    def is_at(self, email: str) -> bool:
        """Say whether this address, in upper or lower case, is one that they confirmed."""
        theirs = (one.email.lower() for one in self._all_addresses if one.confirmed_at)
        return email.lower() in theirs

    @property
    def _all_addresses(self) -> Iterable[Address]:
        if self._known is not None:
            return self._known
        if "addresses" in getattr(self, "_prefetched_objects_cache", ()):
            return self.addresses.all()
        theirs = _ADDRESSES.all(player=self.pk)
        for one in theirs:
            one.player = self
        return theirs

    def know_addresses(self, addresses: Sequence[Address]) -> None:
        """Take all of their addresses, which were read for many players at once."""
        self._known = addresses

    @property
    def address(self) -> str:
        """Where receipts and results go; "" before confirmation."""
        record = self.record
        return record.email if record else ""


_ADDRESSES = Query(lambda: Address.objects.filter(player=Given("player")))


def record_among(addresses: Iterable[Address]) -> Address | None:
    """Return the address of record among all addresses of one player (see `Player.record`)."""
    confirmed = ((one.confirmed_at, one) for one in addresses if one.confirmed_at)
    first = min(confirmed, key=lambda pair: (not pair[1].of_record, pair[0]), default=None)
    return first[1] if first else None


class Address(models.Model):
    """One e-mail address of a player; it counts as theirs once they have confirmed it."""

    player = models.ForeignKey(Player, related_name="addresses", on_delete=models.PROTECT)
    email = models.CharField(max_length=254, verbose_name="address")
    of_record = models.BooleanField(default=False, verbose_name="our mails go here")
    confirmed_at = models.DateTimeField(null=True, blank=True, verbose_name="confirmed")
    created_at = models.DateTimeField(verbose_name="added")
    failing_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when mails to it are known not to arrive"
    )
    failure = models.TextField(
        blank=True, help_text="What the other side said about that", verbose_name="what came back"
    )
    gave_way_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When we began to write elsewhere, after we had long written to it",
    )
    complained_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Since when nothing goes there that many get: somebody called it spam",
        verbose_name="called spam",
    )
    late_reports = models.PositiveSmallIntegerField(
        default=0,
        help_text="Mails that were late, or refused for what they are, since one came from there",
    )

    class Meta:
        verbose_name_plural = "addresses"
        constraints = [
            # Upper, not Lower: this index lets PostgreSQL find an address in any case (iexact).
            models.UniqueConstraint(Upper("email"), name="one_player_per_address"),
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(of_record=True),
                name="one_address_of_record",
            ),
        ]
        indexes = [
            models.Index(
                fields=["player"],
                condition=models.Q(failing_since__isnull=False),
                name="address_failing",
            )
        ]

    def __str__(self) -> str:
        return self.email
