"""The page on which an operator looks at a mail of a game being played."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.module_loading import import_string

from games.admin.base import ReadOnlyAdmin, note_look, user_of
from games.admin.looks import WhyForm
from games.errors import GameError
from games.models import StaffEntry
from games.queries.access.staff_names import Actor, actor_in_game, name_as_moderator
from games.queries.lookup import open_phase
from games.services.moderation.looks import Secret, look_record
from games.services.moderation.staff_log import entry_write
from mailer.models import InboundMail
from mailer.outbound.addresses import redact

if TYPE_CHECKING:
    from mailer.admin import visibility

LONGEST_SHOWN = 64 * 1024
"""How many bytes of a raw mail we show."""


class MailPage(ReadOnlyAdmin):
    """A mail's page: the text is open, hidden, or opened by a look."""

    related: ClassVar[list[str]]
    """Rows that the page shows besides the mail, read together with it."""
    unread: ClassVar[list[str]] = []
    """Their long columns, which stay in the database."""

    def open_to(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the mails that the visitor may know about."""
        return rows

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> visibility.Mail | None:
        """Return the mail with everything its page needs."""
        every = self.open_to(request, self.model._default_manager.all())
        rows = every.select_related(*self.related).defer(*self.unread)
        return rows.filter(pk=object_id).first() if object_id.isdecimal() else None

    def sight(self, request: HttpRequest, mail: visibility.Mail) -> visibility.Sight:
        """Return what the visitor may do with the mail, worked out once."""
        kept: dict[int, visibility.Sight] = vars(request).setdefault("_sights", {})
        if mail.pk not in kept:
            # By its name: to know what a mail holds it reads it, and what that needs takes 10 MB,
            # which only a web service needs whose staff read mails.
            sight: Callable[..., visibility.Sight]
            sight = import_string("mailer.admin.visibility.sight")
            kept[mail.pk] = sight(user_of(request), mail)
        return kept[mail.pk]

    def shown_or_hidden(self, request: HttpRequest, mail: visibility.Mail | None) -> str:
        """The field that shows the mail's text, or the one that says it is hidden."""
        return "text" if mail and self.sight(request, mail).may_read else "hidden"

    def get_urls(self) -> list[URLPattern]:
        """Put the page for a look below the mail's own."""
        view = self.admin_site.admin_view(self.look_view)
        name = f"mailer_{self.opts.model_name}_look"
        return [path("<path:object_id>/look/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *given: Any, **more: Any
    ) -> HttpResponse:
        """Offer a look to somebody who may ask for one."""
        mail = more["obj"]
        seen = self.sight(request, mail)
        context["look"] = "" if seen.may_read or not seen.may_look else self._page("look", mail)
        if seen.may_read:
            note_look(request, StaffEntry.What.MAIL, mail_label(mail))
        return super().render_change_form(request, context, *given, **more)

    def look_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for a reason; then tell the players of every game concerned, and show the mail."""
        mail = self.get_object(request, object_id)
        if mail is None:
            raise Http404("There is no such mail.")
        if not self.has_view_permission(request, mail):
            raise PermissionDenied
        seen = self.sight(request, mail)
        if seen.may_read:
            messages.info(request, "Nothing in this mail is secret now.")
            return HttpResponseRedirect(self._page("change", mail))
        if not seen.may_look:
            raise PermissionDenied
        form = WhyForm(request.POST if request.method == "POST" else None)
        shown = self._text_once_told(request, mail, form) if form.is_valid() else None
        context = {
            **self.admin_site.each_context(request),
            "title": f"Look at mail {mail}",
            "opts": self.opts,
            "back": self._page("change", mail),
            "games": list(seen.concerned),
            "form": form,
            "seen": {"text": shown} if shown is not None else None,
        }
        return TemplateResponse(request, "admin/games/look.html", context)

    def _text_once_told(
        self, request: HttpRequest, mail: visibility.Mail, form: WhyForm
    ) -> str | None:
        """The mail's text, once everybody concerned has been told; None if the look was refused."""
        why, user, now = form.cleaned_data["why"], user_of(request), timezone.now()
        try:
            with transaction.atomic():
                for game, powers in self.sight(request, mail).concerned.items():
                    if phase := open_phase(game):
                        look_record(
                            phase=phase,
                            what=[Secret.MAIL],
                            powers=sorted(powers),
                            why=why,
                            by=actor_in_game(user, game, now=now),
                            now=now,
                        )
                entry_write(
                    what=StaffEntry.What.MAIL,
                    about=mail_label(mail),
                    why=why,
                    by=Actor(name_as_moderator(user), user),
                    now=now,
                )
                self.log_change(request, mail, f"Looked at it: {why}")
        except GameError as error:
            form.add_error(None, str(error))
            return None
        return text_shown(mail)

    def _page(self, kind: str, mail: visibility.Mail) -> str:
        return reverse(f"admin:mailer_{self.opts.model_name}_{kind}", args=[mail.pk])


def mail_label(mail: visibility.Mail) -> str:
    """What the staff's log calls a mail, without an address."""
    return f"mail #{mail.pk} {'that came' if isinstance(mail, InboundMail) else 'of ours'}"


def text_shown(mail: visibility.Mail) -> str:
    """The mail's text: of incoming mail unchanged, of outgoing mail with its subject."""
    if isinstance(mail, InboundMail):
        text = bytes(mail.raw)[:LONGEST_SHOWN].decode("utf-8", "backslashreplace")
    else:
        text = f"Subject: {mail.subject}\n\n{mail.body}"
    return redact(text)
