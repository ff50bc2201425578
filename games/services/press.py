"""Press: what the powers write to each other, by the game's rules."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, NotAllowed
from games.events import PressSent
from games.models import Game, Phase, Press, Seat
from games.queries import lookup
from games.queries.board import ordered_unit
from games.queries.current_orders import position, readings
from games.queries.parsing.press_audience import Audience
from games.queries.wording import local_moment
from games.services.common import locked

Mode = Game.PressMode

A_DAY = dt.timedelta(days=1)
MOST_A_DAY = 200
LONGEST = 20_000
EVERYBODY = "everybody"
_TALK = re.compile(
    r"\W*(i|i['’]\w+|we|we['’]\w+|you|he|she|they|my|our|your|let|please|could|can|would|will|shall"
    r"|should|if|so|and|but|then|maybe|perhaps)\b",
    re.IGNORECASE,
)
"""How sentences about moves begin, and orders to a judge do not."""
GREY = "grey"
"""The circle of grey press to some: with its number, for it is no conversation."""


@transaction.atomic
def press_send(
    *,
    seat: Seat,
    to: Audience,
    text: str,
    source: str,
    now: dt.datetime,
    bare: Sequence[str] = (),
    grey: bool = False,
) -> Press:
    """Write from a power to others; the event has them told, of grey press not by whom.

    Raises WrongState when the game is not being played, NotAllowed when the game does not have
    such press, when nobody plays a power that is named, or after too many messages in a day, and
    BadInput for no text and a too long one. `bare` are the lines of a reply of which its writer has
    not said whom it is for: if they are nothing but orders for the power, BadInput asks.
    """
    game = locked(seat.power.game)
    lifecycle.require(game, Game.Status.ACTIVE, Game.Status.PAUSED)
    _require_allowed(game, seat, to)
    _require_unmuted(seat, to, now)
    if grey:
        _require_grey(game, to)
    _require_fit(text)
    _require_meant(bare, seat, lookup.open_phase(game))
    recent = Press.objects.filter(seat=seat, created_at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:
        raise NotAllowed(f"You have written {MOST_A_DAY} messages within a day: wait a little.")
    press = Press.objects.create(
        game=game,
        phase=lookup.open_phase(game),
        seat=seat,
        number=(number := game.press.count() + 1),
        to=list(to.powers),
        to_gm=to.gm,
        public=to.public,
        grey=grey,
        circle=f"{GREY} {number}" if grey and not to.public else _circle(seat, to),
        text=text,
        source=source[:255],
        created_at=now,
    )
    _record(press, now)
    return press


def audience_of_answer(press: Press, seat: Seat, *, to_all: bool) -> Audience:
    """Return to whom a seat's answer goes: the writer, or all others who take part.

    Raises NotAllowed where an answer would tell who wrote grey press.
    """
    if press.grey and not (to_all and press.public):
        raise NotAllowed(
            "This press does not say which power wrote it, so nobody can answer its writer. "
            "Write to those you mean, for example: PRESS TO Italy"
        )
    writer = {press.seat.power.name} if press.seat else set()
    others = tuple(sorted((writer | set(press.to)) - {seat.power.name}))
    if to_all and press.public:
        return Audience(others, gm=True, public=True)
    if to_all:
        return Audience(others, gm=press.to_gm or not writer)
    return Audience(tuple(writer), gm=not writer)


def may_write_publicly(game: Game) -> bool:
    """Say whether a power may write to everybody."""
    return game.press_mode in (Mode.PUBLIC, Mode.BOTH)


def _require_allowed(game: Game, seat: Seat, to: Audience) -> None:
    if seat.until is not None:
        raise NotAllowed(f"You no longer play {seat.power.name} in the game {game.name}.")
    if to == Audience(gm=True):
        if game.gm is None or not game.gm.email:
            raise NotAllowed(f"The game {game.name} has no game master to write to.")
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


def _require_grey(game: Game, to: Audience) -> None:
    if not game.grey_press:
        raise NotAllowed(
            f"In the game {game.name} all press says which power wrote it. Leave the word GREY out."
        )
    if to == Audience(gm=True):
        raise NotAllowed("The game master has to know who writes to them. Leave the word GREY out.")


def _require_readers(game: Game, to: Audience) -> None:
    played = {one.power.name for one in lookup.seats_of(game)}
    missing = [power for power in to.powers if power not in played]
    if missing and not to.public:
        raise NotAllowed(
            f"Nobody plays {' or '.join(missing)} at the moment, so that nobody would read it."
        )


def _require_fit(text: str) -> None:
    if not text.strip():
        raise BadInput(
            "There is no text to pass on. Write it below the line PRESS TO or BROADCAST, and "
            "below it END PRESS."
        )
    if len(text) > LONGEST:
        raise BadInput(f"Your text has {len(text)} characters: {LONGEST} are the most.")


def _require_meant(bare: Sequence[str], seat: Seat, phase: Phase | None) -> None:
    """See that what looks like orders for the judge was not sent to another power by mistake."""
    lines = [line for line in bare if line.strip()]
    if phase is None or not lines or not _are_orders(phase, seat, lines):
        return
    raise BadInput(
        "Your reply to press was not passed on, for there is nothing in it but orders of yours, "
        f"like “{lines[0]}”. If they were meant for the judge, reply to the newest mail about the "
        "phase. If others are to read them, send them again with the word SURE on the first line, "
        "or below a line PRESS TO and the powers."
    )


def _are_orders(phase: Phase, seat: Seat, lines: Sequence[str]) -> bool:
    """Whether every line is an order, one at least for the power itself, and none a sentence.

    An order for a unit that nobody has may be the power's own for a later phase.
    """
    read = [one for one in readings(phase, seat.power.name, lines) if one.order]
    all_units, own_units = position(phase).units, position(phase).units_of(seat.power.name)
    foreign = {str(unit) for unit in all_units if unit not in own_units}
    own = any(one.problem is None or ordered_unit(one.order) not in foreign for one in read)
    every = {one.line for one in read} == set(range(len(lines)))
    return own and every and not any(map(_TALK.match, lines))


def _circle(seat: Seat, to: Audience) -> str:
    if to.public:
        return EVERYBODY
    names = sorted({seat.power.name, *to.powers})
    return ", ".join([*names, "GM"] if to.gm else names)


def _record(press: Press, now: dt.datetime) -> None:
    """The log tells everybody who wrote to everybody, and of the rest only that it was written."""
    log.record(
        game=press.game,
        phase=press.phase,
        facts=PressSent(
            press=press.number,
            by=press.writer if press.public and not press.grey else "A power",
            to=EVERYBODY if press.public else "others",
            sha256=log.digest([press.writer, press.circle, press.text]),
        ),
        now=now,
    )


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
