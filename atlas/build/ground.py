"""Who owns which ground: seeds share out zones and seas, and small stray parts are given away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import shapely
from shapely import STRtree

from atlas.build.natural_earth import parts
from atlas.build.plan import Plan
from atlas.build.projection import Surveyor, bend_edges

NEUTRAL = "neutral"
LAKE = "lake"
_LEAST_ISLAND = 450.0
"""In km²: smaller islands are left out, except Denmark's, which are the province itself."""
_LARGEST_LAKE = 30_000.0
"""In km²: waters larger than this are seas."""
_LEAST_LAKE = 1_200.0
_GRID = 0.05
"""Corners are rounded to this many pixels, so that neighbours share theirs exactly."""
_STRAY = 14.0
"""In pixels²: a part that is cut off from its province and smaller than this goes to a
neighbour."""
_KEEPS_ISLETS = ("denmark",)


@dataclass(frozen=True)
class Ground:
    """Shapes in km: whole zones, impassable and neutral land, and the seeds' cells in each."""

    zones: Mapping[str, shapely.Geometry]
    impassable: Mapping[str, shapely.Geometry]
    neutral: shapely.Geometry
    land_cells: Mapping[str, Mapping[str, shapely.Geometry]]
    """By zone, then by province."""
    sea_cells: Mapping[str, shapely.Geometry]

    @property
    def land(self) -> shapely.Geometry:
        return shapely.union_all([*self.zones.values(), *self.impassable.values(), self.neutral])


def survey(
    plan: Plan, surveyor: Surveyor, countries: Mapping[str, list[shapely.Polygon]]
) -> Ground:
    """Return the ground of a plan."""
    zones, neutral = _zones(plan, surveyor, countries)
    impassable = {
        key: shapely.union_all([part for name in names for part in countries[name]])
        for key, names in plan.impassable.items()
    }
    _close_straits(plan, surveyor, zones, impassable)
    sunk = shapely.union_all(
        [shapely.Polygon([surveyor.km(*spot) for spot in ring]) for ring in plan.sunk]
    )
    zones = {key: shape.difference(sunk) for key, shape in zones.items()}
    neutral = neutral.difference(sunk)
    land_cells = {key: _cells(plan, surveyor, zone.provinces) for key, zone in plan.zones.items()}
    return Ground(zones, impassable, neutral, land_cells, _cells(plan, surveyor, plan.seas))


def _zones(
    plan: Plan, surveyor: Surveyor, countries: Mapping[str, list[shapely.Polygon]]
) -> tuple[dict[str, shapely.Geometry], shapely.Geometry]:
    nobodys = [shapely.Point(surveyor.km(*spot)) for spot in plan.neutral_islands]
    given = [
        (shapely.Point(surveyor.km(*spot)), key)
        for key, spots in plan.gifts.items()
        for spot in spots
    ]
    neutral: list[shapely.Polygon] = []
    own: dict[str, list[shapely.Polygon]] = {key: [] for key in plan.zones}
    for key, zone in plan.zones.items():
        for part in (part for name in zone.countries for part in countries.get(name, [])):
            large = part.area > _LEAST_ISLAND or key in _KEEPS_ISLETS
            heir = next((to for spot, to in given if part.contains(spot)), key)
            if any(part.contains(spot) for spot in nobodys):
                neutral.append(part)
            elif large:
                own[heir].append(part)
    zones = {key: shapely.union_all(found) for key, found in own.items()}
    used = {name for zone in plan.zones.values() for name in zone.countries}
    used |= {name for names in plan.impassable.values() for name in names}
    for name, shapes in countries.items():
        if name not in used:
            neutral += [part for part in shapes if part.area > _LEAST_ISLAND]
    return zones, shapely.union_all(neutral)


def _close_straits(
    plan: Plan,
    surveyor: Surveyor,
    zones: dict[str, shapely.Geometry],
    impassable: Mapping[str, shapely.Geometry],
) -> None:
    for province, lines in plan.straits.items():
        zone = plan.on_land[province]
        strips = [
            shapely.LineString([surveyor.km(*spot) for spot in line]).buffer(9, cap_style="flat")
            for line in lines
        ]
        taken = [*(shape for key, shape in zones.items() if key != zone), *impassable.values()]
        new = shapely.union_all(strips).difference(shapely.union_all(taken))
        zones[zone] = zones[zone].union(new)


def _cells(plan: Plan, surveyor: Surveyor, provinces: Iterable[str]) -> dict[str, shapely.Geometry]:
    """Return, for each province, everything nearer to one of its seeds than to another's."""
    seeds = [(surveyor.km(*spot), name) for name in provinces for spot in plan.seeds[name]]
    spots = shapely.MultiPoint([spot for spot, _ in seeds])
    around = shapely.box(-9000, -9000, 9000, 9000)
    if len(seeds) == 1:
        return {seeds[0][1]: around}
    tree = STRtree([shapely.Point(spot) for spot, _ in seeds])
    cells: dict[str, list[shapely.Geometry]] = {}
    for cell in shapely.voronoi_polygons(spots, extend_to=around).geoms:
        for index in tree.query(cell, predicate="contains"):
            cells.setdefault(seeds[index][1], []).append(cell)
    return {name: bend_edges(shapely.union_all(own)) for name, own in cells.items()}


def share_out(plan: Plan, surveyor: Surveyor, ground: Ground) -> dict[str, shapely.Geometry]:
    """Return the shape of every province on the sheet, and of neutral land and lakes.

    Together they cover the sheet without gap or overlap.
    """
    frame = shapely.box(0, 0, plan.width, surveyor.height)
    waters, lakes = _waters(ground, surveyor)
    areas = {NEUTRAL: surveyor.on_sheet(ground.neutral), LAKE: surveyor.on_sheet(lakes)}
    areas |= {key: surveyor.on_sheet(shape) for key, shape in ground.impassable.items()}
    for key, zone in plan.zones.items():
        for name in zone.provinces:
            piece = ground.zones[key].intersection(ground.land_cells[key][name])
            areas[name] = surveyor.on_sheet(piece).union(areas.get(name, shapely.Polygon()))
    for name, cell in ground.sea_cells.items():
        water = surveyor.on_sheet(waters.intersection(cell))
        areas[name] = water.union(areas.get(name, shapely.Polygon()))
    areas = {
        name: shapely.set_precision(shape.intersection(frame), _GRID)
        for name, shape in areas.items()
    }
    faces = _faces(areas, frame)
    owners = _owners(areas, faces)
    _give_away(faces, owners, plan.realm)
    merged: dict[str, list[shapely.Polygon]] = {}
    for face, owner in zip(faces, owners, strict=True):
        merged.setdefault(owner, []).append(face)
    return {name: shapely.union_all(own) for name, own in merged.items()}


def _waters(ground: Ground, surveyor: Surveyor) -> tuple[shapely.Geometry, shapely.Geometry]:
    left, bottom, right, top = surveyor.plan.frame
    box = shapely.box(left - 900, bottom - 900, right + 900, top + 900)
    waters = parts(box.difference(ground.land))
    seas = [water for water in waters if water.area > _LARGEST_LAKE]
    lakes = [water for water in waters if _LEAST_LAKE < water.area <= _LARGEST_LAKE]
    return shapely.union_all(seas), shapely.union_all(lakes)


def _faces(areas: Mapping[str, shapely.Geometry], frame: shapely.Polygon) -> list[shapely.Polygon]:
    edges = shapely.union_all([shape.boundary for shape in areas.values()] + [frame.boundary])
    lines = shapely.node(shapely.set_precision(edges, _GRID))
    return list(shapely.polygonize([lines]).geoms)


def _owners(areas: Mapping[str, shapely.Geometry], faces: list[shapely.Polygon]) -> list[str]:
    """Return who owns each face; "" for slivers between two drawings."""
    names = list(areas)
    tree = STRtree([areas[name] for name in names])
    owners = []
    for face in faces:
        found = tree.query(face.representative_point(), predicate="within")
        owners.append(names[min(found)] if len(found) else "")
    return owners


def _give_away(
    faces: list[shapely.Polygon], owners: list[str], realm: Callable[[str], str]
) -> None:
    """Give slivers, and small parts cut off from their province, to the longest neighbour.

    A part goes to a province of its own zone or to another sea, never from land to water.
    """
    tree = STRtree(faces)
    near = [[j for j in tree.query(face) if j != i] for i, face in enumerate(faces)]
    contact = {
        (i, j): faces[i].boundary.intersection(faces[j].boundary).length
        for i, others in enumerate(near)
        for j in others
    }
    for _ in range(4):
        for i, owner in enumerate(owners):
            reach = {j: contact[i, j] for j in near[i] if contact[i, j] > 0}
            if owner and any(owners[j] == owner for j in reach):
                continue
            where = realm(owner) if owner else None
            if owner and (not where or _may_stay(i, faces, owners, at_sea=where == "sea")):
                continue
            heirs = [j for j in reach if owners[j] not in ("", owner)]
            if owner:
                heirs = [j for j in heirs if realm(owners[j]) == where]
            if heirs:
                owners[i] = owners[max(heirs, key=lambda j: reach[j])]


def _may_stay(i: int, faces: list[shapely.Polygon], owners: list[str], *, at_sea: bool) -> bool:
    """Tell whether a part is the main part of its province, or an island worth keeping."""
    largest = max(faces[j].area for j, owner in enumerate(owners) if owner == owners[i])
    return faces[i].area == largest or (faces[i].area > _STRAY and not at_sea)
