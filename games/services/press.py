"""Press: what the powers write to each other, by the game's rules."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, NotAllowed
from games.events import PressSent
from games.models import Game, Phase, Press, Seat
from games.queries import lookup
from games.queries.board import ordered_unit
from games.queries.current_orders import position_seen, readings
from games.queries.parsing.press_audience import Audience
from games.queries.seats import PLAYED, power_names
from games.queries.wording import local_moment
from games.services.common import locked, seat_now

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


@dataclass(frozen=True, slots=True)
class Fake:
    """What fake press says of itself: the power it is from, and to whom; None: the truth."""

    writer: str | None = None
    to: Audience | None = None


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
    fake: Fake | None = None,
) -> Press:
    """Write from a power to others; the event has them told, of grey press not by whom, and of
    fake press what it says of itself.

    Raises WrongState when the game is not being played, NotAllowed when the game does not have
    such press, when nobody plays a power that is named, or after too many messages in a day, and
    BadInput for no text and a too long one, and for a fake that gives itself away. `bare` are the
    lines of a reply of which its writer has not said whom it is for: if they are nothing but orders
    for the power, BadInput asks.
    """
    game = locked(seat.power.game)
    lifecycle.require(game, *PLAYED)
    seat = seat_now(seat)
    _require_allowed(game, to)
    _require_unmuted(seat, to, now)
    if fake:
        _require_fake(game, seat, to, fake, grey=grey)
    if grey:
        _require_grey(game, to)
    _require_fit(text)
    _require_meant(bare, seat, lookup.open_phase(game))
    recent = Press.objects.filter(seat=seat, created_at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:
        raise NotAllowed(f"You have written {MOST_A_DAY} messages within a day: wait a little.")
    writer = (fake and fake.writer) or seat.power.name
    shown = (fake and fake.to) or to
    press = Press.objects.create(
        game=game,
        phase=lookup.open_phase(game),
        seat=seat,
        number=(number := game.press.count() + 1),
        to=list(to.powers),
        to_gm=to.gm,
        public=to.public,
        grey=grey,
        shown_writer=writer if writer != seat.power.name else "",
        shown_to=list(shown.powers) if shown != to else [],
        shown_public=shown.public and not to.public,
        circle=f"{GREY} {number}" if grey and not to.public else _circle(writer, shown),
        text=text,
        source=source[:255],
        created_at=now,
    )
    _record(press, now)
    return press


def audience_of_answer(press: Press, seat: Seat, *, to_all: bool) -> Audience:
    """Return to whom a seat's answer goes: the writer, or all others who take part.

    An answer to fake press goes where it would go if all it says of itself were so. Raises
    NotAllowed where an answer would tell who wrote grey press.
    """
    if press.grey and not (to_all and press.public):
        raise NotAllowed(
            "This press does not say which power wrote it, so nobody can answer its writer. "
            "Write to those you mean, for example: PRESS TO Italy"
        )
    writer = {press.sender} if press.sender else set()
    others = tuple(sorted((writer | set(press.readers)) - {seat.power.name}))
    if to_all and press.for_all:
        everybody = tuple(name for name in power_names(press.game) if name != seat.power.name)
        return Audience(everybody, gm=True, public=True)
    if to_all:
        return Audience(others, gm=press.with_gm or not writer)
    return Audience(tuple(writer), gm=not writer)


def may_write_publicly(game: Game) -> bool:
    """Say whether a power may write to everybody."""
    return game.press_mode in (Mode.PUBLIC, Mode.BOTH)


def _require_allowed(game: Game, to: Audience) -> None:
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


def _require_grey(game: Game, to: Audience) -> None:
    if not game.grey_press:
        raise NotAllowed(
            f"In the game {game.name} all press says which power wrote it. Leave the word GREY out."
        )
    if to == Audience(gm=True):
        raise NotAllowed("The game master has to know who writes to them. Leave the word GREY out.")


def require_fake_press(game: Game) -> None:
    """Raise NotAllowed where no press may be fake."""
    if not game.fake_press:
        raise NotAllowed(
            f"In the game {game.name} press is never fake: it says which power wrote it, and to "
            "whom. Nobody has got your text, not even under your own name. To send it under your "
            "own, write it again without FAKE and FROM."
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
        raise BadInput("You cannot pretend that the GM got it, too. Name only powers behind FAKE.")
    if fake.to and fake.to.public and not may_write_publicly(game):
        raise NotAllowed(f"In the game {game.name} nobody writes to everybody, not even seemingly.")
    played = {one.power.name for one in lookup.seats_of(game)}
    if writer not in played:
        raise NotAllowed(f"Nobody plays {writer} at the moment, so nobody would believe it.")
    if fake.to:
        _require_readers(game, fake.to)


def _require_readers(game: Game, to: Audience) -> None:
    played = {one.power.name for one in lookup.seats_of(game)}
    missing = [power for power in to.powers if power not in played]
    if missing and not to.public:
        raise NotAllowed(
            f"Nobody plays {' or '.join(missing)} at the moment, so nobody would read it."
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
    place = position_seen(phase, seat.power.name)
    foreign = {str(unit) for unit in place.units if unit.power != seat.power.name}
    own = any(one.problem is None or ordered_unit(one.order) not in foreign for one in read)
    every = {one.line for one in read} == set(range(len(lines)))
    return own and every and not any(map(_TALK.match, lines))


def _circle(writer: str, to: Audience) -> str:
    if to.public:
        return EVERYBODY
    names = sorted({writer, *to.powers})
    return ", ".join([*names, "GM"] if to.gm else names)


def _record(press: Press, now: dt.datetime) -> None:
    """The log tells everybody who wrote to everybody, and of the rest only that it was written.

    Where press may be fake it names no writer, for what it says is true and a proof for ever. The
    digest binds who wrote it; it is salted and no player gets it.
    """
    named = press.public and not press.grey and not press.game.fake_press
    wrote = press.true_writer if press.fake else press.writer
    log.record(
        game=press.game,
        phase=press.phase,
        facts=PressSent(
            press=press.number,
            by=press.writer if named else "A power",
            to=EVERYBODY if press.public else "others",
            sha256=log.digest([wrote, press.circle, press.text]),
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
