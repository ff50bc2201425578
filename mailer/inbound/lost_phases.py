"""A mail to a reply address that we do not know: nobody can tell which phase it was for.

This happens after a backup has been restored. Phases decided since then are played again, and the
orders that answered their results are read again while an earlier phase is open. Taken as orders
for that one, they would replace what was meant for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.player.clear import Clear
from mailer.commands.player.hold import Hold
from mailer.commands.player.ready import Ready, Wait
from mailer.commands.player.same import Same
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Proof, Sender
from mailer.letter import Letter
from mailer.outbound import addresses

OF_A_PHASE = {ORDERS, AMEND, Clear.name, Hold.name, Ready.name, Same.name, Wait.name}
WHICH_PHASE = (
    "You answered a mail that this server does not know: most likely it had to go back to an "
    "earlier state since. We cannot tell which phase you meant, so we did not use your orders. "
    "STATUS tells which phase is open; please send your orders for it in reply to this mail."
)


def of_no_known_phase(letter: Letter, calls: Sequence[Call], sender: Sender) -> list[Call]:
    """The calls that are for the phase of the mail that the letter answers, if we cannot tell which
    phase that was."""
    if sender.proof is Proof.TOKEN or not addresses.are_lost(letter.recipients):
        return []
    return [call for call in calls if call.command in OF_A_PHASE]


def which_phase() -> Receipt:
    """What to say about such calls."""
    return Receipt("Not used", WHICH_PHASE, done=False, refused="NOT used: your orders")
