"""A game with everybody who is told about seats, and what they were told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.contrib.auth.models import Group, User

from games.models import Game, Power, Seat
from games.services.adjudication.phases import phase_process
from games.services.ordering.disorder import disorder_declare
from games.services.seating.observers import observe
from games.services.seating.seats import seat_take
from games.services.seating.standby import standby_join
from mailer.models import OutboundMail
from tests.cast import HOUR, NOW, OPENINGS, POWERS, Cast, address_of, make_cast, make_player, submit
from tests.made import made_once
from tests.mailer.correspondence import flat, tell_all

DUE = NOW + 72 * HOUR
GM, MOD = "gm@players.test", "mod@players.test"
EMMA, HUGO, INES = (address_of(name) for name in ("Emma", "Hugo", "Ines"))
OTHERS = {address_of(name) for name in POWERS if name != "Emma"}
SECRET = "A Rome - Apulia"


def tell(kind: str, now: dt.datetime = NOW) -> list[OutboundMail]:
    """Tell all that is untold; return the mails of one kind in the order they were queued."""
    tell_all(now)
    mails = list(OutboundMail.objects.filter(kind=kind).order_by("pk"))
    for mail in mails:
        assert max(map(len, mail.body.splitlines())) <= 72, mail.body
    return mails


def to(mails: list[OutboundMail], recipient: str) -> str:
    """The one mail to this address, in one line."""
    [mail] = [mail for mail in mails if mail.recipient == recipient]
    return flat(mail.body)


def recipients(mails: list[OutboundMail]) -> list[str]:
    return [mail.recipient for mail in mails]


def cast_with_all(**settings: object) -> Cast:
    """The game with a moderator, an observer (Ines), Hugo on standby, and orders of Italy."""
    made_once(f"the cast with all, {sorted(settings.items())}", lambda: _with_all(settings))
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def _with_all(settings: Mapping[str, object]) -> None:
    cast = make_cast(**settings)
    user = User.objects.create_user("mod", MOD)
    user.groups.add(Group.objects.get_or_create(name="Moderator")[0])
    observe(game=cast.game, player=make_player("Ines"), now=NOW)
    standby_join(player=cast.player("Hugo"), now=NOW)
    submit(cast, "Italy", OPENINGS["Italy"])
    tell("game_started")
    OutboundMail.objects.all().update(kind="before")


def italy(cast: Cast) -> Power:
    return cast.game.powers.get(name="Italy")


def declare(cast: Cast) -> None:
    disorder_declare(
        game=cast.game, power=italy(cast), why="No word from him.", by="the GM", now=NOW
    )


def take(cast: Cast) -> Seat:
    hugo = cast.player("Hugo")
    seat = seat_take(game=cast.game, power=italy(cast), player=hugo, now=NOW + HOUR)
    assert seat
    return seat


def waiting() -> Cast:
    cast = cast_with_all(when_missing="wait")
    phase_process(game_id=cast.game.pk, now=DUE)
    return cast
