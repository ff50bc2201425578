"""What happened, told to whom it concerns: one module per kind of event, found by its name.

A module `notices/<kind>.py` has one function `notices(event, now)` that gives one Notice per
recipient. Every recipient comes from the database, never from a mail that came in.
"""

from __future__ import annotations

import datetime as dt
import importlib
import pkgutil
from collections.abc import Callable, Iterable

from django.db import transaction

from games.models import Event
from mailer.models import OutboundMail
from mailer.notices.notice import Notice
from mailer.outbound import outbox

Teller = Callable[[Event, dt.datetime], Iterable[Notice]]


def tellers() -> dict[str, Teller]:
    """Every kind of event that is told to somebody, with the function that tells it."""
    kinds = {name for _, name, _ in pkgutil.iter_modules(__path__)} & set(Event.Kind.values)
    modules = {kind: importlib.import_module(f"{__name__}.{kind}") for kind in kinds}
    return {kind: module.notices for kind, module in modules.items()}


TELLERS = tellers()


@transaction.atomic
def tell_event(event: Event, *, now: dt.datetime) -> list[OutboundMail]:
    """Queue every notice of `event` and note that it is told; again: the same mails, none new."""
    teller = TELLERS.get(event.kind)
    told = teller(event, now) if teller else ()
    mails = outbox.enqueue_all([notice.mail(event, now) for notice in told])
    Event.objects.filter(pk=event.pk, told_at=None).update(told_at=now)
    return mails
