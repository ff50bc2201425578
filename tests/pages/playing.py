"""A game that was played some phases far by random orders, to look at."""

from __future__ import annotations

import datetime as dt
import re
from random import Random

from django.contrib.auth.models import User
from django.test import Client

from benchmarks.random_games import random_orders
from games.models import Game
from games.queries import board
from games.queries.parsing.press_audience import Audience
from games.services.adjudication.phases import phase_process_now
from games.services.messages.press import press_send
from games.services.ordering.orders import orders_submit
from tests.cast import DAY, NOW, Cast, make_cast
from tests.made import made_once

PHASES = 9
MOST_QUERIES = 11
SECRET_LINE = "A Paris - the moon of Jupiter"
PUBLIC_PRESS = "Hello Europe, <b>I come in peace</b>."
PRIVATE_PRESS = "Between us: the key is under the mat."


def play(cast: Cast, phases: int, seed: int = 7) -> dt.datetime:
    """Play so many phases, a day each; return when the last was processed."""
    rng, now = Random(seed), NOW
    for _ in range(phases):
        now += DAY
        phase = cast.game.phases.filter(status="open").select_related("game").first()
        if phase is None:
            break
        position = board.position_of(phase.game.variant, phase.position)
        for power, orders in random_orders(position, rng).items():
            lines = [str(order) for order in orders]
            if lines:
                orders_submit(
                    seat=cast.seat(power),
                    phase=phase,
                    lines=list(enumerate([SECRET_LINE, *lines], start=1)),
                    amend=False,
                    received_at=now - dt.timedelta(hours=1),
                    source=f"<{power}-{phase.number}@players.test>",
                    now=now - dt.timedelta(hours=1),
                )
        phase_process_now(game_id=cast.game.pk, now=now)
    cast.game.refresh_from_db()
    return now


def played(phases: int = PHASES, **settings: object) -> Cast:
    """Return the game `marne`, played so far, with press to everybody and to some."""

    def make() -> None:
        cast = make_cast(**settings)
        write_press(cast)
        play(cast, phases)

    made_once(repr(("played", phases, sorted(settings.items()))), make)
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def write_press(cast: Cast) -> None:
    """Write as France to everybody and to Germany alone, where the game has such press."""
    mode = cast.game.press_mode
    seat, now = cast.seat("France"), NOW
    others = ("Austria", "England", "Italy")
    if mode in ("both", "public"):
        to = Audience(others, gm=True, public=True)
        press_send(seat=seat, to=to, text=PUBLIC_PRESS, source="<p1@players.test>", now=now)
    if mode in ("both", "private"):
        to = Audience(("Germany",))
        press_send(seat=seat, to=to, text=PRIVATE_PRESS, source="<p2@players.test>", now=now)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def first(pattern: str, page: str) -> str:
    """What the group of this pattern is where it stands first."""
    found = re.search(pattern, page)
    assert found, pattern
    return found[1]
