"""Mails that came in, and how far each mailbox has been read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import ReadOnlyAdmin, ReadOnlyInline
from games.admin.lists import DayFilter
from games.queries.reports.wording import NOTHING, counted, listed, utc_moment
from mailer.admin.looks import MailPage, text_shown
from mailer.admin.words import HIDDEN, InWords
from mailer.inbound import holds
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.models.outbound import WORDS
from mailer.replies import budget

NONE_STUCK = "None of these mails was set aside or could not be fetched."


@admin.register(Mailbox)
class MailboxAdmin(ReadOnlyAdmin):
    """How far every mailbox has been read."""

    list_display = ["url", "read_up_to", "last_uid", "uidvalidity"]
    readonly_fields = ["read_up_to"]

    @admin.display(description="read completely up to", ordering="last_ok_poll")
    def read_up_to(self, mailbox: Mailbox) -> str:
        return utc_moment(mailbox.last_ok_poll)


class AnswerInline(InWords, ReadOnlyInline):
    """Our answers to a mail; an answer's own page has its text."""

    model = OutboundMail
    fk_name = "answers"
    fields = ["about", "recipient", "state", "created_at", "sent_at"]
    readonly_fields = ["about"]
    verbose_name_plural = "answers"

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboundMail]:
        """Leave the texts of the mails in the database."""
        return super().get_queryset(request).defer(*WORDS)


@admin.register(InboundMail)
class InboundMailAdmin(MailPage):
    """Every mail that came in, unchanged."""

    list_display = ["id", "received", "sender", "player", "state", "attempts", "note"]
    list_filter = ["state", "mailbox", ("received_at", DayFilter)]
    sortable_by = ["id"]
    list_select_related = ["player"]
    search_fields = ["sender__exact", "message_id__exact"]
    search_help_text = "The whole address it came from, or its Message-ID"
    actions = ["run_again", "let_go", "leave_unanswered"]
    inlines = [AnswerInline]
    related = ["mailbox", "player", "bounce_of"]
    unread = [f"bounce_of__{column}" for column in WORDS]
    facts = [
        "mailbox",
        "received",
        "stored_at",
        "sender",
        "player",
        "message_id",
        "proof",
        "signed_by",
        "bounce_of",
        "state",
        "note",
        "attempts",
        "setbacks",
        "retry_at",
        "waiting",
        "released_at",
        "processed_at",
        "error",
    ]
    readonly_fields = ["received", "waiting", "text", "hidden"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[InboundMail]:
        """Leave the mails themselves in the database: each page reads its own."""
        return super().get_queryset(request).defer("raw")

    def get_fields(self, request: HttpRequest, obj: InboundMail | None = None) -> Any:
        """Show what the mail says, or that it is hidden."""
        return [*self.facts, self.shown_or_hidden(request, obj)]

    def has_rework_permission(self, request: HttpRequest) -> bool:
        """Let anybody who may change mails have them worked on again."""
        return request.user.has_perm("mailer.change_inboundmail")

    @admin.action(
        description="Try again: mails that were set aside or could not be fetched",
        permissions=["rework"],
    )
    def run_again(self, request: HttpRequest, mails: QuerySet[InboundMail]) -> None:
        mail_ids = list(mails.values_list("pk", flat=True))
        number = holds.run_again(mail_ids=mail_ids, now=timezone.now())
        said = f"{counted(number, 'mail')} will be tried again within a minute."
        messages.info(request, said if number else NONE_STUCK)

    @admin.action(
        description="Let go: mails that were set aside or could not be fetched; no game waits",
        permissions=["rework"],
    )
    def let_go(self, request: HttpRequest, mails: QuerySet[InboundMail]) -> None:
        waited_for = [mail for mail in mails if holds.can_be_let_go(mail)]
        number = holds.let_go(mail_ids=[mail.pk for mail in waited_for], now=timezone.now())
        for mail in waited_for:
            self.log_change(request, mail, "Let it go: no game waits for it any longer.")
        said = f"No game waits for {counted(number, 'mail')} any longer."
        messages.info(request, said if number else NONE_STUCK)

    @admin.action(
        description="Do not answer mails that wait because too many strangers wrote",
        permissions=["rework"],
    )
    def leave_unanswered(self, request: HttpRequest, mails: QuerySet[InboundMail]) -> None:
        mail_ids = list(mails.values_list("pk", flat=True))
        number = budget.leave_unanswered(mail_ids=mail_ids, now=timezone.now())
        messages.info(request, f"{counted(number, 'mail')} will not be answered.")

    @admin.display(description="received", ordering="received_at")
    def received(self, mail: InboundMail) -> str:
        return utc_moment(mail.received_at)

    @admin.display(description="games that wait for it")
    def waiting(self, mail: InboundMail) -> str:
        return listed([game.name for game in mail.holds.all()]) or NOTHING

    @admin.display(description="the mail as it came")
    def text(self, mail: InboundMail) -> str | SafeString:
        return format_html("<pre>{}</pre>", text_shown(mail))

    @admin.display(description="the mail as it came")
    def hidden(self, mail: InboundMail) -> str:
        return HIDDEN
