"""Which moderator takes care of which case."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Care(models.Model):
    """Moderators' notes on one case of their queue: who is on it, and until when it rests.

    The case itself is not a row: it exists as long as something needs somebody. `case` is its key,
    like "power/12" (`games.queries.moderators.cases`).
    """

    case = models.CharField(max_length=40, unique=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text="Who is on it",
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then it needs nobody"
    )

    class Meta:
        verbose_name = "case of the moderators' queue"
        verbose_name_plural = "cases of the moderators' queue"

    def __str__(self) -> str:
        return self.case
