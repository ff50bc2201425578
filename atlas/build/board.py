"""A board: from its plan to the file that is committed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely
from PIL import ImageFont

from atlas.build.arcs import Arc, arcs_of, rings_of, round_corners, shape_of, without_false_borders
from atlas.build.borders import Pair
from atlas.build.ground import share_out, survey
from atlas.build.mend import mend_borders
from atlas.build.natural_earth import parts, read_countries
from atlas.build.places import Places, Point, Site, find_places
from atlas.build.plan import Plan, read_plan
from atlas.build.projection import Surveyor
from atlas.fonts import face, width_of
from atlas.sheet import LETTERED_FOR
from atlas.tokens import HEADING_LEFT, HEADING_LINES, NAME_SIZE, SEA_NAME_SIZE, TITLE_SIZE
from atlas.wording import code_of
from judge import Board, Province, load_variant

SOURCE = (
    "Made by `python -m atlas.build` from Natural Earth's 1:50m countries (public domain,"
    " naturalearthdata.com) as packaged in npm's world-atlas 2.0.2 (ISC)."
)

_LONGEST_TITLE = "Winter 1901 adjustments"
_APART = 5.0
"""How many pixels names, units and stars keep from the heading, if there is room."""
_LINE = 5.0
"""How many pixels names, units and stars keep from links, railways and canals, on each side, if
there is room."""
_BEYOND = (13.0, 10.0, 8.0, 6.0, 4.0, 2.0)
"""How many pixels a link reaches into each of the two provinces: the first of these for which there
is room."""


def draw(name: str, natural_earth: Path) -> str:
    """Return the text of a board's file."""
    plan = read_plan(Path(__file__).with_name(f"{name}.toml"))
    surveyor = Surveyor(plan)
    board = load_variant(name).board
    areas = ground_of(plan, surveyor, board, natural_earth)
    wanted = touching(plan, board)
    arcs = [
        _smooth_arc(arc, plan) for arc in without_false_borders(arcs_of(areas), wanted, plan.realm)
    ]
    rings = {name: rings_of(arcs, name) for name in sorted(areas)}
    shapes = {name: shape_of(arcs, found) for name, found in rings.items()}
    wishes = {name: surveyor.spot(spot).coords[0] for name, spot in plan.wishes.items()}
    sites = {
        province.id: _site(board, province, shapes, wishes)
        for province in board.provinces
        if province.id in shapes
    }
    links = _links(plan, shapes)
    passages = {
        key: [_round_spot(surveyor.spot(spot).coords[0]) for spot in line]
        for key, line in plan.passages.items()
    }
    neighbours = {"-".join(sorted(pair)) for pair in _neighbours(board)}
    lines = [link for pair, link in links.items() if pair in neighbours] + [*passages.values()]
    reserved = [_heading(plan.width), *(shapely.LineString(line).buffer(_LINE) for line in lines)]
    places = find_places(sites, plan.width, surveyor.height, reserved)
    for name, spot in plan.stars.items():
        point = surveyor.spot(spot)
        places[name].centre = (round(point.x, 1), round(point.y, 1))
    return _text(
        {
            "source": SOURCE,
            "width": int(plan.width),
            "height": int(surveyor.height),
            "homelands": plan.homelands,
            **({"crossings": links} if links else {}),
            **({"passages": passages} if passages else {}),
            "places": {name: _facts_of(places[name]) for name in sorted(places)},
            "areas": rings,
            "arcs": [_steps(arc) for arc in arcs],
        }
    )


def ground_of(
    plan: Plan, surveyor: Surveyor, board: Board, natural_earth: Path
) -> dict[str, shapely.Geometry]:
    """Return the shape of every province, with the borders of the game, and the shapes of other
    ground."""
    ground = survey(plan, surveyor, read_countries(natural_earth, surveyor))
    frame = shapely.box(0, 0, plan.width, surveyor.height)
    areas = share_out(plan, surveyor, ground)
    return mend_borders(areas, touching(plan, board), plan.realm, frame, plan.least_border)


def touching(plan: Plan, board: Board) -> set[Pair]:
    """Return which provinces share a border on the drawing."""
    return _neighbours(board) - set(plan.crossings)


def _neighbours(board: Board) -> set[Pair]:
    return {
        frozenset((one.id, board.provinces[other].id))
        for one in board.provinces
        for other in board.neighbours[one.index]
    }


def _heading(width: float) -> shapely.Polygon:
    """Return the ground under the heading of a phase with a long name."""
    large = max(1.0, width / LETTERED_FOR)
    right = HEADING_LEFT + width_of(_LONGEST_TITLE, "bold", TITLE_SIZE) + _APART
    return shapely.box(0, 0, right * large, (HEADING_LINES[1] + _APART) * large)


def _round_spot(spot: Point) -> Point:
    return round(spot[0], 1), round(spot[1], 1)


def _links(plan: Plan, shapes: Mapping[str, shapely.Geometry]) -> dict[str, list[Point]]:
    pairs = sorted(plan.crossings, key=sorted)
    return {"-".join(sorted(pair)): _crossing(shapes, pair) for pair in pairs}


def _crossing(shapes: Mapping[str, shapely.Geometry], pair: Pair) -> list[Point]:
    """Return the ends of the link that joins two provinces: the shortest way from one to the other,
    and a little beyond."""
    one, other = (max(parts(shapes[name]), key=lambda part: part.area) for name in sorted(pair))
    (x0, y0), (x1, y1) = shapely.shortest_line(one, other).coords
    dx, dy = x1 - x0, y1 - y0
    if math.hypot(dx, dy) < 1:  # they meet at a corner: the link leads through it
        middles = (one.representative_point(), other.representative_point())
        dx, dy = middles[1].x - middles[0].x, middles[1].y - middles[0].y
    length = math.hypot(dx, dy)
    ahead = dx / length, dy / length
    return [_inside(one, (x0, y0), (-ahead[0], -ahead[1])), _inside(other, (x1, y1), ahead)]


def _inside(body: shapely.Polygon, shore: Point, way: Point) -> Point:
    """Return a spot that far inside a province, or less far where the province is narrow."""
    spots = [(shore[0] + way[0] * far, shore[1] + way[1] * far) for far in _BEYOND]
    inner = [spot for spot in spots if body.contains(shapely.Point(spot))] or spots[-1:]
    return round(inner[0][0], 1), round(inner[0][1], 1)


def _smooth_arc(arc: Arc, plan: Plan) -> Arc:
    """Return the arc to draw: calm at sea, less angular on land, unchanged on shores."""
    if set(arc.owners) <= set(plan.seas):
        arc = round_corners(arc, 2.2)
    elif set(arc.owners) <= set(plan.on_land):
        arc = round_corners(arc, 1.0, rounds=2)
    return Arc(tuple((round(x, 1), round(y, 1)) for x, y in arc.corners), arc.owners)


def _site(
    board: Board,
    province: Province,
    shapes: Mapping[str, shapely.Geometry],
    wishes: Mapping[str, Point],
) -> Site:
    is_sea = province.kind == "sea"
    font = ImageFont.truetype(face("italic" if is_sea else "bold"), 100)
    size = SEA_NAME_SIZE if is_sea else NAME_SIZE
    width = font.getlength(code_of(province)) * size / 100
    shores = {coast: _shore(board, province, coast, shapes) for coast in province.coasts}
    return Site(
        shape=shapes[province.id],
        name_size=(width, size * 0.74),
        is_sea=is_sea,
        has_centre=province.center,
        wish=wishes.get(province.id),
        shores=shores,
    )


def _shore(
    board: Board, province: Province, coast: str, shapes: Mapping[str, shapely.Geometry]
) -> shapely.Geometry:
    body = max(getattr(shapes[province.id], "geoms", [shapes[province.id]]), key=lambda p: p.area)
    reach = board.steps("F", board.location(province, coast))
    seas = {at.province.id for at in reach if at.province.kind == "sea"}
    shores = [body.exterior.intersection(shapes[sea].buffer(0.3)) for sea in seas]
    merged = shapely.line_merge(shapely.union_all(shores))
    return max(getattr(merged, "geoms", [merged]), key=lambda line: line.length)


def _facts_of(places: Places) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": places.name, "unit": places.unit}
    if places.centre:
        facts["centre"] = places.centre
    if places.coasts:
        facts["coasts"] = places.coasts
    return facts


def _steps(arc: Arc) -> str:
    """Return the arc in tenths of a pixel: its beginning, then step by step."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in arc.corners]
    steps = [tenths[0]]
    for (x0, y0), (x1, y1) in pairwise(tenths):
        if (x0, y0) != (x1, y1):
            steps.append((x1 - x0, y1 - y0))
    return " ".join(f"{x} {y}" for x, y in steps)


def _text(facts: Mapping[str, Any]) -> str:
    """Return the facts as JSON with one entry a line, so that a change is easy to read."""
    return "{\n" + ",\n".join(_lines(facts)) + "\n}\n"


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    for key, value in facts.items():
        if isinstance(value, dict):
            rows = [f"  {json.dumps(k)}: {_compact(v)}" for k, v in value.items()]
            yield f'"{key}": {{\n' + ",\n".join(rows) + "\n}"
        elif isinstance(value, list):
            yield f'"{key}": [\n' + ",\n".join(f"  {_compact(row)}" for row in value) + "\n]"
        else:
            yield f'"{key}": {json.dumps(value)}'


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
