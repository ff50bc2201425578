"""A new password by mail, for staff who lost theirs or never had one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axes.utils import reset
from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse_lazy
from django.utils import timezone

from mailer.models import OutboundMail
from mailer.outbound import layout, outbox


class ResetForm(PasswordResetForm):
    """Queues the mail like all our mails, and at most one an hour, so nobody can be pestered."""

    def get_users(self, email: str) -> Iterator[User]:
        """Yield the active staff with this address, including a GM who never chose a password."""
        users = User.objects.filter(email__iexact=email, is_active=True, is_staff=True)
        # The database may take two letters for the same that make different mailboxes (Unicode TR
        # 36).
        return (user for user in users.order_by("pk") if user.email.lower() == email.lower())

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Queue the link for one user.

        It leads to the address in our settings. The address in the request is whatever its sender
        wrote, and that may be somebody else than the reader.
        """
        now = timezone.now()
        outbox.enqueue(
            key=f"password/{context['user'].pk}/{now:%Y-%m-%dT%H}",
            kind="password",
            recipient=to_email,
            subject="A new password for Diplomacy by mail",
            body=layout.laid_out(
                render_to_string(email_template_name, {**context, "site": settings.SITE_URL})
            ),
            now=now,
            priority=OutboundMail.Priority.RECEIPT,
        )


class ResetView(PasswordResetView):
    """Asks for the address, and says the same whether it knows it or not."""

    form_class = ResetForm
    email_template_name = "mail/password.txt"
    success_url = reverse_lazy("password_reset_done")


class ConfirmView(PasswordResetConfirmView):
    """Takes the new password."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Reset their failed attempts, too: after too many we told them to come here."""
        answer = super().form_valid(form)
        if self.user is not None:
            reset(username=self.user.get_username())
        return answer
