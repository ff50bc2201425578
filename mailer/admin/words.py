"""What the pages of both kinds of mail say alike."""

from __future__ import annotations

from django.contrib import admin

from mailer.models import OutboundMail
from mailer.notices.kinds import words_of

HIDDEN = "hidden: it may hold orders or press of a game that is being played"


class InWords:
    """Says the kind of a mail in words."""

    @admin.display(description="kind")
    def about(self, mail: OutboundMail) -> str:
        return words_of(mail.kind)
