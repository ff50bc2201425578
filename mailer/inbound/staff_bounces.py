"""Mails of ours that come back from a game master or a moderator: we tell those who can help.

They are users of the admin with one address each; our mails show whether it works.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Max

from games.models import FailingUser, Game
from games.queries.access.roles import is_moderator, masters
from games.queries.access.run_by import moderators
from games.queries.access.staff_names import staff_name
from games.queries.moderators.unreached_gms import is_failing
from games.queries.reports.wording import listed
from games.services.accounts.addresses import MOST_DELAYS
from games.services.moderation.staff import user_failed, user_reached
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import layout, outbox
from mailer.reading.report import is_of_the_mail
from mailer.replies.budget import UNPROVED

KIND = "undelivered_staff"
KEPT = dt.timedelta(days=1)
"""If nothing comes back for this long after sending, a mail has arrived."""


def failing_since(email: str, now: dt.datetime) -> dt.datetime | None:
    """The time since which mails to that address come back.

    None if a mail arrived or came from there since, or if only a few came back, each for a fault of
    its own.
    """
    ours = OutboundMail.objects.filter(recipient=email)
    if not ours.exclude(bounced_at=None).exists():
        return None
    written = InboundMail.objects.filter(sender=email.lower()).exclude(proof__in=UNPROVED)
    kept = ours.filter(bounced_at=None, bounce="", sent_at__lte=now - KEPT)
    good = [written.aggregate(at=Max("received_at"))["at"], kept.aggregate(at=Max("sent_at"))["at"]]
    last_good = max(filter(None, good), default=None)
    lost = ours.exclude(bounced_at=None)
    if last_good:
        lost = lost.filter(bounced_at__gt=last_good)
    first = lost.order_by("bounced_at").values_list("bounced_at", "bounce")[:MOST_DELAYS]
    if len(first) < MOST_DELAYS and all(is_of_the_mail(said) for _, said in first):
        return None
    return first[0][0]


def tell(mail: OutboundMail, said: str, now: dt.datetime) -> None:
    """Tell the moderators, or else the operators, that a lost mail was for one of the staff.

    They hear it once, until the address works again; nobody writes about it to that address. `said`
    is what the server said.
    """
    for user in User.objects.filter(email__iexact=mail.recipient, is_active=True).order_by("pk"):
        games = list(user.game_set.exclude(status=Game.Status.FINISHED).order_by("name"))
        moderates, since = is_moderator(user), failing_since(mail.recipient, now)
        if since is None or not (games or moderates):
            continue
        user_failed(user=user, since=since, failure=said)
        alone = [game for game in games if all(map(is_failing, masters(game, now)))]
        body = layout.render(
            KIND,
            name=staff_name(user),
            games=_names(games),
            alone=_names(alone),
            waiting=_names(game for game in alone if game.when_missing == Game.WhenMissing.GM),
            moderates=moderates,
            said=said,
        )
        for email in _helpers(mail.recipient):
            outbox.enqueue(
                key=f"{KIND}/{user.pk}/{since:%Y%m%d%H%M%S}/{email}"[:200],
                kind=KIND,
                recipient=email,
                subject=f"Mail to {staff_name(user)} is not getting through",
                body=body,
                now=now,
                priority=OutboundMail.Priority.RESULT,
            )


def forget_failures(now: dt.datetime) -> None:
    """Forget that mails did not reach members of the staff, once they reach them again. Safe to
    repeat."""
    for row in FailingUser.objects.select_related("user"):
        if not row.user.email or failing_since(row.user.email, now) is None:
            user_reached(user=row.user)


def _names(games: Iterable[Game]) -> str:
    return listed([game.name for game in games])


def _helpers(besides: str) -> list[str]:
    """The addresses of the moderators, or else the operators', without this one."""
    found = moderators().values_list("email", flat=True)
    others = {email.lower(): email for email in found if email.lower() != besides.lower()}
    operators = [one for one in settings.OPERATOR_ADDRESSES if one.lower() != besides.lower()]
    return list(others.values()) or operators
