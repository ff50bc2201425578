"""The standard board: from the plan to the file that is committed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely
from PIL import ImageFont

from atlas.build.arcs import Arc, arcs_of, rings_of, rounded, shape_of
from atlas.build.ground import share_out, survey
from atlas.build.natural_earth import read_countries
from atlas.build.places import Places, Point, Site, find_places
from atlas.build.plan import Plan, read_plan
from atlas.build.projection import WIDTH, Surveyor
from atlas.fonts import face
from atlas.tokens import NAME_SIZE, SEA_NAME_SIZE
from atlas.wording import code_of
from judge import Board, Province, load_variant

PLAN = Path(__file__).with_name("standard.toml")
HOMELANDS = {
    "Austria": "boh gal tyr",
    "England": "cly wal yor",
    "France": "bur gas pic",
    "Germany": "pru ruh sil",
    "Italy": "apu pie tus",
    "Russia": "fin lvn ukr",
    "Turkey": "arm syr",
}
"""Provinces without a centre that are a power's own country at the start."""
SOURCE = (
    "Made by `python -m atlas.build` from Natural Earth's 1:50m countries (public domain,"
    " naturalearthdata.com) as packaged in npm's world-atlas 2.0.2 (ISC)."
)


def draw(natural_earth: Path) -> str:
    """Return the text of the board's file."""
    plan = read_plan(PLAN)
    surveyor = Surveyor(plan)
    ground = survey(plan, surveyor, read_countries(natural_earth, surveyor))
    areas = share_out(plan, surveyor, ground)
    arcs = [_finished(arc, plan) for arc in arcs_of(areas)]
    rings = {name: rings_of(arcs, name) for name in sorted(areas)}
    shapes = {name: shape_of(arcs, found) for name, found in rings.items()}
    board = load_variant("standard").board
    wishes = {name: surveyor.spot(spot).coords[0] for name, spot in plan.wishes.items()}
    sites = {province.id: _site(board, province, shapes, wishes) for province in board.provinces}
    places = find_places(sites, surveyor.height)
    return _text(
        {
            "source": SOURCE,
            "width": int(WIDTH),
            "height": int(surveyor.height),
            "homelands": {name: home for home, all in HOMELANDS.items() for name in all.split()},
            "places": {name: _described(places[name]) for name in sorted(places)},
            "areas": rings,
            "arcs": [_steps(arc) for arc in arcs],
        }
    )


def _finished(arc: Arc, plan: Plan) -> Arc:
    """Return the arc to be drawn: calm at sea, less angular on land, unchanged on shores."""
    if set(arc.owners) <= set(plan.seas):
        arc = rounded(arc, 2.2)
    elif set(arc.owners) <= set(plan.on_land):
        arc = rounded(arc, 1.0, rounds=2)
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


def _described(places: Places) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": places.name, "unit": places.unit}
    if places.centre:
        facts["centre"] = places.centre
    if places.coasts:
        facts["coasts"] = places.coasts
    return facts


def _steps(arc: Arc) -> str:
    """Return the arc in tenths of a pixel: where it begins, then step by step."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in arc.corners]
    steps = [tenths[0]]
    for (x0, y0), (x1, y1) in pairwise(tenths):
        if (x0, y0) != (x1, y1):
            steps.append((x1 - x0, y1 - y0))
    return " ".join(f"{x} {y}" for x, y in steps)


def _text(facts: Mapping[str, Any]) -> str:
    """Return the facts as JSON with one entry a line, so that a change can be read."""
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
