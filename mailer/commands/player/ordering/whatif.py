"""WHATIF: tries out orders for any powers in the position of a game, and keeps nothing."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from games.errors import BadInput, WrongState
from games.models import Phase, Player
from games.queries import lookup
from games.queries.access.audience import is_foggy, state_shown
from games.queries.board import (
    Adjudication,
    ResultJson,
    adjudicate_orders,
    phase_title,
    reads_as_order,
)
from games.queries.endings.ending import end_after, sentence_of
from games.queries.orders.order_lines import OrderLine
from games.queries.parsing.press_audience import whole_names
from games.queries.players.seats import power_names
from games.queries.reports.pictures import Trial
from games.queries.reports.wording import did_you_mean, listed, nearest
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Enclosures, Receipt
from mailer.commands.seats import board_viewer, seat_named
from mailer.commands.texts.sentences import is_over
from mailer.identity.senders import Sender
from mailer.models import OutboundMail
from mailer.notices.parts.sections import outcome
from mailer.outbound.pictured import PictureRequest
from mailer.reading.quotes import Line

A_DAY = dt.timedelta(days=1)
MOST_A_DAY = 20
MOST_LINES = 100
TITLE = "What if"
HEADING = "What would happen in"
_FOR_POWER = re.compile(r"([^\W\d]+)\s*:\s*(.*)")
_NEXT_POWER = re.compile(r";\s*(?=[^\W\d]+\s*:)")
_FOR = re.compile(r"^\W*for\s+(?=[^\W\d])", re.IGNORECASE)
_UNIT = re.compile(r"[AF]\s", re.IGNORECASE)
_NO_COLON = re.compile(r"\W*([^\W\d]+)[])*.,\s]*(?:[-–—]+\s*(?=[AF]\s))?(.*)")

Orders = dict[str, list[str]]


class WhatIf(PlayerCommand):
    name = "whatif"
    usage = "WHATIF [game]"
    summary = "try out orders for any powers; nothing is kept"
    help = (
        "Write WHATIF, and below it orders for any powers: the power and a colon, then its orders, "
        "on the same line or below. A power's whole name needs no colon. Orders above the first "
        "power are for your own. The word END closes them. You get what would happen in the "
        "position being played if all other units held, with reasons, as text and as pictures. We "
        f"keep nothing, and nobody learns of it. You can do this {MOST_A_DAY} times a day."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    only_shows = True
    has_body = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game_name, lines = _with_order_after(call)
        seat, _ = seat_named(game_name, sender)
        game = seat.power.game
        phase = lookup.open_phase(game)
        if phase is None:
            raise WrongState(is_over(game, "so there is nothing to try out"))
        viewer = board_viewer(game, seat)
        _check_limit(player_of(sender), arrival)
        orders = orders_by_power(lines, seat.power.name, power_names(game))
        # In fog, units out of sight take no part, so trying things out reveals nothing.
        state = state_shown(game, phase.position, viewer)
        tried = adjudicate_orders(
            variant=game.variant, rules=game.rules, state=state, orders=orders
        )
        results = [one for one in tried.results if _is_told(one)]
        return Receipt(
            title=TITLE,
            text="\n".join(_forecast(phase, tried, results)),
            subject=f"[{game.name}] {phase_title(phase.name)}: {TITLE.lower()}",
            enclosed=Enclosures(PictureRequest.of_trial(Trial(phase, results, tried.next, viewer))),
        )


def _with_order_after(call: Call) -> tuple[str, Sequence[Line]]:
    """The words that name the game, and the lines to try out: WHATIF may have an order on its own
    line."""
    asked = call.argument.strip("?! ")
    first, _, rest = asked.partition(" ")
    for name, text in (("", asked), (first, rest)):
        for_power = _FOR_POWER.fullmatch(text)
        if reads_as_order(for_power.group(2) if for_power else text):
            return name, [Line(call.number, text), *call.lines]
    return asked, call.lines


def _is_told(one: ResultJson) -> bool:
    """Whether to show a result: it was asked for, or follows from that. A unit without an order
    just stays where it is."""
    return one["text"] is not None or "dislodged" in one["result"]


def _forecast(phase: Phase, tried: Adjudication, results: Sequence[ResultJson]) -> list[str]:
    """What these orders would do, one line for each, and for each unit they would dislodge."""
    lines = []
    for one in results:
        lines.append(f"{one['power']}: {outcome(OrderLine.of(one))}")
    title = phase_title(phase.name)
    if is_foggy(phase.game):  # the winner depends on centres out of sight
        return [f"{HEADING} {title} if only what you see took part:", "", *lines]
    if end := end_after(phase.game, phase.name, tried.next, tried.winner):
        how = sentence_of(end.how, end.winners, tried.next, phase.game)
        lines += ["", f"The game would be over: {how}."]
    return [f"{HEADING} {title} if all other units held:", "", *lines]


def orders_by_power(lines: Sequence[Line], own: str, powers: Sequence[str]) -> Orders:
    """The orders of each power as written, those of `own` without its name.

    Raises BadInput for none, too many, or an unknown power.
    """
    if not lines:
        raise BadInput("Write WHATIF, and the orders to try out on the lines below it.")
    if len(lines) > MOST_LINES:
        raise BadInput(f"Please try out at most {MOST_LINES} orders at a time.")
    current, orders = own, Orders()
    for written in (part for line in lines for part in _NEXT_POWER.split(line.text)):
        power, text = _for_power(written, powers)
        current = power or current
        if text:
            orders.setdefault(current, []).append(text)
    return orders


def _for_power(line: str, powers: Sequence[str]) -> tuple[str, str]:
    """The power that a line begins with, if it does, and the order after it. Raises BadInput."""
    named = _FOR.sub("", whole_names(line, powers))
    if match := _FOR_POWER.fullmatch(named):
        return _power(match[1], powers), match[2].replace("_", " ")
    if match := _NO_COLON.fullmatch(named):
        word, order = match[1].replace("_", " "), match[2].replace("_", " ")
        if power := _power_before(word, order, powers):
            return power, order
    return "", line


def _power_before(word: str, order: str, powers: Sequence[str]) -> str:
    """The power at the beginning of a line without a colon; "" if there is no power.

    It stands in full, alone or before an order, or cut short if a unit follows. Rome in "Rome -
    Naples" is a place.
    """
    if order and not reads_as_order(order):
        return ""
    full = [power for power in powers if power.lower() == word.lower()]
    short = [power for power in powers if power.lower().startswith(word.lower())]
    meant = full or (short if len(word) > 2 and _UNIT.match(order) else [])
    return meant[0] if len(meant) == 1 else ""


def _power(word: str, powers: Sequence[str]) -> str:
    word = word.replace("_", " ")
    meant = [power for power in powers if power.lower().startswith(word.lower())]
    if len(meant) != 1:
        near = did_you_mean(word, powers) or f" There are {listed(powers)}."
        said = f"There is no power “{word}”.{near}"
        raise BadInput(said, wrote=word, near=nearest(word, powers) or "")
    return meant[0]


def _check_limit(player: Player, arrival: Arrival) -> None:
    """Raise WrongState for too many questions in a day, those above in the same mail included."""
    answers = OutboundMail.objects.filter(
        player=player, kind="reply", body__contains=HEADING, created_at__gt=arrival.now - A_DAY
    )
    answered = sum(body.count(f"\n{HEADING} ") for body in answers.values_list("body", flat=True))
    if answered + sum(one.title == TITLE for one in arrival.so_far) >= MOST_A_DAY:
        raise WrongState(f"You have asked {MOST_A_DAY} times today; please wait until tomorrow.")
