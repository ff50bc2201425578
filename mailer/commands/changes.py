"""Changes to earlier orders that say what is to be ordered instead: “Bur instead of Gas”, “Change
the fleet to Brest – English Channel”.

They are followed where only one order can be meant, and no other line stands beside them; the
receipt shows the order. All others are answered with what to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries import board
from games.queries.current_orders import current_decisions
from mailer.commands.told_others import speaks_to_others
from mailer.commands.viewpoint import Viewpoint, is_order
from mailer.reading.quotes import Line

_MOST = 10
_LONGEST = 100
_ONE_CHANGE = r"(?:(?:just|only|one|a|small|quick)\s+)*(?:change|correction)(?=\s*:)"
_PLEASE = rf"\W*(?:(?:please|pls|ok|okay|oops|sorry|{_ONE_CHANGE})\W+)*"
_THE_END = r"(?:,?\s+please)?[\s.!]*"
_CHANGE = re.compile(
    rf"{_PLEASE}(?:change|switch|replace)\s+(?P<old>\S.*)\s(?:to|with|by)\s+(?P<new>\S.*)",
    re.IGNORECASE,
)
_TO = re.compile(r"\s(?:to|with|by)\s+", re.IGNORECASE)
_INSTEAD_OF = re.compile(
    rf"{_PLEASE}(?P<new>\S.*?)\s+instead\s+of\s+(?P<old>\S.*?){_THE_END}", re.IGNORECASE
)
_INSTEAD = re.compile(rf"{_PLEASE}(?P<new>\S.*?),?\s+instead{_THE_END}", re.IGNORECASE)
_OF_UNIT = re.compile(
    r"(?:(?:my|the|your|only|order|orders|move|for|of)\s+)*(?P<unit>\S.*?)(?:['’]s)?"
    r"(?:\s+(?:order|orders|move))?",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\?|\b(?:if|unless|or|not|never|maybe|perhaps|could|should|might|may|can)\b|n['’]t\b",
    re.IGNORECASE,
)
_KINDS = {"fleet": "F", "army": "A"}
_AIDS = (" Supports ", " Convoys ")


def changed(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint, greeted: Sequence[Line] = ()
) -> Sequence[Line] | None:
    """The orders that the lines ask for, each in place of an earlier one; None unless every line is
    such a change, and clear. `greeted` are the greetings of the mail: below "Hi Germany," they may
    be a proposal."""
    if not 0 < len(lines) <= _MOST or any(len(line.text) > _LONGEST for line in lines):
        return None
    if any(_UNSURE.search(one.text) for one in lines):
        return None
    if any(speaks_to_others(one.text, view) for one in greeted):
        return None
    if not any(_CHANGE.match(one.text) or _INSTEAD.search(one.text) for one in lines):
        return None
    stands = [order for _, order in current_decisions(phase, seat.power) if order]
    if view.position.phase.step == "A":
        return _of_winter(lines, stands, view)
    found = [(line, [*dict.fromkeys(_meant(line.text, stands, view))]) for line in lines]
    units = {_unit(order, view) for _, orders in found for order in orders}
    if any(len(orders) != 1 for _, orders in found) or len(units) < len(found):
        return None
    return [Line(line.number, orders[0]) for line, orders in found]


def _of_winter(
    lines: Sequence[Line], stands: Sequence[str], view: Viewpoint
) -> Sequence[Line] | None:
    """All builds or disbands, with a new one in place of one that stands: "A Mar instead of A Par".
    They have only numbers, so none is changed alone."""
    text = lines[0].text
    match = (_CHANGE.fullmatch(text) or _INSTEAD_OF.fullmatch(text)) if len(lines) == 1 else None
    if match is None:
        return None
    old, new = (_chosen(match[name], view) for name in ("old", "new"))
    if old not in stands or not new or new in stands:
        return None
    others = list(stands)
    others.remove(old)
    return [Line(lines[0].number, order) for order in (new, *others)]


def with_builds_kept(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> Sequence[Line]:
    """The lines of a winter's AMEND, and behind them the earlier builds for which a waived build
    makes room: who had “Waive; Build F Bre” and adds an army keeps the fleet."""
    stands = [order for _, order in current_decisions(phase, seat.power)]
    if view.position.phase.step != "A" or board.WAIVED not in stands:
        return lines
    read = [one for one in view.readings([line.text for line in lines]) if one.counts]
    orders = [one.order for one in read if one.order and not one.problem]
    places = {board.ordered_province(order) for order in orders} - {""}
    earlier = [order for order in stands if order and order != board.WAIVED]
    kept = [order for order in earlier if _province(order, view) not in places]
    room = len(stands) - len(orders) if places else 0
    return [*lines, *(Line(lines[-1].number, order) for order in kept[: max(room, 0)])]


def _province(order: str, view: Viewpoint) -> str:
    return board.ordered_province(view.readings([order])[0].order)


def _chosen(text: str, view: Viewpoint) -> str:
    """The one build or disband that a text is, also without its first word; "" for none."""
    found = {order for one in (text, f"Build {text}") for order in _orders(one, view)}
    return found.pop() if len(found) == 1 else ""


def _meant(text: str, stands: Sequence[str], view: Viewpoint) -> Iterator[str]:
    """The orders that a line may ask for."""
    if match := _CHANGE.fullmatch(text):
        said = text[match.start("old") :]
        for to in _TO.finditer(said):
            yield from _of_same_unit(said[: to.start()], said[to.end() :], view)
    elif match := _INSTEAD_OF.fullmatch(text):
        yield from _of_same_unit(match["old"], match["new"], view)
        yield from _to_another_place(match["old"], match["new"], stands, view)
    elif match := _INSTEAD.fullmatch(text):
        yield from _orders(match["new"], view)


def _of_same_unit(old: str, new: str, view: Viewpoint) -> Iterator[str]:
    """The new order, if the old words name its unit, or are an order for it."""
    named = _OF_UNIT.fullmatch(old.strip())
    unit = named["unit"] if named else old
    for order in _orders(new, view):
        kind, province = _KINDS.get(unit.lower(), ""), _unit(order, view)
        same = {_unit(old, view), *(_unit(f"{text} H", view) for text in (unit, old))}
        if order.startswith(f"{kind} ") if kind else province in same:
            yield order


def _to_another_place(old: str, new: str, stands: Sequence[str], view: Viewpoint) -> Iterator[str]:
    """The one order that goes to the old place, with the new place for it; nothing if another order
    has to do with that place, too, or goes to the new one already."""
    try:
        place = board.province_named(view.position.variant.name, old)
    except BadInput:
        return
    near = [order for order in stands if place in order]
    if len(near) != 1 or any(word in near[0] for word in _AIDS):
        return
    unit, _, goal = near[0].partition(" - ")
    if goal.partition("(")[0] == place:
        for order in (*_orders(new, view), *_orders(f"{unit} - {new}", view)):
            if _unit(order, view) != _unit(near[0], view):
                continue
            if order.partition(" - ")[2] not in [one.partition(" - ")[2] or one for one in stands]:
                yield order


def _orders(text: str, view: Viewpoint) -> Iterator[str]:
    """The order that a text is, if it is one that its unit can carry out."""
    read = view.readings([text])
    if len(read) == 1 and is_order(read[0]) and not read[0].problem and not read[0].guessed:
        yield str(read[0].order)


def _unit(text: str, view: Viewpoint) -> str:
    """The province of the unit that a text orders; "" for none, and for several."""
    read = view.readings([text])
    return board.ordered_province(read[0].order) if len(read) == 1 else ""
