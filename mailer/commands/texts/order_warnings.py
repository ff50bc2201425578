"""Orders that are legal, yet hardly what was meant: the receipt mentions them, and never changes
them.

It looks only at one power's own orders, in the judge's notation ("A Paris - Burgundy", "F Brest
Supports A Paris", "F North Sea Convoys A London - Belgium"), since nobody knows what others will
order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from games.queries.board import is_before, phase_title, reads_as_order, year_of
from games.queries.current_orders import Decisions
from mailer.reading import doubts, phrases
from mailer.text import listed

_LONGEST_HEADING = 80
_VIA = " via Convoy"
_COAST = re.compile(r"\((?:[nsew]c)\)")
_MOVE = re.compile(r"([AF] .+?) - (.+)")
_RIDE = re.compile(r"([AF] .+?) - ([^-]+) - (.+)")
_HELP = re.compile(r"([AF] .+?) (Supports|Convoys) (.+)")
_SEASONS = {"summer": "S", "autumn": "F"}
_HEADS = re.compile(
    r".*?\b(?:(spring|summer|fall|autumn|winter)\s+|([sfw]))(\d{1,4})[mra]?\b[^-–—>]*",
    re.IGNORECASE,
)


def other_phases(texts: Sequence[str], open_now: str) -> list[str]:
    """A sentence for each line that puts orders under another phase than the one they count for."""
    return [said for text in texts if (said := _of_another(text, open_now))]


def below_heading(text: str, open_now: str) -> str:
    """The orders of a line that begins with the open phase ("Spring 1901: A Par - Bur"); any other
    line unchanged, for what is headed by another phase must not be followed in this one."""
    heading, colon, orders = text.partition(":")
    if not (colon and orders.strip()) or _of_another(heading, open_now):
        return text
    is_heading = _HEADS.fullmatch(heading[:_LONGEST_HEADING]) or _season(heading)
    return orders.strip() if is_heading else text


def headed_by_another(text: str, open_now: str) -> str:
    """The other phase that begins a line with orders behind it: "Fall: A Par - Bur"; empty for
    other lines."""
    heading, colon, orders = text.partition(":")
    if not colon or not reads_as_order(orders.strip().partition(",")[0]):
        return ""
    if heads_another(heading, open_now):
        return phase_headed(heading)
    return _season_headed(heading, open_now)


def heads_another(text: str, open_now: str) -> bool | None:
    """Whether a line heads orders with another phase than the open one; None for no heading."""
    named = phase_headed(text)
    if not named:
        return None
    return year_of(named) != year_of(open_now) or (named[0] == "S") != (open_now[0] == "S")


def phase_headed(text: str) -> str:
    """The phase that a line names to head orders with; empty for any other line."""
    heading = None if reads_as_order(text) else _HEADS.fullmatch(text[:_LONGEST_HEADING])
    if heading is None:
        return ""
    word, letter, year = heading.groups()
    season = (letter or _SEASONS.get(word.lower(), word[0])).upper()
    return f"{season}{year}{'A' if season == 'W' else 'M'}"


def _season_headed(text: str, open_now: str) -> str:
    """The phase that a season alone heads orders with, if it is not the open one; else empty."""
    season = _season(text)
    named = next_in(season, open_now) if season else ""
    return named if named != open_now else ""


def _season(text: str) -> str:
    """The season that alone heads orders; empty for any other text."""
    later = doubts.HEADS_LATER.fullmatch(text[: phrases.LONGEST_RULED])
    return (later["season"] or "") if later else ""


def next_in(season: str, open_now: str) -> str:
    """The next phase in a season, the open one included; of no season named, the one to come."""
    letter = {"autumn": "F", "summer": "S"}.get(season.lower(), season[:1].upper())
    if letter == open_now[0]:
        return open_now
    letter = letter or ("F" if open_now[0] == "S" else "S")
    year = year_of(open_now) + ("SFW".index(letter) < "SFW".index(open_now[0]))
    return f"{letter}{year}{'A' if letter == 'W' else 'M'}"


def _of_another(text: str, open_now: str) -> str:
    named = phase_headed(text) if heads_another(text, open_now) else _season_headed(text, open_now)
    if not named:
        return ""
    said = (
        f"You wrote “{text}”, but all that you have ordered is for {phase_title(open_now)}, which "
        "is open now."
    )
    if is_before(named, open_now):
        return said
    return f"{said} Orders for a later phase stand below a line like PHASE {named}."


def warnings(current: Sequence[tuple[str, str | None]]) -> list[str]:
    """A sentence for each of a power's current orders that cannot help as intended.

    `current` has one entry per unit: the unit, and its order or None.
    """
    orders = {_bare(unit): _bare(order) if order else "" for unit, order in current}
    return [
        *(said for order in orders.values() for said in _useless_help(order, orders)),
        *_missing_convoys(orders),
        *_own_bounces(orders),
        *_two_trains(orders),
    ]


def lost_leave(leave: Decisions, current: Decisions, keepers: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each leave that a power gives while its unit beside the canal goes away.

    `keepers` has the province beside each canal.
    """
    moves = [match for _, order in current if order and (match := _MOVE.fullmatch(_bare(order)))]
    leaving = {match.group(1)[2:] for match in moves if not _HELP.fullmatch(match.group())}
    for canal, order in leave:
        if keepers[canal] in leaving:
            yield f"This leave does nothing if your unit in {keepers[canal]} moves away: {order}."


def _useless_help(order: str, orders: Mapping[str, str]) -> Iterator[str]:
    """A support or convoy of a unit of the same power that is ordered to do something else."""
    match = _HELP.fullmatch(order)
    if match is None:
        return
    helped = match.group(3)
    unit, goes = _unit_and_goal(helped)
    if unit not in orders:
        return
    ordered = orders[unit]
    ordered_goal = _unit_and_goal(ordered)[1]
    if ordered_goal != goes:
        does = f"is ordered {ordered}" if ordered else "has no order"
        kind = "support" if match.group(2) == "Supports" else "convoy"
        yield f"This {kind} does nothing as long as {unit} {does}: {order}."


def _missing_convoys(orders: Mapping[str, str]) -> Iterator[str]:
    """An army that asks for a convoy that no fleet of its power gives."""
    for order in orders.values():
        move = order.removesuffix(_VIA)
        given = any(other.endswith(f" Convoys {move}") for other in orders.values())
        if move != order and not given:
            yield f"No fleet of yours convoys it, so another power's fleet has to: {order}."


def _own_bounces(orders: Mapping[str, str]) -> Iterator[str]:
    """Units of the power that keep each other out of a province."""
    by_goal: dict[str, list[str]] = defaultdict(list)
    helped: set[str] = set()
    for unit, order in orders.items():
        by_goal[_unit_and_goal(order)[1]].append(unit)
        if match := _HELP.fullmatch(order):
            helped.add(_unit_and_goal(match.group(3))[1])
    for goal, units in by_goal.items():
        if goal and goal not in helped and len(units) > 1:
            yield f"{listed(units)} are all ordered to {goal}; they will keep each other out."


def _two_trains(orders: Mapping[str, str]) -> Iterator[str]:
    """Armies that are all ordered to take the same railway: each line takes one."""
    by_line: dict[str, list[str]] = defaultdict(list)
    for unit, order in orders.items():
        if ride := _RIDE.fullmatch(order):
            by_line[ride.group(2)].append(unit)
    for line, units in by_line.items():
        if len(units) > 1:
            yield f"{listed(units)} are all ordered to go by {line}, so none of them leaves."


def _unit_and_goal(order: str) -> tuple[str, str]:
    """The unit of an order, and where it goes; "" if it stays."""
    if ride := _RIDE.fullmatch(order):
        return ride.group(1), ride.group(3)
    match = _MOVE.fullmatch(order.removesuffix(_VIA))
    if match and not _HELP.fullmatch(order):
        return match.group(1), match.group(2)
    return order.removesuffix(" Holds"), ""


def _bare(text: str) -> str:
    """Without coasts: they do not matter here."""
    return _COAST.sub("", text)
