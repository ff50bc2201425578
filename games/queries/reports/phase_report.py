"""What a phase brought and what comes next, as plain values: everything a result mail can say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.events import PhaseProcessed, rows_saying
from games.models import Game, Phase, Power, Seat
from games.queries import board
from games.queries.access import sight
from games.queries.access.audience import hides_who_decides, is_foggy, outcome_shown, state_shown
from games.queries.endings.ending import result_sentence
from games.queries.orders import current_orders
from games.queries.orders.order_lines import PowerOrders, orders_shown, with_unbuilt
from games.queries.phases.centers import Possessions, possessions_in
from games.queries.phases.next_phase import NextPhase, next_phase, with_duty


@dataclass(frozen=True, slots=True)
class Capture:
    """A supply centre that changed hands."""

    center: str
    before: str | None
    """The power that owned it, None if nobody did."""
    after: str | None

    @property
    def sentence(self) -> str:
        """`Turkey takes Budapest from Russia.`: screen readers read an arrow out by its name."""
        whose = f" from {self.before}" if self.before else ""
        return f"{self.after or 'Nobody'} takes {self.center}{whose}."


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What a processed phase brought, as the viewer may know it.

    Lines of other powers that led to no order are left out, since they may be anything that a
    player wrote.
    """

    game: str
    phase: str
    title: str
    step: board.Step
    processed_at: dt.datetime | None
    viewer: str | None
    orders: tuple[PowerOrders, ...]
    dislodged: tuple[board.Dislodgement, ...]
    possessions: tuple[Possessions, ...]
    captures: tuple[Capture, ...]
    missing: tuple[str, ...]
    eliminated: tuple[str, ...]
    ending: str
    """How the phase ended the game, if it did."""
    next: NextPhase | None
    """None if the phase ended the game."""
    adjustments: tuple[board.Duty, ...] = ()
    """What each power may build or must disband in the next phase, as far as the viewer may
    know."""
    early: bool = False
    """Whether the phase was processed before its deadline: a GM can do so."""
    unplayed: str = ""
    """The title of the adjustments that would be due, but are not played because the game has
    ended."""

    @property
    def in_part(self) -> bool:
        """Whether the viewer sees only a part of the board, in fog of war."""
        return any(one.in_part for one in self.possessions)


def phase_report(phase: Phase, viewer: Power | None) -> PhaseReport:
    """Report a processed phase to `viewer`; None for somebody who plays no power."""
    event = rows_saying(phase.events.all(), PhaseProcessed).last()
    said = PhaseProcessed.of(event) if event else None
    return report_of(phase, viewer, _next(phase), said)


def report_of(
    phase: Phase,
    viewer: Power | None,
    later: Phase | None,
    said: PhaseProcessed | None,
    seats: Iterable[Seat] | None = None,
) -> PhaseReport:
    """Return `phase_report` for code that knows the next phase and what its event said; `seats` are
    the game's running tenures, if they were read."""
    game, outcome = phase.game, phase.outcome
    assert outcome is not None, "only a processed phase has something to report"
    power = viewer.name if viewer else None
    position = board.position_of(game.variant, state_shown(game, outcome["next"], power))
    following = next_phase(later, viewer) if later else None
    only = power if is_foggy(game) else None
    return PhaseReport(
        game=game.name,
        phase=phase.name,
        title=board.phase_title(phase.name),
        step=board.step_of(phase.name),
        processed_at=phase.processed_at,
        viewer=power,
        orders=with_unbuilt(orders_shown(outcome_shown(phase, power), power, phase), phase, only),
        dislodged=dislodged_in(position, only),
        possessions=possessions_in(game, position, power, seats),
        captures=_captures_seen(phase, power),
        missing=_missing(said.missing, phase, power) if said else (),
        eliminated=said.eliminated if said else (),
        ending="" if following else result_sentence(game),
        next=following,
        adjustments=_adjustments(later, only) if later and board.step_of(later.name) == "A" else (),
        early=bool(phase.due_at and phase.processed_at and phase.processed_at < phase.due_at),
        unplayed=_adjustments_unplayed(game, outcome["next"]["phase"]) if following is None else "",
    )


def _adjustments(phase: Phase, only: str | None) -> tuple[board.Duty, ...]:
    place = current_orders.position(phase)
    powers = [only] if only else place.variant.powers
    duties = [board.duty_of(place, power) for power in powers]
    return tuple(duty for duty in duties if duty.size)


def _adjustments_unplayed(game: Game, name: str) -> str:
    """The title of the phase that would have come next, if units would have been built or disbanded
    in it."""
    ended = game.status == Game.Status.FINISHED and board.step_of(name) == "A"
    return board.phase_title(name) if ended else ""


def seen_by(
    viewer: Power, public: PhaseReport, phase: Phase, following: Phase | None
) -> PhaseReport:
    """Turn the report for nobody in particular into the viewer's, without reading it all again if
    everybody reads the same.

    The result is that of `phase_report(phase, viewer)`; `following` is the phase that is open now.
    """
    assert phase.outcome is not None, "only a processed phase has something to report"
    if is_foggy(phase.game):
        return phase_report(phase, viewer)
    power = viewer.name
    results = [one for one in phase.outcome["results"] if one["power"] == power]
    others = [one for one in public.orders if one.power != power]
    orders = [*others, *orders_shown(results, power, phase)]
    return replace(
        public,
        viewer=power,
        orders=with_unbuilt(sorted(orders, key=lambda one: one.power), phase),
        next=with_duty(public.next, following, viewer) if following and public.next else None,
    )


def dislodged_in(position: board.Position, viewer: str | None) -> tuple[board.Dislodgement, ...]:
    """Return the dislodged units; in fog, the viewer does not learn where those of others may
    go."""
    found = [
        one for power in position.variant.powers for one in board.dislodgements(position, power)
    ]
    return tuple(
        one if viewer in (None, one.power) else replace(one, is_told=False) for one in found
    )


def _missing(powers: Sequence[str], phase: Phase, viewer: str | None) -> tuple[str, ...]:
    """Return the powers that sent nothing; in fog, not those of others that had to retreat or
    build."""
    if viewer is None or not hides_who_decides(phase):
        return tuple(powers)
    return tuple(power for power in powers if power == viewer)


def captures_between(
    before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]
) -> tuple[Capture, ...]:
    """Return the centres that changed hands; each argument says which centres a power owns."""
    was = {center: power for power, centers in before.items() for center in centers}
    now = {center: power for power, centers in after.items() for center in centers}
    changed = sorted(c for c in was.keys() | now.keys() if was.get(c) != now.get(c))
    return tuple(Capture(center, was.get(center), now.get(center)) for center in changed)


def _captures_seen(phase: Phase, viewer: str | None) -> tuple[Capture, ...]:
    """Return the centres that changed hands, as far as the viewer saw them before and after."""
    assert phase.outcome is not None, "only a processed phase has something to report"
    states = phase.position, phase.outcome["next"]
    found = captures_between(*(state["centers"] for state in states))
    if viewer is None or not is_foggy(phase.game):
        return found
    eyes = [sight.sight(phase.game.variant, state, viewer) for state in states]
    return tuple(
        one
        for one in found
        if viewer in (one.before, one.after) or all(one.center in seen for seen in eyes)
    )


def _next(phase: Phase) -> Phase | None:
    gone = (Phase.Status.UNDONE, Phase.Status.CLOSED)
    later = phase.game.phases.filter(number__gt=phase.number).exclude(status__in=gone)
    return later.order_by("number").first()
