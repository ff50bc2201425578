"""A question of ours, answered from an address that we did not send it to.

Forgers get no answer. But people answer from a telephone, or from the mailbox to which their mail
is forwarded, and believe that all is done. So we tell the person we asked once, at the address that
we have, that the answer did not count.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from games.models import Player
from games.queries import lookup
from games.queries.access.staff_names import staff_name
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.outbound.tokens import ForAddress, ForGmHeldMail, ForHeldMail, Token
from mailer.text import MARKER

State = InboundMail.State


@dataclass(frozen=True)
class _Asked:
    """The person we asked, and how they answer."""

    key: str
    """What we ask; we tell them once about each question."""
    recipient: str
    name: str
    player: Player | None
    reply_to: str = ""
    answer_from: str = ""
    """The address that was to answer, if it is not the one we write to."""


def tell_asked(mail: InboundMail, token: Token | None, now: dt.datetime) -> bool:
    """Tell the person we asked that the answer in this mail does not count, as it came from another
    address.

    False if we can tell nobody, or the question is settled.
    """
    asked = _who_was_asked(mail, token, now)
    if asked is None or not asked.recipient:
        return False
    outbox.enqueue(
        key=f"elsewhere/{asked.key}",
        kind="question",
        recipient=asked.recipient,
        subject="NOT done yet: your answer came from another address",
        body=layout.render(
            "answered_elsewhere",
            marker=MARKER,
            name=asked.name,
            sender=mail.sender,
            record=asked.recipient,
            answer_from=asked.answer_from,
            can_be_added=asked.player is not None and not lookup.player_by_address(mail.sender),
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=asked.player,
        answers=mail,
        reply_to=asked.reply_to,
    )
    return True


def _who_was_asked(mail: InboundMail, token: Token | None, now: dt.datetime) -> _Asked | None:
    match token:
        case ForHeldMail(mail=held) if held.state == State.HELD and held.player:
            owner = held.player.merged_into or held.player
            reply_to = addresses.challenge_address(mail=held, now=now)
            return _Asked(str(held.pk), owner.address, owner.name, owner, reply_to)
        case ForGmHeldMail(user=user, mail=held) if held.state == State.HELD and user.is_active:
            reply_to = addresses.address_for(token, now=now)
            return _Asked(str(held.pk), user.email, staff_name(user), None, reply_to)
        case ForAddress(address=address) if address.confirmed_at is None:
            owner = address.player
            if lookup.player_by_address(mail.sender) != owner:
                return None
            key = f"address/{address.pk}"
            return _Asked(key, owner.address, owner.name, owner, answer_from=address.email)
        case _:
            return None
