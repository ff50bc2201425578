"""For the pages of games, which know nothing of mails: whether ours reach the staff."""

from __future__ import annotations

import datetime as dt

from django import template
from django.contrib.auth.models import User

from mailer.inbound.staff_bounces import failing_since

register = template.Library()


@register.simple_tag
def mails_fail_since(user: User | None, now: dt.datetime) -> dt.datetime | None:
    """Since when mails to this user come back; None when they arrive."""
    return failing_since(user.email, now) if user and user.email else None
