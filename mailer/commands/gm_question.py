"""The question to a game master whether to do what their mail asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.contrib.auth.models import User

from games.acts.game import stamp
from games.models import Game
from mailer.commands.gm.base import name_of
from mailer.commands.receipt import Receipt
from mailer.models import InboundMail, OutboundMail
from mailer.notices import layout
from mailer.outbound import addresses, outbox
from mailer.outbound.reply import STRANGERS_BUDGET, UNPROVED_BUDGET, within_budget
from mailer.outbound.tokens import ForGmHeldMail
from mailer.text import MARKER, listed, moment


def question_to_gm(
    *,
    mail: InboundMail,
    user: User,
    game: Game,
    why: str,
    asks: Sequence[str],
    expected: Sequence[Receipt],
    now: dt.datetime,
) -> bool:
    """Asks at the game master's own address, and tells them what would happen.

    `why` is set when it is not sure that the mail was theirs; then nothing of it is foreseen, and
    `asks` names what it holds. False when nothing was asked: they were asked too often today.
    """
    budget = STRANGERS_BUDGET if why else UNPROVED_BUDGET
    if not user.email or not within_budget(user.email, budget, now, kind="question"):
        return False
    reply_to = addresses.address_for(ForGmHeldMail(user, game, mail, stamp(game)), now=now)
    outbox.enqueue(
        key=f"question/{mail.pk}",
        kind="question",
        recipient=user.email,
        subject=f"[{game.name}] NOT done yet: please confirm",
        body=layout.render(
            "question_gm",
            marker=MARKER,
            name=name_of(user),
            received=moment(mail.received_at, game.timezone),
            game=game.name,
            why=why,
            asks=listed(asks) or "nothing that we understand",
            expected=expected,
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        answers=mail,
        reply_to=reply_to,
        in_reply_to=mail.message_id,
        references=mail.message_id,
    )
    return True
