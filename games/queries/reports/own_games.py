"""A GM's games, those that need them first, with a fixed number of queries however many there are.

Nothing here is an order or a word of press, nor anything that STATUS does not tell every player.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from games.models import UNFINISHED, Game, Invitation, Phase, Player, Power, Seat
from games.queries.access.accounts import accounts_of
from games.queries.access.audience import hides_who_decides
from games.queries.access.roles import FAIR
from games.queries.board import phase_title
from games.queries.endings.ending import alive
from games.queries.halts import halt_now
from games.queries.orders.current_orders import deciding
from games.queries.orders.waiting import early_at, to_confirm_text
from games.queries.orders.wishes import reminded_lately, unanswered_wishes, wishes
from games.queries.phases.sheet import Sheet, sheets_of
from games.queries.players.places import with_places
from games.queries.reports.next_step import NextStep, Situation, next_step
from games.queries.reports.wording import some_of
from games.timing.zones import known_zones

if TYPE_CHECKING:
    from games.queries.players.places import GameWithPlaces

Status = Game.Status

SHOWN = 60
"""How many games a home shows; the list has the others."""
DUE = Subquery(
    Phase.objects.filter(status__in=UNFINISHED, game=OuterRef("pk")).order_by().values("due_at")[:1]
)
"""When a game's open phase is due."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game on its GM's home."""

    game: Game
    title: str
    due_at: dt.datetime | None
    missing: str
    """Who has yet to order, for eyes that run over many games."""
    step: NextStep
    acts: tuple[str, ...]
    """The acts that somebody probably wants and may do, by name."""


def game_cards(
    games: QuerySet[Game], *, now: dt.datetime, played: Collection[int], zone: str
) -> tuple[GameCard, ...]:
    """Return these games, except those that are over, with the ones that need somebody first. If
    there are more than `SHOWN`, return those that are due next, before any without a deadline.

    In games `played` by the viewer, given by their keys, only acts that help nobody are offered,
    and in fog of war nothing says who decides. Times are in the viewer's `zone`, or in each
    game's own where that is "".
    """
    going_on = with_places(games.exclude(status=Status.FINISHED)).annotate(due=DUE)
    rows = list(going_on.order_by(F("due").asc(nulls_last=True), "-pk")[:SHOWN])
    known = _Known(rows, now)
    cards = []
    for game in rows:
        phase, at = known.phases.get(game.pk), known.situation(game, zone, plays=game.pk in played)
        step = next_step(at, now)
        acts = tuple(one for one in step.acts if game.pk not in played or one in FAIR)
        due_at = phase.due_at if phase else None
        missing = "" if at.veiled else some_of(at.missing)
        cards.append(GameCard(game, at.title, due_at, missing, step, acts))
    return tuple(sorted(cards, key=_when_it_is_seen))


def _when_it_is_seen(card: GameCard) -> tuple[int, dt.datetime, str]:
    """First what needs somebody most, then what is due next; boards of the same evening by name."""
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    return card.step.urgency, card.due_at or never, card.game.name


class _Known:
    """What is known of all the games, read with one query for each kind of fact."""

    def __init__(self, games: Sequence[Game], now: dt.datetime) -> None:
        self.phases = _phases(games)
        phases = list(self.phases.values())
        self.sheets = sheets_of(phases)
        self.adrift = _adrift(self.phases)
        self.asked = unanswered_wishes(phases)
        self.reminded = reminded_lately(phases, now)
        late = any(one.due_at is not None and one.due_at <= now for one in phases)
        self.halted = late and halt_now() is not None

    def situation(self, game: GameWithPlaces, zone: str, *, plays: bool) -> Situation:
        """How a game with `places` stands, for a viewer who plays in it or does not."""
        phase = self.phases.get(game.pk)
        free = max(0, game.places - game.taken)
        if phase is None:
            return Situation(
                status=game.status,
                resume_at=game.resume_at,
                starts_at=game.starts_at,
                clock=game.timezone,
                zone=zone,
                free=free,
                asking=game.asking,
                silent=game.silent,
            )
        sheet, lost = self.sheets[phase.pk], self.adrift[game.pk]
        return Situation(
            status=game.status,
            title=phase_title(phase.name),
            due_at=phase.due_at,
            stuck=phase.status == Phase.Status.STUCK,
            veiled=plays and hides_who_decides(phase),
            waits=phase.overdue_at is not None,
            policy=game.when_missing,
            missing=_but(sheet.not_in, lost),
            to_speak_again=_but(sheet.unheard, lost),
            to_confirm=_to_confirm(sheet, lost),
            deciding=len(deciding(phase)),
            by_itself=game.process_early,
            early_at=early_at(phase) if game.process_early else None,
            adrift=tuple(lost),
            asked=self.asked.get(phase.pk, ()),
            reminded=phase.pk in self.reminded,
            open_seats=any(lost.values()),
            resume_at=game.resume_at,
            halted=self.halted,
            clock=game.timezone,
            zone=zone,
        )


def _but(names: Iterable[str], lost: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in lost)


def _to_confirm(sheet: Sheet, lost: Collection[str]) -> str:
    if sheet.not_in:
        return ""
    return to_confirm_text(sheet.to_confirm(_but(sheet.phase.position["units"], lost)))


def in_need(games: QuerySet[Game]) -> QuerySet[Phase]:
    """Return the open phases of those of the games that need somebody at once (`Urgency.NOW`)."""
    running = Phase.objects.filter(status__in=UNFINISHED, game__in=games)
    trouble = Q(status=Phase.Status.STUCK) | Q(overdue_at__isnull=False) | Exists(wishes())
    return running.filter(trouble, game__status=Status.ACTIVE)


def asked_to_join(games: QuerySet[Game]) -> QuerySet[Invitation]:
    """Return who waits to be let into one of the games."""
    asked = Invitation.objects.filter(kind=Invitation.Kind.ASKED, game__in=games)
    return asked.filter(game__status=Status.FORMING)


def zone_of(user: User) -> str:
    """Return the time zone of one of the staff: that of their player, or ""."""
    players = Player.objects.filter(pk__in=accounts_of(user)).order_by("pk")
    return players.values_list("timezone", flat=True).first() or ""


def zone_shown(zone: str, game: Game) -> str:
    """Return the reader's time zone, or without one the game's; UTC if we do not know that one."""
    return zone or (game.timezone if game.timezone in known_zones() else "UTC")


def _phases(games: Sequence[Game]) -> dict[int, Phase]:
    """The open phase of each game, by the game's key."""
    phases = Phase.objects.filter(game__in=games, status__in=UNFINISHED).defer("orders", "outcome")
    by_game = {phase.game_id: phase for phase in phases}
    for game in games:
        if game.pk in by_game:
            by_game[game.pk].game = game
    return by_game


def _adrift(phases: Mapping[int, Phase]) -> dict[int, dict[str, bool]]:
    """The powers that nobody answers for, without the eliminated ones, by the game's key; with
    each, whether its seat is open."""
    played = Seat.objects.filter(power=OuterRef("pk"), until=None)
    lost = Power.objects.filter(~Exists(played) | Q(disorder_since__isnull=False))
    found: dict[int, dict[str, bool]] = {pk: {} for pk in phases}
    rows = lost.filter(game__in=list(phases)).order_by("name")
    for game, name, since in rows.values_list("game", "name", "open_since"):
        if name in alive(phases[game].position):
            found[game][name] = since is not None
    return found
