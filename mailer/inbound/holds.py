"""Which mails hold up a game: those that we could not read or work on, until somebody sees to them.

A mail that was set aside may hold somebody's orders (`setting_aside.py`). Its game waits for it as
for an unread mail, until an operator mends the fault and has it worked on again, or lets it go. If
we cannot fetch a mail, nobody knows whose it is, so all games wait.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import QuerySet

from games.models import Game
from games.models.prepared import Given
from mailer.models import InboundMail

State = InboundMail.State


def waited_for(*, game: Game | None, since: dt.datetime | None, due_at: dt.datetime) -> bool:
    """Whether a mail that came up to `due_at` holds up `game` until somebody sees to it.

    A mail that was set aside holds up the phase in which it came, but no later ones; `since` is
    when the phase began, None if that does not matter.
    """
    if unfetched_mails(due_at).exists():
        return True
    if game is None:
        return False
    return set_aside(game, due_at, begun=whole_second(since) if since else None).exists()


def unfetched_mails(due_at: dt.datetime | Given) -> QuerySet[InboundMail]:
    """The mails that came up to `due_at` and that we cannot fetch: they may be anybody's."""
    return InboundMail.objects.filter(
        released_at=None, received_at__lte=due_at, state=State.UNFETCHED
    )


def set_aside(
    game: Game | Given, due_at: dt.datetime | Given, *, begun: dt.datetime | Given | None
) -> QuerySet[InboundMail]:
    """The mails that came from `begun` (a whole second) up to `due_at` and that hold up a game."""
    aside = InboundMail.objects.filter(
        released_at=None, received_at__lte=due_at, state=State.QUARANTINED, holds=game
    )
    return aside if begun is None else aside.filter(received_at__gte=begun)


def whole_second(moment: dt.datetime) -> dt.datetime:
    """Return the moment as mails are dated: in whole seconds."""
    return moment.replace(microsecond=0)


def can_be_let_go(mail: InboundMail) -> bool:
    """Whether games may wait for this mail."""
    return mail.released_at is None and mail.state in (State.QUARANTINED, State.UNFETCHED)


def run_again(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Give mails that were set aside another three attempts, and have the next poll fetch those
    that could not be fetched; return how many."""
    mails = InboundMail.objects.filter(pk__in=mail_ids)
    unfetched = mails.filter(state=State.UNFETCHED).update(retry_at=now)
    return unfetched + mails.filter(state=State.QUARANTINED).update(
        state=State.NEW,
        attempts=0,
        setbacks=0,
        working_since=None,
        died_at=None,
        retry_at=None,
        released_at=None,
        error="",
        note="",
    )


def let_go(*, mail_ids: Sequence[int], now: dt.datetime) -> int:
    """Stop waiting for these mails; return how many held something up. They stay where they are."""
    stuck = InboundMail.objects.filter(pk__in=mail_ids, released_at=None)
    return stuck.filter(state__in=[State.QUARANTINED, State.UNFETCHED]).update(released_at=now)
