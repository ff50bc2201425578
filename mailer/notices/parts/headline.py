"""What a phase brought its reader, or everybody, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.queries.access.sight import UNTOLD
from games.queries.orders.order_lines import OrderLine
from games.queries.reports.phase_in_short import (
    brought_to_all,
    built_and_gone,
    has_worked,
    in_short,
    orders_given,
    part_of,
    safe_and_gone,
    was_or_were,
)
from games.queries.reports.phase_report import PhaseReport
from games.queries.reports.wording import counted, listed
from mailer.notices.parts import sections

MOST_NAMED = 3


def headline(report: PhaseReport) -> str:
    """Say it like `2 of your 4 orders worked; F Brest must retreat.` Without a power it is about
    everybody. That the game is over is a sentence of its own."""
    said = in_short([*_ends(report), *_news(report), *_others_out(report)])
    return f"The game is over: {report.ending}. {said}" if report.ending else said


def _ends(report: PhaseReport) -> list[str]:
    """Say that their part in the game is over."""
    if report.viewer in report.eliminated and not report.ending:
        return [f"{report.viewer} is out of the game, with no units or centres left"]
    return []


def _others_out(report: PhaseReport) -> list[str]:
    """Who else is out of the game from now on."""
    others = [power for power in report.eliminated if power != report.viewer]
    if not others:
        return []
    return [
        f"{_names_or_number(others, 'power')} {'is' if len(others) == 1 else 'are'} out of the game"
    ]


def _news(report: PhaseReport) -> list[str]:
    mine = [line for one in report.orders if one.power == report.viewer for line in one.lines]
    if report.viewer in report.missing:
        missed = sections.missed_sentence(report).rstrip(".")
        return [f"{missed[0].lower()}{missed[1:]}", *_losses(report)]
    if not mine:
        return [*_of_all(report), *_losses(report)]
    return [*_OF_MINE[report.step](mine), *_losses(report)]


def _losses(report: PhaseReport) -> list[str]:
    """What became of the reader's units and centres."""
    driven_out = [one for one in report.dislodged if one.power == report.viewer]
    won = [one.center for one in report.captures if one.after == report.viewer]
    lost = [one.center for one in report.captures if one.before == report.viewer]
    return [
        *([_must_leave([one.unit for one in driven_out])] if driven_out else []),
        *([f"you lose {_names_or_number(lost, 'centre')}"] if lost and report.viewer else []),
        *([f"you gain {_names_or_number(won, 'centre')}"] if won and report.viewer else []),
    ]


def _must_leave(units: Sequence[str]) -> str:
    if len(units) == 1:
        return f"your {units[0]} must retreat or disband"
    return f"{len(units)} of your units must retreat or disband"


def _names_or_number(names: Sequence[str], thing: str) -> str:
    return listed(names) if len(names) <= MOST_NAMED else counted(len(names), thing)


def _movement(lines: Sequence[OrderLine]) -> list[str]:
    given = orders_given(lines)
    if not given:
        return ["none of your units had an order"]
    told = [line for line in given if UNTOLD not in line.result]
    gone = sum("destroyed" in line.result for line in lines)
    return [
        _how_many_worked(sum(map(has_worked, told)), len(told), len(given) - len(told)),
        *([f"{gone} of your units {was_or_were(gone)} destroyed"] if gone else []),
    ]


def _how_many_worked(worked: int, told: int, untold: int) -> str:
    given = told + untold
    if untold:
        return _with_untold(worked, told - worked, untold)
    if given == 1:
        return "your order worked" if worked else "your order did not work"
    orders = "orders" if worked == given else f"{given} orders"
    return f"{part_of(worked, given)} of your {orders} worked"


def _with_untold(worked: int, failed: int, untold: int) -> str:
    """The headline in fog of war, when the player does not see what became of some of their
    orders."""
    if not worked + failed:
        return f"you cannot see what became of your {'order' if untold == 1 else 'orders'}"
    parts = [
        f"{worked} worked" if worked else "",
        f"{failed} did not{'' if worked else ' work'}" if failed else "",
        f"{untold} {'is' if untold == 1 else 'are'} out of sight",
    ]
    return f"of your {worked + failed + untold} orders, {listed(list(filter(None, parts)))}"


def _retreats(lines: Sequence[OrderLine]) -> list[str]:
    safe, gone = safe_and_gone(lines)
    if safe + gone == 1:
        return ["your unit retreated" if safe else "your unit was disbanded"]
    return [f"{part_of(safe, safe + gone)} of your {safe + gone} dislodged units retreated"]


def _adjustments(lines: Sequence[OrderLine]) -> list[str]:
    built, gone = built_and_gone(lines)
    if gone:
        return [f"{gone} of your units {was_or_were(gone)} disbanded"]
    return [f"you built {counted(built, 'unit')}" if built else "you built nothing"]


_OF_MINE: dict[str, Callable[[Sequence[OrderLine]], list[str]]] = {
    "M": _movement,
    "R": _retreats,
    "A": _adjustments,
}


_NOTHING_SEEN = {
    "M": "you saw no orders",
    "R": "you saw no unit retreat or disband",
    "A": "you saw no unit built or disbanded",
}
"""For a player in fog of war who had no part in the phase and saw nothing of it."""


def _of_all(report: PhaseReport) -> list[str]:
    """What happened to the others, for somebody who had no part in the phase."""
    lines = [line for one in report.orders for line in one.lines]
    if report.in_part and not lines:
        return [] if _losses(report) else [_NOTHING_SEEN[report.step]]
    return brought_to_all(
        report.step,
        lines,
        dislodged=len(report.dislodged),
        changed_hands=len(report.captures),
    )
