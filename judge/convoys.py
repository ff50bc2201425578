"""Convoy routes over the water, on bit masks of provinces.

A route is a chain of fleets, each where fleets can convoy. The first touches the army's province,
the last touches its destination (DATC 5.B.4). On a map with coasts that convoy, a fleet never
convoys an army into its own province (DATC 9.A, 9.B).
"""

from __future__ import annotations

from functools import lru_cache

from judge.board import Board, bits


def reachable(board: Board, start: int, fleets: int) -> int:
    """Return the mask of provinces in which these fleets could land an army from `start`."""
    shores = board.shores
    frontier = shores[start] & fleets
    reached = landings = 0
    while frontier:
        reached |= frontier
        touched = 0
        for fleet in bits(frontier):
            touched |= shores[fleet]
        landings |= touched
        frontier = touched & fleets & ~reached
    return landings


def has_route(board: Board, start: int, end: int, fleets: int) -> bool:
    """Tell whether some of the fleets form a chain from province `start` to province `end`."""
    shores = board.shores
    if fleets & board.bit[end]:
        fleets ^= board.bit[end]
    landing = shores[end]
    reached = frontier = shores[start] & fleets
    while frontier:
        if frontier & landing:
            return True
        touched = 0
        for fleet in bits(frontier):
            touched |= shores[fleet]
        frontier = touched & fleets & ~reached
        reached |= frontier
    return False


def is_useful(board: Board, start: int, end: int, fleets: int, fleet: int) -> bool:
    """Tell whether one of the fleets lies on at least one proper route.

    A proper route never goes to a province that an earlier node of it could have reached, so no
    fleet of it is superfluous (DATC 4.E.1, 6.F.12, 6.G.19).
    """
    fleets &= ~(1 << end)
    here, from_start, to_end = 1 << fleet, board.shores[start] & fleets, board.shores[end] & fleets
    if here & from_start & to_end:
        return True
    # Most other routes have two fleets, one at each end, which make no shorter route.
    other_end = to_end & ~from_start if here & from_start else from_start & ~to_end
    if here & (from_start | to_end) and board.shores[fleet] & other_end:
        return True
    afloat = _connected(board, from_start, fleets)
    if not (afloat & board.shores[end] and afloat >> fleet & 1):
        return False
    # Remembered by the fleets that matter, because the same few keep standing together.
    return bool(_proper_route_through(board, start, end, afloat, fleet))


def useful_fleets(board: Board, start: int, end: int, fleets: int) -> int:
    """Return the fleets that lie on at least one proper route."""
    fleets &= ~(1 << end)
    afloat = _connected(board, board.shores[start] & fleets, fleets)
    useful = board.shores[start] & board.shores[end] & fleets
    for fleet in bits(afloat if afloat & board.shores[end] else 0):
        if not useful >> fleet & 1:
            useful |= _proper_route_through(board, start, end, afloat, fleet)
    return useful


def _connected(board: Board, some: int, fleets: int) -> int:
    """Return those of the fleets that are connected with some of the others given, directly or by
    way of more fleets."""
    shores = board.shores
    reached = frontier = some
    while frontier:
        touched = 0
        # `bits` written out, for speed: take the lowest fleet and drop it.
        while frontier:
            touched |= shores[(frontier & -frontier).bit_length() - 1]
            frontier &= frontier - 1
        frontier = touched & fleets & ~reached
        reached |= frontier
    return reached


@lru_cache(maxsize=16384)
def _proper_route_through(board: Board, start: int, end: int, fleets: int, wanted: int) -> int:
    """Return one proper route that uses the fleet `wanted` as a mask, or 0.

    Depth first. `free` holds the fleets that no node before the last one touches; only those may
    come next. The search leaves a branch from which the wanted fleet is out of reach.
    """
    shores = board.shores
    pending = [
        (1 << fleet, fleet, fleets & ~shores[start]) for fleet in bits(shores[start] & fleets)
    ]
    while pending:
        route, last, free = pending.pop()
        if shores[end] >> last & 1:
            if route >> wanted & 1:
                return route
            continue
        untouched = free & ~shores[last]
        if not route >> wanted & 1 and not free >> wanted & 1:
            continue
        for fleet in bits(shores[last] & free):
            pending.append((route | 1 << fleet, fleet, untouched & ~(1 << fleet)))
    return 0


@lru_cache(maxsize=4096)
def roundabout_fleets(board: Board, start: int, end: int, fleets: int) -> int:
    """Return the fleets on any chain at all that passes through no water twice (DPTG, XII).

    A fleet is on one if its way to the start and its way to the end need not cross: if no other
    single fleet cuts it off from both.
    """
    roundabout = 0
    fleets &= ~(1 << end)
    for fleet in bits(fleets):
        touched = _afloat(board, fleet, fleets)
        both = touched >> start & 1 and touched >> end & 1
        if both and all(
            _afloat(board, fleet, fleets & ~(1 << other)) & (1 << start | 1 << end)
            for other in bits(fleets & ~(1 << fleet))
        ):
            roundabout |= 1 << fleet
    return roundabout


def _afloat(board: Board, fleet: int, fleets: int) -> int:
    """Return the mask of provinces touched by the fleet, and by all fleets connected with it."""
    frontier = 1 << fleet
    reached = touched = 0
    while frontier:
        reached |= frontier
        for one in bits(frontier):
            touched |= board.shores[one]
        frontier = touched & fleets & ~reached
    return touched


def necessary_fleets(board: Board, start: int, end: int, fleets: int) -> int:
    """Return the fleets without which no route is left (for the 2000 rule on paradoxes, 4.A.2)."""
    needed = 0
    for fleet in bits(useful_fleets(board, start, end, fleets)):
        if not has_route(board, start, end, fleets & ~(1 << fleet)):
            needed |= 1 << fleet
    return needed
