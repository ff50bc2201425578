"""Which press a game has, who may write it to whom, and what is not press at all."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.errors import BadInput, NotAllowed
from games.models import Game, Phase, Press, Seat
from games.queries import lookup
from games.queries.board import ordered_unit
from games.queries.orders.current_orders import position_seen, readings
from games.queries.parsing.press_audience import Audience
from games.queries.reports.wording import local_moment

Mode = Game.PressMode

A_DAY = dt.timedelta(days=1)
MOST_A_DAY = 200
LONGEST = 20_000
"""Characters of a message."""
_TALK = re.compile(
    r"\W*(i|i['’]\w+|we|we['’]\w+|you|he|she|they|my|our|your|let|please|could|can|would|will|shall"
    r"|should|if|so|and|but|then|maybe|perhaps)\b",
    re.IGNORECASE,
)
"""How sentences about moves begin, unlike orders to a judge."""


@dataclass(frozen=True, slots=True)
class Fake:
    """What fake press claims: the power it is from, and its readers; None for the truth."""

    writer: str | None = None
    to: Audience | None = None


def require_allowed(
    seat: Seat, to: Audience, *, grey: bool, fake: Fake | None, now: dt.datetime
) -> None:
    """Raise NotAllowed for press that this seat cannot write to these readers now, and BadInput for
    a fake that gives itself away. The seat comes with its player, its power and its game."""
    game = seat.power.game
    _require_mode(game, to)
    _require_unmuted(seat, to, now)
    if fake:
        _require_fake(game, seat, to, fake, grey=grey)
    if grey:
        _require_grey(game, to)


def require_few(seat: Seat, now: dt.datetime) -> None:
    """Raise NotAllowed after too many messages in a day."""
    recent = Press.objects.filter(seat=seat, created_at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:
        raise NotAllowed(f"You have written {MOST_A_DAY} messages within a day: wait a little.")


def may_write_publicly(game: Game) -> bool:
    """Say whether a power may write to everybody."""
    return game.press_mode in (Mode.PUBLIC, Mode.BOTH)


def require_fake_press(game: Game) -> None:
    """Raise NotAllowed unless press may be fake."""
    if not game.fake_press:
        raise NotAllowed(
            f"In the game {game.name} press is never fake: it says which power wrote it, and to "
            "whom. Nobody has seen your text, not even under your own name. To send it under "
            "your own name, write it again without FAKE and FROM."
        )


def require_text(text: str) -> None:
    """Raise BadInput for a text that is empty or too long."""
    if not text.strip():
        raise BadInput(
            "There is no text to pass on. Write it below the line PRESS TO or BROADCAST, and "
            "below it END PRESS."
        )
    if len(text) > LONGEST:
        raise BadInput(f"Your text has {len(text)} characters, and can have {LONGEST} at most.")


def require_meant(bare: Sequence[str], seat: Seat, phase: Phase | None) -> None:
    """Raise BadInput for orders to the judge that were sent to another power by mistake."""
    lines = [line for line in bare if line.strip()]
    if phase is None or not lines or not _are_orders(phase, seat, lines):
        return
    raise BadInput(
        "We did not pass on your reply to press, because there is nothing in it but your orders, "
        f"like “{lines[0]}”. If you meant them for the judge, reply to the newest mail about the "
        "phase. If you want others to read them, send them again with the word SURE on the first "
        "line, or below a line PRESS TO and the powers."
    )


def _are_orders(phase: Phase, seat: Seat, lines: Sequence[str]) -> bool:
    """Whether every line is an order, one at least for the power itself, and none a sentence.

    An order for a unit that nobody has may be the power's own for a later phase.
    """
    read = [one for one in readings(phase, seat.power.name, lines) if one.order]
    place = position_seen(phase, seat.power.name)
    foreign = {str(unit) for unit in place.units if unit.power != seat.power.name}
    own = any(one.problem is None or ordered_unit(one.order) not in foreign for one in read)
    every = {one.line for one in read} == set(range(len(lines)))
    return own and every and not any(map(_TALK.match, lines))


def _require_mode(game: Game, to: Audience) -> None:
    if to == Audience(gm=True):
        if game.gm is None or not game.gm.email:
            raise NotAllowed(
                f"The game {game.name} has no game master to write to. For the moderators, write "
                "MODERATOR on a line of its own, and your text below it."
            )
        return
    if game.press_mode == Mode.NONE:
        raise NotAllowed(f"The game {game.name} is played without press, except to the GM.")
    if to.public and not may_write_publicly(game):
        raise NotAllowed(
            f"In the game {game.name} nobody writes to everybody. Name the powers you write to, "
            "for example: PRESS TO Italy"
        )
    if not to.public and game.press_mode == Mode.PUBLIC:
        raise NotAllowed(
            f"In the game {game.name} everybody reads all press. To write to everybody, write "
            "BROADCAST."
        )
    _require_readers(game, to)


def _require_unmuted(seat: Seat, to: Audience, now: dt.datetime) -> None:
    """Raise NotAllowed for a muted player who writes to anybody but the GM alone."""
    until = seat.player.muted_until
    if until is None or until <= now or (to.gm and not to.powers and not to.public):
        return
    raise NotAllowed(
        f"The moderators have muted you until {local_moment(until, seat.player.timezone)}: you can "
        "write to the GM, and orders are taken, but no press goes to other powers. If you think "
        "that is wrong, write MODERATOR and why."
    )


def _require_fake(game: Game, seat: Seat, to: Audience, fake: Fake, *, grey: bool) -> None:
    """Raise unless the game has fake press and nothing in it gives itself away."""
    require_fake_press(game)
    own, writer = seat.power.name, fake.writer or seat.power.name
    if grey:
        raise BadInput(
            "Grey press names nobody, and fake press names another. Write one word or the other: "
            "GREY or FAKE."
        )
    if to == Audience(gm=True):
        raise NotAllowed("The game master has to know who writes to them. Leave FAKE out.")
    if fake.writer == own:
        raise BadInput(f"You are {own} yourself. Name another power, or leave FAKE FROM out.")
    if fake == Fake():
        raise BadInput(
            "Say what the press is to pretend, like FAKE FROM and another power, FAKE TO and other "
            "readers, or FAKE BROADCAST."
        )
    if writer in to.powers and not to.public:
        raise BadInput(
            f"{writer} would get a letter that {writer} never wrote. Leave {writer} out of your "
            "readers, or name another writer."
        )
    if fake.to and fake.to.gm and not fake.to.public:
        raise BadInput("You cannot pretend that the GM got it, too. Name only powers after FAKE.")
    if fake.to and fake.to.public and not may_write_publicly(game):
        raise NotAllowed(
            f"In the game {game.name} nobody writes to everybody, so press cannot pretend to, "
            "either."
        )
    played = {one.power.name for one in lookup.seats_of(game)}
    if writer not in played:
        raise NotAllowed(f"Nobody plays {writer} at the moment, so nobody would believe it.")
    if fake.to:
        _require_readers(game, fake.to)


def _require_grey(game: Game, to: Audience) -> None:
    if not game.grey_press:
        raise NotAllowed(
            f"In the game {game.name} all press says which power wrote it. To send it under your "
            "own name, write it again without GREY (or ANONYMOUS)."
        )
    if to == Audience(gm=True):
        raise NotAllowed("The game master has to know who writes to them. Leave the word GREY out.")


def _require_readers(game: Game, to: Audience) -> None:
    played = {one.power.name for one in lookup.seats_of(game)}
    missing = [power for power in to.powers if power not in played]
    if missing and not to.public:
        raise NotAllowed(
            f"Nobody plays {' or '.join(missing)} at the moment, so nobody would read it."
        )
