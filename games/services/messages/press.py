"""Press: what the powers write to each other, by the game's rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from games import lifecycle, log
from games.errors import NotAllowed
from games.events import PressSent
from games.models import Press, Seat
from games.models.press import NO_LONGER_KEPT
from games.queries import lookup
from games.queries.parsing.press_audience import Audience
from games.queries.players.seats import PLAYED, power_names
from games.services.common import lock_game, seat_now
from games.services.messages.press_allowed import (
    Fake,
    require_allowed,
    require_few,
    require_meant,
    require_text,
)

EVERYBODY = "everybody"
GREY = "grey"
"""The circle of grey press to some powers: it has its number, because it is not a conversation."""


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
    """Write from a power to others; the event has them told: of grey press without the writer, of
    fake press what it claims.

    Raises WrongState when the game is not being played, NotAllowed when the game does not have such
    press, when nobody plays a power that is named, or after too many messages in a day, and
    BadInput for no text and a too long one, and for a fake that gives itself away. `bare` are the
    lines of a reply whose writer has not said whom it is for: if they are nothing but orders for
    the power, BadInput asks what they are.
    """
    game = lock_game(seat.power.game)
    lifecycle.require(game, *PLAYED)
    seat, phase = seat_now(seat), lookup.open_phase(game)
    require_allowed(seat, to, grey=grey, fake=fake, now=now)
    require_text(text)
    require_meant(bare, seat, phase)
    require_few(seat, now)
    press = Press(
        game=game,
        phase=phase,
        seat=seat,
        number=game.press.count() + 1,
        to=list(to.powers),
        to_gm=to.gm,
        public=to.public,
        grey=grey,
        text=text,
        source=source[:255],
        created_at=now,
    )
    _show(press, seat.power.name, to, fake or Fake())
    press.save()
    _record(press, now)
    return press


def _show(press: Press, own: str, to: Audience, fake: Fake) -> None:
    """Set what readers are told about the press, which decides its conversation, too."""
    writer, shown = fake.writer or own, fake.to or to
    press.shown_writer = writer if writer != own else ""
    press.shown_to = list(shown.powers) if shown != to else []
    press.shown_public = shown.public and not to.public
    alone = press.grey and not to.public
    press.circle = f"{GREY} {press.number}" if alone else _circle(writer, shown)


def audience_of_answer(press: Press, seat: Seat, *, to_all: bool) -> Audience:
    """Return who gets the answer to a letter: its writer, or everybody else who takes part.

    An answer to fake press goes where it would go if its claims were true. Raises NotAllowed if an
    answer would reveal who wrote grey press.
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


def press_empty(*, before: dt.datetime, limit: int) -> int:
    """Empty the press of games that ended before this time, the oldest first; return how many
    letters were emptied.

    What stays is that there was press, from whom and to whom.
    """
    old = Press.objects.filter(game__finished_at__lt=before).exclude(text=NO_LONGER_KEPT)
    keys = list(old.order_by("pk").values_list("pk", flat=True)[:limit])
    return Press.objects.filter(pk__in=keys).update(text=NO_LONGER_KEPT, source="")


def _circle(writer: str, to: Audience) -> str:
    if to.public:
        return EVERYBODY
    names = sorted({writer, *to.powers})
    return ", ".join([*names, "GM"] if to.gm else names)


def _record(press: Press, now: dt.datetime) -> None:
    """Log the press, with its writer if it went to everybody and is not grey; of other press, only
    that it was written.

    If press may be fake, the log names no writer at all, because what the log says is true, and
    proof for ever. The digest binds the writer; it is salted, and no player gets it.
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
