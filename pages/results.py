"""A phase's orders by power, as a page lists them beside the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from atlas import read_result
from games.events import PhaseProcessed, rows_saying
from games.models import UNFINISHED, Phase
from games.queries import board
from games.queries.access.audience import Audience, results_shown
from games.queries.orders.order_lines import OrderLine, PowerOrders
from games.queries.reports.phase_in_short import brought_to_all, in_short
from games.queries.reports.phase_report import captures_between
from games.queries.reports.wording import counted, listed

WAIVES = "Build waived"


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order and what became of it."""

    unit: str
    """The id of its unit's province, by which the map and the list find each other."""
    text: str
    words: str
    worked: bool
    why: str
    """What follows the order's words: a full stop and the cause, if that needs telling."""
    given: bool
    """False for what the judge did in place of a missing order."""


@dataclass(frozen=True, slots=True)
class ShownPower:
    """A power in a phase."""

    name: str
    centres: int
    """At the phase's end."""
    change: int
    """How many centres it gained, or lost if negative."""
    orders: tuple[ShownOrder, ...]
    unbuilt: int
    """How many more units it could have built."""
    owed: str = ""
    """What it has to decide in an open phase of retreats or adjustments, if its units do not show
    that."""


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """Everything that a page says about a phase. One in which the game ended is neither open nor
    over."""

    name: str
    title: str
    is_open: bool
    is_over: bool
    powers: tuple[ShownPower, ...]
    in_short: str
    """What became of all orders, in one sentence; empty if nothing was adjudicated."""
    facts: tuple[str, ...]
    """Sentences on what changed."""
    owners: tuple[tuple[str, str], ...]
    """Each power with a list of its centres at the phase's end; "" has those that nobody owns."""

    @property
    def busy(self) -> tuple[ShownPower, ...]:
        """The powers with something to show."""
        return tuple(one for one in self.powers if one.orders or one.unbuilt)

    @property
    def idle(self) -> tuple[ShownPower, ...]:
        """The powers with nothing to decide: in a retreat phase most of them, of 34 nearly all."""
        return tuple(one for one in self.powers if not (one.orders or one.unbuilt))


def shown_phase(phase: Phase) -> ShownPhase:
    """Return what everybody may know of a phase: only its units if it is not adjudicated."""
    is_over = phase.status == Phase.Status.PROCESSED
    after = phase.outcome["next"] if is_over and phase.outcome else phase.position
    return ShownPhase(
        name=phase.name,
        title=board.phase_title(phase.name),
        is_open=phase.status in UNFINISHED,
        is_over=is_over,
        powers=_powers(phase, after),
        in_short=_in_short(phase, after) if is_over else "",
        facts=tuple(_facts(phase, after)) if is_over else (),
        owners=tuple(_owners(phase, after)),
    )


def _powers(phase: Phase, after: board.StateJson) -> tuple[ShownPower, ...]:
    position = board.position_of(phase.game.variant, phase.position)
    by_power = {one.power: one for one in results_shown(phase, Audience.EVERYBODY)}
    rows = []
    for power in position.variant.powers:
        before = len(phase.position["centers"].get(power, ()))
        now = len(after["centers"].get(power, ()))
        shown = by_power.get(power, PowerOrders(power, ()))
        orders = tuple(_order(power, line, position) for line in shown.lines)
        if phase.status != Phase.Status.PROCESSED:
            orders = _units(position, power)
        owed = _decisions_owed(position, power) if phase.status in UNFINISHED else ""
        if orders or before or now:
            rows.append(ShownPower(power, now, now - before, orders, shown.unbuilt, owed))
    return tuple(rows)


def _owners(phase: Phase, after: board.StateJson) -> Iterator[tuple[str, str]]:
    variant = board.variant_named(phase.game.variant)
    owned = {power: after["centers"].get(power, ()) for power in variant.powers}
    taken = {name for names in owned.values() for name in names}
    free = [one.name for one in variant.board.centers if one.name not in taken]
    for power, names in (*owned.items(), ("", free)):
        if names:
            yield power, listed(sorted(names))


def _order(power: str, line: OrderLine, position: board.Position) -> ShownOrder:
    drawn = read_result(line.as_result(power), position.variant.board)
    words = ", ".join(line.result)
    return ShownOrder(
        unit=drawn.at.province.id if drawn else "",
        text=WAIVES if line.order == board.WAIVED else line.order or "",
        words=words,
        worked=not (drawn and (drawn.failed or drawn.dislodged)),
        why=board.with_reason(words, line.reason or "").removeprefix(words) if words else "",
        given=line.text is not None and not line.automatic,
    )


def _units(position: board.Position, power: str) -> tuple[ShownOrder, ...]:
    """Return the units of a phase that is not adjudicated, without a word of their orders."""
    units = sorted(position.units_of(power), key=str)
    return tuple(
        ShownOrder(
            unit=unit.location.province.id,
            text=str(unit),
            words="",
            worked=True,
            why="",
            given=True,
        )
        for unit in units
    )


def _decisions_owed(position: board.Position, power: str) -> str:
    owed = position.orderable(power)
    if isinstance(owed, int):
        kind = "build" if owed > 0 else "disband"
        return f"{counted(abs(owed), 'unit')} to {kind}" if owed else ""
    retreating = position.phase.step == "R"
    return f"To retreat: {', '.join(map(str, owed))}" if owed and retreating else ""


def _in_short(phase: Phase, after: board.StateJson) -> str:
    shown = results_shown(phase, Audience.EVERYBODY)
    captures = captures_between(phase.position["centers"], after["centers"])
    parts = brought_to_all(
        board.step_of(phase.name),
        [line for power in shown for line in power.lines],
        dislodged=len(after["dislodged"]),
        changed_hands=len(captures),
    )
    return in_short(parts) if parts else ""


def _facts(phase: Phase, after: board.StateJson) -> Sequence[str]:
    captures = captures_between(phase.position["centers"], after["centers"])
    facts = [one.sentence for one in captures]
    event = rows_saying(phase.events.all(), PhaseProcessed).last()
    if event:
        said = PhaseProcessed.of(event)
        if said.missing:
            facts.append(f"Nothing had come from {listed(said.missing)}.")
        for power in said.eliminated:
            facts.append(f"{power} is out of the game.")
    return facts
