"""The mail room for operators: what came in, what went out, what was set aside.

Mails hold orders and press. `mailer.visibility` decides what a mail shows, its subject included; an
operator looks at it on a page that asks why and has the players told. Reply addresses stay secret
for ever.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import ReadOnlyAdmin, ReadOnlyInline, user_of
from games.admin.lists import DayFilter, GameFilter, HappenedFilter
from games.events import PressSent
from games.models.phase import OF_PHASE
from games.queries.access.roles import games_played
from games.queries.reports.wording import NOTHING, counted, listed, utc_moment
from mailer.admin_looks import MailPage, text_shown
from mailer.inbound import holds, retries
from mailer.kinds import KINDS, words_of
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.models.outbound import WORDS
from mailer.outbound import outbox
from mailer.replies import budget

NONE_STUCK = "None of these mails was set aside or could not be fetched."
HIDDEN = "hidden: it may hold orders or press of a game that is being played"


class KindFilter(admin.SimpleListFilter):
    """The kinds of our mails, by name: finding out which exist means reading all mails."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, words_of(kind)) for kind in KINDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class BouncedFilter(HappenedFilter):
    """Whether somebody reported that it did not arrive."""

    heading = "came back"


@admin.register(Mailbox)
class MailboxAdmin(ReadOnlyAdmin):
    """How far every mailbox has been read."""

    list_display = ["url", "read_up_to", "last_uid", "uidvalidity"]
    readonly_fields = ["read_up_to"]

    @admin.display(description="read completely up to", ordering="last_ok_poll")
    def read_up_to(self, mailbox: Mailbox) -> str:
        return utc_moment(mailbox.last_ok_poll)


class InWords:
    """Says the kind of a mail in words."""

    @admin.display(description="kind")
    def about(self, mail: OutboundMail) -> str:
        return words_of(mail.kind)


class AnswerInline(InWords, ReadOnlyInline):
    """What was answered to a mail; the answer's own page has its text."""

    model = OutboundMail
    fk_name = "answers"
    fields = ["about", "recipient", "state", "created_at", "sent_at"]
    readonly_fields = ["about"]
    verbose_name_plural = "answers"

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboundMail]:
        """Leave their texts in the database."""
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
        """Somebody who may change mails may have them worked on again."""
        return request.user.has_perm("mailer.change_inboundmail")

    @admin.action(
        description="Try again: mails that were set aside or could not be fetched",
        permissions=["rework"],
    )
    def run_again(self, request: HttpRequest, mails: QuerySet[InboundMail]) -> None:
        mail_ids = list(mails.values_list("pk", flat=True))
        number = retries.run_again(mail_ids=mail_ids, now=timezone.now())
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


@admin.register(OutboundMail)
class OutboundMailAdmin(InWords, MailPage):
    """Every mail that went out or waits to go."""

    list_display = ["id", "created", "recipient", "about", "state", "attempts", "sent"]
    list_filter = [
        "state",
        KindFilter,
        ("bounced_at", BouncedFilter),
        ("created_at", DayFilter),
        ("event__game", GameFilter),
    ]
    sortable_by = ["id"]
    search_fields = ["recipient__exact", "message_id__exact", "key__startswith"]
    search_help_text = "The whole address it goes to, its Message-ID, or how its key begins"
    actions = ["send_again"]
    related = ["player", "event__game", "event__phase", "answers__player"]
    unread = [f"event__{column}" for column in OF_PHASE]
    facts = [
        "key",
        "about",
        "priority",
        "recipient",
        "player",
        "event",
        "answers",
        "state",
        "created",
        "not_before",
        "attempts",
        "last_error",
        "bounced_at",
        "bounce",
        "sent",
        "message_id",
        "in_reply_to",
        "references",
    ]
    readonly_fields = ["created", "sent", "about", "text", "hidden"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboundMail]:
        """Leave what the mails say in the database: a page reads its own."""
        rows = self.open_to(request, super().get_queryset(request))
        return rows.defer(*WORDS)

    def open_to(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Leave out the press of games in which the visitor plays: even without its text it tells
        who writes to whom, and when."""
        played = list(games_played(user_of(request)))
        return rows.exclude(kind=PressSent.kind, event__game__in=played) if played else rows

    def get_fields(self, request: HttpRequest, obj: OutboundMail | None = None) -> Any:
        """Show what the mail says, or that it is hidden."""
        return [*self.facts, self.shown_or_hidden(request, obj)]

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """Somebody who may change mails may have them sent again."""
        return request.user.has_perm("mailer.change_outboundmail")

    @admin.action(description="Send again what failed for good", permissions=["resend"])
    def send_again(self, request: HttpRequest, mails: QuerySet[OutboundMail]) -> None:
        mail_ids = list(mails.values_list("pk", flat=True))
        number = outbox.send_again(mail_ids=mail_ids, now=timezone.now())
        said = f"{counted(number, 'mail')} will be sent again within seconds."
        none = "None of these mails has failed and still has its text."
        messages.info(request, said if number else none)

    @admin.display(description="created", ordering="created_at")
    def created(self, mail: OutboundMail) -> str:
        return utc_moment(mail.created_at)

    @admin.display(description="sent", ordering="sent_at")
    def sent(self, mail: OutboundMail) -> str:
        return utc_moment(mail.sent_at)

    @admin.display(description="text")
    def text(self, mail: OutboundMail) -> str | SafeString:
        return format_html("<pre>{}</pre>", text_shown(mail))

    @admin.display(description="text")
    def hidden(self, mail: OutboundMail) -> str:
        return HIDDEN
