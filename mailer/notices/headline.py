"""What a phase brought, in one sentence: to its reader, or to anybody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.queries.board import WAIVED
from games.queries.order_lines import OrderLine, unit_of
from games.queries.phase_report import PhaseReport
from games.queries.sight import UNTOLD
from mailer.notices import sections
from mailer.text import WORKED, counted, listed

MOST_NAMED = 3


def headline(report: PhaseReport) -> str:
    """`2 of your 4 orders worked; F Brest must retreat.` About nobody's power: about all."""
    return _sentence([*_ends(report), *_news(report), *_others_out(report)])


def _ends(report: PhaseReport) -> list[str]:
    """That the game is over, or their part in it."""
    if report.ending:
        return [f"the game is over: {report.ending}"]
    if report.viewer in report.eliminated:
        return [f"{report.viewer} is out of the game, without unit or centre"]
    return []


def _others_out(report: PhaseReport) -> list[str]:
    """Who else is out of the game from now on."""
    others = [power for power in report.eliminated if power != report.viewer]
    if not others:
        return []
    return [f"{_named(others, 'power')} {'is' if len(others) == 1 else 'are'} out of the game"]


def _news(report: PhaseReport) -> list[str]:
    mine = [line for one in report.orders if one.power == report.viewer for line in one.lines]
    if report.viewer in report.missing:
        missed = sections.missed(report).rstrip(".")
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
        *([f"you lose {_named(lost, 'centre')}"] if lost and report.viewer else []),
        *([f"you gain {_named(won, 'centre')}"] if won and report.viewer else []),
    ]


def _must_leave(units: Sequence[str]) -> str:
    if len(units) == 1:
        return f"your {units[0]} must retreat or disband"
    return f"{len(units)} of your units must retreat or disband"


def _named(names: Sequence[str], thing: str) -> str:
    return listed(names) if len(names) <= MOST_NAMED else counted(len(names), thing)


def _movement(lines: Sequence[OrderLine]) -> list[str]:
    given = _given(lines)
    if not given:
        return ["none of your units had an order"]
    told = [line for line in given if UNTOLD not in line.result]
    gone = sum("destroyed" in line.result for line in lines)
    return [
        _how_many_worked(sum(map(_worked, told)), len(told), len(given) - len(told)),
        *([f"{counted(gone, 'unit')} of yours {_was(gone)} destroyed"] if gone else []),
    ]


def _how_many_worked(worked: int, told: int, untold: int) -> str:
    given = told + untold
    if untold:
        return _with_untold(worked, told - worked, untold)
    if given == 1:
        return "your order worked" if worked else "your order did not work"
    return (
        f"{_of(worked, given)} of your {'orders' if worked == given else f'{given} orders'} worked"
    )


def _with_untold(worked: int, failed: int, untold: int) -> str:
    """The same where the player does not see what became of some, in fog of war."""
    if not worked + failed:
        return f"what became of your {'order' if untold == 1 else 'orders'} is out of sight"
    parts = [
        f"{worked} worked" if worked else "",
        f"{failed} did not{'' if worked else ' work'}" if failed else "",
        f"what became of {untold} is out of sight",
    ]
    return f"of your {worked + failed + untold} orders, {listed(list(filter(None, parts)))}"


def _of(part: int, whole: int) -> str:
    if part == whole:
        return "both" if whole == 2 else f"all {whole}"
    return str(part) if part else "none"


def _retreats(lines: Sequence[OrderLine]) -> list[str]:
    safe, gone = _safe_and_gone(lines)
    if safe + gone == 1:
        return ["your unit retreated" if safe else "your unit was disbanded"]
    return [f"{_of(safe, safe + gone)} of your {safe + gone} dislodged units retreated"]


def _adjustments(lines: Sequence[OrderLine]) -> list[str]:
    built, gone = _built_and_gone(lines)
    if gone:
        return [f"{counted(gone, 'unit')} of yours {_was(gone)} disbanded"]
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
"""What a phase brought to somebody who had no part in it and saw nothing, in fog of war."""


def _of_all(report: PhaseReport) -> list[str]:
    """What happened to everybody, for those who had no part in it."""
    lines = [line for one in report.orders for line in one.lines]
    if report.in_part and not lines:
        return [] if _losses(report) else [_NOTHING_SEEN[report.step]]
    if report.step == "R":
        safe, gone = _safe_and_gone(lines)
        return [
            *([f"{counted(safe, 'unit')} retreated"] if safe else []),
            *_done(gone, "disbanded"),
        ]
    if report.step == "A":
        built, gone = _built_and_gone(lines)
        return [*_done(built, "built"), *_done(gone, "disbanded")] or ["no unit is new"]
    given = _given(lines)
    changed = len(report.captures)
    return [
        _how_many_of_all(sum(map(_worked, given)), len(given)) if given else "no order was given",
        *_done(len(report.dislodged), "dislodged"),
        *([f"{counted(changed, 'centre')} changed hands"] if changed else []),
    ]


def _how_many_of_all(worked: int, given: int) -> str:
    if worked < given:
        return f"{worked} of {counted(given, 'order')} worked"
    return "the one order worked" if given == 1 else f"{_of(worked, given)} orders worked"


def _done(number: int, what: str) -> list[str]:
    """`2 units were built`; nothing for none."""
    return [f"{counted(number, 'unit')} {_was(number)} {what}"] if number else []


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _worked(line: OrderLine) -> bool:
    return bool(line.result) and set(line.result) <= WORKED


def _given(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """The orders that somebody gave and that could be read; of a refused one only that for a unit
    without another."""
    read = [line for line in lines if line.text is not None and line.order is not None]
    followed = [line for line in read if "illegal" not in line.result]
    units = {unit_of(line.order or "") for line in followed}
    refused = {unit_of(line.order or ""): line for line in read if "illegal" in line.result}
    return [*followed, *(line for unit, line in refused.items() if unit not in units)]


def _safe_and_gone(lines: Sequence[OrderLine]) -> tuple[int, int]:
    """How many dislodged units found a new place, and how many are gone."""
    valid = [line for line in lines if line.order and "illegal" not in line.result]
    safe = sum(" - " in line.order and _worked(line) for line in valid if line.order)
    return safe, len(valid) - safe


def _built_and_gone(lines: Sequence[OrderLine]) -> tuple[int, int]:
    """How many units were built, and how many disbanded."""
    done = [line.order for line in lines if line.order and _worked(line) and line.order != WAIVED]
    built = sum(order.startswith("Build") for order in done)
    return built, len(done) - built


def _sentence(parts: Sequence[str]) -> str:
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."
