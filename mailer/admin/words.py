"""What the pages for incoming and outgoing mails have in common."""

from __future__ import annotations

from django.contrib import admin

from mailer.models import OutboundMail
from mailer.notices.kinds import words_of

HIDDEN = "hidden: it may hold orders or press of a game that is being played"


class InWords:
    """A page that says the kind of a mail in words."""

    @admin.display(description="kind")
    def about(self, mail: OutboundMail) -> str:
        return words_of(mail.kind)
