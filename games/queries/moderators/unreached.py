"""Players whom our mails do not reach, for the moderators' queue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from games.models import Address, Attendance, Phase, Player, Seat
from games.queries.access.gm_accounts import gm_accounts
from games.queries.moderators.suggestions import SOON, about_unreachable
from games.queries.players.attendance import reliabilities
from games.queries.players.reliability import Reliability


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A player our mails do not reach."""

    player: Player
    email: str
    """The address that fails."""
    since: dt.datetime
    failure: str
    """What its server said."""
    seats: tuple[Seat, ...]
    found: Reliability
    due_at: dt.datetime | None
    """Their next deadline."""
    reached_at: str
    """Another address of theirs that works."""
    gms: tuple[Player, ...]
    """The accounts of the GMs of their games."""
    urgent: bool
    """Whether the deadline is near or over."""
    suggestion: str


def unreachable_players(
    phases: Mapping[int, Phase], now: dt.datetime, judged_by: QuerySet[Attendance]
) -> tuple[Unreachable, ...]:
    """Return the players in the games of these open phases (by the games' keys) whose address of
    record fails, the longest failing first, and how reliable they are, `judged_by` these rows."""
    seats = Seat.objects.filter(until=None, power__game__in=list(phases))
    running = seats.select_related("power__game").order_by("power__game__name", "power__name")
    confirmed = Address.objects.filter(confirmed_at__isnull=False)
    known = confirmed.order_by("-of_record", "confirmed_at")
    failing = Address.objects.filter(failing_since__isnull=False, confirmed_at__isnull=False)
    players = Player.objects.filter(pk__in=failing.values("player"), seats__in=seats).distinct()
    rows = players.prefetch_related(
        Prefetch("seats", running, to_attr="running"),
        Prefetch("addresses", known, to_attr="known"),
    )
    lost = [player for player in rows if player.known[0].failing_since]
    return tuple(sorted(_rows(lost, phases, now, judged_by), key=lambda row: row.since))


def _rows(
    players: Sequence[Player],
    phases: Mapping[int, Phase],
    now: dt.datetime,
    judged_by: QuerySet[Attendance],
) -> list[Unreachable]:
    found = reliabilities(players, now=now, known=judged_by)
    games = {seat.power.game_id for one in players for seat in one.running}  # type: ignore[attr-defined]
    accounts = gm_accounts(phases[game].game.gm for game in games)
    return [_row(player, found[player.pk], phases, accounts, now) for player in players]


def _row(
    player: Player,
    found: Reliability,
    phases: Mapping[int, Phase],
    accounts: Mapping[int, Player],
    now: dt.datetime,
) -> Unreachable:
    record, *others = player.known  # type: ignore[attr-defined]  # prefetched
    seats: list[Seat] = player.running  # type: ignore[attr-defined]  # prefetched
    due_at = min([at for seat in seats if (at := phases[seat.power.game_id].due_at)], default=None)
    reached_at = next((one.email for one in others if one.failing_since is None), "")
    gms = [phases[seat.power.game_id].game.gm_id or 0 for seat in seats]
    asked = dict.fromkeys(accounts[gm] for gm in gms if gm in accounts)
    return Unreachable(
        player=player,
        email=record.email,
        since=record.failing_since,
        failure=record.failure,
        seats=tuple(seats),
        found=found,
        due_at=due_at,
        reached_at=reached_at,
        gms=tuple(asked),
        urgent=due_at is not None and due_at - now <= SOON,
        suggestion=about_unreachable(
            reached_at=reached_at, has_gm=any(gms), due_at=due_at, now=now
        ),
    )
