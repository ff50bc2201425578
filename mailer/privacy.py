"""A player's own data: all of it given to them, or erased with all that was mailed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.models import Player
from games.queries.own_data import own_data, rows
from games.services.erasing import everyone_in, player_erase
from mailer import retention
from mailer.models import InboundMail, OutboundMail, ReplyToken

NOBODY = "erased@invalid"
SECRETS = ("bounce_digest", "leased_by")


def exported(player: Player) -> dict[str, Any]:
    """Return all that there is about a player, their mails with every word. Reply addresses in
    mails to them are theirs already."""
    accounts = everyone_in(player)
    document: dict[str, Any] = own_data(player)
    for merged in accounts[1:]:
        document[f"merged account {merged.pk}"] = own_data(merged)
    came = [row for one in accounts for row in rows(_came(one).order_by("pk"))]
    went = [row for one in accounts for row in rows(_went(one).order_by("pk"))]
    for row in came:
        row["raw"] = bytes(row["raw"]).decode("utf-8", "backslashreplace")
    document["mails from you"] = came
    document["mails to you"] = [{k: v for k, v in row.items() if k not in SECRETS} for row in went]
    return document


@transaction.atomic
def erase(*, player: Player, now: dt.datetime) -> int:
    """Erase a player with their addresses, mails and reply addresses; return how many mails.

    Games that they played stay whole (`games.services.erasing`). Raises WrongState while they have
    a place in one that is not over.
    """
    accounts = everyone_in(player)
    came = [pk for one in accounts for pk in _came(one).values_list("pk", flat=True)]
    went = [pk for one in accounts for pk in _went(one).values_list("pk", flat=True)]
    player_erase(player=player)
    inbound = InboundMail.objects.filter(pk__in=came)
    outbound = OutboundMail.objects.filter(pk__in=went)
    _revoke(accounts, inbound.values("pk"))
    undone = inbound.exclude(state__in=retention.SETTLED)
    undone.update(state=InboundMail.State.IGNORED, processed_at=now, retry_at=None)
    inbound.update(sender="", message_id="", note="", signed_by="")
    outbound.filter(state=OutboundMail.State.QUEUED).update(state=OutboundMail.State.FAILED)
    outbound.update(recipient=NOBODY, subject="", reply_to="", cc="", in_reply_to="", references="")
    return retention.empty_inbound(inbound, now) + retention.empty_outbound(outbound, now)


def _revoke(accounts: list[Player], mails: Any) -> None:
    """No reply address of theirs works any more."""
    theirs = Q(seat__player__in=accounts) | Q(press__seat__player__in=accounts)
    ReplyToken.objects.filter(theirs | Q(mail__in=mails)).delete()


def _came(player: Player) -> Any:
    emails = [email.lower() for email in player.addresses.values_list("email", flat=True)]
    return InboundMail.objects.filter(Q(player=player) | Q(sender__in=emails))


def _went(player: Player) -> Any:
    emails = list(player.addresses.values_list("email", flat=True))
    return OutboundMail.objects.filter(Q(player=player) | Q(recipient__in=emails))
