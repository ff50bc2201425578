"""PRESS TO: a message to the powers named; and whatever answers a press."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from django.db import transaction

from games.errors import BadInput, GameError
from games.queries.parsing.press_audience import Audience, read_audience
from games.queries.seats import power_names
from games.services.press import press_send
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Call, Takes, text_of
from mailer.commands.seats import seat_of
from mailer.commands.wishes import corrected
from mailer.identity.senders import Sender, seat_meant
from mailer.notices.press_sent import as_quoted, listed_readers
from mailer.outbound import addresses

_KINDS = r"(?:sure|gr[ea]y|white)\b[\s,]*"
_CALL = re.compile(
    rf"(?P<kind>(?:{_KINDS})*)to\b\s*:?(?P<to>[^:]*)(?::\s*(?P<text>.*))?", re.IGNORECASE
)
_SHOWN = 40
_KINDS_BEHIND = frozenset({"sure", "grey", "gray", "white"})
_SECRET = re.compile(r"[^\s<>@]+\+[a-z2-7]{27}@[^\s<>]+", re.IGNORECASE)


class Press(Verb):
    name = "press"
    usage = "PRESS TO power, power"
    summary = "write to other powers, or TO GM to the game master"
    help = (
        "Write PRESS TO and the powers, and your text on the lines below it; END PRESS closes it. "
        "They get your text, and nothing that tells who you are. To answer press, reply to it: the "
        "reply goes to its writer, a reply to all to all who take part.\n"
        "Example: PRESS TO Italy, Turkey\n"
        "Example: PRESS TO ALL BUT Germany\n"
        "Example: PRESS GREY TO Italy (does not say which power wrote it, in games that have such "
        "press)"
    )
    takes = Takes.SOMETHING
    argument = re.compile(rf"({_KINDS})*(to\b.*)?", re.IGNORECASE)
    has_body = True
    prose = True
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        match = _CALL.fullmatch(call.argument)
        if match is None:
            raise BadInput(f"Please write to whom, for example: PRESS {call.argument} TO Italy")
        readers, behind = _parted(match["to"])
        text = "\n".join(filter(None, [match["text"], text_of(call.lines)]))
        grey = is_grey(f"{match['kind']} {behind}")

        def passed_on() -> Receipt:
            seat = seat_of(sender)
            to = read_audience(readers, power_names(seat.power.game), seat.power.name)
            return send(sender, to, text, arrival, grey=grey)

        return or_not_sent(passed_on, sender, readers, call)


def _parted(text: str) -> tuple[str, str]:
    """The readers as they are written, and the words SURE, GREY or WHITE behind them."""
    words = re.split(r"[\s,]+", text)
    end = len(words)
    while end and words[end - 1].lower() in {"", *_KINDS_BEHIND}:
        end -= 1
    return " ".join(words[:end]), " ".join(words[end:])


def is_grey(kinds: str) -> bool:
    """Whether the words before and behind PRESS TO want it not to say who wrote it."""
    return "grey" in kinds.lower() or "gray" in kinds.lower()


def or_not_sent(
    passed_on: Callable[[], Receipt], sender: Sender, readers: str = "", call: Call | None = None
) -> Receipt:
    """The receipt of press, or one whose very subject says that nobody has got it, and why."""
    try:
        with transaction.atomic():
            return passed_on()
    except GameError as error:
        seat = seat_meant(sender)
        game = f"[{seat.power.game.name}] " if seat else ""
        whom = f" to {readers[:_SHOWN]}" if readers else ""
        return Receipt(
            title="Your press",
            text=str(error),
            done=False,
            subject=f"{game}NOT SENT{whom}",
            wish=corrected(call, f"PRESS {call.argument}", error) if call else None,
        )


def send(
    sender: Sender,
    to: Audience,
    text: str,
    arrival: Arrival,
    *,
    bare: Sequence[str] = (),
    grey: bool = False,
) -> Receipt:
    """Passes the text on, without any reply address in it, and shows what was sent."""
    seat = seat_of(sender)
    press = press_send(
        seat=seat,
        to=to,
        text=without_identity(text, sender),
        source=arrival.source,
        now=arrival.now,
        bare=bare,
        grey=grey,
    )
    readers = listed_readers(press)
    secret = ", and it does not say that you wrote it" if grey else ""
    return Receipt(
        title="Your press",
        text=f"Passed on to {readers}{secret}:\n\n{as_quoted(press)}",
        subject=f"[{press.game.name}] Passed on to {readers}",
    )


def without_identity(text: str, sender: Sender) -> str:
    """The text without reply addresses of ours and without the writer's own addresses."""
    text = addresses.redacted(_SECRET.sub("[reply address]", text))
    own = {sender.email}
    if sender.player:
        own |= set(sender.player.addresses.values_list("email", flat=True))
    for email in own:
        text = re.sub(re.escape(email), "[address]", text, flags=re.IGNORECASE)
    return text
