"""PRESS TO: a message to the powers named, and any answer to press."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import transaction

from games.errors import BadInput, GameError
from games.models import Game, Seat
from games.models import Press as Row
from games.queries.access.anonymity import names_shown
from games.queries.board import reads_as_order
from games.queries.parsing.press_audience import Audience, read_audience
from games.queries.players.seats import power_names, power_of_namesake
from games.queries.reports.wording import listed
from games.services.messages.press import press_send
from games.services.messages.press_allowed import Fake, require_fake_press
from mailer.commands import player
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import ORDERS, Call, Takes
from mailer.commands.lines.press_heading import (
    ARGUMENT,
    Heading,
    read_fake,
    read_heading,
    require_for_all,
)
from mailer.commands.lines.spoken_to import names_of_others
from mailer.commands.lines.which_command import command_of
from mailer.commands.player.messages.orders_in_press import require_no_own_set
from mailer.commands.receipt import Receipt
from mailer.commands.seats import require_not_over, seat_of
from mailer.commands.wishes.everyday_words import corrected_command
from mailer.identity.senders import Sender, seat_meant
from mailer.letter import text_of
from mailer.notices.messages.press_sent import listed_readers
from mailer.outbound import addresses
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.quotes import Line
from mailer.text import quoted_text

BELOW_PRESS = "below a line END PRESS, or in a mail without PRESS"
_SHOWN = 40
_MOST_ORDERS = 50
_ALSO_IN_LETTERS = frozenset(("confirm", "refuse", "here", "hold", "signoff", "stop"))
"""Commands that people also write to each other, even in capitals: “NO”, “STOP”."""


class Press(PlayerCommand):
    name = "press"
    usage = "PRESS TO power, power"
    summary = "write to other powers, or TO GM to the game master"
    help = (
        "Write PRESS TO and the powers, and your text on the lines below it; END PRESS closes it. "
        "They get your text, and nothing that shows who you are. To answer press, reply to it: a "
        "plain reply goes to its writer, a reply to all to everybody who got it.\n"
        "Example: PRESS TO Italy, Turkey\n"
        "Example: PRESS TO ALL BUT Germany\n"
        "Example: PRESS GREY TO Italy (does not say which power wrote it, in games that have such "
        "press)\n"
        "Example: PRESS TO Italy FAKE FROM Turkey (says that Turkey wrote it, in games that have "
        "fake press)\n"
        "Example: PRESS TO Italy FAKE TO Italy, Austria (says that Austria got it, too; FAKE "
        "BROADCAST that everybody did)"
    )
    takes = Takes.SOMETHING
    argument = re.compile(ARGUMENT, re.IGNORECASE)
    has_body = True
    prose = True
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        said = read_heading(call.argument)
        if not said.to:
            raise BadInput("Please write to whom, for example: PRESS TO Italy")
        text = "\n".join(filter(None, [said.text, text_of(call.lines)]))

        def passed_on() -> Receipt:
            seat = seat_of(sender)
            to = _readers(said.to, seat)
            if said.text and not call.ended:
                _require_no_orders(call)
            require_no_own_set(call, seat)
            fake = fake_of(said, seat)
            return send(sender, to, text, arrival, grey=said.grey, fake=fake)

        return with_stray_order(or_not_sent(passed_on, sender, said.to, call), call, BELOW_PRESS)


def _require_no_orders(call: Call) -> None:
    """Raise BadInput if nothing but orders and commands stands below a letter on one line: they may
    be for us."""
    texts = [line.text for line in call.lines[:_MOST_ORDERS] if line.text.strip()]
    kinds = [*map(_kind_for_us, texts)]
    if not all(kinds) or _ALSO_IN_LETTERS.issuperset(kinds):
        return
    raise BadInput(
        "Nobody has got it, since we cannot tell whom the lines below it are for, like "
        f"“{texts[0]}”, and we followed none of them. If they are for us, write END PRESS above "
        "them. If they belong to your letter, begin it on a line of its own below PRESS TO."
    )


def _kind_for_us(text: str) -> str:
    """The command that a line may be, ORDERS for an order; "" for words between people."""
    if looks_like_order(text) and reads_as_order(text):
        return ORDERS
    return "" if "?" in text else command_of(text, player.WORDS) or ""


def _readers(text: str, seat: Seat) -> Audience:
    """The readers of the press.

    Raises BadInput for a name that is no power's. If a player of the game has that name, the error
    names their power, unless the game is anonymous.
    """
    game = seat.power.game
    try:
        return read_audience(text, power_names(game), seat.power.name)
    except BadInput as error:
        if error.near == seat.power.name:
            raise BadInput(
                f"There is no power “{error.wrote}” in this game. If you mean {error.near}, that "
                "is you: please name only the others."
            ) from error
        named = error.wrote and not error.near and names_shown(game)
        name, power = _player_meant(text, error.wrote, game) if named else ("", "")
        if not power:
            raise
        if power == seat.power.name:
            raise BadInput(f"You are {name} yourself. Please name only the others.") from error
        said = f"Press is for powers, not for people. {name} plays {power}."
        raise BadInput(said, wrote=name, near=power) from error


def _player_meant(text: str, first: str, game: Game) -> tuple[str, str]:
    """The name in the text that begins with this word, and the power of its player; both empty
    unless it is one player."""
    whole = re.search(rf"(?<!\w){re.escape(first)}\s+[^\s,;&+/.:]+", text)
    names = [whole[0], first] if whole else [first]
    found = ((name, power) for name in names if (power := power_of_namesake(name, game)))
    return next(found, ("", ""))


def fake_of(said: Heading, seat: Seat) -> Fake | None:
    """The claim that fake press makes about itself. Raises NotAllowed if press may not be fake."""
    if said.fake:
        require_fake_press(seat.power.game)
    return read_fake(said, power_names(seat.power.game), seat.power.name)


def or_not_sent(
    passed_on: Callable[[], Receipt], sender: Sender, readers: str = "", call: Call | None = None
) -> Receipt:
    """The receipt of press; if the press failed, its subject already says that nobody got it, and
    the text says why."""
    try:
        with transaction.atomic():
            return passed_on()
    except GameError as error:
        seat = seat_meant(sender)
        game = f"[{seat.power.game.name}] " if seat else ""
        whom = f" to {readers[:_SHOWN]}" if readers else ""
        line = f"{call.command.upper()} {call.argument}".strip() if call else ""
        return Receipt(
            title="Your press",
            text=str(error),
            done=False,
            quotes=call is not None,
            subject=f"{game}NOT SENT{whom}",
            wish=corrected_command(call, line, error) if call else None,
        )


def with_stray_order(
    receipt: Receipt, call: Call, where: str, *, became: str = "passed on"
) -> Receipt:
    """The receipt of a text, with a note on where to write an order at its end, or a command in
    capitals.

    `became` says what happened to that line.
    """
    last = next((line.text for line in reversed(call.lines) if line.text.strip()), "")
    command = command_for_us(call.lines)
    if not receipt.done or not (command or reads_as_order(last)):
        return receipt
    if command:
        note = (
            f"You wrote “{command}” in it. That was {became}, too, and nothing else was done about "
            f"it. To have it done, write it {where}."
        )
    else:
        note = (
            f"You wrote “{last}” at its end. That was {became}, too, and is not an order. To order "
            f"it, write it {where}."
        )
    return replace(receipt, text=f"{receipt.text}\n\n{note}")


def command_for_us(lines: Sequence[Line]) -> str:
    """A line in a text for others that looks like a command because its word is in capitals, as in
    “ABSENCE FROM 10 Mar”; "" if there is no such line."""
    return next((line.text for line in lines if _is_for_us(line.text)), "")


def _is_for_us(text: str) -> bool:
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    if not word.isupper() or "?" in text:
        return False
    command = command_of(text, player.WORDS)
    if command is None or command in _ALSO_IN_LETTERS:
        return False
    return text.isupper() or player.COMMANDS[command].secured


def send(
    sender: Sender,
    to: Audience,
    text: str,
    arrival: Arrival,
    *,
    bare: Sequence[str] = (),
    grey: bool = False,
    fake: Fake | None = None,
) -> Receipt:
    """Pass the text on without any reply address in it, and show what we sent."""
    seat = seat_of(sender)
    require_not_over(seat.power.game, "and there is no press after the end")
    others = [one for one in power_names(seat.power.game) if one != seat.power.name]
    require_for_all(text, to, others, names_of_others(seat, others), "PRESS")
    press = press_send(
        seat=seat,
        to=to,
        text=without_identity(text, sender),
        source=arrival.source,
        now=arrival.now,
        bare=bare,
        grey=grey,
        fake=fake,
    )
    readers = listed_readers(press)
    secret = ", and it does not say that you wrote it" if grey else _pretence(press)
    return Receipt(
        title="Your press",
        text=f"Passed on to {readers}{secret}:\n\n{quoted_text(press.text)}",
        subject=f"[{press.game.name}] Passed on to {readers}",
    )


def _pretence(press: Row) -> str:
    """The claim of fake press, for its writer's receipt."""
    if not press.fake:
        return ""
    to = "to everybody" if press.shown_public else f"to {listed(press.shown_to)}"
    shown = f" {to}" if press.shown_public or press.shown_to else ""
    return f" as fake press. It says that {press.writer} wrote it{shown}"


def without_identity(text: str, sender: Sender) -> str:
    """The text without our reply addresses and without the writer's own addresses."""
    text = addresses.redact(text)
    own = {sender.email}
    if sender.player:
        own |= set(sender.player.addresses.values_list("email", flat=True))
    for email in own:
        text = re.sub(re.escape(email), "[address]", text, flags=re.IGNORECASE)
    return text
