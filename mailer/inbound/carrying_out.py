"""One call carried out for its sender, or the reason why it cannot be."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from games.errors import GameError
from mailer.commands.calls import AMEND, ORDERS, Call, Takes
from mailer.commands.player import VERBS, Arrival, Receipt
from mailer.commands.player.help import explanation
from mailer.commands.wishes import corrected
from mailer.identity.senders import Sender, Stranger
from mailer.text import counted

MOST_SHOWN = 5


def can_be_done(call: Call, sender: Sender, arrival: Arrival) -> bool:
    """Whether it could be carried out: tried, and undone."""
    with transaction.atomic():
        done = carried_out(call, sender, arrival).done
        transaction.set_rollback(True)
    return done


def carried_out(call: Call, sender: Sender, arrival: Arrival, line: str = "") -> Receipt:
    """Carries out one call, written as `line`; what cannot be done is undone and said."""
    verb = VERBS[call.verb]
    if verb.takes is Takes.SOMETHING and not call.argument:
        return Receipt(title=f"About {call.verb.upper()}", text=explanation(verb), done=False)
    try:
        with transaction.atomic():
            return verb.run(call, sender, arrival)
    except GameError as error:
        orders = [call] if call.verb in (ORDERS, AMEND) and call.lines else []
        # A stranger's From line may be forged: whoever is named there must not read their words.
        quotes = line and not orders and not isinstance(sender, Stranger)
        wrote = f"You wrote “{line}”: " if quotes else ""
        text = "\n".join([f"{wrote}{error}", *([""] if orders else []), *shown(orders)])
        wish = None if verb.grave else corrected(call, line, error)
        word = call.verb.upper()
        refused = f"NOT done: {word}"
        return Receipt(
            f"About {word}", text, done=False, refused=refused, wish=wish, idle=bool(orders)
        )


def shown(calls: Sequence[Call]) -> list[str]:
    """The first lines of these calls, one entry each, and how many more there are."""
    texts = [line.text for call in calls for line in call.lines]
    return listed([*texts, *(call.verb.upper() for call in calls if not call.lines)])


def listed(texts: Sequence[str]) -> list[str]:
    """The first texts, one entry each, and how many more there are."""
    first = [f"- You wrote “{text}”" for text in texts[:MOST_SHOWN]]
    more = len(texts) - len(first)
    return [*first, f"- and {counted(more, 'more line')}"] if more else first
