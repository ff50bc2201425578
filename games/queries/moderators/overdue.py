"""Games that do not go on: paused without an end, waiting for orders, or stuck. A part of the
moderators' queue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.models import Game, Phase, Player, Power
from games.queries.access.gm_accounts import gm_accounts
from games.queries.access.roles import Visitor, games_veiled
from games.queries.access.staff_names import staff_name
from games.queries.board import phase_title
from games.queries.moderators.stalled import abandoned_games, still
from games.queries.moderators.suggestions import (
    GmReach,
    about_abandoned,
    about_overdue,
    about_paused,
)
from games.queries.moderators.unreached_gms import is_failing
from games.queries.orders.waiting import not_in_by_phase, powers_awaited


@dataclass(frozen=True, slots=True)
class Overdue:
    """A game that does not go on: paused without an end, waiting for powers, or stuck."""

    game: Game
    title: str
    since: dt.datetime
    paused: bool
    stuck: bool
    powers: tuple[str, ...]
    """The powers it waits for."""
    gm: Player | None
    """The GM's account as a player, where somebody can write to them."""
    gm_fails: bool
    """Whether mails to the GM come back."""
    abandoned: bool
    """Whether nobody plays the game any more."""
    suggestion: str


def overdue(phases: Mapping[int, Phase], now: dt.datetime, viewer: Visitor) -> tuple[Overdue, ...]:
    """Return a row for each game among these open phases that does not go on, the longest first;
    the viewer is not told who has to decide in a game in fog of war that they play in."""
    keys = set(still(now).values_list("pk", flat=True))
    late = [phase for phase in phases.values() if phase.pk in keys]
    # Of a stuck phase perhaps nothing can be read: the queue has to show it all the same.
    missing = _powers_owing(one for one in late if one.status != Phase.Status.STUCK)
    veiled = games_veiled(viewer, late)
    accounts = gm_accounts(phase.game.gm for phase in late)
    left = set(abandoned_games().values_list("pk", flat=True))
    rows = [
        _row(
            one,
            ("somebody",) if one.game_id in veiled else missing.get(one.pk, ()),
            accounts.get(one.game.gm_id or 0),
            left=one.game_id in left,
        )
        for one in late
    ]
    return tuple(sorted(rows, key=lambda row: row.since))


def _powers_owing(phases: Iterable[Phase]) -> Mapping[int, tuple[str, ...]]:
    """Return for each phase, by its key, the powers that still owe orders and are waited for."""
    phases = list(phases)
    powers = powers_awaited(Power.objects.filter(game__in=[phase.game_id for phase in phases]))
    ours = set(powers.values_list("game", "name"))
    not_in = not_in_by_phase(phases)
    return {
        phase.pk: tuple(name for name in not_in[phase.pk] if (phase.game_id, name) in ours)
        for phase in phases
    }


def _is_paused(game: Game) -> bool:
    return game.status == Game.Status.PAUSED


def _row(phase: Phase, powers: tuple[str, ...], account: Player | None, *, left: bool) -> Overdue:
    game, paused = phase.game, _is_paused(phase.game)
    stuck = phase.overdue_at is None and not paused
    gm = None
    if game.gm:
        gm = GmReach(staff_name(game.gm), asks=account is not None, fails=is_failing(game.gm))
    if left:
        about = about_abandoned(gm)
    elif paused:
        about = about_paused(gm)
    else:
        about = about_overdue(stuck=stuck, policy=game.when_missing, gm=gm, powers=powers)
    paused_at = game.paused_at if paused else None
    return Overdue(
        game=game,
        title=phase_title(phase.name),
        since=paused_at or phase.overdue_at or phase.due_at or phase.opened_at,
        paused=paused,
        stuck=stuck,
        powers=powers,
        gm=account,
        gm_fails=gm is not None and gm.fails,
        abandoned=left,
        suggestion=about,
    )
