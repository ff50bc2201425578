"""What the demo begins with: an operator, a game that moves fast, and one with a free seat."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from diplomacy_server.demo.cast import DOMAIN, SAMPLE, YOURS
from games.models import Game
from games.services.games import game_create

OPERATOR = "admin"


def operator_ready(password: str) -> User:
    """Return the demo's operator, who may log in with this password and see open orders."""
    operator, _ = User.objects.get_or_create(
        username=OPERATOR,
        defaults={"email": f"gm@{DOMAIN}", "is_staff": True, "is_superuser": True},
    )
    if not operator.check_password(password):
        operator.set_password(password)
        operator.save(update_fields=["password"])
    return operator


def games_ready(*, operator: User, now: dt.datetime) -> list[Game]:
    """Make the two games of the demo where they do not exist yet; return those made."""
    known = set(Game.objects.values_list("name", flat=True))
    made = []
    if SAMPLE not in known:
        # It waits for its deadlines even when all orders are in, so that one can watch them pass.
        made.append(_game(SAMPLE, operator, now, (20, 10, 10), process_early=False))
    if YOURS not in known:
        made.append(_game(YOURS, operator, now, (1800, 600, 600), process_early=True))
    return made


def _game(
    name: str,
    operator: User,
    now: dt.datetime,
    seconds: tuple[int, int, int],
    *,
    process_early: bool,
) -> Game:
    movement, retreat, adjustment = (dt.timedelta(seconds=length) for length in seconds)
    return game_create(
        name=name,
        gm=operator,
        movement=movement,
        retreat=retreat,
        adjustment=adjustment,
        process_early=process_early,
        now=now,
    )
