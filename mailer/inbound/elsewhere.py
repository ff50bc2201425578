"""Commands that do not belong to the game they came for: below the name of another game, or in a
letter that somebody pasted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.queries import lookup
from mailer.commands.calls import AMEND, CLEAR, ORDERS, Call
from mailer.commands.orders.below_greetings import below_greeting, greets
from mailer.commands.orders.for_other_games import below_other_games, introductions
from mailer.commands.orders.greeted import with_greeted
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player import COMMANDS
from mailer.identity.senders import SeatHolder, Sender
from mailer.letter import Letter, greetings


def commands_elsewhere(meant: Sequence[Call], letter: Letter, sender: Sender) -> Mapping[int, str]:
    """Why we do not carry out commands below the name of another game, or below a greeting of
    powers, by the numbers of their lines.

    Orders there are sorted out line by line, when they are read.
    """
    if not isinstance(sender, SeatHolder):
        return {}
    commands = [
        call.number
        for call in meant
        if COMMANDS[call.command].for_seat and call.command not in (ORDERS, AMEND)
    ]
    said, in_texts = greetings(letter), {line.number for call in meant for line in call.lines}
    between = [call for call in meant if call.command in (ORDERS, AMEND, CLEAR)]
    orders = [line for call in between for line in call.lines]
    lines = [*introductions(said), *orders]
    greeted = [line for line in said if line.number not in in_texts]
    # "Hey Germany - how about a draw?" says more, so it stands among what may be orders.
    greeted += filter(greets, orders)
    found = below_other_games(commands, lines, sender.seat)
    if not (commands and greeted):
        return found
    phase = sender.phase or lookup.open_phase(sender.seat.power.game)
    if phase is None:
        return found
    texts = {call.number for call in meant if COMMANDS[call.command].has_body}
    power = sender.seat.power
    view = with_greeted(Viewpoint.of(phase, power.name), greeted, power.game)
    return {**below_greeting(commands, texts, greeted, orders, view), **found}
