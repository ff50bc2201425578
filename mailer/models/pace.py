"""How fast we write to the servers of a domain."""

from __future__ import annotations

from django.db import models


class DomainPace(models.Model):
    """What went to one domain in the latest minute with any mail to it, and since when we have
    written there.

    Kept only if `DOMAIN_MAILS_PER_MINUTE` sets a limit, for all machines together.
    """

    domain = models.CharField(max_length=253, unique=True)
    since = models.DateTimeField()
    minute = models.DateTimeField(help_text="The minute that is counted")
    sent = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "pace of a domain"
        verbose_name_plural = "paces of domains"

    def __str__(self) -> str:
        return self.domain
