"""Finds the person whom a GM means by YES or NO, or by APPROVE or REFUSE without a name, or the
power that asks for more time: the mail that they answer is about it.

The reply address says for which game they speak; the last Message-ID of the thread, or the subject,
which of our mails they answer. Earlier mails of the thread may be about another player.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.acts import let_in
from games.acts.parameters import ROOM_FOR_WHY
from games.acts.turn_down import wishes_for_time
from games.events import ExtensionAsked, JoinAsked, JoinsUnanswered, TakeoverAsked
from games.models import Game, Player
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm.clock.extend import Extend
from mailer.commands.gm.seats.approve import Approve, typed
from mailer.commands.gm.seats.refuse import Refuse
from mailer.commands.gm.seats.replace import Replace
from mailer.commands.yes_and_no import ANY_NO, agrees_gladly, begins_with_yes, is_no, is_yes
from mailer.identity.senders import GameMaster
from mailer.letter import Letter
from mailer.models import OutboundMail
from mailer.reading.phrases import ANSWERED
from mailer.reading.quotes import Line

_PREFIX = re.compile(rf"^(?:{ANSWERED}\s*)+", re.IGNORECASE)
_NO_BECAUSE = re.compile(
    rf"\W*(?:sorry\W+)?(?:{ANY_NO})\W+(?:because|since|as)\s+(?P<why>\S.*)", re.IGNORECASE
)
"""“No, because we have waited twice”."""
_KINDS = (JoinAsked.kind, JoinsUnanswered.kind, TakeoverAsked.kind, ExtensionAsked.kind)


def with_names(call: Call, letter: Letter, gm: GameMaster, game: Game) -> Call:
    """A game master's mail with the name added to each answer that lacks one, if we know it.

    To an answer without a name, `Approve` asks for it, or says what became of the person.
    """
    if not any(_may_be_answer(one) for one in call.calls):
        return call
    mail = _mail_answered(letter, gm, game)
    name = _player_asked_about(mail, game)
    if not any(_is_answer(one, name) for one in call.calls):
        return call
    calls = tuple(one for each in call.calls for one in _with_name(each, name))
    if mail and mail.event and mail.kind == TakeoverAsked.kind:
        power = TakeoverAsked.of(mail.event).power
        calls = tuple(_seating_call(one, name, power) for one in calls)
    if mail and mail.event and mail.kind == ExtensionAsked.kind:
        asked = ExtensionAsked.of(mail.event)
        calls = tuple(_extending_call(one, asked, game) for one in calls)
    return replace(call, calls=calls)


def _seating_call(one: Call, name: str, power: str) -> Call:
    """A YES to somebody who would like a seat, as the command that seats them. It needs a reason,
    so our answer shows the GM what to write."""
    if one.command != Approve.name or one.argument != name:
        return one
    return Call(Replace.name, f"{power} BY {name}", one.number)


def _extending_call(one: Call, asked: ExtensionAsked, game: Game) -> Call:
    """A YES to a power that asks for more time, as the command that extends the deadline for all;
    unchanged if the power no longer waits for that, so that `Approve` says so. It gives the power's
    own reason, if that fits. A NO becomes the command that refuses the time, with any reason the GM
    gives.
    """
    if one.command == Refuse.name and one.argument == asked.power:
        said = _NO_BECAUSE.fullmatch(one.word)
        why = f" because {said['why']}" if said else ""
        return Call(Refuse.name, f"{asked.power}{why}", one.number)
    if one.command != Approve.name or one.argument != asked.power:
        return one
    if not any((wish.power, wish.to) == (asked.power, asked.to) for wish in wishes_for_time(game)):
        return one
    to = typed(asked.to, game)
    why = f"{asked.power} asked for more time: {asked.why}"
    why = why if len(why) <= ROOM_FOR_WHY else f"{asked.power} asked for more time"
    return Call(Extend.name, f"TO {to} because {why}", one.number)


def _may_be_answer(one: Call) -> bool:
    return _is_answer(one, "") or any(
        begins_with_yes(line.text) or _NO_BECAUSE.fullmatch(line.text) for line in one.lines
    )


def _is_answer(one: Call, name: str) -> bool:
    if one.command in (ORDERS, AMEND):
        return any(_answer_in(line.text, name) for line in one.lines)
    return one.command in (Approve.name, Refuse.name) and not one.argument


def _with_name(one: Call, name: str) -> Iterator[Call]:
    """The answers of a call, with the name added, and the rest of it."""
    if one.command not in (ORDERS, AMEND):
        yield replace(one, argument=name) if _is_answer(one, name) else one
        return
    said = [(line, _answer_in(line.text, name)) for line in _reasons_whole(one.lines)]
    for line, command in said:
        if command:
            yield Call(command, name, line.number, word=line.text)
    if rest := tuple(line for line, command in said if not command):
        yield replace(one, lines=rest)


def _reasons_whole(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines, with a NO and its reason on one where a mail program broke them."""
    whole = list[Line]()
    for line in lines:
        last = whole[-1].text if whole else ""
        if _NO_BECAUSE.fullmatch(last) and not last.endswith((".", "!", "?")):
            whole[-1] = replace(whole[-1], text=f"{last} {line.text}")
        else:
            whole.append(line)
    return whole


def _answer_in(text: str, name: str) -> str:
    """The command meant by a line that says yes or no; "" for any other line.

    A whole sentence that agrees, `Yes, Hugo is welcome`, is a yes to letting `name` join.
    """
    if is_yes(text) or (name and agrees_gladly(text, also=re.findall(r"\w+", name.lower()))):
        return Approve.name
    return Refuse.name if is_no(text) or (name and _NO_BECAUSE.fullmatch(text)) else ""


def _mail_answered(letter: Letter, gm: GameMaster, game: Game) -> OutboundMail | None:
    """The mail that a letter answers, about somebody who wants a place; None if unknown."""
    ours = OutboundMail.objects.filter(
        kind__in=_KINDS, recipient__iexact=gm.email, event__game=game
    ).select_related("event")
    return (
        ours.filter(message_id__in=letter.references[-1:]).first()
        # Some mail programs do not name the mail that they answer, and some servers rename ours.
        or ours.filter(subject=_PREFIX.sub("", letter.subject)).order_by("-pk").first()
    )


def _player_asked_about(mail: OutboundMail | None, game: Game) -> str:
    """The name of the player in that mail, or of the power that asks for time; "" if unknown."""
    if mail is None or mail.event is None:
        return ""
    if mail.kind == ExtensionAsked.kind:
        return ExtensionAsked.of(mail.event).power
    asked = {one.kind: one for one in (JoinAsked, TakeoverAsked)}.get(mail.kind)
    if asked:
        return Player.objects.get(pk=asked.of(mail.event).player).name
    waiting = let_in.waiting(game).values()
    names = [one.name for one, row in waiting if row.at <= mail.created_at]
    return names[0] if len(names) == 1 else ""
