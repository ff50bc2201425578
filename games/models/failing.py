"""Which staff cannot be reached by mail."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class FailingUser(models.Model):
    """A user of the admin whose mails bounce, since when, and what the other side said.

    Users have one address each. The row is deleted when a mail arrives there again, or comes from
    there.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, related_name="failing", on_delete=models.CASCADE
    )
    since = models.DateTimeField()
    failure = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.user}, since {self.since}"
