"""One call carried out for its sender, or only tried, with its receipt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from django.db import transaction

from games.errors import GameError
from mailer.commands.calls import AMEND, ORDERS, Call, Takes
from mailer.commands.misspelt import is_like_order
from mailer.commands.player import COMMANDS, WORDS, Arrival, Receipt
from mailer.commands.player.help import explanation
from mailer.commands.player.hold import Hold
from mailer.commands.player.ready import withheld
from mailer.commands.player.same import Same
from mailer.commands.receipt import Wish
from mailer.commands.script import read_lines
from mailer.commands.seats import seat_and_phase
from mailer.commands.wishes import corrected
from mailer.identity.senders import Sender, Stranger
from mailer.reading.quotes import Line
from mailer.text import counted

MOST_SHOWN = 5
_ORDERS = (Hold.name, Same.name)
"""Commands that order; if refused, they leave units without what their player wanted."""


def can_be_done(call: Call, sender: Sender, arrival: Arrival) -> bool:
    """Whether it could be carried out: tried, and undone."""
    with transaction.atomic():
        done = carried_out(call, sender, arrival).done
        transaction.set_rollback(True)
    return done


def carried_out(call: Call, sender: Sender, arrival: Arrival, line: str = "") -> Receipt:
    """Carries out one call, written as `line`; what cannot be done is undone and said."""
    command = COMMANDS[call.command]
    if command.takes is Takes.SOMETHING and not call.argument:
        word = call.written
        return Receipt(word, explanation(command), done=False, refused=f"NOT done: {word}")
    try:
        with nullcontext() if command.refused_first else transaction.atomic():
            receipt = command.run(call, sender, arrival)
            wrote = _wrote(line) if line and receipt.quotes and _is_known(sender) else ""
            return replace(receipt, text=f"{wrote}{receipt.text}")
    except GameError as error:
        return _refused(call, sender, arrival, line, error)


def _is_known(sender: Sender) -> bool:
    """Whether the writer is the one who reads our answer. A stranger's From line may be forged, and
    whoever it names must not read the writer's words."""
    return not isinstance(sender, Stranger)


def _refused(call: Call, sender: Sender, arrival: Arrival, line: str, error: GameError) -> Receipt:
    """The receipt of a call that could not be carried out: why, and what may have been meant."""
    known = _is_known(sender)
    orders = [call] if call.command in (ORDERS, AMEND) and call.lines else []
    wrote = _wrote(line) if line and known and not orders else ""
    said = f"{wrote}{error}" if known else _unquoted(error)
    lost = len(call.lines) if orders else int(call.command in _ORDERS)
    waits = _withheld(call, sender, arrival, lost) if lost else []
    grave = COMMANDS[call.command].grave
    meant = None if grave or not known else corrected(call, line, error)
    return Receipt(
        title=call.written,
        text="\n".join([said, *([""] if orders else []), *shown(orders), *waits]),
        done=False,
        refused=f"NOT done: {call.written}",
        wish=_if_possible(meant, sender, arrival) if meant else None,
        idle=bool(orders),
        lost=lost,
    )


def not_done_here(call: Call, why: str) -> Receipt:
    """The receipt of a command that is for another game, and of the lines that it goes with."""
    return Receipt(
        title=call.written,
        text="\n".join([f"{_wrote(call.written)}{why}", *shown([call] if call.lines else [])]),
        done=False,
        refused=f"NOT done: {call.written}",
        lost=len(call.lines),
    )


def _withheld(call: Call, sender: Sender, arrival: Arrival, lost: int) -> list[str]:
    """What becomes of an open phase whose orders were refused: who sent them wants them."""
    orders = call.command in _ORDERS or any(is_like_order(line.text) for line in call.lines)
    try:
        seat, phase = seat_and_phase(sender)
        kept = withheld(seat, phase, arrival, lost, orders=orders)
    except GameError:  # nothing of theirs is open
        return []
    return [line for one in kept for line in ("", one)]


def _unquoted(error: GameError) -> str:
    """What we say about an error, without the name that was written."""
    return str(error).replace(error.wrote, "…") if error.wrote else str(error)


def _if_possible(meant: Wish, sender: Sender, arrival: Arrival) -> Wish:
    """What was meant, offered unless that cannot be done either; YES also tells of a second
    slip."""
    tried = try_out(meant, sender, arrival)
    if tried is None or tried.done or tried.wish:
        return meant
    line = meant.script.partition("\n")[0]
    return replace(meant, script="", instead=f"“{line}” cannot be done, either: {tried.text}")


def try_out(wish: Wish, sender: Sender, arrival: Arrival) -> Receipt | None:
    """What the word YES would be answered, undone again; None unless it is one command."""
    lines = [Line(at, text) for at, text in enumerate(wish.script.splitlines(), start=1)]
    calls = read_lines(lines, (), WORDS)
    if len(calls) != 1:
        return None
    with transaction.atomic():
        tried = carried_out(calls[0], sender, arrival, lines[0].text)
        transaction.set_rollback(True)
    return replace(tried, text=tried.text.removeprefix(_wrote(lines[0].text)))


def _wrote(line: str) -> str:
    return f"You wrote “{line}”: "


def shown(calls: Sequence[Call]) -> list[str]:
    """The first lines of these calls, one entry each, and how many more there are."""
    texts = [line.text for call in calls for line in call.lines]
    return listed([*texts, *(call.written for call in calls if not call.lines)])


def listed(texts: Sequence[str]) -> list[str]:
    """The first texts, one entry each, and how many more there are."""
    first = [f"- You wrote “{text}”" for text in texts[:MOST_SHOWN]]
    more = len(texts) - len(first)
    return [*first, f"- and {counted(more, 'more line')}"] if more else first
