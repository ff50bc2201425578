"""Mails that went out, or wait to go."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import user_of
from games.admin.lists import DayFilter, GameFilter, HappenedFilter
from games.events import PressSent
from games.models.phase import OF_PHASE
from games.queries.access.roles import games_played
from games.queries.reports.wording import counted, utc_moment
from mailer.admin.looks import MailPage, text_shown
from mailer.admin.words import HIDDEN, InWords
from mailer.models import OutboundMail
from mailer.models.outbound import WORDS
from mailer.notices.kinds import KINDS, words_of
from mailer.outbound import outbox


class KindFilter(admin.SimpleListFilter):
    """Our mails by kind. All kinds are listed: to find those in use we would have to read every
    mail."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, words_of(kind)) for kind in KINDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class BouncedFilter(HappenedFilter):
    """Whether a mail server reported that the mail did not arrive."""

    heading = "came back"


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
        """Leave the contents of mails in the database: each page reads its own."""
        rows = self.open_to(request, super().get_queryset(request))
        return rows.defer(*WORDS)

    def open_to(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Leave out the press of games in which the visitor plays: even without its text it shows
        who writes to whom, and when."""
        played = list(games_played(user_of(request)))
        return rows.exclude(kind=PressSent.kind, event__game__in=played) if played else rows

    def get_fields(self, request: HttpRequest, obj: OutboundMail | None = None) -> Any:
        """Show what the mail says, or that it is hidden."""
        return [*self.facts, self.shown_or_hidden(request, obj)]

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """Let anybody who may change mails have them sent again."""
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
