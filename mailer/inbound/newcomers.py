"""What somebody asked for before their address was confirmed: it waits for that with our question.

Only JOIN can wait so. Nothing of what they wrote is repeated but the name of a game that there is:
their From line may be forged, to have us send its owner an advertisement.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import NotFound
from games.models import Address
from games.queries.lookup import game_by_name
from mailer.commands.calls import Call
from mailer.commands.player.join import Join
from mailer.commands.receipt import Receipt, Wish
from mailer.identity.senders import Stranger
from mailer.text import listed

MOST = 3
ASK = (
    "Your address is not confirmed yet, so nothing is done before that. Just reply to this mail; "
    "an empty reply will do. If you have not registered here, do nothing."
)


def without_waiting(
    stray: Sequence[Call], sender: Stranger, receipts: Sequence[Receipt]
) -> tuple[list[Call], Receipt | None]:
    """What is left of the calls that nobody carried out, and the receipt that keeps the others.

    The receipt has the question to a newcomer's address, unless one of `receipts` has it already.
    """
    joins = [call for call in stray if call.verb == Join.name][:MOST]
    names = [name for call in joins if (name := _game(call))]
    asked = any(one.address for one in receipts)
    address = None if asked else unconfirmed(sender.email)
    if not names or not (asked or address):
        return list(stray), None
    games = f"the game{'' if len(names) == 1 else 's'} {listed(names)}"
    offer = (
        f"You also ask to join {games}. Reply with the word YES on a line of its own, and we do "
        "both at once; any other reply only confirms your address."
    )
    script = "\n".join(f"JOIN {call.argument}" for call in joins if _game(call))
    kept = Receipt(
        title=f"JOIN waits: {listed(names)}",
        text="" if asked else ASK,
        subject="" if asked else "Please confirm your address",
        address=address,
        wish=Wish(script=script, offer=offer, instead=offer),
    )
    return [call for call in stray if call not in joins], kept


def _game(call: Call) -> str:
    """The game's own name; empty for an unknown one."""
    try:
        return game_by_name(call.argument.split(" ")[0].strip(",;:?")).name
    except NotFound:
        return ""


def unconfirmed(email: str) -> Address | None:
    """The address of somebody who has registered and has not answered our question yet."""
    found = Address.objects.select_related("player").filter(email__iexact=email, confirmed_at=None)
    address = found.first()
    return address if address and not address.player.address else None
