"""What a phase brought and what comes next, as plain values: everything a result mail can say."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from games.events import PhaseProcessed, rows_saying
from games.models import UNFINISHED, Game, Phase, Power, Seat
from games.queries import board
from games.queries.centers import Standing, board_text, standings_in
from games.queries.ending import alive, result_sentence, rules_of_end
from games.queries.example_orders import Example, example_orders
from games.queries.timetable import timetable
from games.settings import agreed
from games.timing.durations import duration_text
from games.timing.pace import early_delay

_AFTER_UNIT = re.compile(r"\(| - | (?:Holds|Supports|Convoys)\b")


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One order and what became of it.

    `text` is the line as written, None for an order that nobody gave (a unit that held because it
    had no order, an automatic disband). `order` is the canonical form, None when unreadable.
    """

    text: str | None
    order: str | None
    result: tuple[str, ...]
    reason: str | None
    automatic: bool
    ends: str | None = None
    """Where an army is at the end that was ordered to go by rail."""

    def as_result(self, power: str) -> board.OrderResult:
        """Return the line as a result of the judge."""
        return board.OrderResult(
            power, self.text, self.order, self.result, self.reason, self.automatic, self.ends
        )


@dataclass(frozen=True, slots=True)
class PowerOrders:
    """The orders of one power, in the order of its set."""

    power: str
    lines: tuple[OrderLine, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A supply centre that changed hands; `before` is None when nobody owned it."""

    center: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class NextPhase:
    """The phase that is open now. `second_thoughts` says how long it stays open when all orders are
    in: "30 minutes", empty for not at all. `duty` is what the viewer has to decide in it, None
    without a viewer or a decision; `out` says that nothing is left of their power. While the game
    is `paused` its deadline means nothing."""

    name: str
    title: str
    step: board.Step
    due_at: dt.datetime | None
    second_thoughts: str
    paused: bool
    duty: board.Duty | None
    out: bool
    build_orders: tuple[str, ...] = ()
    """Every build that the viewer can order."""
    disband_orders: tuple[str, ...] = ()
    """Every disband that the viewer can order, where units have to go."""


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What a processed phase brought, as the viewer may know it.

    Lines of other powers that no order came of are left out: they may be anything a player wrote.
    `next` is None when the phase ended the game; then `ending` says how.
    """

    game: str
    phase: str
    title: str
    step: board.Step
    processed_at: dt.datetime | None
    viewer: str | None
    orders: tuple[PowerOrders, ...]
    dislodged: tuple[board.Dislodgement, ...]
    standings: tuple[Standing, ...]
    captures: tuple[Capture, ...]
    missing: tuple[str, ...]
    eliminated: tuple[str, ...]
    ending: str
    board: str
    next: NextPhase | None


@dataclass(frozen=True, slots=True)
class StartReport:
    """What a player has to know when their game starts, or when they take over a power.

    `differs` says what is otherwise than in most games; `examples` are legal orders of theirs.
    """

    game: str
    power: str
    player: str
    variant: str
    rules: str
    victory_centers: int
    standings: tuple[Standing, ...]
    process_early: bool
    timetable: tuple[str, ...]
    differs: tuple[str, ...]
    ends: tuple[str, ...]
    board: str
    next: NextPhase
    examples: tuple[Example, ...]


def phase_report(phase: Phase, viewer: Power | None) -> PhaseReport:
    """Report a processed phase to `viewer`; None: to somebody who plays no power."""
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
    """Return `phase_report` for who knows the phase after it, and what its event said; `seats` are
    the game's running tenures, if they were read."""
    game, outcome = phase.game, phase.outcome
    assert outcome is not None, "only a processed phase has something to report"
    before, after = phase.position, outcome["next"]
    position = board.position_of(game.variant, after)
    following = next_phase(later, viewer) if later else None
    return PhaseReport(
        game=game.name,
        phase=phase.name,
        title=board.phase_title(phase.name),
        step=board.step_of(phase.name),
        processed_at=phase.processed_at,
        viewer=viewer.name if viewer else None,
        orders=orders_shown(outcome["results"], viewer.name if viewer else None, phase),
        dislodged=tuple(
            one for power in position.variant.powers for one in board.dislodgements(position, power)
        ),
        standings=standings_in(game, position, seats),
        captures=_captures(before["centers"], after["centers"]),
        missing=said.missing if said else (),
        eliminated=said.eliminated if said else (),
        ending="" if following else result_sentence(game),
        board=board_text(position),
        next=following,
    )


def seen_by(
    viewer: Power, public: PhaseReport, phase: Phase, following: Phase | None
) -> PhaseReport:
    """Turn the report for nobody in particular into the viewer's, without reading it all again.

    The same as `phase_report(phase, viewer)`; `following` is the phase that is open now.
    """
    assert phase.outcome is not None, "only a processed phase has something to report"
    return replace(
        public,
        viewer=viewer.name,
        orders=orders_shown(phase.outcome["results"], viewer.name, phase),
        next=next_phase(following, viewer) if following else None,
    )


def start_report(seat: Seat) -> StartReport:
    """Report the game's open phase to somebody who takes their seat in it."""
    power, game = seat.power, seat.power.game
    phase = game.phases.select_related("game").get(status__in=UNFINISHED)
    position = board.position_of(game.variant, phase.position)
    return StartReport(
        game=game.name,
        power=power.name,
        player=seat.player.name,
        variant=position.variant.title,
        rules=game.rules if isinstance(game.rules, str) else str(game.rules.get("preset", "DATC")),
        victory_centers=position.variant.victory_centers,
        standings=standings_in(game, position),
        process_early=game.process_early,
        timetable=timetable(game),
        differs=(*position.variant.differs, *agreed(game), *_other_rules(game)),
        ends=rules_of_end(game),
        board=board_text(position),
        next=next_phase(phase, power),
        examples=example_orders(game.variant, position, power.name),
    )


def _other_rules(game: Game) -> list[str]:
    """Say which rules of the judge were chosen otherwise than the game's preset has them."""
    return [f"The rules: {choice}." for choice in board.rule_choices(game.rules)]


def next_phase(phase: Phase, viewer: Power | None) -> NextPhase:
    """Describe an open phase to the viewer; None: to somebody who plays no power."""
    duty: board.Duty | None = None
    disbands: tuple[str, ...] = ()
    builds: tuple[str, ...] = ()
    delay = early_delay(phase)
    if viewer:
        position = board.position_of(phase.game.variant, phase.position)
        duty = board.duty_of(position, viewer.name)
        builds = board.build_orders(position, viewer.name) if duty.builds else ()
        units = position.units_of(viewer.name) if duty.disbands else ()
        disbands = tuple(sorted(f"Disband {unit}" for unit in units))
    return NextPhase(
        name=phase.name,
        title=board.phase_title(phase.name),
        step=board.step_of(phase.name),
        due_at=phase.due_at,
        second_thoughts=duration_text(delay) if delay else "",
        paused=phase.game.status == Game.Status.PAUSED,
        duty=duty if duty and duty.size else None,
        out=viewer is not None and viewer.name not in alive(phase.position),
        build_orders=builds,
        disband_orders=disbands,
    )


def orders_shown(
    results: Sequence[Mapping[str, Any]], viewer: str | None, phase: Phase | None = None
) -> tuple[PowerOrders, ...]:
    """Return what the viewer may see of an outcome's results; None: who plays no power.

    Lines of other powers that no order came of are left out: they may be anything a player wrote.
    Of the viewer's own stay those that may have left a unit without an order, or with the `phase`
    in which they were given, a build undone.
    """
    by_power: dict[str, list[OrderLine]] = {}
    for one in results:
        line = OrderLine(
            text=one["text"],
            order=one["order"],
            result=tuple(one["result"]),
            reason=one["reason"],
            automatic=one["automatic"],
            ends=one.get("ends"),
        )
        lines = by_power.get(one["power"], [])
        shown = one["power"] == viewer or (line.order and "illegal" not in line.result)
        if shown and not _is_said(line, lines):
            by_power[one["power"]] = [*lines, line]
    undone = viewer is None or _builds_undone(by_power.get(viewer, []), viewer, phase)
    return tuple(
        PowerOrders(power, _without_vain(by_power[power], undone=undone))
        for power in sorted(by_power)
    )


def _builds_undone(lines: Sequence[OrderLine], power: str, phase: Phase | None) -> bool:
    """Whether the power could have built more than it ordered; True where nobody knows."""
    refused = any(_is_refused(one) and (one.order or "").startswith("Build") for one in lines)
    if phase is None or not refused:
        return True
    position = board.position_of(phase.game.variant, phase.position)
    ordered = [one for one in lines if one.text is not None and not _is_refused(one)]
    return len(ordered) < board.duty_of(position, power).builds


def _without_vain(lines: Sequence[OrderLine], *, undone: bool) -> tuple[OrderLine, ...]:
    """The lines without those that came to nothing and cost nothing: prose, orders for foreign
    units, and orders in whose place another one counts. Their receipt said so."""
    left = {unit_of(one.order or "") for one in lines if one.text is None}
    return tuple(one for one in lines if not _is_refused(one) or _cost_an_order(one, left, undone))


def _is_refused(line: OrderLine) -> bool:
    return line.order is None or "illegal" in line.result


def _cost_an_order(line: OrderLine, left: Set[str], undone: bool) -> bool:
    """Whether a refused line may be why the units that are `left` had no order, or why nothing was
    built."""
    if line.order is None or line.order.startswith("Disband"):
        return bool(left)
    if line.order.startswith("Build"):
        return undone
    return unit_of(line.order) in left


def unit_of(order: str) -> str:
    """`F St Petersburg` of "F St Petersburg(sc) - Norway"; two orders of it are for one unit."""
    return _AFTER_UNIT.split(order, maxsplit=1)[0]


def _is_said(line: OrderLine, lines: Sequence[OrderLine]) -> bool:
    """Whether the same order stands among the lines: given again, by AMEND, it is still one.

    Only builds can be left out more than once.
    """
    if line.order in (None, board.WAIVED):
        return False
    return (line.order, line.result) in ((one.order, one.result) for one in lines)


def _captures(
    before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]
) -> tuple[Capture, ...]:
    was = {center: power for power, centers in before.items() for center in centers}
    now = {center: power for power, centers in after.items() for center in centers}
    changed = sorted(c for c in was.keys() | now.keys() if was.get(c) != now.get(c))
    return tuple(Capture(center, was.get(center), now.get(center)) for center in changed)


def _next(phase: Phase) -> Phase | None:
    gone = (Phase.Status.UNDONE, Phase.Status.CLOSED)
    later = phase.game.phases.filter(number__gt=phase.number).exclude(status__in=gone)
    return later.order_by("number").first()
