"""Whom a GM means by YES or NO, or by APPROVE or REFUSE without a name: the person in the mail that
they answer.

The reply address says for which game they speak; the last Message-ID of the thread, or the subject,
which of our mails they answer. Earlier mails of the thread may be about another player.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from games.acts import let_in
from games.events import JoinAsked, JoinsUnanswered
from games.models import Game, Player
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm.approve import Approve, Refuse
from mailer.commands.yes_and_no import agrees_gladly, begins_with_yes, is_no, is_yes
from mailer.identity.senders import GameMaster
from mailer.letter import Letter
from mailer.models import OutboundMail

_PREFIX = re.compile(r"^(?:(?:re|aw|sv|antw|rif|odp)\s*:\s*)+", re.IGNORECASE)
_KINDS = (JoinAsked.kind, JoinsUnanswered.kind)


def with_names(call: Call, letter: Letter, gm: GameMaster, game: Game) -> Call:
    """A game master's mail with the name added to each answer that has none, if we know it.

    `Approve` asks about an answer without a name, or says what became of whoever asked.
    """
    if not any(_may_be_answer(one) for one in call.calls):
        return call
    name = _asked_about(letter, gm, game)
    if not any(_is_answer(one, name) for one in call.calls):
        return call
    return replace(call, calls=tuple(one for each in call.calls for one in _named(each, name)))


def _may_be_answer(one: Call) -> bool:
    return _is_answer(one, "") or any(begins_with_yes(line.text) for line in one.lines)


def _is_answer(one: Call, name: str) -> bool:
    if one.command in (ORDERS, AMEND):
        return any(_answer_in(line.text, name) for line in one.lines)
    return one.command in (Approve.name, Refuse.name) and not one.argument


def _named(one: Call, name: str) -> Iterator[Call]:
    """The answers of a call with the name, and what else it says."""
    if one.command not in (ORDERS, AMEND):
        yield replace(one, argument=name) if _is_answer(one, name) else one
        return
    said = [(line, _answer_in(line.text, name)) for line in one.lines]
    for line, command in said:
        if command:
            yield Call(command, name, line.number, word=line.text)
    if rest := tuple(line for line, command in said if not command):
        yield replace(one, lines=rest)


def _answer_in(text: str, name: str) -> str:
    """The command meant by a line that says yes or no; "" for any other line.

    A whole sentence that agrees, `Yes, Hugo is welcome`, is a yes to whether `name` may join.
    """
    if is_yes(text) or (name and agrees_gladly(text, also=re.findall(r"\w+", name.lower()))):
        return Approve.name
    return Refuse.name if is_no(text) else ""


def _asked_about(letter: Letter, gm: GameMaster, game: Game) -> str:
    """The name of the player in the mail that a letter answers; "" if unknown."""
    ours = OutboundMail.objects.filter(
        kind__in=_KINDS, recipient__iexact=gm.email, event__game=game
    ).select_related("event")
    mail = (
        ours.filter(message_id__in=letter.references[-1:]).first()
        # Some mail programs do not name the mail that they answer, and some servers rename ours.
        or ours.filter(subject=_PREFIX.sub("", letter.subject)).order_by("-pk").first()
    )
    if mail is None or mail.event is None:
        return ""
    if mail.kind == JoinAsked.kind:
        return Player.objects.get(pk=JoinAsked.of(mail.event).player).name
    waiting = let_in.waiting(game).values()
    names = [one.name for one, row in waiting if row.at <= mail.created_at]
    return names[0] if len(names) == 1 else ""
